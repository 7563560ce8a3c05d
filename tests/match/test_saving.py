"""A match saved, made again and given what it was given since: the same match, to the byte."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from euchre_arena.match import Clock, Effect, Match, Record
from euchre_arena.match.inputs import (
    AWAY,
    CRASHED,
    GONE,
    LIMITED,
    SAID,
    TIMED_OUT,
    Input,
    InputError,
    chose,
    put,
    row,
    rows,
    took_effect,
    without,
)
from euchre_arena.match.saving import SavedError, reopen, restored, saved
from euchre_arena.rules import PRESETS
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.match.driving import MS, SECRET, a_match

NUMBER = 7


class Life:
    """A match that is given whatever may happen, with the journal a referee would keep of it."""

    def __init__(self, match: Match, seed: int, misery: float) -> None:
        self.match = match
        match.keep_lines()
        self.rng = random.Random(seed)
        self.misery = misery
        self.now = 0
        self.lines: list[str] = []
        self.journal: list[bytes] = []
        """Rows since the state was saved."""
        self.state: Any = None
        self.kept: list[tuple[int, str]] = []
        self.take(match.start(self.now))
        self.save()

    def take(self, effects: list[Effect]) -> None:
        self.lines += [line for e in effects if isinstance(e, Record) for line in e.lines]

    def save(self) -> None:
        self.state = json.loads(json.dumps(saved(self.match)))
        self.kept += self.match.fresh_lines()
        self.journal.clear()

    def step(self) -> None:
        """Something happens to one of the open turns."""
        match, rng = self.match, self.rng
        self.now += rng.randrange(20 * MS)
        if rng.random() < 0.03 or not match.open_turns():  # a bot takes more games, or fewer
            games = rng.randrange(6)
            match.limit(games)
            self.take(match.refill(self.now))
            self.journal.append(row(Input(NUMBER, LIMITED, 0, 0, games)))
            return
        game, seat, turn = rng.choice(match.open_turns())
        if rng.random() < 0.9:
            match.sent(game, seat, turn, self.now)
            self.now += rng.randrange(8 * MS)
        chance = rng.random()
        network = rng.randrange(10 * MS)
        if chance < self.misery / 10:
            self.take(match.crashed(game, seat, 'said: "no"\n', self.now))
            self.journal.append(
                row(Input(NUMBER, CRASHED, game, turn, seat, detail='said: "no"\n'))
            )
        elif chance < self.misery / 9:
            self.take(match.away(game, seat, "gone 9 times", self.now))
            self.journal.append(row(Input(NUMBER, AWAY, game, turn, seat, detail="gone 9 times")))
        elif chance < self.misery / 8:
            self.take(match.disconnected(1, self.now, "gone"))
            self.journal.append(row(Input(NUMBER, GONE, 0, 0, 1, detail="gone")))
        elif chance < self.misery:
            code = rng.choice([-1, 15 << 10, 13 << 10 | rng.randrange(1, 53), 1 << 90, 3 << 10 | 9])
            effects = match.receive(game, seat, turn, code, self.now, network)
            self.told(effects, Input(NUMBER, SAID, game, turn, code, *self.times))
        elif rng.random() < self.misery:
            self.now += rng.randrange(400) * MS
            self.take(match.expire(self.now))
            for late in match.expired:
                timed = Input(NUMBER, TIMED_OUT, late[0], late[1], 0, *late[2:])
                self.journal.append(row(timed))
        else:
            count = len(match.open_turn(game).legal)
            choice = rng.randrange(count) if rng.random() > self.misery / 2 else 1 << 40
            effects = match.choose(game, seat, turn, choice, self.now, network)
            if took_effect(effects):
                self.journal.append(chose(NUMBER, game, turn, choice, *self.times))
            self.take(effects)

    def told(self, effects: list[Effect], given: Input) -> None:
        if took_effect(effects):
            self.journal.append(row(given))
        self.take(effects)

    @property
    def times(self) -> tuple[int, int, int]:
        return self.match.clocks.taken

    def again(self) -> tuple[Match, list[str]]:
        """The match as another referee makes it again, and its record so far."""
        match = self.match
        found = restored(match.spec, SECRET, (), 32, False, self.state, self.kept)
        lines = found.released
        for given_row in rows(b"".join(self.journal)):
            for effect in put(found.match, given_row):
                if isinstance(effect, Record):
                    lines += effect.lines
        return found.match, lines


def stands(match: Match) -> dict[str, Any]:
    """All that must be the same."""
    return {**saved(match), "open": match.open_turns(), "over": match.over, "result": match.result}


FORMATS = st.sampled_from(
    [{"games": 4}, {"games": 6, "duplicate": True}, {"best_of": 5}, {"deals": 9}, {"rubber": True}]
)
CLOCKS = st.sampled_from([None, Clock(10, 30, 2), Clock(5, 0, 0, 3, 8)])


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(PRESETS)),
    FORMATS,
    CLOCKS,
    st.sampled_from(["retry", "revoke", "forfeit"]),
    st.sampled_from([0.0, 0.05, 0.3]),
    st.integers(1, 5),
    st.integers(0, 10**9),
)
def test_at_any_moment_a_match_made_again_is_the_same(
    preset: str,
    match_format: dict[str, Any],
    clock: Clock | None,
    on_illegal: str,
    misery: float,
    parallel: int,
    seed: int,
) -> None:
    sides = PRESETS[preset].sides
    if "rubber" in match_format and sides != 2:
        match_format = {"games": 3}
    options: dict[str, Any] = {} if "deals" in match_format else {"max_deals": 6}
    if on_illegal != "revoke" or preset == "standard":
        options["on_illegal"] = on_illegal
    entrants = tuple(f"e{i}" for i in range(sides))
    match = a_match(
        match_format, preset, entrants=entrants, clock=clock, parallel=parallel, **options
    )
    life = Life(match, seed, misery)
    while not match.over:
        for _ in range(life.rng.randrange(1, 60)):
            if match.over:
                break
            life.step()
        other, lines = life.again()
        assert lines == life.lines
        assert stands(other) == stands(match)
        if not match.over and life.rng.random() < 0.4:
            life.save()


def test_one_life_through_many_referees_leaves_the_record_of_one() -> None:
    """Each of them goes on where the last stopped; the rows of one serve the next."""
    for seed in range(20):
        clock = Clock(10, 30, 2)
        whole = Life(a_match({"games": 4}, clock=clock, parallel=3), seed, 0.1)
        while not whole.match.over:
            whole.step()
        parts = Life(a_match({"games": 4}, clock=clock, parallel=3), seed, 0.1)
        while not parts.match.over:
            for _ in range(25):
                if not parts.match.over:
                    parts.step()
            if parts.match.over:
                break
            started = {live.number: live for live in parts.match._live.values()}
            other, _ = parts.again()
            for number, old in started.items():  # this test's clocks go on, as if nothing were
                live = other.live_game(number)
                assert live is not None
                live.asked_at, live.started = old.asked_at, old.started
            other.clocks.bound = parts.match.clocks.bound
            parts.match = other
            parts.save()
        assert parts.lines == whole.lines


def test_reopened_the_clocks_of_open_turns_begin_anew() -> None:
    match = a_match({"games": 1}, clock=Clock(10, 20))
    match.start(0)
    ((game, seat, turn),) = match.open_turns()
    match.sent(game, seat, turn, 0)
    reopen(match, 1_000 * MS)
    assert match.expire(2_000 * MS) == []
    match.sent(game, seat, turn, 2_000 * MS)
    assert match.expire(2_029 * MS) == []
    assert match.expire(2_600 * MS) != []


def test_rows_of_other_matches_are_left_out_by_number() -> None:
    mine = chose(1, 2, 3, 4, 5, 6, 7)
    slow = chose(1, 2, 3, 4, 5, 6, 7_000_000_000)
    said = row(Input(2, SAID, 0, 300, 1 << 80, 1, 2, 3))
    crash = row(Input(3, CRASHED, 0, 1, 2, detail="a b  c é\n"))
    data = mine + said + slow + crash
    assert without(data, frozenset({2, 3})) == mine + slow
    assert without(data, frozenset()) == data
    assert [each.number for each in rows(data)] == [1, 2, 1, 3]
    found = list(rows(data))
    assert found[1].value == 1 << 80
    assert found[3].detail == "a b  c é\n"
    assert found[2].thinking == 7_000_000_000


@pytest.mark.parametrize("cut", [1, 5, 21])
def test_torn_rows_are_refused(cut: int) -> None:
    data = chose(1, 2, 3, 4, 5, 6, 7) + row(Input(3, CRASHED, 0, 1, 2, detail="x" * 50))
    with pytest.raises(InputError):
        list(rows(data[:-cut]))
    with pytest.raises(InputError, match="no row of kind 77"):
        list(rows(bytes([77]) + data))


def test_rows_that_do_not_fit_are_refused() -> None:
    match = a_match({"games": 1})
    match.start(0)
    ((game, _seat, turn),) = match.open_turns()
    with pytest.raises(InputError, match=f"turn {turn + 1} of game 0: the game is at turn {turn}"):
        put(match, Input(0, 1, game, turn + 1, 0))
    with pytest.raises(InputError, match="not under way"):
        put(match, Input(0, 1, 5, 1, 0))
    with pytest.raises(SavedError):
        restored(match.spec, SECRET, (), 1, False, {"next": 1, "head": 0}, [])

"""Bots played at home: the same referee, the author's own errors told, games lost alone."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from euchre_arena import Bot, GameOutcome, MatchOutcome, Table, Turn, play_local
from euchre_arena.bots import First, LoadError
from euchre_arena.local import RecordWriteError
from euchre_arena.match import Clock, SpecError
from euchre_arena.match.replay import replay_record
from euchre_arena.rules import OptionError

FOUR = {"games": 4, "duplicate": True}


class Last(Bot):
    """The last legal action, as plain text."""

    def act(self, turn: Turn) -> str:
        return str(turn.legal[-1])


class Awaited(Bot):
    """Decides like `Last`, and lets the others go on meanwhile."""

    def __init__(self) -> None:
        self.at_once = 0
        self.most = 0

    async def act(self, turn: Turn) -> str:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        return turn.legal[-1]


class Broken(Bot):
    """Fails in the second game it is asked in."""

    def act(self, turn: Turn) -> str:
        if turn.table.game_number == 1:
            raise ZeroDivisionError("my mistake")
        return turn.legal[0]


def replayed(path: Path) -> bool:
    report = replay_record(path.read_bytes().splitlines())
    assert report.ok, report.message
    return report.finished


def test_bots_are_given_as_names_classes_or_instances(tmp_path: Path):
    results = [
        play_local(bots, match_format=FOUR, seed=1)
        for bots in (
            ["first", Last],
            [First, Last()],
            [First(), Last],
        )
    ]
    assert [result.entrants for result in results] == [("first", "Last")] * 3
    assert len({result.points for result in results}) == 1


def test_a_seed_gives_the_same_match_and_its_record_says_so(tmp_path: Path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.jsonl"]
    for path, seed in zip(paths, (7, 7, "8"), strict=True):
        play_local(["first", "random"], match_format=FOUR, seed=seed, record=path)
    one, same, other = (path.read_bytes() for path in paths)
    assert one == same != other
    assert json.loads(one.splitlines()[0])["seeded"] is True
    assert all(map(replayed, paths))


def test_without_a_seed_deals_are_unforeseeable_and_every_seat_sends_a_nonce(tmp_path: Path):
    path = tmp_path / "m.jsonl"
    first = play_local(["first", "first"], match_format=FOUR, record=path)
    match = json.loads(path.read_text().splitlines()[0])
    assert [len(nonce) for nonce in match["nonces"]] == [64] * 4
    assert "seeded" not in match
    assert replayed(path)
    assert play_local(["first"], match_format=FOUR).spec.match_id != first.spec.match_id


def test_names_are_repeated_in_turn_until_every_side_has_an_entrant():
    one = play_local(["first"], match_format=FOUR, seed=1)
    three = play_local(["first", "random"], "three", match_format={"games": 3}, seed=1)
    assert one.entrants == ("first", "first-2")
    assert three.entrants == ("first", "random", "first-2")


def test_one_bot_a_seat_makes_teams():
    seen: dict[str, set[tuple[int, int]]] = {}

    class Watcher(Bot):
        def __init__(self, name: str) -> None:
            self.name = name

        def act(self, turn: Turn) -> str:
            seen.setdefault(str(self.name), set()).add((turn.table.game_number, turn.seat))
            assert turn.table.players[turn.seat] == self.name
            return turn.legal[0]

    team = play_local(
        [Watcher(name) for name in "abcd"],
        match_format={"games": 2, "duplicate": True},
        options={"max_deals": 3},
        seed=1,
    )
    assert team.entrants == ("a+c", "b+d")
    assert seen == {
        "a": {(0, 0), (1, 1)},
        "b": {(0, 1), (1, 2)},
        "c": {(0, 2), (1, 3)},
        "d": {(0, 3), (1, 0)},
    }


def test_a_number_of_bots_that_fits_no_table_is_refused():
    with pytest.raises(SpecError, match="takes up to 2 or 4, not 3"):
        play_local(["first"] * 3)
    with pytest.raises(SpecError, match="at least one"):
        play_local([])
    with pytest.raises(SpecError, match=r"no euchre_arena\.Bot"):
        play_local([3])  # type: ignore[list-item]  # that is the point


def test_what_makes_no_sense_is_refused_by_name():
    with pytest.raises(OptionError, match="targt"):
        play_local(["first"], options={"targt": 3})
    with pytest.raises(LoadError, match="fisrt"):
        play_local(["fisrt"])
    with pytest.raises(SpecError, match="match format"):
        play_local(["first"], match_format={"games": 0})


def test_an_exception_forfeits_that_game_alone_and_is_told_with_its_turn(tmp_path: Path):
    path = tmp_path / "m.jsonl"
    result = play_local([Broken, "first"], match_format={"games": 3}, seed=1, record=path)
    assert result.fault_counts == {(0, "crashed"): 1}
    assert result.lost_by_fault == 1
    (error,) = result.errors
    assert (error.name, error.game, error.entrant) == ("Broken", 1, 0)
    assert "seat" in error.turn
    assert "legal" in error.turn
    assert 'raise ZeroDivisionError("my mistake")' in error.text
    assert "driver.py" not in error.text, "the author's own frames only"
    assert isinstance(error.error, ZeroDivisionError)
    assert replayed(path)
    assert '"detail": "ZeroDivisionError: my mistake"' in path.read_text()


@pytest.mark.parametrize("answer", [None, 3, b"pass"])
def test_what_is_no_action_is_told_as_an_error(answer: object):
    class Odd(Bot):
        def act(self, turn: Turn) -> str:
            return answer  # type: ignore[return-value]  # that is the point

    result = play_local([Odd, "first"], match_format={"games": 1}, seed=1)
    assert "must return one of turn.legal" in result.errors[0].text


def test_a_bot_that_leaves_the_process_loses_its_game_only():
    class Leaver(Bot):
        def act(self, turn: Turn) -> str:
            raise SystemExit(3)

    result = play_local([Leaver, "first"], match_format={"games": 2}, seed=1)
    assert result.fault_counts == {(0, "crashed"): 2}


def test_a_refused_answer_is_asked_again_with_the_reason():
    refusals: list[str | None] = []

    class Stubborn(Bot):
        def act(self, turn: Turn) -> str:
            refusals.append(turn.refusal)
            return "play B" if turn.refusal is None else turn.legal[0]

    options = {"target": 1, "max_deals": 1}
    result = play_local([Stubborn, "first"], options=options, match_format={"games": 1}, seed=1)
    kinds = {kind for _, kind in result.fault_counts}
    assert "illegal" in kinds
    assert refusals[:2] == [None, "wrong-phase"]


def test_text_that_does_not_parse_is_malformed_not_a_crash():
    class Mumbler(Bot):
        def act(self, turn: Turn) -> str:
            return "err" if turn.refusal is None else turn.legal[0]

    options = {"max_deals": 1}
    result = play_local([Mumbler, "first"], options=options, match_format={"games": 1}, seed=1)
    assert result.errors == []
    assert result.faults[0].detail == "no action: malformed"


def test_claims_may_be_made_in_words(tmp_path: Path):
    class Claimer(Bot):
        def act(self, turn: Turn) -> str:
            late = turn.phase == "play" and not turn.trick and sum(turn.tricks_won) == 3
            return "claim" if late and turn.refusal is None else turn.legal[-1]

    path = tmp_path / "m.jsonl"
    play_local([Claimer], options={"claims": True}, match_format=FOUR, seed=1, record=path)
    assert '"claim"' in path.read_text()
    assert replayed(path)


def test_asynchronous_bots_are_played_side_by_side_with_the_same_record(tmp_path: Path):
    paths = [tmp_path / "sync.jsonl", tmp_path / "async.jsonl"]
    awaited = Awaited()
    awaited.name = "Last"
    one = play_local([Last, "first"], match_format=FOUR, seed=3, record=paths[0])
    other = play_local([awaited, "first"], match_format=FOUR, seed=3, record=paths[1])
    assert awaited.most > 1
    assert one.result == other.result
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_an_asynchronous_bot_may_fail_too():
    class Failing(Bot):
        async def act(self, turn: Turn) -> str:
            await asyncio.sleep(0)
            raise RuntimeError("later")

    result = play_local([Failing, "first"], match_format={"games": 3}, seed=1)
    assert result.fault_counts == {(0, "crashed"): 3}
    assert "later" in result.errors[0].text


def test_without_a_clock_nobody_is_late():
    class Slow(Bot):
        def act(self, turn: Turn) -> str:
            assert (turn.move_time_ms, turn.bank_ms) == (0, 0)
            time.sleep(0.0005)  # what is slow is the subject
            return turn.legal[0]

    options = {"max_deals": 2}
    result = play_local([Slow], options=options, match_format={"games": 1}, seed=1)
    assert result.fault_counts == {}


def test_with_a_clock_a_late_bot_is_decided_for(tmp_path: Path):
    class Slow(Bot):
        def act(self, turn: Turn) -> str:
            assert turn.move_time_ms == 1
            time.sleep(0.003)  # longer than the clock below allows, which is the subject
            return turn.legal[-1]

    path = tmp_path / "m.jsonl"
    result = play_local(
        [Slow, "first"],
        options={"max_deals": 2},
        match_format={"games": 1},
        seed=1,
        clock=Clock(1),
        record=path,
    )
    assert result.fault_counts[0, "timeout"] > 0
    assert replayed(path)


def test_an_asynchronous_bot_that_never_answers_is_timed_out():
    class Sleeper(Bot):
        async def act(self, turn: Turn) -> str:
            await asyncio.sleep(3600)
            return turn.legal[0]

    clock = Clock(1, lag_per_move_ms=0)
    result = play_local(
        [Sleeper, "first"], options={"max_deals": 1}, match_format={"games": 2}, seed=1, clock=clock
    )
    assert result.fault_counts[0, "timeout"] > 0
    assert not result.interrupted


def test_hooks_tell_of_games_and_match():
    class Listener(Bot):
        def __init__(self) -> None:
            self.started: list[tuple[int, int]] = []
            self.ended: list[tuple[int, GameOutcome]] = []
            self.match: list[MatchOutcome] = []

        def act(self, turn: Turn) -> str:
            return turn.legal[0]

        def game_started(self, table: Table) -> None:
            self.started.append((table.game_number, table.seat))

        def game_ended(self, table: Table, outcome: GameOutcome) -> None:
            self.ended.append((table.game_number, outcome))

        def match_ended(self, outcome: MatchOutcome) -> None:
            self.match.append(outcome)

    listener = Listener()
    result = play_local([listener, "first"], match_format={"games": 2, "duplicate": True}, seed=1)
    assert sorted(listener.started) == [(0, 0), (0, 2), (1, 1), (1, 3)]
    assert [game for game, _ in listener.ended] == [0, 0, 1, 1]
    assert sum(outcome.won for _, outcome in listener.ended) == 2 * result.games[0]
    (outcome,) = listener.match
    assert outcome.winners == result.winners
    assert len(outcome.secret) == 32


@pytest.mark.parametrize("hook", ["game_started", "game_ended", "match_ended"])
def test_a_hook_that_fails_is_told_and_costs_nothing(hook: str):
    def fail(self: Bot, *given: object) -> None:
        raise ValueError(f"in {hook}")

    bot = type("Hooked", (First,), {hook: fail, "name": "hooked"})
    result = play_local([bot, "first"], match_format={"games": 2}, seed=1)
    assert result.fault_counts == {}
    assert hook in result.errors[0].turn
    assert f"in {hook}" in result.errors[0].text


def test_the_interval_is_over_duplicate_pairs():
    """`book` plays random in pairs: each unit is the mean of two games."""
    result = play_local(["first", "random"], match_format={"games": 20, "duplicate": True}, seed=2)
    won = result.won[0]
    assert won is not None
    assert result.units == 10
    assert won.mean == result.games[0] / 20
    assert won.low < won.mean <= won.high


def test_what_is_printed_as_json_holds_no_times():
    one, other = (play_local(["first", "random"], match_format=FOUR, seed=5) for _ in range(2))
    assert json.dumps(one.to_json()) == json.dumps(other.to_json())
    assert one.seconds > 0


def test_a_record_that_cannot_be_written_names_the_cause(tmp_path: Path):
    with pytest.raises(RecordWriteError, match="No such file or directory"):
        play_local(["first"], match_format=FOUR, record=tmp_path / "no" / "m.jsonl")
    with pytest.raises(RecordWriteError, match=r"/dev/full: No space left on device"):
        play_local(["first"], match_format={"games": 40}, record="/dev/full")


def test_deals_and_best_of():
    deals = play_local(["first", "random"], match_format={"deals": 10, "duplicate": True}, seed=1)
    assert deals.hands == 10
    best = play_local(["first", "random"], match_format={"best_of": 5}, seed=1)
    assert max(best.games) == 3

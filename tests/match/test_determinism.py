"""Same inputs, same effects; whatever finishes first, the same record to the byte."""

from __future__ import annotations

import random
from typing import Any

from euchre_arena.match import Ask, Clock, Match, Rejected
from euchre_arena.match.replay import replay_record
from euchre_arena.rules import PRESETS, action_text
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.match.driving import MS, Play, a_match, chosen

FORMATS = st.sampled_from(
    [
        {"games": 3},
        {"games": 4, "duplicate": True},
        {"best_of": 5},
        {"deals": 6, "duplicate": True},
    ]
)
FOUR = ["standard", "stick", "hoyle", "british", "canadian"]


def small(match_format: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    return options if "deals" in match_format else {"target": 2, **options}


@settings(max_examples=40, deadline=None)
@given(FORMATS, st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 10**6))
def test_any_order_of_answers_gives_the_same_record(
    match_format: dict[str, Any], seed: int, parallel: int, order: int
):
    one_by_one = Play(a_match(match_format, parallel=1, **small(match_format, {}))).start()
    one_by_one.finish(seed)
    shuffled = random.Random(order)
    mixed = Play(a_match(match_format, parallel=parallel, **small(match_format, {}))).start()
    mixed.finish(seed, order=shuffled.randrange)
    assert mixed.lines == one_by_one.lines
    assert mixed.match.result == one_by_one.match.result


@settings(max_examples=25, deadline=None)
@given(FORMATS, st.integers(0, 10**6))
def test_the_same_inputs_give_the_same_effects(match_format: dict[str, Any], seed: int):
    options = small(match_format, {})
    one, other = (
        Play(a_match(match_format, updates=True, **options)).start().finish(seed) for _ in range(2)
    )
    assert one.effects == other.effects


@settings(max_examples=40, deadline=None)
@given(FORMATS, st.integers(0, 10**6), st.integers(0, 10**6))
def test_noise_changes_nothing(match_format: dict[str, Any], seed: int, noise: int):
    """Stale, repeated and unknown answers between the others: each is rejected, none is seen."""
    quiet = Play(a_match(match_format, parallel=3, **small(match_format, {}))).start()
    quiet.finish(seed)
    match = a_match(match_format, parallel=3, **small(match_format, {}))
    noisy = Play(match).start()
    rng = random.Random(noise)
    answered: list[Ask] = []
    while noisy.open:
        for _ in range(rng.randrange(3)):
            disturb(match, rng, answered)
        ask = noisy.open[rng.randrange(len(noisy.open))]
        answered.append(ask)
        noisy.choose(ask, chosen(seed, ask, len(match.open_turn(ask.game).legal)))
    assert noisy.lines == quiet.lines


def disturb(match: Match, rng: random.Random, answered: list[Ask]) -> None:
    open_turns = set(match.open_turns())
    if answered and rng.random() < 0.5:
        old = rng.choice(answered)
        turn = (old.game, old.seat, old.turn)
    else:
        turn = (rng.randrange(-1, 8), rng.randrange(-1, 6), rng.randrange(-1, 40))
    if turn in open_turns:
        return
    effects = (
        match.choose(*turn, rng.randrange(-2, 6), 0)
        if rng.random() < 0.5
        else match.receive(*turn, rng.choice([-1, 1 << 10, 13 << 10 | 5, 1 << 40]), 0)
    )
    (rejected,) = effects
    assert isinstance(rejected, Rejected)
    assert rejected.reason in ("stale", "repeated")


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "stick_the_dealer": st.booleans(),
        "no_trump": st.sampled_from(["second-round", False]),
        "defend_alone": st.sampled_from([True, "any", False]),
        "partners_best": st.booleans(),
        "four_trick_tokens": st.booleans(),
        "win_by_two": st.booleans(),
        "farmers_hand": st.sampled_from(["swap", "redeal", False]),
        "claims": st.booleans(),
        "ask_forced": st.booleans(),
        "max_deals": st.integers(1, 12),
        "on_illegal": st.sampled_from(["retry", "revoke", "forfeit"]),
        "on_timeout": st.sampled_from(["default", "forfeit"]),
        "target": st.integers(1, 6),
    },
)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(FOUR),
    OPTIONS,
    st.sampled_from([{"games": 2}, {"games": 3, "duplicate": True}, {"best_of": 3}]),
    st.integers(0, 10**9),
)
def test_whatever_happens_the_record_replays(
    preset: str, options: dict[str, Any], match_format: dict[str, Any], seed: int
):
    """Legal, illegal, late, crashed, gone, broken off, in any mixture."""
    rng = random.Random(seed)
    clock = Clock(10, 20, 1) if rng.random() < 0.5 else None
    match = a_match(match_format, preset, clock=clock, parallel=rng.randrange(1, 4), **options)
    play = Play(match).start()
    now = 0
    misery = rng.choice([0.0, 0.02, 0.1])
    while not match.over:
        now += rng.randrange(15) * MS
        happen(play, rng, now, misery)
    report = replay_record(play.lines)
    assert report.ok, report.message
    assert match.result is not None
    assert report.result == match.result.as_dict()
    assert report.finished == bool(match.result.winners)
    assert len(report.faults) == len([line for line in play.lines if '"line": "fault"' in line])


def happen(play: Play, rng: random.Random, now: int, misery: float) -> None:
    match = play.match
    game, seat, turn = rng.choice(match.open_turns())
    match.sent(game, seat, turn, now)
    event = rng.random()
    if event < misery / 8:
        effects = match.crashed(game, rng.randrange(4), 'said: "no"', now)
    elif event < misery / 6:
        effects = match.disconnected(rng.randrange(2), now)
    elif event < misery / 5:
        effects = match.abort(now)
    elif event < misery:
        code = rng.choice([-1, 15 << 10, 13 << 10 | rng.randrange(1, 53), 3 << 10 | 9])
        effects = match.receive(game, seat, turn, code, now)
    else:
        late = rng.randrange(400) * MS if rng.random() < misery else 0
        effects = match.expire(now + late)
        if not effects:
            legal = match.open_turn(game).legal
            effects = match.choose(game, seat, turn, rng.randrange(len(legal)), now + late)
    play.take(effects)


def test_every_preset_that_is_played_makes_records_that_replay():
    for preset in PRESETS.values():
        entrants = tuple(f"e{i}" for i in range(preset.sides))
        match_format = {"games": preset.sides + 1, "duplicate": True}
        match = a_match(match_format, preset.name, entrants=entrants, max_deals=12)
        report = replay_record(Play(match).start().finish(7).lines)
        assert report.ok, (preset.name, report.message)


def test_claims_come_by_code():
    """A claim is never on the list; one that holds ends the hand."""
    for seed in range(200):
        match = a_match(claims=True, target=1)
        play = Play(match).start()
        rng = random.Random(seed)
        while not match.over:
            ask = play.open[0]
            hand = match._live[0].hand
            if hand.phase.word == "play" and not hand.trick and len(hand.trick_winners) >= 2:
                play.say("claim")
                if match.over:
                    break
                if match.open_turns()[0][1:] != (ask.seat, ask.turn):
                    continue
            legal = match.open_turn(0).legal
            play.say(action_text(rng.choice(legal)))
        if any('"claim"' in line for line in play.lines):
            assert replay_record(play.lines).ok
            return
    raise AssertionError("no claim held in 200 games")

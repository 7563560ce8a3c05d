"""Rubbers, stakes and skunks (rules.md §11): Foster's numbers, sums of zero, and their records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from euchre_arena.match.replay import replay_record
from euchre_arena.match.scoring import Tally
from euchre_arena.match.spec import MatchFormat
from euchre_arena.match.stakes import owed_points, owed_tricks, rubber_points, skunked
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.match.driving import Play, a_match
from tests.match.records import broken, fails

SIDES = (0, 1, 0, 1)
Game = tuple[Sequence[int], Sequence[int]]


def tallied(played: Sequence[Game], /, target: int = 5, **match_format: Any) -> Tally:
    tally = Tally(MatchFormat.of(match_format), 2, SIDES, target)
    for score, winners in played:
        tally.add(SIDES, score, winners, (5, 3))
    return tally


@pytest.mark.parametrize(
    ("target", "losers", "worth"),
    [
        (5, 0, 3), (5, -2, 3), (5, 1, 2), (5, 2, 2), (5, 3, 1), (5, 4, 1),
        (10, 0, 3), (10, 1, 2), (10, 4, 2), (10, 5, 1), (10, 9, 1),
        (7, 3, 2), (7, 4, 1), (1, 0, 3),
    ],
)  # fmt: skip  # a table
def test_treble_double_single(target: int, losers: int, worth: int):
    """[F]: to five, nothing is a treble, one or two a double, three or four a single."""
    assert rubber_points(target, losers) == worth


def test_the_largest_and_the_smallest_rubber_of_foster():
    """[F]: two triples and the rubber are eight; two singles and the rubber to a triple, one."""
    large = tallied([((5, 0), (0,)), ((6, 0), (0,))], rubber=True, stake_per_point=10)
    assert large.needed() == 0
    result = large.result()
    assert (result.winners, result.rubber, result.stakes) == ((0,), (8, 0), (80, -80))
    small = tallied(
        [((5, 4), (0,)), ((0, 5), (1,)), ((5, 3), (0,))], rubber=True, stake_per_point=10
    ).result()
    assert (small.winners, small.rubber, small.stakes) == ((0,), (4, 3), (10, -10))
    assert small.as_dict()["rubber"] == [4, 3]


def test_a_rubber_ends_with_two_games_won_and_goes_on_at_one_all():
    assert tallied([((5, 0), (0,)), ((0, 5), (1,))], rubber=True).needed() == 1
    assert tallied([((5, 0), (0,))], rubber=True).needed() == 1


def test_a_level_game_has_no_losers_and_a_level_rubber_no_bonus():
    result = tallied([((3, 3), (0, 1))] * 2, rubber=True, stake_per_point=1).result()
    assert (result.winners, result.rubber, result.stakes) == ((0, 1), (0, 0), (0, 0))


def test_what_is_owed_a_game():
    assert owed_points((10, 6), 0) == 4
    assert owed_points((-2, 5), 1) == 7
    assert owed_points((2, 9), 0) == 0, "a game lost by a fault is not paid for by its winners"
    assert owed_tricks((21, 24), 0) == -3, "tricks are counted, whoever won"
    result = tallied([((10, 6), (0,)), ((3, 10), (1,))], games=2, stake_per_point=3).result()
    assert result.stakes == (12 - 21, 21 - 12)
    result = tallied([((10, 6), (0,)), ((3, 10), (1,))], games=2, stake_per_trick=3).result()
    assert result.stakes == (6 + 6, -12)


def test_a_skunk():
    assert skunked((10, 0), (0,))
    assert skunked((-2, 5), (1,))
    assert not skunked((10, 1), (0,))
    assert not skunked((0, 0), (0, 1)), "nobody lost"
    assert tallied([((10, 0), (0,))], games=1, skunk=True).result().skunks == (1, 0)


FORMATS = st.one_of(
    st.just({"rubber": True}),
    st.builds(lambda n: {"games": n}, st.integers(1, 4)),
    st.builds(lambda n: {"best_of": n}, st.integers(1, 5)),
    st.builds(lambda n: {"deals": n}, st.integers(1, 6)),
)
PRESETS = st.sampled_from(["standard", "two", "hoyle", "six", "auction", "bid-four", "ecarte"])


@st.composite
def recorded(draw: st.DrawFn) -> tuple[dict[str, Any], list[str]]:
    """A match format with stakes and skunks, and the record of a match played by it."""
    match_format: dict[str, Any] = dict(draw(FORMATS))
    if draw(st.booleans()):
        match_format["duplicate"] = True
    if draw(st.booleans()):
        match_format["skunk"] = True
    stake = draw(st.sampled_from(["", "stake_per_point", "stake_per_trick"]))
    if stake == "stake_per_trick" and "rubber" in match_format:
        stake = "stake_per_point"
    if stake:
        match_format[stake] = draw(st.integers(1, 9))
    options: dict[str, Any] = {} if "deals" in match_format else {"target": draw(st.integers(1, 5))}
    options["max_deals"] = draw(st.sampled_from([2, 30]))
    preset = draw(PRESETS)
    if preset in ("standard", "two") and draw(st.booleans()):
        options["robson"] = True
    play = Play(a_match(match_format, preset, **options)).start()
    return match_format, play.finish(draw(st.integers(0, 1000))).lines


@given(recorded())
@settings(max_examples=60, deadline=None)
def test_a_record_replays_and_its_stakes_are_those_of_its_games(made: tuple[Any, list[str]]):
    match_format, lines = made
    report = replay_record(lines)
    assert report.ok, report.message
    assert report.finished
    data = [json.loads(line) for line in lines]
    result = data[-1]["result"]
    assert ("rubber" in result) == ("rubber" in match_format)
    staked = "stake_per_point" in match_format or "stake_per_trick" in match_format
    assert ("stakes" in result) == staked
    if staked:
        assert result["stakes"] == naive_stakes(match_format, data)
        assert sum(result["stakes"]) == 0
    marked = [line["game_result"] for line in data if line.get("skunk")]
    assert report.skunks == marked
    for line in data:
        if line["line"] == "game_result" and "skunk" in match_format:
            losers = [s for side, s in enumerate(line["score"]) if side not in line["winners"]]
            assert line.get("skunk", False) == any(score <= 0 for score in losers)
        elif line["line"] == "game_result":
            assert "skunk" not in line


def naive_stakes(match_format: dict[str, Any], data: list[dict[str, Any]]) -> list[int]:
    """Written apart from the code: games one after the other, two entrants."""
    if "rubber" in match_format:
        mine, theirs = data[-1]["result"]["rubber"]
        won = (mine - theirs) * match_format["stake_per_point"]
        return [won, -won]
    won = 0
    tricks, seats = [0, 0], [0, 1]
    for line in data:
        if line["line"] == "game":
            tricks, seats = [0, 0], line["seats"]
        elif line["line"] == "hand":
            tricks = [a + b for a, b in zip(tricks, line["tricks"], strict=True)]
        elif line["line"] == "game_result" and len(line["winners"]) == 1:
            by_point = "stake_per_point" in match_format
            counts = line["score"] if by_point else tricks
            ahead = counts[0] - counts[1]
            value = match_format["stake_per_point" if by_point else "stake_per_trick"]
            won += ahead * value * (1 if seats[0] == 0 else -1)
    return [won, -won]


@given(recorded(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_a_record_with_a_number_changed_is_refused_on_its_line(
    made: tuple[Any, list[str]], rng: Any
):
    _, lines = made
    numbers = [i for i, line in enumerate(lines) if '"game_result"' in line]
    last = len(lines) - 1
    result = json.loads(lines[last])["result"]
    number = rng.choice([*numbers, *[last] * len(result)])
    data = json.loads(lines[number])
    if number == last:
        name = rng.choice([n for n in ("rubber", "stakes", "games", "points") if n in result])
        data["result"][name][rng.randrange(2)] += rng.choice([1, 7])
    elif rng.random() < 0.5:
        data["score"][rng.randrange(2)] += 1
    else:
        data["skunk"] = True
        if json.loads(lines[number]) == data:
            del data["skunk"]
    report = replay_record([*lines[:number], json.dumps(data), *lines[number + 1 :]])
    assert (report.ok, report.line) == (False, number + 1)


def a_rubber() -> list[str]:
    match_format = {"rubber": True, "stake_per_point": 5, "skunk": True}
    return Play(a_match(match_format, target=3)).start().finish(3).lines


RUBBER = a_rubber()
LAST = len(RUBBER) - 1


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (0, lambda d: d["match_format"].update(stake_per_point=0), "stake_per_point must be"),
        (0, lambda d: d["match_format"].update(stake_per_trick=5), "contradict"),
        (0, lambda d: d.update(preset="three"), "two sides"),
        (0, lambda d: d.update(options={"num_deals": 3}), "'rubber' and option 'num_deals'"),
        (LAST, lambda d: d["result"].pop("rubber"), '"rubber" is missing'),
        (LAST, lambda d: d["result"].pop("stakes"), '"stakes" is missing'),
        (LAST, lambda d: d["result"].update(rubber=[9, 9]), "rubber: ["),
        (LAST, lambda d: d["result"]["stakes"].reverse(), "stakes: ["),
        (LAST, lambda d: d["result"].update(stakes="5"), "must be a list of whole numbers"),
        (LAST, lambda d: d["result"].update(skunk=1), '"skunk" does not belong'),
    ],
)
def test_what_is_wrong_in_the_record_of_a_rubber_is_found(number: int, change: Any, said: str):
    assert replay_record(RUBBER).ok
    fails(broken(RUBBER, number, change), number + 1, said)


def test_a_skunk_that_is_none_and_one_not_marked():
    games = [i for i, line in enumerate(RUBBER) if '"game_result"' in line]
    for number in games:
        data = json.loads(RUBBER[number])
        if "skunk" in data:
            fails(broken(RUBBER, number, lambda d: d.pop("skunk")), number + 1, "is not marked")
            fails(broken(RUBBER, number, lambda d: d.update(skunk=1)), number + 1, "true or left")
        else:
            fails(broken(RUBBER, number, lambda d: d.update(skunk=True)), number + 1, "is none")


def test_a_rubber_broken_off_has_what_its_games_were_worth_and_no_winner():
    match_format = {"rubber": True, "stake_per_point": 2}
    play = Play(a_match(match_format, target=2)).start()
    while not play.games_over:
        play.choose(play.open[0], 0)
    play.take(play.match.abort(0))
    result = json.loads(play.lines[-1])["result"]
    assert result["winners"] == []
    assert sorted(map(abs, result["stakes"])) == [2 * max(result["rubber"])] * 2
    report = replay_record(play.lines)
    assert report.ok, report.message
    assert not report.finished


def test_four_single_entrants_win_and_owe_with_their_side():
    match_format = {"games": 2, "stake_per_point": 3, "duplicate": True}
    match = a_match(match_format, entrants=tuple("abcd"), seating=(0, 1, 2, 3), target=3)
    lines = Play(match).start().finish(5).lines
    assert replay_record(lines).ok
    a, b, c, d = json.loads(lines[-1])["result"]["stakes"]
    assert (a, b) == (c, d)
    assert a == -b

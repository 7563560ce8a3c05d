from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament import GameScore, Tally, tally


def game(number, winners, points=(10, 4)):
    return GameScore(number, tuple(winners), points)


def test_a_duplicate_pair_is_scored_as_the_mean_of_its_games():
    counted = tally(
        [
            game(0, [0]),
            game(1, [0]),  # both won: 1
            game(2, [0]),
            game(3, [1], (3, 10)),  # one each: ½
            game(4, [0, 1], (7, 7)),
            game(5, [1], (0, 11)),  # one level, one lost: ¼
        ],
        duplicate=True,
        winners=[0],
    )
    assert counted.units == (0, 1, 1, 0, 1)
    assert counted.won == (3, 2)
    assert counted.level == (1, 1)
    assert counted.games == 6
    assert counted.points == (10 + 10 + 10 + 3 + 7 + 0, 4 + 4 + 4 + 10 + 7 + 11)


def test_without_duplicate_the_game_is_the_unit():
    counted = tally(
        [game(0, [0]), game(1, [0]), game(2, [1]), game(3, [0, 1])], duplicate=False, winners=[0]
    )
    assert counted.units == (1, 0, 1, 0, 2)


def test_a_pair_half_played_is_scored_as_the_game_it_has():
    counted = tally([game(0, [1]), game(1, [1]), game(2, [1])], duplicate=True, winners=[1])
    assert counted.units == (2, 0, 0, 0, 0)


def test_a_game_counts_once():
    with pytest.raises(ValueError, match="game 4 is there twice"):
        tally([game(4, [0]), game(4, [0])], duplicate=True, winners=[0])


outcomes = st.lists(st.sampled_from([(0,), (1,), (0, 1)]), max_size=30)


@given(outcomes, st.booleans(), st.randoms(use_true_random=False))
def test_games_may_end_in_any_order(winners, duplicate, random):
    games = [game(number, who) for number, who in enumerate(winners)]
    shuffled = games[:]
    random.shuffle(shuffled)
    counted = tally(games, duplicate=duplicate, winners=[0])
    assert tally(shuffled, duplicate=duplicate, winners=[0]) == counted
    assert sum(counted.units) == (len(games) + duplicate) // (1 + duplicate)


@given(outcomes, st.booleans())
def test_the_result_of_a_match_is_read_back_equal(winners, duplicate):
    counted = tally(
        [game(number, who) for number, who in enumerate(winners)],
        duplicate=duplicate,
        winners=[0, 1],
        faults=[{}, {"timeout": 2}],
        pairing=41,
        entrants=(5, 3),
    )
    result = json.loads(json.dumps(counted.as_dict()))
    assert Tally.of_result(41, (5, 3), result) == counted


@pytest.mark.parametrize(
    "change",
    [
        {"units": [1, 2]},
        {"units": None},
        {"games": 0},
        {"won": [1]},
        {"won": [-1, 1]},
        {"faults": [{}]},
    ],
)
def test_a_result_that_is_none_is_refused(change):
    result = tally([game(0, [0])], duplicate=False, winners=[0]).as_dict()
    with pytest.raises(ValueError, match="result of pairing 3"):
        Tally.of_result(3, (0, 1), {**result, **change})


def test_a_missing_part_is_named():
    with pytest.raises(ValueError, match="'units'"):
        Tally.of_result(3, (0, 1), {})

"""When a game ends and who has won it (rules.md §6, §8), beside a second, naive referee."""

from __future__ import annotations

import random
from typing import Any

import pytest
from euchre_arena.rules import PRESETS, Game, Rules, deal_cards
from hypothesis import given, settings

from tests.rules.game_checks import check_game, check_game_end, naive_game, naive_hand
from tests.rules.naive_games import Game as NaiveGame
from tests.rules.naive_games import Hand
from tests.rules.tables import any_rules, play_on, random_hand, random_order, seeds, sensible


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=30, deadline=None)
@given(seed=seeds)
def test_whole_games_end_where_a_naive_referee_ends_them(preset: str, seed: int):
    """Random play from the first deal on, under any options, to a near target or few deals."""
    rng = random.Random(seed)
    near: dict[str, Any] = {"max_deals": rng.randrange(1, 16)}
    near |= {"num_deals": rng.randrange(1, 6)} if rng.random() < 0.4 else {}
    near |= {"target": rng.randrange(1, 7)}
    if rng.random() < 0.5:  # where they fit
        near |= {"win_by_two": True, "tie": "eldest", "farmers_hand": "redeal"}
    some = dict(any_rules(rng, preset, 5).options)
    some.pop("num_deals", None)  # it bars a target; drawn above
    rules = Rules.of(preset, sensible(preset, {**some, **near}))
    game = Game(rules, rng.randrange(rules.seats))
    other = naive_game(rules, game.dealer)
    while not other.winners:
        hand = game.start_hand(deal_cards(rules, game.dealer, random_order(rng, rules)))
        said = list(play_on(rng, hand))
        game.finish_hand()
        other.add(naive_hand(hand, said))
        check_game(game, other)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("ecarte", {"target": 2}),
        ("ecarte", {"target": 2, "win_by_two": True}),
        ("bid-four", {"target": 9, "win_by_two": True}),
        ("five", {"target": 5, "tie": "eldest"}),
        ("three", {"target": 2, "tie": "eldest"}),
    ],
)
def test_many_hands_that_may_end_a_game(preset: str, options: dict[str, Any]):
    """Where ends are of more than one kind, hands from scores near the target; always these."""
    rules = Rules.of(preset, options)
    for seed in range(400):
        rng = random.Random(seed)
        hand = random_hand(rng, rules)
        tokens = tuple(hand.tokens)
        check_game_end(hand, list(play_on(rng, hand)), tokens)


ALONE, PAIRS = (0, 1, 2), (0, 1, 0, 1)


@pytest.mark.parametrize(
    ("preset", "options", "side_of", "hands", "winners"),
    [
        ("standard", {}, PAIRS, [(9, 4), (2, 0)], [0]),
        ("standard", {"win_by_two": True}, PAIRS, [(9, 9), (1, 0)], []),
        ("standard", {"win_by_two": True}, PAIRS, [(9, 9), (1, 0), (1, 0)], [0]),
        ("standard", {"max_deals": 2}, PAIRS, [(3, 3), (0, 0)], [0, 1]),
        ("standard", {"max_deals": 2}, PAIRS, [(3, 3), (0, 1)], [1]),
        ("standard", {"num_deals": 3}, PAIRS, [(12, 0), (0, 1)], []),
        ("three", {}, ALONE, [(4, 3, 3), (0, 2, 2)], [1, 2]),
        ("three", {"tie": "eldest"}, ALONE, [(4, 3, 3), (0, 2, 2)], [2]),
        ("three-setback", {}, ALONE, [(-2, 4, 0), (0, 1, 0)], [1]),
        ("bid-four", {}, PAIRS, [(30, 31), (4, 2)], [1]),
    ],
)
def test_who_has_won(preset, options, side_of, hands, winners):
    """Worked by hand from §6; the deal goes 0, 1, …, and seat 1 makes trumps."""
    game = NaiveGame(preset, Rules.of(preset, options).values, side_of, 0)
    for number, points in enumerate(hands):
        assert not game.winners
        game.add(Hand(number % len(side_of), 1, "played", points))
    assert game.winners == winners


def test_a_redealt_hand_counts_for_the_most_deals_alone():
    values = Rules.of("standard", {"num_deals": 2, "farmers_hand": "redeal"}).values
    game = NaiveGame("standard", {**values, "max_deals": 4}, PAIRS, 0)
    game.add(Hand(0, -1, "redeal", (0, 0)))
    game.add(Hand(0, -1, "thrown-in", (0, 0)))
    game.add(Hand(1, -1, "redeal", (0, 0)))
    assert not game.winners
    game.add(Hand(1, 1, "played", (0, 1)))
    assert game.winners == [1]


def test_a_king_that_wins_ends_the_game_there():
    values = Rules.of("ecarte").values

    def at_four() -> NaiveGame:
        return NaiveGame("ecarte", values, (0, 1), 0, (4, 4))

    game = at_four()
    game.add(Hand(0, -1, "king", (1, 0), (), king_turned_up=True))
    assert game.winners == [0]
    marked = [(1, "stand"), (1, "mark")]
    game = at_four()
    game.add(Hand(0, -1, "king", (0, 1), marked))
    assert game.winners == [1]
    with pytest.raises(AssertionError, match="more is said"):
        at_four().add(Hand(0, -1, "played", (0, 2), [*marked, (1, "play Kh")]))
    with pytest.raises(AssertionError, match="no king"):
        at_four().add(Hand(0, -1, "king", (0, 0), [(1, "stand")]))
    two = NaiveGame("ecarte", {**values, "win_by_two": True}, (0, 1), 0, (4, 4))
    two.add(Hand(0, -1, "played", (0, 2), [*marked, (1, "play Kh")]))
    assert two.winners == [1]

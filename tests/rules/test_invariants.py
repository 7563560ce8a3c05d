"""What holds for every hand under all rules of the four-handed turn-up presets."""

from __future__ import annotations

import random

from euchre_arena.rules import Game, Reason, Rules, deal_cards
from euchre_arena.rules.actions import Kind, kind_of
from hypothesis import given

from tests.rules import checks
from tests.rules.tables import choose, many, play_on, random_hand, random_order, random_rules, seeds


@many
@given(seeds)
def test_legal_actions_are_those_not_refused(seed: int):
    """§12: canonical order; conformance.md: a reason for everything else."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    timid = rng.choice((0.3, 0.9))
    while not hand.over:
        checks.check_legal(hand)
        checks.check_refusals(hand, rng)
        hand.apply(choose(rng, hand, timid))
    asked = checks.FIXED
    assert {hand.refusal(seat, a) for seat in range(4) for a in asked} == {Reason.HAND_OVER}
    assert hand.legal() == ()


@many
@given(seeds)
def test_cards_are_conserved_and_the_hand_ends(seed: int):
    """§2, §3: taking, discarding, swapping and giving only move cards about."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    said: list[tuple[int, int]] = []
    for seat, action in play_on(rng, hand):
        assert 0 <= seat < 4
        checks.check_conserved(hand, said)
        said.append((seat, action))
        assert len(said) < checks.MOST_ACTIONS_FOUR_HANDED
    checks.check_conserved(hand, said)
    checks.check_ended(hand, said)


@many
@given(seeds)
def test_points_are_those_of_a_naive_referee(seed: int):
    """§5, §6: who wins a trick, what a hand scores."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    tokens = tuple(hand.tokens)
    checks.check_points(hand, list(play_on(rng, hand)), tokens)
    checks.check_replays(hand, tokens)


@many
@given(seeds)
def test_a_trick_takes_what_a_naive_referee_lets_it(seed: int):
    """§5: follow the suit led if you can, the left bower counted among trumps."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    for _ in play_on(rng, hand):
        checks.check_plays(hand)


@many
@given(seeds)
def test_who_is_asked_and_who_leads(seed: int):
    """§3, §5: eldest speaks first, the turn goes left, a seat sitting out is never asked."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    rounds: dict[str, list[int]] = {"order": [], "call": []}
    leaders: list[int] = []
    for seat, action in play_on(rng, hand):
        phase = hand.phase.word
        if phase in rounds:
            rounds[phase].append(seat)
        if phase == "play":
            assert seat not in hand.sitting_out
            if not hand.trick and kind_of(action) == Kind.PLAY:
                leaders.append(seat)
    eldest = (hand.dealer + 1) % 4
    for asked in rounds.values():
        assert asked == [(eldest + step) % 4 for step in range(len(asked))]
    if leaders:
        first = hand.dealer
        if hand.alone and hand.rules.value("loner_lead") == "left-of-maker":
            first = hand.maker
        after = [(first + step) % 4 for step in range(1, 5)]
        assert leaders[0] == next(seat for seat in after if seat not in hand.sitting_out)
        assert leaders[1:] == hand.trick_winners[: len(leaders) - 1]


@many
@given(seeds)
def test_a_game_ends_and_its_score_is_the_sum_of_its_hands(seed: int):
    """§2, §6: the deal passes left but for a redeal; max_deals ends what nothing else does."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    rules = Rules.of(rules.preset, {**rules.options, "max_deals": 12})
    game = Game(rules, rng.randrange(4))
    score = [0, 0]
    for number in range(12):
        dealer = game.dealer
        hand = game.start_hand(deal_cards(rules, dealer, random_order(rng, rules)))
        assert hand.deals_played == game.deal_number == number
        assert list(hand.score) == score
        while not hand.over:
            hand.apply(choose(rng, hand))
        game.finish_hand()
        score = [old + new for old, new in zip(score, hand.points, strict=True)]
        assert list(game.score) == score
        assert game.dealer == (dealer if hand.result == "redeal" else (dealer + 1) % 4)
        assert game.over == bool(game.winners)
        if game.over:
            break
    assert game.over
    best = [side for side in (0, 1) if score[side] == max(score)]
    if rules.target and max(score) >= rules.target and not rules.value("win_by_two"):
        reached = [side for side in (0, 1) if score[side] >= rules.target]
        assert list(game.winners) == reached
    else:
        assert list(game.winners) == best

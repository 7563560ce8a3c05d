"""What holds for every hand under all rules of the four-handed turn-up presets."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from euchre_arena.conformance.position import snapshot
from euchre_arena.rules import Game, Hand, Reason, Rules, action_text, deal_cards, parse_action
from euchre_arena.rules.actions import (
    CLAIM,
    HIDDEN,
    PLAY,
    Kind,
    call,
    canonical_key,
    card_mask,
    kind_of,
    several,
)
from euchre_arena.rules.cards import JOKER, NAMES, cards_of, mask_of
from hypothesis import given

from tests.rules import naive
from tests.rules.tables import choose, many, play_on, random_hand, random_order, random_rules, seeds

MOST_ACTIONS = 60
"""More than any four-handed hand takes: questions, two rounds, exchanges and twenty cards."""

SIMPLE = tuple(
    parse_action(text)
    for text in (
        "pass", "order", "order alone", "defend alone", "discard", "redeal", "blind alone",
        "bid 3", "bid 4 h", "name h", "pick 1", "lead-suit c", "lead-suit d", "lead-suit h",
        "lead-suit s", "score add", "score subtract", "propose", "stand", "accept", "refuse",
        "mark", "concede",
    )
)  # fmt: skip  # a list of words


def candidates(hand: Hand, rng: random.Random) -> set[int]:
    """All that could be legal and much that cannot; never ``claim``."""
    found = set(SIMPLE)
    found.update(call(suit, alone) for suit in range(1, 6) for alone in (False, True))
    for card in range(1, JOKER + 1):
        found.add(PLAY | card)
        found.add(Kind.DISCARD << 10 | card)
        found.add(Kind.GIVE << 10 | card)
    held = hand.cards(hand.to_act)
    for count in (2, 3, 4):
        found.update(several(Kind.SWAP, mask_of(cards)) for cards in combinations(held, count))
    found.add(several(Kind.SWAP, mask_of(rng.sample(hand.rules.pack.cards, 3))))
    found.add(several(Kind.DISCARD, mask_of(held[:2])))
    found.add(Kind.SWAP << 10 | HIDDEN | 3)
    found.add(Kind.DISCARD << 10 | HIDDEN | 1)
    return found


def everywhere(hand: Hand, said: list[int]) -> Counter[int]:
    """Every card of the pack where it is now."""
    cards = Counter(card for seat in range(4) for card in hand.cards(seat))
    cards.update(hand.kitty)
    if hand.up_card_state.word != "taken":
        cards[hand.up_card] += 1
    for action in said:
        if kind_of(action) in (Kind.PLAY, Kind.DISCARD):
            cards.update(cards_of(card_mask(action)))
    return cards


@many
@given(seeds)
def test_legal_actions_are_those_not_refused(seed: int):
    """§12: canonical order; conformance.md: a reason for everything else."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    game = Game(hand.rules, hand.dealer)
    timid = rng.choice((0.3, 0.9))
    while not hand.over:
        legal = hand.legal()
        assert legal, "a seat to act can do something"
        assert list(legal) == sorted(set(legal), key=canonical_key)
        assert CLAIM not in legal
        tried = candidates(hand, rng)
        assert tried.issuperset(legal)
        before = snapshot((game, hand))
        assert {a for a in tried if hand.refusal(hand.to_act, a) is None} == set(legal)
        seat = rng.choice([seat for seat in range(4) if seat != hand.to_act])
        assert {hand.refusal(seat, a) for a in legal} == {Reason.NOT_YOUR_TURN}
        assert snapshot((game, hand)) == before, "asking changes nothing"
        hand.apply(choose(rng, hand, timid))
    assert {hand.refusal(seat, a) for seat in range(4) for a in SIMPLE} == {Reason.HAND_OVER}
    assert hand.legal() == ()


@many
@given(seeds)
def test_cards_are_conserved_and_the_hand_ends(seed: int):
    """§2, §3: taking, discarding, swapping and giving only move cards about."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    pack = Counter(hand.rules.pack.cards)
    said: list[int] = []
    for _, action in play_on(rng, hand):
        assert 0 <= hand.to_act < 4
        assert everywhere(hand, said) == pack
        said.append(action)
        assert len(said) < MOST_ACTIONS
    assert everywhere(hand, said) == pack
    assert hand.actions == said
    assert hand.to_act == -1
    assert hand.result is not None


@many
@given(seeds)
def test_points_are_those_of_a_naive_referee(seed: int):
    """§5, §6: who wins a trick, what a hand scores."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    tokens = list(hand.tokens)
    said = [(seat, action_text(action)) for seat, action in play_on(rng, hand)]
    expected = naive.referee(hand.rules.values, NAMES[hand.up_card], said, tokens)
    assert hand.result == expected.result
    assert hand.points == expected.points
    assert hand.tricks == expected.tricks
    assert hand.trick_winners == expected.winners
    assert hand.tokens == expected.tokens
    assert (hand.maker, hand.alone) == (expected.maker, expected.alone)


@many
@given(seeds)
def test_a_trick_takes_what_a_naive_referee_lets_it(seed: int):
    """§5: follow the suit led if you can, the left bower counted among trumps."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    trump = led = ""
    for _, action in play_on(rng, hand):
        text = action_text(action)
        words = text.split()
        if hand.phase.word == "play" and words[0] == "play":
            trump = " cdhsn"[hand.trump]
            held = [NAMES[card] for card in hand.cards(hand.to_act)]
            wanted = naive.may_play(held, trump, led) if hand.trick else held
            assert [action_text(a) for a in hand.legal()] == [f"play {card}" for card in wanted]
            if not hand.trick:
                led = naive.suit_of(words[1], trump)
        elif words[0] == "lead-suit":
            led = words[1]


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

"""What holds for every hand of every preset: legality, cards, points and views."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from euchre_arena.conformance.position import snapshot
from euchre_arena.rules import (
    OPTIONS,
    PRESETS,
    Deal,
    Game,
    Hand,
    OptionError,
    Reason,
    Rules,
    action_text,
    deal_cards,
    parse_action,
    view,
)
from euchre_arena.rules.actions import (
    CLAIM,
    PLAY,
    Kind,
    bid,
    canonical_key,
    card_mask,
    kind_of,
    several,
)
from euchre_arena.rules.cards import NAMES, cards_of, mask_of
from hypothesis import given, settings

from tests.rules import naive_others
from tests.rules.tables import choose, play_on, seeds

OTHERS = sorted(set(PRESETS) - {"standard", "stick", "hoyle", "british", "canadian", "robson"})
few = settings(max_examples=15, deadline=None)


def random_rules(rng: random.Random, preset: str) -> Rules:
    """Rules of a preset with a few options that go with it, and with each other."""
    rules = Rules.of(preset)
    for name in rng.sample(sorted(OPTIONS), 6):
        option = OPTIONS[name]
        if option.values is bool:
            value: object = rng.random() < 0.7
        elif isinstance(option.values, int):
            value = rng.randrange(option.values, option.values + 6)
        else:
            value = rng.choice(option.values)
        try:
            rules = Rules.of(preset, {**rules.options, name: value})
        except OptionError:
            continue
    return rules


def random_hand(rng: random.Random, preset: str) -> Hand:
    rules = random_rules(rng, preset)
    dealer = rng.randrange(rules.seats)
    order = list(range(rules.pack.size))
    rng.shuffle(order)
    target = max(rules.target, 2)
    score = [rng.randrange(target) for _ in range(rules.sides)]
    return Game(rules, dealer, score).start_hand(deal_cards(rules, dealer, order))


def candidates(hand: Hand) -> set[int]:
    """All that could be legal and much that cannot; never ``claim``."""
    words = "pass order redeal propose stand accept refuse mark concede discard"
    found = {parse_action(word) for word in words.split()}
    found |= {parse_action("order alone"), parse_action("score add"), parse_action("defend alone")}
    found |= {parse_action("score subtract"), parse_action("blind alone")}
    for suit in range(1, 6):
        found |= {Kind.CALL << 10 | suit, Kind.CALL << 10 | suit | 8, Kind.NAME << 10 | suit}
        found |= {Kind.LEAD_SUIT << 10 | suit} if suit < 5 else set()
    found |= {bid(n, suit, alone) for n in range(22) for suit in range(6) for alone in (0, 1)}
    for count in (1, 2, 3):
        found |= {Kind.PICK << 10 | mask_of(s) for s in combinations(range(7), count)}
    for card in range(1, 54):
        found |= {PLAY | card, Kind.GIVE << 10 | card, Kind.DISCARD << 10 | card}
    held = hand.cards(hand.to_act)
    if len(set(held)) == len(held):
        for kind, counts in ((Kind.SWAP, (2, 3)), (Kind.DISCARD, range(2, 6))):
            found |= {several(kind, mask_of(s)) for n in counts for s in combinations(held, n)}
    return found


@pytest.mark.parametrize("preset", PRESETS)
@few
@given(seed=seeds)
def test_legal_actions_are_those_not_refused(preset, seed):
    """§12 and conformance.md; asking changes nothing; cards are conserved; the hand ends."""
    rng = random.Random(seed)
    hand = random_hand(rng, preset)
    game = Game(hand.rules, hand.dealer)
    pack = Counter(hand.rules.pack.cards)
    timid = rng.choice((0.3, 0.9))
    said: list[int] = []
    while not hand.over:
        assert everywhere(hand, said) == pack
        legal = hand.legal()
        assert legal
        assert list(legal) == sorted(set(legal), key=canonical_key)
        assert CLAIM not in legal
        if rng.random() < 0.3:
            tried = candidates(hand)
            assert tried.issuperset(legal)
            before = snapshot((game, hand))
            assert {a for a in tried if hand.refusal(hand.to_act, a) is None} == set(legal)
            other = (hand.to_act + 1) % hand.rules.seats
            assert {hand.refusal(other, a) for a in legal} == {Reason.NOT_YOUR_TURN}
            assert snapshot((game, hand)) == before
            for action in legal:
                assert parse_action(action_text(action)) == action
        action = choose(rng, hand, timid)
        said.append(action)
        hand.apply(action)
        assert len(said) < 250
    assert everywhere(hand, said) == pack
    assert hand.actions == said


def everywhere(hand: Hand, said: list[int]) -> Counter[int]:
    """Every card of the pack where it is now."""
    cards = Counter(card for seat in range(hand.rules.seats) for card in hand.cards(seat))
    cards.update(hand.kitty)
    if hand.up_card and hand.up_card_state.word != "taken":
        cards[hand.up_card] += 1
    for action in said:
        if kind_of(action) in (Kind.PLAY, Kind.DISCARD):
            cards.update(cards_of(card_mask(action)))
    return cards


@pytest.mark.parametrize("preset", OTHERS)
@few
@given(seed=seeds)
def test_points_are_those_of_a_naive_referee(preset, seed):
    """§7, §8: who wins a trick, what a hand scores."""
    rng = random.Random(seed)
    hand = random_hand(rng, preset)
    rules = hand.rules
    if preset == "six" and (rules.value("defend_alone") or rules.value("blind_loner")):
        return  # the partnership table of §6 is compared in test_invariants
    table = naive_others.Table(
        preset,
        rules.values,
        rules.side_of,
        rules.hand_size,
        hand.dealer,
        NAMES[hand.up_card],
        hand.score,
    )
    said: list[tuple[int, str]] = []
    for seat, action in play_on(rng, hand):
        if preset == "ecarte" and hand.phase.word == "play":
            held = [NAMES[card] for card in hand.cards(seat)]
            trick = [NAMES[card] for card in hand.trick]
            cards = naive_others.may_play(table, held, " cdhs"[hand.trump], trick)
            legal = [action_text(a) for a in hand.legal()]
            assert [text for text in legal if text.startswith("play")] == [
                f"play {card}" for card in cards
            ]
        said.append((seat, action_text(action)))
    if any(text == "redeal" for _, text in said):
        assert hand.points == [0] * rules.sides
        return
    expected = naive_others.referee(table, said)
    assert hand.tricks == expected.tricks
    assert hand.trick_winners == expected.winners
    if preset != "six":
        assert hand.points == expected.points


@pytest.mark.parametrize("preset", PRESETS)
@few
@given(seed=seeds)
def test_moving_hidden_cards_about_in_place_changes_no_view(preset, seed):
    """§10, for every seat, at any moment."""
    rng = random.Random(seed)
    hand = random_hand(rng, preset)
    said: list[tuple[int, int]] = []
    stop = rng.randrange(40)
    for speaker, action in play_on(rng, hand):
        if len(said) == stop:
            break
        said.append((speaker, action))
    cards = hand.rules.pack.cards
    for seat in range(hand.rules.seats):
        blind = hand.phase.word == "blind" and seat == hand.dealer
        known = {hand.up_card}
        if not blind:
            known |= {*hand.deal.hands[seat], *hand.cards(seat), *hand.put_away[seat]}
        for speaker, action in said:
            if kind_of(action) == Kind.PLAY or speaker == seat:
                known |= set(cards_of(card_mask(action)))
        hidden = [place for place, card in enumerate(cards) if card not in known]
        other = list(hidden)
        rng.shuffle(other)
        to = dict(zip(hidden, other, strict=True))
        number = {cards[place]: cards[to.get(place, place)] for place in range(len(cards))}
        before = view(hand, seat)._replace(legal=())
        kept = list(hand.masks), list(hand.put_away), hand.kitty, hand.deal
        hand.masks[:] = [
            sum(1 << to.get(p, p) for p in range(len(cards)) if mask >> p & 1)
            for mask in hand.masks
        ]
        hand.put_away[:] = [tuple(number[card] for card in some) for some in hand.put_away]
        hand.kitty = tuple(number[card] for card in hand.kitty)
        hand.deal = Deal((), 0, ())
        assert view(hand, seat)._replace(legal=()) == before
        hand.masks[:], hand.put_away[:], hand.kitty, hand.deal = kept

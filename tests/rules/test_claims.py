"""Claims (rules.md §5): accepted exactly when every line of play gives the claimer all tricks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from euchre_arena.rules import (
    Deal,
    Hand,
    Reason,
    Rules,
    deal_cards,
    parse_action,
    parse_card,
    parse_cards,
)
from euchre_arena.rules.actions import CLAIM
from euchre_arena.rules.cards import NAMES
from hypothesis import given

from tests.rules import naive
from tests.rules.tables import many, play_on, random_order, seeds

OPTIONS = {"claims": True, "no_trump": "second-round", "defend_alone": True}


def every_trick(
    hands: dict[int, tuple[str, ...]], seats: list[int], trump: str
) -> Iterator[tuple[int, dict[int, tuple[str, ...]]]]:
    """All ways one trick may go, ``seats`` in playing order: who wins, and the hands left."""

    def go(
        trick: tuple[tuple[int, str], ...], led: str, left: dict[int, tuple[str, ...]]
    ) -> Iterator[tuple[int, dict[int, tuple[str, ...]]]]:
        if len(trick) == len(seats):
            yield max(trick, key=lambda t: naive.height(t[1], trump, led))[0], left
            return
        seat = seats[len(trick)]
        playable = naive.may_play(left[seat], trump, led) if trick else left[seat]
        for card in playable:
            suits = [led] if trick else [naive.suit_of(card, trump)]
            for suit in suits if suits != [""] else "cdhs":
                rest = tuple(other for other in left[seat] if other != card)
                yield from go((*trick, (seat, card)), suit, {**left, seat: rest})

    yield from go((), "", hands)


def all_ours(hands: dict[int, tuple[str, ...]], seats: list[int], trump: str) -> bool:
    """Whether the leader's side takes every trick in every line of play."""
    if not hands[seats[0]]:
        return True
    for winner, left in every_trick(hands, seats, trump):
        if winner % 2 != seats[0] % 2:
            return False
        turned = seats[seats.index(winner) :] + seats[: seats.index(winner)]
        if not all_ours(left, turned, trump):
            return False
    return True


def claims(seed: int) -> Counter[str]:
    """Play a hand; wherever a claim may be made, ask, and compare with trying every line."""
    rng = random.Random(seed)
    rules = Rules.of(rng.choice(("standard", "british")), OPTIONS)
    dealer = rng.randrange(4)
    hand = Hand(rules, dealer, deal_cards(rules, dealer, random_order(rng, rules)))
    tally: Counter[str] = Counter()
    asked: set[int] = set()
    for seat, _ in play_on(rng, hand):
        on_lead = hand.phase.word == "play" and not hand.trick
        left = 5 - len(hand.trick_winners)
        if not on_lead or left > 3 or seat in asked:
            if hand.phase.word == "play":
                assert hand.refusal(seat, CLAIM) == Reason.NOT_ALLOWED
            continue
        if left == 3 and rng.random() < 0.7:
            continue  # three tricks take long to try
        asked.add(seat)
        seats = [seat]
        while (after := hand.next_active[seats[-1]]) != seat:
            seats.append(after)
        cards = {s: tuple(NAMES[card] for card in hand.cards(s)) for s in seats}
        good = all_ours(cards, seats, " cdhsn"[hand.trump])
        assert hand.refusal(seat, CLAIM) == (None if good else Reason.NOT_ALLOWED)
        tally[f"{left} {'good' if good else 'bad'}"] += 1
    return tally


@many
@given(seeds)
def test_a_claim_is_good_exactly_when_every_line_gives_all_tricks(seed):
    claims(seed)


def test_good_and_bad_claims_of_each_length_are_met():
    tally: Counter[str] = Counter()
    for seed in range(250):
        tally += claims(seed)
    assert set(tally) == {f"{left} {word}" for left in (1, 2, 3) for word in ("good", "bad")}


def lone_hand(options: dict[str, object] | None = None) -> Hand:
    """Seat 1 alone in hearts with everything above 0 and 2."""
    rules = Rules.of("standard", options or {"claims": True})
    hands = ("As Ts Ks Qs 9s", "Jh Jd Ah Kh Qh", "Kd Kc Qc Tc 9c", "Jc Qd Ac 9d Ad")
    deal = Deal(tuple(map(parse_cards, hands)), parse_card("9h"), parse_cards("Js Th Td"))
    hand = Hand(rules, 0, deal)
    for text in ("order alone", "discard 9h"):
        hand.apply(parse_action(text))
    return hand


def test_not_before_three_tricks_are_left():
    hand = lone_hand()
    for text in ("play Jh", "play 9c", "play 9s"):
        assert hand.refusal(hand.to_act, CLAIM) == Reason.NOT_ALLOWED
        hand.apply(parse_action(text))
    assert hand.refusal(1, CLAIM) == Reason.NOT_ALLOWED
    for text in ("play Jd", "play Tc", "play Ts"):
        hand.apply(parse_action(text))
    assert hand.refusal(1, CLAIM) is None
    hand.apply(CLAIM)
    assert (hand.result, hand.tricks, hand.points) == ("claimed", [0, 5], [0, 4])
    assert hand.trick_winners == [1] * 5


def test_once_a_seat_and_hand():
    """§5: a claim that is refused is the seat's one claim."""
    hand = lone_hand()
    texts = ("play Jh", "play 9c", "play 9s", "play Jd", "play Tc", "play Ts")
    for text in texts:
        hand.apply(parse_action(text))
    assert hand.refusal(1, CLAIM) is None
    assert hand.refusal(1, CLAIM) == Reason.NOT_ALLOWED


@pytest.mark.parametrize("options", [{"claims": False}, {"stick_the_dealer": True}])
def test_off_by_default(options):
    hand = lone_hand(options)
    for text in ("play Jh", "play 9c", "play 9s", "play Jd", "play Tc", "play Ts"):
        hand.apply(parse_action(text))
    assert hand.refusal(1, CLAIM) == Reason.NOT_ALLOWED

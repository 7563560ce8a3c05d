"""Auctions: what a hand is worth, the suit, the widow, the partners picked."""

from __future__ import annotations

import pytest
from euchre_arena.bots.book.bidding import tricks_in
from euchre_arena.bots.book.cards import PACK_MASKS
from euchre_arena.bots.book.making import Bidder
from euchre_arena.bots.book.thresholds import Thresholds
from euchre_arena.rules import Deal, Hand, Rules, parse_action, parse_cards, view
from euchre_arena.rules.cards import parse_suit
from euchre_arena.rules.terms import Phase

from tests.bots.position import says


def dealt(preset: str, seat: int, cards: str, *steps: str, score: int = 0) -> Hand:
    """A hand with these cards in one seat, the rest in pack order; seat 0 deals.

    Seat 2 has ``score`` points where everybody plays for himself.
    """
    rules = Rules.of(preset)
    given, rest = parse_cards(cards), list(rules.pack.cards)
    for card in given:
        rest.remove(card)
    size = rules.hand_size
    hands = []
    for place in range(rules.seats):
        hands.append(given if place == seat else tuple(rest[:size]))
        rest = rest if place == seat else rest[size:]
    level = tuple(score if side == 2 else 0 for side in range(rules.sides))
    hand = Hand(rules, 0, Deal(tuple(hands), 0, tuple(rest)), level, (0,) * rules.sides, 0)
    for step in steps:
        action = hand.legal()[0] if step == "..." else parse_action(step)
        assert hand.refusal(hand.to_act, action) is None, step
        hand.apply(action)
    return hand


def worth(hand: Hand, suit: str, partners: int) -> float:
    seen = view(hand, hand.to_act)
    bidder = Bidder(seen, hand.rules, PACK_MASKS[hand.rules.pack.name], Thresholds())
    return tricks_in(bidder, parse_suit(suit), partners)


@pytest.mark.parametrize(
    ("preset", "strong", "middling", "weak"),
    [
        ("auction", "Jh Jd Ah Kh As", "Jh Ah 9h As 9c", "7c 8d 9d Th 8s"),
        ("bid-four", "Jh Jd Ah Kh Qh As", "Jh Ah Kh 9h As 9c", "9c Td 9d Th 9s Ts"),
        (
            "bid-six",
            "Jh Jh Jd Jd Ah Kh Qh As",
            "Jh Jd Ah Kh As 9c Td Qc",
            "9c 9c Td Td Qs Th 9s Ts",
        ),
        ("five", "Jh Jd Ah Kh As", "Jh Ah 9h As 9c", "8c 8d 9d Th 8s"),
        ("seven", "B Jh Jd Ah Kh As Ac", "Jh Ah 9h As 9c 3d 2s", "2c 3d 4d 5h 6s 7s 8c"),
    ],
)
def test_trumps_and_aces_make_tricks(preset, strong, middling, weak):
    """[S] Ordering up, Counting: bowers and trumps, an ace on the side."""
    worths = [worth(dealt(preset, 1, cards), "h", 1) for cards in (strong, middling, weak)]
    assert worths[0] > worths[1] + 0.4
    assert worths[1] > worths[2] + 0.4


def test_a_strong_hand_bids_its_suit_and_number():
    assert says(dealt("auction", 1, "Jh Jd Ah Kh As")) == "bid 5"
    assert says(dealt("auction", 1, "Jh Ah Kh 9h 9s")) == "bid 4"
    assert says(dealt("five", 1, "Jh Ah 9h 8c Ks")) == "bid 4"
    assert says(dealt("bid-four", 1, "Jh Jd Ah Kh 9h Qs")).endswith(" h")


def test_a_weak_hand_passes():
    assert says(dealt("auction", 2, "7c 8d 9d Th 8s", "bid 3")) == "pass"
    assert says(dealt("bid-four", 2, "9c Td 9d Th 9s Ts", "bid 3 c")) == "pass"
    assert says(dealt("five", 2, "8c 8d 9d Th 8s", "bid 4")) == "pass"
    assert says(dealt("seven", 2, "2c 3d 4d 5h 6s 7s 8c", "bid 4")) == "pass"


def test_bid_euchre_bids_no_more_than_it_must():
    """Tricks taken score there, not the bid: a higher one only risks more."""
    hand = "Jh Jd Ah Kh 9h Qs"
    low, raised = says(dealt("bid-four", 1, hand)), says(dealt("bid-four", 2, hand, "bid 3 c"))
    assert int(low.split()[1]) < 4
    assert raised == "bid 4 h"


def test_all_tricks_in_hand_are_bid_alone():
    assert says(dealt("bid-four", 1, "Jh Jd Ah Kh Qh Th")) == "bid 6 h alone"
    assert says(dealt("five", 1, "Jh Jd Ah Kh Qh")) == "bid 15"


def test_a_partners_bid_is_counted():
    """Common practice: who bid has tricks, most of them in the suit he named."""
    hand = "Jh Ah 9h 9s Qs Tc"
    assert says(dealt("bid-four", 3, hand, "bid 3 h", "pass")) == "bid 4 h"
    assert says(dealt("bid-four", 3, hand, "pass", "bid 3 h")) == "pass"
    skipping = "book?skip=partner_has_bid"
    assert says(dealt("bid-four", 3, hand, "bid 3 h", "pass"), skipping) == "pass"


def test_the_widow_leaves_trumps_and_aces():
    """The maker settles the suit, keeps its trumps and side aces, and empties short suits."""
    hand = dealt("five", 1, "Jh Jd Ah 9h Ks", "bid 4", "pass", "pass", "pass", "pass")
    assert hand.phase is Phase.WIDOW
    kept = {"Jh", "Jd", "Ah", "9h"}
    away = says(hand).split()[1:]
    assert len(away) == 3
    assert not kept & set(away)


def test_the_best_suit_is_named():
    steps = ("bid 3", "pass", "pass", "pass")
    assert says(dealt("auction", 1, "Js Jc As 9s Ad", *steps)) == "name s"


def test_those_who_bid_are_picked():
    """Common practice; among those who passed the one furthest behind."""
    said = ("bid 3", "bid 4", "pass", "pass", "pass")
    one = dealt("five", 2, "Jh Jd Ah 9h Ks", *said, "...", "name h")
    assert "1" in says(one).split()[1:]
    three = dealt("five", 1, "Jh Jd Ah 9h Ks", "bid 3", *["pass"] * 4, "...", "name h")
    behind = dealt("five", 1, "Jh Jd Ah 9h Ks", "bid 3", *["pass"] * 4, "...", "name h", score=9)
    assert says(three) == "pick 0"
    assert says(behind) == "pick 0"
    assert says(dealt("seven", 0, "B Jh Jd Ah Kh As Ac", *["pass"] * 6, "bid 3", "...", "name h",
                      score=9)) == "pick 5 6"  # fmt: skip


def test_a_double_pack_counts_both_copies():
    """Two right bowers are held against nobody's; one of them is not alone at the top."""
    both = worth(dealt("bid-six", 1, "Jh Jh Ah Kh 9c 9d Ts Qs"), "h", 2)
    one = worth(dealt("bid-six", 1, "Jh Qh Ah Kh 9c 9d Ts Qs"), "h", 2)
    assert both > one


def test_the_maker_leads_trumps():
    """[S] Counting: after two rounds of trumps most of them are gone."""
    hand = dealt("bid-four", 1, "Jh Jd Ah Kh Qh As", "bid 4 h", "pass", "pass", "pass")
    assert hand.to_act == 1
    assert says(hand) == "play Jh"

"""Two- and three-handed euchre: the maker plays alone and must see three tricks ([P][H])."""

from __future__ import annotations

import pytest
from euchre_arena.bots.book.cards import PACK_MASKS
from euchre_arena.bots.book.making import Bidder
from euchre_arena.bots.book.solo import asked, makes_alone
from euchre_arena.bots.book.thresholds import Thresholds
from euchre_arena.rules import Hand, view
from euchre_arena.rules.cards import parse_suit

from tests.bots.position import position, says

HEARTS = parse_suit("h")


def bidder(hand: Hand) -> Bidder:
    seen = view(hand, hand.to_act)
    return Bidder(seen, hand.rules, PACK_MASKS[hand.rules.pack.name], Thresholds())


@pytest.mark.parametrize("preset", ["two", "three", "three-setback", "three-modern"])
@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("Jh Jd Ah 9c 9s", "order"),  # both bowers and the ace: three tricks by themselves
        ("Jh Ah Kh Th 9s", "order"),  # four trumps
        ("Ah 9h Ac Kd 9s", "pass"),  # two tricks at best: with a partner it would be ordered
        ("Kc 9c Qd 9d Ts", "pass"),
    ],
)
def test_orders_need_three_tricks_of_ones_own(preset, cards, said):
    """[P]: he orders up who thinks his hand good for three tricks; [F] without assistance."""
    assert says(position({1: cards}, "Qh", preset=preset)) == said


def test_seven_cards_need_four():
    """[W] Three players with seven cards."""
    assert says(position({1: "Jh Jd Ah Kh 9h Ac As"}, "Qh", preset="three-seven")) == "order"
    assert says(position({1: "Jh Jd Kh 9c Ts 9s 9d"}, "Qh", preset="three-seven")) == "pass"
    seven, limits = bidder(position({}, "Qh", preset="three-seven")), Thresholds()
    assert asked(seven, ("seven_cards_risk_less",)) == 4 + limits.solo
    assert asked(seven, ()) == 4 + limits.solo - limits.seven


def test_the_dealer_takes_up_on_less():
    """[P]: the dealer gains the up-card, and puts away his worst card."""
    cards = "Ah 9h Ac 9s 9d"
    dealing = position({0: cards}, "Jh", "pass", preset="two")
    ordering = position({1: cards}, "Jh", preset="two")
    assert says(dealing) == "order"
    assert says(ordering) == "pass"
    gained = makes_alone(bidder(dealing), HEARTS, ordering=True)
    assert gained > makes_alone(bidder(ordering), HEARTS, ordering=True) + 1


def test_the_up_card_counts_against_who_orders():
    """It goes to the adversary: the ace is no trick under a bower turned up."""
    under = bidder(position({1: "Ah Kh 9c 9s 9d"}, "Jh", preset="two"))
    over = bidder(position({1: "Ah Kh 9c 9s 9d"}, "7h", preset="two"))
    assert makes_alone(under, HEARTS, True) < makes_alone(over, HEARTS, True)


def test_the_more_adversaries_the_less_a_hand_is_worth():
    """In three-handed games two hands join against the maker."""
    cards = {1: "Ah Kh Ac Kd 9s"}
    worths = [
        makes_alone(bidder(position(cards, "7h", preset=preset)), HEARTS, True)
        for preset in ("two", "three")
    ]
    assert worths[0] > worths[1] + 0.3


def test_the_best_suit_is_named_or_none():
    """[P] The second round: he makes it what best suits his hand, or passes again."""
    passes = ("pass", "pass")
    assert says(position({1: "Js Jc As 9s Ad"}, "Qh", *passes, preset="two")) == "call s"
    assert says(position({1: "9c Ts Kd Td 8s"}, "Qh", *passes, preset="two")) == "pass"


def test_a_stuck_dealer_names_something():
    hand = position(
        {0: "9c Ts Kd Td 8s"}, "Qh", "pass", "pass", "pass", preset="two", stick_the_dealer=True
    )
    assert says(hand).startswith("call")


def test_setback_asks_for_more():
    """[H]: the euchre comes off the maker's score."""
    plain = asked(bidder(position({}, "Qh", preset="three")), ())
    caution = asked(bidder(position({}, "Qh", preset="three-setback")), ())
    assert caution == plain + Thresholds().setback
    assert asked(bidder(position({}, "Qh", preset="three-setback")), ("setback_caution",)) == plain


def test_more_is_asked_when_a_euchre_loses_the_game():
    """[H] Passing and ordering up: success beyond reasonable doubt."""
    level = asked(bidder(position({}, "Qh", preset="two", score=(1, 1))), ())
    behind = asked(bidder(position({}, "Qh", preset="two", score=(3, 1))), ())
    last = asked(bidder(position({}, "Qh", preset="two", score=(4, 4))), ())
    assert behind > level > last


def test_defenders_join_against_the_maker():
    """[S] Three-handed: the other two join forces; the trick of one is left to him."""
    hand = position(
        {0: "Tc Kc 7d 8d 9d", 1: "Jh Jd Ah 9h 8c", 2: "Ac 7c 7s 8s 9s"},
        "Qh",
        "order",
        "discard 7d",
        "play 8c",
        "play Ac",
        preset="three",
    )
    assert hand.to_act == 0
    assert says(hand) == "play Tc"

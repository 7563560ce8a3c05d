"""Discards, swaps, gifts and redeals by the book."""

from __future__ import annotations

import pytest
from euchre_arena.bots.book.exchanging import worst
from euchre_arena.rules.cards import NAMES, mask_of, parse_cards, parse_suit

from tests.bots.position import position, says


@pytest.mark.parametrize(
    ("six", "card", "why"),
    [
        ("Jh Ah 9h 9s Kc Qc", "9s", "a losing card of an odd suit ([F] Ordering up)"),
        ("Jh Ah 9h As Kc Tc", "Tc", "the ace alone in its suit stays"),
        ("Jh Ah 9h Ks Qc 9c", "Ks", "a bare king goes for the void: measured 0.003 a deal better"),
        ("Jh Ah 9h As 9s Qc", "Qc", "the void ([W] Calling round)"),
        ("Jh Jd Ah Kh Qh Th", "Th", "nothing but trumps: the lowest"),
        ("Jd Ah 9h Qd 9s Ts", "Qd", "the left bower is a trump: a single diamond"),
    ],
)
def test_the_dealer_puts_away_what_helps_least(six, card, why):
    assert NAMES[worst(mask_of(parse_cards(six)), parse_suit("h"))] == card, why


def test_the_discard_is_said_in_the_phase():
    hand = position({0: "Jh Ah 9h 9s Kc"}, "Qh", "order")
    assert says(hand) == "discard 9s"


def test_the_partner_gives_his_best_trump():
    hand = position({1: "Jh Jd Ah As 9c", 3: "Kh Qc 9d Td Ts"}, "Qh", "order alone",
                    "...", partners_best=True)  # fmt: skip
    assert hand.to_act == 3
    assert says(hand) == "give Kh"


def test_without_a_trump_he_gives_an_ace():
    hand = position({1: "Jh Jd Kh As 9c", 3: "Ac Kc 9d Td Ts"}, "Qh", "order alone",
                    "...", partners_best=True)  # fmt: skip
    assert says(hand) == "give Ac"


def test_a_farmers_hand_swaps_its_lowest_and_keeps_the_suit_turned_up():
    """[S] Farmer's hand."""
    hand = position({1: "9c Tc 9d Th Ks"}, "Ah", farmers_hand="swap")
    assert says(hand) == "swap 9c Tc 9d"


def test_a_farmers_hand_long_in_the_suit_turned_up_stays():
    hand = position({1: "9c Td 9h Th Kh"}, "Ah", farmers_hand="swap")
    assert says(hand) == "pass"


def test_a_weak_hand_asks_for_a_redeal():
    """[W] Ace no face."""
    hand = position({1: "9c Tc 9d Th As"}, "Kh", ace_no_face="redeal")
    assert says(hand) == "redeal"


def test_no_redeal_against_the_partners_trumps():
    """[W] No ace, no face, no trump: asked of a defender, not of the maker's partner."""
    weak = "9c Tc 9d Td Ts"
    against = position({1: "Jh Jd Ah Ac Qs", 2: weak}, "Qh", "order", "...",
                       no_ace_no_face_no_trump=True)  # fmt: skip
    assert against.to_act == 2
    assert says(against) == "redeal"
    with_it = position({1: "Jh Jd Ah Ac Qs", 3: weak}, "Qh", "order", "...",
                       no_ace_no_face_no_trump=True)  # fmt: skip
    assert with_it.to_act == 3
    assert says(with_it) == "pass"


def test_nobody_goes_alone_blind():
    hand = position({0: "Jd Ah Kh As Ac"}, "Jh", preset="robson")
    assert says(hand) == "pass"

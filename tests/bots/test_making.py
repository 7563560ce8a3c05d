"""Making trumps by the book, with the hands the sources speak of."""

from __future__ import annotations

import pytest
from euchre_arena.bots.book.cards import PACK_MASKS
from euchre_arena.bots.book.counting import sure_tricks, sure_trumps, tricks
from euchre_arena.bots.book.making import stops_a_lone_hand
from euchre_arena.rules import Phase, parse_action
from euchre_arena.rules.cards import mask_of, parse_cards, parse_suit

from tests.bots.position import position, says

PACK = PACK_MASKS["24"]


def cards(text: str) -> int:
    return mask_of(parse_cards(text))


def test_the_worked_hand_is_ordered_alone():
    """[S] A worked hand: Alice, to the dealer's left, orders hearts and goes alone."""
    assert says(position({1: "Jh Jd Ah As 9c"}, "Qh")) == "order alone"


@pytest.mark.parametrize(
    "hand",
    [
        "Jh Jd Ah As 9c",  # both bowers and the ace of trumps with a side ace
        "Jh Jd Ah As Ac",  # three top trumps and two aces
    ],
)
def test_going_alone_takes_four_tricks_seen(hand):
    """[S] Going alone names these hands."""
    assert sure_tricks(cards(hand), parse_suit("h"), 0, PACK) >= 4
    assert says(position({1: hand}, "Qh")) == "order alone"


def test_no_lone_hand_where_a_march_is_enough():
    """[F] Assisting: with a march to go the side needs no lone hand."""
    assert says(position({1: "Jh Jd Ah As 9c"}, "Qh", score=(0, 8))) == "order"
    assert says(position({1: "Jh Jd Ah As 9c"}, "Qh"), "never-alone") == "order"


@pytest.mark.parametrize("hand", ["Jh Ah 9h As Tc", "Jh Ah Th Ac 9d"])
def test_two_sure_trumps_and_an_ace_order_up(hand):
    """[S] Ordering up: usually enough; the ace behind the right bower is sure while guarded."""
    assert sure_trumps(cards(hand), parse_suit("h"), 0, PACK) >= 2
    assert says(position({1: hand}, "Qh")).startswith("order")
    assert says(position({3: hand}, "Qh", "pass", "pass")).startswith("order")


@pytest.mark.parametrize(
    ("hand", "sure"),
    [
        ("Jh 9c 9d 9s Tc", 1),  # the right bower
        ("Jd 9h 9c 9s Tc", 1),  # the left bower guarded
        ("Jd 9d 9c 9s Tc", 0),  # the left bower bare
        ("Ah Th 9h 9s Tc", 1),  # the ace twice guarded
        ("Ah 9h 9c 9s Tc", 0),  # the ace once guarded
        ("Kh Th 9h 9s Tc", 0),
        ("Jh Jd Ah 9s Tc", 3),
    ],
)
def test_what_certainly_takes_a_trump_trick(hand, sure):
    """[F] Eldest Hand, where it says what stops a lone dealer."""
    assert sure_trumps(cards(hand), parse_suit("h"), 0, PACK) == sure
    assert stops_a_lone_hand(cards(hand), parse_suit("h"), PACK) is bool(sure)


def test_a_hand_that_assists_would_not_order_an_adversary():
    """[S] Ordering up: more is needed to hand the dealer a trump than to assist with it."""
    hand = "Ah Kh Ac 9d 9s"
    assert says(position({2: hand}, "Qh", "pass")) == "order"
    assert says(position({1: hand}, "Qh")) == "pass"


def test_the_dealer_picks_up_on_less():
    """[S] Ordering up: gaining a trump and throwing away a weak card."""
    hand = "Kh 9h Ac Qc 9s"
    assert says(position({0: hand}, "Ah", "pass", "pass", "pass")) == "order"
    assert says(position({1: hand}, "Ah")) == "pass"


def test_two_aces_assist():
    """[F] Assisting: on plain cards, such as two aces, rather than on trumps."""
    hand = position({2: "As Ac 9h Td 9d"}, "Ah", "pass")
    assert says(hand, "old-hand") == "order"
    assert says(hand) == "pass"


def test_no_bower_is_ordered_to_the_dealer():
    """[F] Eldest Hand: it is seldom right. The same hand orders a smaller card."""
    hand = "Jd Ah 9h As Tc"
    assert says(position({1: hand}, "Qh")).startswith("order")
    assert says(position({1: hand}, "Jh"), "book?bower=1.5") == "pass"


def test_eldest_waits_for_the_next_suit():
    """[F] Eldest Hand: with bowers and cards of the next suit, let it be turned down."""
    hand = "Jh Jd Ad 9c 9s"
    assert says(position({1: hand}, "Qh")) == "pass"
    turned_down = position({1: hand}, "Qh", "pass", "pass", "pass", "pass")
    assert says(turned_down).startswith("call d")


def test_next_for_the_dealers_adversaries_crossing_for_his_side():
    """[S] The second round: hearts turned down make diamonds eldest's suit, and the dealer's side
    takes a black one on the same strength.
    """
    steps = ("pass", "pass", "pass", "pass")
    either = "Ad Kd Td As Qs"  # three diamonds or two spades
    weak = "Ad Qd 9s Kc 9c"  # worth a call only as the next suit
    assert says(position({1: either}, "9h", *steps)) == "call d"
    assert says(position({1: weak}, "9h", *steps)) == "call d"
    assert says(position({1: weak}, "9h", *steps), "no-next") == "pass"
    assert says(position({2: weak}, "9h", *steps, "pass")) == "call c"
    both = "As Qs Kd 9d Kh"  # the partner crosses with what eldest makes next
    assert says(position({2: both}, "9h", *steps, "pass")) == "call s"
    assert says(position({1: both}, "9h", *steps)) == "call d"


def test_a_light_hand_orders_at_the_last_point():
    """[F] Eldest Hand and [H] Passing, at four to four; here at one point each."""
    hand = "Jh Ah 9h Qs 9c"
    assert says(position({1: hand}, "Kh"), "book?light=1") == "pass"
    assert says(position({1: hand}, "Kh", score=(9, 9)), "book?light=1") == "order"


@pytest.mark.parametrize(
    ("preset", "score", "orders"),
    [
        ("hoyle", (1, 4), True),  # four to one
        ("hoyle", (2, 4), True),  # four to two: a euchre leaves the dealer's side short
        ("hoyle", (3, 4), False),  # a euchre gives the dealer's side the game
        ("hoyle", (0, 4), False),  # a lone hand does not win it for them
        ("standard", (6, 9), True),  # the same at ten points
        ("standard", (8, 9), False),
        ("standard", (6, 8), False),
    ],
)
def test_the_bridge(preset, score, orders):
    """[F] Eldest Hand: ordered up whatever is held, unless a lone hand is stopped anyway."""
    nothing, stopper = "9c Tc 9d Td Qs", "Jh 9c Tc 9d Td"
    assert (says(position({1: nothing}, "Kh", score=score, preset=preset), "old-hand")) == (
        "order" if orders else "pass"
    )
    assert says(position({1: stopper}, "Kh", score=score, preset=preset), "old-hand") == "pass"
    assert says(position({1: nothing}, "Kh", score=score, preset=preset)) == "pass"


def test_a_stuck_dealer_names_the_best_suit():
    hand = position({0: "Ac Kc 9d Td Qs"}, "9h", *["pass"] * 7, preset="stick")
    assert says(hand) == "call c"


def test_no_trump_is_called_on_aces():
    hand = position({1: "Ac Ad As Kd Ks"}, "9h", *["pass"] * 4, no_trump="second-round")
    assert says(hand).startswith("call n")


def test_the_joker_turned_up_makes_the_dealers_best_suit():
    hand = position({0: "Ac Kc Jc 9d Ts"}, "B", preset="british")
    assert says(hand).startswith("call c")


def test_a_jack_alone_bars_what_would_have_been_called():
    """The bar is the rules' own; the book looks for another suit or passes."""
    hand = position({1: "Jh As Ks Qs Ts"}, "9h", jack_alone_bars_call=True)
    assert says(hand) == "pass"


def test_more_trumps_and_higher_ones_are_worth_more():
    hearts = parse_suit("h")
    poor = tricks(cards("9h Th 9c Tc Qs"), hearts, 0, PACK)
    longer = tricks(cards("9h Th Qh Tc Qs"), hearts, 0, PACK)
    higher = tricks(cards("9h Jh 9c Tc Qs"), hearts, 0, PACK)
    ace = tricks(cards("9h Th 9c Tc As"), hearts, 0, PACK)
    assert poor < longer
    assert poor < higher
    assert poor < ace


def test_a_lone_defence_needs_tricks_enough_to_euchre():
    """[W] Defending alone."""
    strong, weak = "Jh Jd Ah Kh As", "Jh 9c Tc 9d Td"
    for hand, wanted in ((strong, "defend alone"), (weak, "pass")):
        lone = position({1: hand}, "Qh", "pass", "order alone", defend_alone=True, dealer=3 - 3)
        assert lone.to_act in (1, 3)
        while lone.to_act != 1:
            lone.apply(lone.legal()[0])
        assert says(lone) == wanted


@pytest.mark.parametrize(
    ("score", "wanted"),
    [
        ((8, 5), "score add"),  # it wins the game
        ((2, 9), "score subtract"),  # they are about to win
    ],
)
def test_robson_points_go_where_they_count(score, wanted):
    """[W] Robson rules."""
    hand = position(
        {0: "Jh Jd Ah Kh Qh"}, "Th", "pass", "pass", "pass", "order", robson=True, score=score
    )
    hand.apply(parse_action("discard Th"))
    for card in ("Jh", "Jd", "Ah", "Kh", "Qh"):
        while hand.to_act != 0:
            hand.apply(hand.legal()[0])
        hand.apply(parse_action(f"play {card}"))
    while hand.phase is Phase.PLAY:
        hand.apply(hand.legal()[0])
    assert hand.phase is Phase.SCORE
    assert says(hand) == wanted

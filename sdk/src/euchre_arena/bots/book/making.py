"""Who makes trumps: ordering, assisting, picking up, naming a suit, going alone."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Final

from euchre_arena.bots.book.cards import ACES, JACKS, SUIT, TRUMPS, mask_of
from euchre_arena.bots.book.counting import sure_tricks, sure_trumps, tricks
from euchre_arena.bots.book.exchanging import worst
from euchre_arena.bots.book.thresholds import Thresholds
from euchre_arena.rules.actions import (
    DEFEND_ALONE,
    ORDER,
    ORDER_ALONE,
    PASS,
    SCORE_ADD,
    SCORE_SUBTRACT,
    Kind,
)
from euchre_arena.rules.cards import NO_TRUMP, same_colour
from euchre_arena.rules.ruleset import Rules
from euchre_arena.rules.views import View

FAR: Final = 1000
"""Points still needed where no target is played."""


class Bidder:
    """What a seat weighs while trumps are made."""

    __slots__ = ("hand", "limits", "mine", "need", "pack", "rules", "theirs", "they_need", "view")

    def __init__(self, view: View, rules: Rules, pack: int, limits: Thresholds) -> None:
        self.view, self.rules, self.pack, self.limits = view, rules, pack, limits
        self.hand = mask_of(view.hand)
        side = rules.side_of[view.seat]
        self.mine = view.score[side]
        self.theirs = max((p for i, p in enumerate(view.score) if i != side), default=0)
        self.need = view.target - self.mine if view.target else FAR
        self.they_need = view.target - self.theirs if view.target else FAR

    @property
    def place(self) -> int:
        """Seats to the left of the dealer: 1 eldest, 2 the dealer's partner, 3 pone, 0 dealer."""
        return (self.view.seat - self.view.dealer) % self.rules.seats

    @property
    def dealers_side(self) -> bool:
        """The dealer is this seat or its partner."""
        side_of = self.rules.side_of
        return side_of[self.view.dealer] == side_of[self.view.seat]


Advice = Callable[[Bidder], float]


def two_sure_trumps_and_an_ace(b: Bidder) -> float:
    """Two sure trumps with an ace on the side are usually enough to order up. [S] Ordering up."""
    suit = SUIT[b.view.up_card]
    if not b.hand & ACES & ~TRUMPS[suit].trumps:
        return 0.0
    return -b.limits.sure if sure_trumps(b.hand, suit, 0, b.pack) >= 2 else 0.0


def bower_to_the_dealer(b: Bidder) -> float:
    """It is seldom right to order up a bower: it makes the adversary's hand. [F] Eldest Hand."""
    turned_jack = 1 << b.view.up_card & JACKS
    return b.limits.bower if turned_jack and not b.dealers_side else 0.0


def both_at_the_last_point(b: Bidder) -> float:
    """Where both sides need one point, a light hand orders up: a euchre only loses what a trump
    of the others' would. [F] Eldest Hand (four to four); [H] Passing and ordering up.
    """
    return -b.limits.light if b.need <= 1 and b.they_need <= 1 else 0.0


def wait_for_next(b: Bidder) -> float:
    """Eldest, sure of two tricks in the next suit, lets the dealer turn the card down.

    [F] Eldest Hand: if it is taken up the dealer will probably be euchred, if not, eldest names it.
    """
    if b.place != 1:
        return 0.0
    suit = same_colour(SUIT[b.view.up_card])
    gone = 1 << b.view.up_card
    return 0.5 if sure_tricks(b.hand, suit, gone, b.pack) >= 2.0 else 0.0


def leave_the_dealer_alone(b: Bidder) -> float:
    """Rarely assist when a bower is turned early in the game: the dealer may go alone on it.

    [F] Assisting.
    """
    if b.place == 2 and 1 << b.view.up_card & JACKS and b.need > 2:
        return 0.3
    return 0.0


def assist_on_aces(b: Bidder) -> float:
    """The dealer's partner assists on two side aces rather than on trumps. [F] Assisting.

    Measured at a loss with 24 cards, so only `old-hand` asks for it.
    """
    if b.place != 2:
        return 0.0
    trumps = TRUMPS[SUIT[b.view.up_card]].trumps
    return -b.limits.aces if (b.hand & ACES & ~trumps).bit_count() >= 2 else 0.0


ORDERING: Final[tuple[Advice, ...]] = (
    two_sure_trumps_and_an_ace,
    bower_to_the_dealer,
    both_at_the_last_point,
    wait_for_next,
    leave_the_dealer_alone,
    assist_on_aces,
)
"""What shifts the tricks asked for before ordering up."""


def at_the_bridge(b: Bidder) -> bool:
    """The adversaries need one point, and only a lone hand would win the dealer's side the game.

    [F] Eldest Hand, at five points: "four to one, or four to two"; scaled to the target. A hand
    sure to stop a lone dealer (right bower, guarded left, ace twice guarded) need not order.
    """
    if b.dealers_side or not b.rules.partnership or b.view.target == 0:
        return False
    lone = int(b.rules.values.get("lone_march", 4))
    if b.need != 1 or not 2 < b.they_need <= lone:
        return False
    return not stops_a_lone_hand(b.hand, SUIT[b.view.up_card], b.pack)


def stops_a_lone_hand(hand: int, trump: int, pack: int) -> bool:
    """Right bower, left bower guarded, or ace twice guarded: a certain trick. [F] Eldest Hand."""
    if not trump:
        return False
    return sure_trumps(hand, trump, 0, pack) > 0


def choose_order(b: Bidder, skip: Container[str]) -> int:
    """Round one: order, assist, pick up, or pass."""
    view, limits = b.view, b.limits
    suit = SUIT[view.up_card]
    legal = view.legal
    up = 1 << view.up_card
    hand = b.hand
    if view.seat == view.dealer:
        hand |= up
        hand ^= 1 << worst(hand, suit)
        limit = limits.pickup
    else:
        limit = limits.order if b.place == 1 else limits.pone
        if b.dealers_side:
            limit = limits.assist
    worth = tricks(hand, suit, 0, b.pack)
    for advice in ORDERING:
        if advice.__name__ not in skip:
            limit += advice(b)
    if worth >= limit or (limits.bridge and at_the_bridge(b)):
        if ORDER_ALONE in legal and wants_alone(b, hand, suit, 0):
            return ORDER_ALONE
        if ORDER in legal:
            return ORDER
    return PASS if PASS in legal else legal[0]


def next_and_crossing(b: Bidder, suit: int) -> float:
    """The dealer turned it down, so his side hardly has that colour's jacks: his adversaries make
    it next, his side crosses the suit. [S] The second round; [F] Changing the trump.
    """
    if suit == NO_TRUMP:
        return 0.0
    is_next = suit == same_colour(SUIT[b.view.up_card])
    return b.limits.next if is_next != b.dealers_side else 0.0


def choose_call(b: Bidder, skip: Container[str]) -> int:
    """Round two (and the joker turned up): name the best suit if it is good enough."""
    view = b.view
    legal = view.legal
    gone = 1 << view.up_card if view.up_card_state == 3 else 0
    hand = b.hand
    best, best_worth = 0, -9.0
    for code in legal:
        if code >> 10 != Kind.CALL or code & 8:
            continue
        suit = code & 7
        worth = tricks(hand, suit, gone, b.pack)
        if "next_and_crossing" not in skip:
            worth += next_and_crossing(b, suit)
        if worth > best_worth:
            best, best_worth = code, worth
    if not best:
        return PASS if PASS in legal else legal[0]
    limit = b.limits.call
    if "both_at_the_last_point" not in skip:
        limit += both_at_the_last_point(b)
    if PASS in legal and best_worth < limit:
        return PASS
    if best | 8 in legal and wants_alone(b, hand, best & 7, gone):
        return best | 8
    return best


def wants_alone(b: Bidder, hand: int, suit: int, gone: int) -> bool:
    """Go alone when four tricks can be seen in the hand, and a march alone is of use.

    [S] Going alone; [F] Assisting: a side that needs no more than a march needs no lone hand.
    """
    if b.need <= 2:
        return False
    return sure_tricks(hand, suit, gone, b.pack) >= b.limits.alone


def choose_defence(b: Bidder, skip: Container[str]) -> int:
    """Defend alone only on sure tricks enough to euchre. [W] Defending alone."""
    view = b.view
    sure = sure_tricks(b.hand, view.trump, 0, b.pack)
    if sure >= b.limits.defend_alone and DEFEND_ALONE in view.legal:
        return DEFEND_ALONE
    return PASS if PASS in view.legal else view.legal[0]


def choose_score(b: Bidder, skip: Container[str]) -> int:
    """Add the points when they win the game, else take them off a side close to winning.

    Source of the option: [W] Robson rules.
    """
    wins = b.need <= 2
    wished = SCORE_ADD if wins or b.they_need > b.need else SCORE_SUBTRACT
    return wished if wished in b.view.legal else b.view.legal[0]

"""Making trumps by turning up a card (rules.md §3): the rounds of a hand.

blind → farmers → benny, or order → call        then ``made``
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .actions import (
    BLIND_ALONE,
    ORDER,
    ORDER_ALONE,
    PASS,
    ActionCode,
    Kind,
    call,
    canonical_key,
)
from .asking import JACKS, ask
from .cards import JOKER, NO_TRUMP, Suit, suit_of
from .made import made
from .terms import Phase, Reason, Result, UpCardState
from .weak_hands import answer_weak_hand, ask_weak_hands

if TYPE_CHECKING:
    from .hand import Hand

_ORDER: Final = Phase.ORDER.value
_CALL: Final = Phase.CALL.value
"""Plain integers: an enum member costs the path of every decision."""


def open_turn_up(hand: Hand) -> None:
    """The first question of a hand with a card turned up."""
    if "blind_loner" in hand.rules.flags and 1 << hand.up_card & JACKS:
        ask(hand, Phase.BLIND, [hand.dealer])
    else:
        _open_rounds(hand)


def blind_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Before the dealer looks at the hand ([W] Robson rules)."""
    return (PASS, BLIND_ALONE)


def blind(hand: Hand, seat: int, action: ActionCode) -> None:
    """Alone in the suit turned up, or on with the usual questions."""
    if action == PASS:
        _open_rounds(hand)
        return
    hand.blind = hand.ordered = True
    made(hand, seat, suit_of(hand.up_card), alone=True)


def _open_rounds(hand: Hand) -> None:
    if not ask_weak_hands(hand):
        _first_round(hand)


def farmers(hand: Hand, seat: int, action: ActionCode) -> None:
    """A weak hand's answer."""
    if answer_weak_hand(hand, seat, action):
        _first_round(hand)


def _first_round(hand: Hand) -> None:
    if hand.up_card == JOKER:
        ask(hand, Phase.BENNY, [hand.dealer])
    else:
        hand.phase_number = _ORDER
        hand.to_act = (hand.dealer + 1) % hand.rules.seats


def benny_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """The joker was turned up: the dealer names any suit ([S] The joker)."""
    suits = [
        suit for suit in (1, 2, 3, 4) if not _jack_alone(hand, hand.to_act, suit, hand.up_card)
    ]
    return _calls(hand, suits)


def benny(hand: Hand, seat: int, action: ActionCode) -> None:
    """The dealer takes the joker and makes trumps."""
    hand.ordered = True
    made(hand, seat, action & 7, alone=bool(action & 8))


def order_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """First round: the suit turned up, or pass."""
    seat = hand.to_act
    flags = hand.rules.flags
    if "jack_alone_bars_call" in flags:
        taken = hand.up_card if seat == hand.dealer else 0
        if _jack_alone(hand, seat, suit_of(hand.up_card), taken):
            return (PASS,)
    if not hand.rules.partnership:
        return (PASS, ORDER)
    if "canadian" in flags and _partner_of_dealer(hand, seat):
        return (PASS, ORDER_ALONE)
    return (PASS, ORDER, ORDER_ALONE)


def order(hand: Hand, seat: int, action: ActionCode) -> None:
    """Order up, assist or pick up; or pass, and after all have, turn the card down."""
    if action != PASS:
        hand.ordered = True
        made(hand, seat, suit_of(hand.up_card), alone=action == ORDER_ALONE)
    elif seat != hand.dealer:
        hand.to_act = (seat + 1) % hand.rules.seats
    else:
        hand.up_card_state = UpCardState.TURNED_DOWN
        hand.phase_number = _CALL
        hand.to_act = (seat + 1) % hand.rules.seats


def call_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Second round: any other suit, or pass."""
    seat = hand.to_act
    down = suit_of(hand.up_card)
    suits = [s for s in (1, 2, 3, 4) if s != down]
    stuck = seat == hand.dealer and "stick_the_dealer" in hand.rules.flags
    if "jack_alone_bars_call" in hand.rules.flags:
        free = [suit for suit in suits if not _jack_alone(hand, seat, suit, 0)]
        if free or not stuck or hand.rules.values.get("no_trump"):
            suits = free
    if hand.rules.values.get("no_trump"):
        suits = [*suits, NO_TRUMP]
    return _calls(hand, suits) if stuck else (PASS, *_calls(hand, suits))


def _calls(hand: Hand, suits: list[Suit]) -> tuple[ActionCode, ...]:
    found = [call(suit) for suit in suits]
    if hand.rules.partnership:
        found += [call(suit, alone=True) for suit in suits]
        if NO_TRUMP in suits:
            found.sort(key=canonical_key)
    return tuple(found)


def call_suit(hand: Hand, seat: int, action: ActionCode) -> None:
    """Call a suit; or pass, and after all have, throw the cards in."""
    if action != PASS:
        made(hand, seat, action & 7, alone=bool(action & 8))
    elif seat != hand.dealer:
        hand.to_act = (seat + 1) % hand.rules.seats
    else:
        hand.finish_unplayed(Result.THROWN_IN)


def why_not(hand: Hand, seat: int, action: ActionCode) -> Reason:
    """Why a pass, an order or a call is refused: the first reason of conformance.md."""
    if action == PASS:
        return Reason.DEALER_MUST_CALL
    kind = action >> 10
    suit = suit_of(hand.up_card) if kind == Kind.ORDER else action & 7
    if kind == Kind.CALL and hand.phase_number == _CALL and suit == suit_of(hand.up_card):
        return Reason.TURNED_DOWN_SUIT
    if action == ORDER and "canadian" in hand.rules.flags and _partner_of_dealer(hand, seat):
        return Reason.MUST_GO_ALONE
    alone = action == ORDER_ALONE or (kind == Kind.CALL and action & 8)
    if alone and not hand.rules.partnership:
        return Reason.NOT_ALLOWED
    if suit == NO_TRUMP or "jack_alone_bars_call" not in hand.rules.flags:
        return Reason.NOT_ALLOWED
    return Reason.JACK_ALONE


def _partner_of_dealer(hand: Hand, seat: int) -> bool:
    side_of = hand.rules.side_of
    return seat != hand.dealer and side_of[seat] == side_of[hand.dealer]


def _jack_alone(hand: Hand, seat: int, suit: Suit, taken: int) -> bool:
    """The seat's trumps would be one card, and that a jack ([W] "only a jack")."""
    if "jack_alone_bars_call" not in hand.rules.flags:
        return False
    suits = hand.rules.trumps(suit).suits
    trumps = [n for n in (*hand.cards(seat), *((taken,) if taken else ())) if suits[n] == suit]
    return len(trumps) == 1 and bool(1 << trumps[0] & JACKS)

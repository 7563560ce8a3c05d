"""Making trumps where the maker always plays alone: two- and three-handed euchre.

[P][H]: who orders up, takes up or makes trumps undertakes three tricks by himself; [F]: order only
when reasonably certain of three tricks without anybody's assistance. So hands are counted in tricks
taken alone (`chances`), against one adversary or against two who join.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Final

from euchre_arena.bots.book.cards import SUIT
from euchre_arena.bots.book.chances import expected_tricks, odds
from euchre_arena.bots.book.exchanging import worst
from euchre_arena.bots.book.making import Bidder, both_at_the_last_point, next_and_crossing
from euchre_arena.rules.actions import ORDER, PASS, Kind

Advice = Callable[[Bidder], float]
_TURNED_DOWN: Final = 3


def makes_alone(b: Bidder, suit: int, ordering: bool = False) -> float:
    """Tricks the seat would take alone with a suit as trumps.

    Ordering, the dealer's hand is counted after his discard, and the up-card against anybody else:
    it goes to an adversary.
    """
    view, rules = b.view, b.rules
    hand, up = b.hand, 1 << view.up_card
    held, gone, known = view.hand, 0, 0
    if ordering and view.seat == view.dealer:
        hand |= up
        away = worst(hand, suit)
        hand ^= 1 << away
        gone = 1 << away
        held = tuple(card for card in (*view.hand, view.up_card) if card != away)
    elif ordering:
        known = up
    elif view.up_card_state == _TURNED_DOWN:
        gone = up
    foes = rules.seats - 1
    chance = odds(held, gone & ~hand, rules.pack.cards, foes, rules.hand_size, known)
    return expected_tricks(hand, 0, suit, chance)


def three_tricks_alone(b: Bidder) -> float:
    """The tricks a maker undertakes: three of five ([P][H]), four of seven ([W])."""
    return b.rules.majority + b.limits.solo


def seven_cards_risk_less(b: Bidder) -> float:
    """With seven cards a failure brings the two defenders two points in all, not two each ([W]), so
    less is asked. Measured: 126 of 300 games against two who do not.
    """
    return -b.limits.seven if b.rules.scoring == "seven-card" else 0.0


def setback_caution(b: Bidder) -> float:
    """More is asked where the euchre comes off the maker: he may fall below nothing. [H]."""
    return b.limits.setback if b.rules.scoring == "setback" else 0.0


def euchre_loses_the_game(b: Bidder) -> float:
    """More is asked when the two points of a euchre win an adversary the game. [H] Passing and
    ordering up: success beyond reasonable doubt. Not when one point would: then see
    `both_at_the_last_point`.
    """
    return b.limits.last if b.they_need == 2 and b.rules.scoring != "setback" else 0.0


ASKED: Final[tuple[Advice, ...]] = (
    three_tricks_alone,
    seven_cards_risk_less,
    setback_caution,
    euchre_loses_the_game,
    both_at_the_last_point,
)
"""What a maker alone asks of his hand, added up."""


def asked(b: Bidder, skip: Container[str]) -> float:
    """Tricks a hand must promise before its owner makes trumps alone."""
    return sum(advice(b) for advice in ASKED if advice.__name__ not in skip)


def order_alone(b: Bidder, skip: Container[str]) -> int:
    """Round one: order up, take up, or pass."""
    view = b.view
    if ORDER not in view.legal:
        return view.legal[0]
    worth = makes_alone(b, SUIT[view.up_card], ordering=True)
    if PASS not in view.legal or worth >= asked(b, skip):
        return ORDER
    return PASS


def call_alone(b: Bidder, skip: Container[str]) -> int:
    """Round two (and the joker turned up): name the best suit, if it is good enough.

    With two players the adversary turned down alone, which `next_and_crossing` reads: the
    non-dealer makes it next.
    """
    view = b.view
    best, best_worth = 0, -9.0
    for code in view.legal:
        if code >> 10 != Kind.CALL:
            continue
        worth = makes_alone(b, code & 7)
        if "next_and_crossing" not in skip and view.up_card_state == _TURNED_DOWN:
            worth += next_and_crossing(b, code & 7) / 2
        if worth > best_worth:
            best, best_worth = code, worth
    if not best:
        return view.legal[0]
    return PASS if PASS in view.legal and best_worth < asked(b, skip) else best


__all__ = ["ASKED", "asked", "call_alone", "makes_alone", "order_alone"]

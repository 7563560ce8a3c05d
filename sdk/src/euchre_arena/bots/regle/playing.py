"""The play at écarté: the king, the lead, what to play to a lead. Nobody gives up.

A lead names a card, or 0 to say nothing. The law leaves little to choose in following: a trick that
can be won must be (law 43), so it is won as cheaply as it can be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from euchre_arena.bots.regle.position import (
    HEIGHT,
    SUIT,
    Position,
    by_height,
    cards_of,
    in_sequence,
)
from euchre_arena.rules.actions import MARK, PLAY


def play(p: Position) -> int:
    """Mark the king if it is to be marked, then lead or follow; never concede.

    The hand goes to the end: giving up can only cost what is lost already (law 42).
    """
    if MARK in p.view.legal and not conceal_the_king(p):
        return MARK
    if p.view.trick:
        return PLAY | follow(p)
    return PLAY | next(card for advice in LEADS if (card := advice(p)))


def conceal_the_king(p: Position) -> bool:
    """The non-dealer stood at once and needs one point: conceal it, if the point, worth two then,
    wins the game without it. Marked it is worth nothing should he win the point.

    [H] The illustration, the last deal.
    """
    return p.dealing and p.stood_at_once and p.they_need == 1 and p.need == 2


def lead_sure_trumps(p: Position) -> int:
    """With two trumps and more, one of which nothing can beat, lead it: it draws the adversary's.

    Not from a trump that can be beaten: [H] loses the point in its illustration by leading queen
    and ten of trumps. Common practice.
    """
    if p.trumps.bit_count() < 2 or p.trumps.bit_count() + _sure_sides(p) < 3:
        return 0
    top = by_height(p.trumps)[-1]
    return top if p.master(top) else 0


def _sure_sides(p: Position) -> int:
    return sum(1 for card in cards_of(p.rest) if p.master(card))


def follow_up_a_winner(p: Position) -> int:
    """The card led has won: go on with the next of its suit, if it follows in sequence.

    [H]: the queen of spades, and if she wins, the knave. The adversary has nothing above the card
    that won, or had to play it (law 43); without the suit and trumps he can win none of it.
    """
    if len(p.plays) < 2 or p.plays[-2][0] != p.view.seat or avoid_being_put_to_a_card(p):
        return 0
    led, answer = p.plays[-2][1], p.plays[-1][1]
    held = [cards for cards in p.sides if SUIT[by_height(cards)[0]] == SUIT[led]]
    if not held:
        return 0
    top = by_height(held[0])[-1]
    follows = HEIGHT[led] - HEIGHT[top] <= 2 or SUIT[answer] != SUIT[led] or p.master(top)
    return top if follows else 0


def avoid_being_put_to_a_card(p: Position) -> int:
    """Three cards left, two of them single cards of plain suits, no trump: lead the better of them.

    Led the third, and trumped, one would have to throw one of the two without knowing which to
    keep. [H] Put to a card.
    """
    if p.hand.bit_count() != 3 or p.trumps:
        return 0
    singles = [held for held in p.sides if held.bit_count() == 1]
    if len(singles) == 3:
        led = {SUIT[card] for _, card in p.plays[::2]}
        singles = [held for held in singles if SUIT[held.bit_length() - 1] not in led]
    if len(singles) != 2:
        return 0
    return max((held.bit_length() - 1 for held in singles), key=lambda card: (HEIGHT[card], card))


def lead_from_a_sequence(p: Position) -> int:
    """Lead the highest card of a plain suit headed by a sequence, of the longest such suit.

    [H] Jeux de règle: king of spades from king, queen, knave; knave from knave and ten.
    """
    return _longest([held for held in p.sides if in_sequence(held)])


def lead_a_long_suit(p: Position) -> int:
    """Lead the highest card of a plain suit of three cards or more. [H] Put to a card."""
    return _longest([held for held in p.sides if held.bit_count() >= 3])


def lead_a_single_card(p: Position) -> int:
    """Lead the highest single card of a plain suit rather than from a high and a low one.

    [H] Jeux de règle: one of the single queens, not the queen of the queen and eight.
    """
    return _longest([held for held in p.sides if held.bit_count() == 1])


def lead_highest(p: Position) -> int:
    """Only a high and a low card are left, or trumps: the highest plain card, else the highest."""
    cards = by_height(p.rest) or by_height(p.trumps)
    return cards[-1]


def _longest(suits: list[int]) -> int:
    """The highest card of the longest suit; of equally long ones, of the highest."""
    tops = [(held.bit_count(), HEIGHT[by_height(held)[-1]], by_height(held)[-1]) for held in suits]
    return max(tops)[2] if tops else 0


LEADS: Final[tuple[Callable[[Position], int], ...]] = (
    lead_sure_trumps,
    follow_up_a_winner,
    avoid_being_put_to_a_card,
    lead_from_a_sequence,
    lead_a_long_suit,
    lead_a_single_card,
    lead_highest,
)
"""In the order they are asked."""


def follow(p: Position) -> int:
    """Win as cheaply as the law allows; what cannot win costs least: the lowest plain card that can
    still be beaten. Common practice.
    """
    options = [code & 63 for code in p.view.legal if code & ~63 == PLAY]
    return min(options, key=lambda card: _keep(p, card))


def _keep(p: Position, card: int) -> tuple[bool, bool, int, int]:
    """How much a card is worth keeping: trumps most, then what nothing can beat, then height."""
    return (SUIT[card] == p.trump, p.master(card), HEIGHT[card], card)

"""What the phases share: asking seats in turn, moving cards (rules.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .cards import JOKER, cards_of, mask_of, rank_of
from .terms import Phase

if TYPE_CHECKING:
    from .hand import Hand

LOW: Final = mask_of(n for n in range(1, JOKER) if rank_of(n) in "9T")
ACES: Final = mask_of(n for n in range(1, JOKER) if rank_of(n) == "A")
FACES: Final = mask_of(n for n in range(1, JOKER) if rank_of(n) in "JQK") | 1 << JOKER
JACKS: Final = mask_of(n for n in range(1, JOKER) if rank_of(n) == "J")


def seats_from(hand: Hand, seat: int) -> list[int]:
    """All seats clockwise, ``seat`` first."""
    seats = hand.rules.seats
    return [(seat + step) % seats for step in range(seats)]


def ask(hand: Hand, phase: Phase, seats: list[int]) -> bool:
    """Begin a phase that asks these seats in turn; False if there is nobody to ask."""
    if not seats:
        return False
    hand.phase_number = phase.value
    hand.to_act = seats[0]
    hand.queue = seats[1:]
    return True


def ask_next(hand: Hand) -> bool:
    """Ask the next seat of the phase; False if all have been asked."""
    if not hand.queue:
        return False
    hand.to_act = hand.queue.pop(0)
    return True


def put_away(hand: Hand, seat: int, mask: int) -> None:
    bits = hand.rules.pack_tables.bit
    cards = cards_of(mask)
    for number in cards:
        hand.masks[seat] ^= bits[number]
    lay_away(hand, seat, cards)


def lay_away(hand: Hand, seat: int, cards: tuple[int, ...]) -> None:
    away = hand.put_away
    hand.put_away = (*away[:seat], away[seat] + cards, *away[seat + 1 :])


def take(hand: Hand, seat: int, cards: tuple[int, ...]) -> None:
    bits = hand.rules.pack_tables.bit
    for number in cards:
        hand.masks[seat] |= bits[number]

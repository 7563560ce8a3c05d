"""Cards and calls as Euchre Game Notation writes them.

Cards: rank ``2 … 9 T J Q K A``, ``N`` for nine, ``10`` for ten, and suit ``c d h s``; ``R`` and
``L`` the bowers of the trump suit; ``B`` the joker; ``x`` an unknown rank, suit or card. Any case.
Calls: ``Pass``, ``Order``, a suit letter, ``n`` for no trump, ``x`` for an unknown suit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from euchre_arena.rules.cards import (
    JOKER,
    NO_TRUMP,
    RANKS,
    Card,
    Suit,
    card,
    parse_card,
    rank_of,
    same_colour,
    suit_of,
)

UNKNOWN: Final = "X"
_BOWERS: Final = ("R", "L")
_CALLS: Final = {"pass": "pass", "p": "pass", "order": "order", "o": "order"}


class EgnError(ValueError):
    """A game that cannot be read or followed; the message names the place and the cause."""


class EgnCard(NamedTuple):
    """A card as written, perhaps not wholly known."""

    text: str
    number: Card
    """The card, where it is known without the trump suit; else 0."""
    rank: str = ""
    """Rank letter; empty where it is not known."""
    suit: Suit = 0
    """Printed suit, 1 … 4; 0 where it is not known."""
    bower: str = ""
    """``R`` or ``L`` for a bower of the trump suit."""

    @property
    def printed(self) -> Suit:
        """The printed suit as far as it is known, else 0."""
        return suit_of(self.number) if self.number else self.suit

    def under(self, trump: Suit) -> Card:
        """The card, where the trump suit tells which it is; else 0."""
        if not self.bower or trump == NO_TRUMP:
            return self.number
        return card(trump if self.bower == "R" else same_colour(trump), "J")

    def possible(self, trump: Suit, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Which of ``cards`` it may be under a trump suit; empty when it is none of them."""
        if self.number or self.bower:
            known = self.under(trump)
            return tuple(number for number in cards if number == known)
        return tuple(
            number
            for number in cards
            if (not self.rank or rank_of(number) == self.rank)
            and (not self.suit or suit_of(number) == self.suit)
            and (number != JOKER or not (self.rank or self.suit))
        )


def read_card(text: str) -> EgnCard:
    """Read a card. EgnError names the text."""
    key = text.strip().upper()
    if key in _BOWERS:
        return EgnCard(text, 0, bower=key)
    if key in (UNKNOWN, UNKNOWN * 2):
        return EgnCard(text, 0)
    if key.startswith(UNKNOWN):
        return EgnCard(text, 0, suit=suit_of(_number(text, "9" + key[1:])))
    if key.endswith(UNKNOWN):
        return EgnCard(text, 0, rank=rank_of(_number(text, _plain(key[:-1] + "C"))))
    return EgnCard(text, _number(text, _plain(key)))


def _plain(key: str) -> str:
    """A nine may be written ``N``."""
    return "9" + key[1:] if key.startswith("N") else key


def _number(text: str, key: str) -> Card:
    try:
        return parse_card(key)
    except ValueError:
        raise EgnError(
            f"{text!r} is no card: a rank of {RANKS}, N or x and a suit of cdhs or x, or R, L or B"
        ) from None


def read_call(text: str) -> str:
    """Read a call: ``pass``, ``order``, a letter of ``cdhsn`` or ``x``. EgnError names the text."""
    key = text.strip().lower()
    if key in _CALLS:
        return _CALLS[key]
    if len(key) == 1 and key in "cdhsnx":
        return key
    raise EgnError(f"{text!r} is no call: Pass, Order, a suit of cdhs, n or x")

"""Cards under a trump suit, as tables of bits: what a card counts as and what beats it."""

from __future__ import annotations

from typing import Final, NamedTuple

from euchre_arena.rules.cards import (
    JOKER,
    NO_TRUMP,
    PACKS,
    RANKS,
    cards_of,
    mask_of,
    rank_of,
    same_colour,
    suit_of,
)

ALL: Final = (1 << (JOKER + 1)) - 2
ACE, KING, JACK = RANKS.index("A"), RANKS.index("K"), RANKS.index("J")
ACES: Final = mask_of(13 * suit for suit in (1, 2, 3, 4))
KINGS: Final = ACES >> 1
QUEENS: Final = ACES >> 2
JACKS: Final = ACES >> 3
FACES: Final = KINGS | QUEENS | JACKS | 1 << JOKER

RANK: Final = (0, *((card - 1) % 13 for card in range(1, JOKER)), 13)
"""Printed rank of each card, 2 … A = 0 … 12, the joker 13."""
SUIT: Final = (0, *(suit_of(card) for card in range(1, JOKER + 1)))
"""Printed suit of each card, 1 … 4, the joker 0."""
OF_SUIT: Final = (0, *(mask_of(c for c in range(1, JOKER) if SUIT[c] == s) for s in (1, 2, 3, 4)))
"""Cards of each printed suit."""
PACK_MASKS: Final = {name: mask_of(pack.cards) for name, pack in PACKS.items()}


class Trumps(NamedTuple):
    """Everything that depends on the trump suit, by card number or by suit."""

    suit: tuple[int, ...]
    """What a card counts as: the left bower is a trump, the joker at no trump has suit 0."""
    power: tuple[int, ...]
    """Height: a higher card of the same suit wins, any trump beats any other card."""
    of_suit: tuple[int, ...]
    """By suit 0 … 5: its cards."""
    above: tuple[int, ...]
    """The cards of its suit that beat a card."""
    trumps: int
    """The trump suit; at no trump the joker."""


def _trumps(trump: int) -> Trumps:
    suit, power = list(SUIT), list(RANK)
    if trump != NO_TRUMP:
        right, left = 13 * (trump - 1) + 1 + JACK, 13 * (same_colour(trump) - 1) + 1 + JACK
        suit[JOKER] = suit[left] = trump
        for card in range(1, JOKER):
            if suit[card] == trump:
                power[card] += 20
        power[left], power[right], power[JOKER] = 40, 41, 42
    else:
        power[JOKER] = 42
    of_suit = tuple(mask_of(c for c in range(1, JOKER + 1) if suit[c] == s) for s in range(6))
    above = tuple(
        mask_of(
            other
            for other in range(1, JOKER + 1)
            if other != card and suit[other] == suit[card] and power[other] > power[card]
        )
        if card
        else 0
        for card in range(JOKER + 1)
    )
    return Trumps(
        tuple(suit),
        tuple(power),
        of_suit,
        above,
        of_suit[trump] if trump != NO_TRUMP else 1 << JOKER,
    )


TRUMPS: Final = (_trumps(NO_TRUMP), *(_trumps(suit) for suit in (1, 2, 3, 4, 5)))
"""By trump suit 1 … 5; 0, none made yet, ranks like no trump."""

__all__ = ["ACES", "ALL", "FACES", "JACKS", "KINGS", "OF_SUIT", "PACK_MASKS", "QUEENS", "RANK"]
__all__ += ["SUIT", "TRUMPS", "Trumps", "cards_of", "mask_of", "rank_of"]

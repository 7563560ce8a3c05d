"""Cards as small numbers, names outside (rules.md §1).

A card is ``1 + 13 * suit + rank`` with suits c d h s = 0 … 3 and ranks 2 … A = 0 … 12, the joker
53, no card 0: the same number in every pack and on the wire. Suits elsewhere count from 1
(clubs … spades = 1 … 4), 5 is no trump and 0 none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

Card = int
Suit = int

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
SUIT_LETTERS: Final = " cdhsn"
"""Letter of each suit number; index 0 stands for none."""

CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP = 1, 2, 3, 4, 5
JOKER: Final = 53
NAMES: Final[tuple[str, ...]] = ("-", *(r + s for s in SUITS for r in RANKS), "B")
"""Canonical name of each card number; index 0 stands for no card."""

_SYMBOLS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"}
_NUMBERS: Final = {name.lower(): number for number, name in enumerate(NAMES) if number}
_SUIT_NUMBERS: Final = {letter: number for number, letter in enumerate(SUIT_LETTERS) if number}


def suit_of(card: Card) -> Suit:
    """The printed suit of a card, 1 … 4; the joker has none, 0."""
    return 0 if card == JOKER else (card - 1) // 13 + 1


def rank_of(card: Card) -> str:
    """The printed rank of a card, one letter; ``B`` for the joker."""
    return NAMES[card][0]


def card(suit: Suit, rank: str) -> Card:
    """The card of a suit (1 … 4) and a rank letter."""
    return 1 + 13 * (suit - 1) + RANKS.index(rank)


def same_colour(suit: Suit) -> Suit:
    """The other suit of the same colour: c–s, d–h."""
    return 5 - suit


def card_name(number: Card) -> str:
    """Canonical name, ``Jh``; ``B`` for the joker."""
    return NAMES[number]


def parse_card(text: str) -> Card:
    """Read a card: ``Jh``, ``10h``, any case, ``J♥``, ``B``. ValueError names the text."""
    key = text.strip()
    for symbol, letter in _SYMBOLS.items():
        key = key.replace(symbol, letter)
    key = key.replace("\ufe0f", "").lower()
    if key.startswith("10"):
        key = "t" + key[2:]
    number = _NUMBERS.get(key)
    if number is None:
        raise ValueError(f"{text!r} is no card: a rank of {RANKS} and a suit of {SUITS}, or B")
    return number


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards set apart by blanks, in the order given."""
    return tuple(parse_card(word) for word in text.split())


def cards_text(cards: Iterable[Card]) -> str:
    """Names set apart by blanks, in the order given."""
    return " ".join(NAMES[number] for number in cards)


def parse_suit(text: str) -> Suit:
    """Read ``c d h s n`` (or a suit symbol) as 1 … 5. ValueError names the text."""
    key = _SYMBOLS.get(text.strip(), text.strip().lower())
    number = _SUIT_NUMBERS.get(key)
    if number is None:
        raise ValueError(f"{text!r} is no suit: one of c d h s n")
    return number


def mask_of(cards: Iterable[Card]) -> int:
    """One bit a card number."""
    mask = 0
    for number in cards:
        mask |= 1 << number
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The card numbers of a mask, ascending: canonical pack order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


class Pack(NamedTuple):
    """A pack in canonical order (rules.md §1)."""

    name: str
    cards: tuple[Card, ...]
    """Card number at each position; position 0 is dealt first when nothing is shuffled."""

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.cards)

    def positions(self, cards: Sequence[Card]) -> tuple[int, ...]:
        """Position of each card in turn; equal cards take their copies in order.

        KeyError when the pack has not, or no longer, such a card.
        """
        free: dict[Card, list[int]] = {}
        for position, number in enumerate(self.cards):
            free.setdefault(number, []).append(position)
        found = []
        for number in cards:
            copies = free.get(number)
            if not copies:
                raise KeyError(NAMES[number])
            found.append(copies.pop(0))
        return tuple(found)


def _pack(name: str, lowest: str, *, joker: bool = False, copies: int = 1) -> Pack:
    ranks = RANKS[RANKS.index(lowest) :]
    single = tuple(card(suit, rank) for suit in (1, 2, 3, 4) for rank in ranks)
    return Pack(name, single * copies + ((JOKER,) if joker else ()))


PACKS: Final[dict[str, Pack]] = {
    "24": _pack("24", "9"),
    "25": _pack("25", "9", joker=True),
    "28": _pack("28", "8"),
    "32": _pack("32", "7"),
    "33": _pack("33", "7", joker=True),
    "48": _pack("48", "9", copies=2),
    "53": _pack("53", "2", joker=True),
}

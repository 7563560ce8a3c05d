"""Tables that make a decision cheap: built once a pack and trump suit, shared by all hands.

A hand of cards is a mask with one bit a *position* of the canonical pack (24 bits for 24 cards), so
that equal cards of a double pack stay apart. Outside, cards are numbers (``cards``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from .actions import PLAY, Kind
from .cards import JOKER, NO_TRUMP, PACKS, RANKS, Card, Suit, card, rank_of, same_colour, suit_of

_PLAIN: Final = {rank: height for height, rank in enumerate(RANKS, 1)}
_ECARTE: Final = {rank: height for height, rank in enumerate("789TAJQK", 1)}
_TRUMP_POWER: Final = 100
PLAYED: Final = [[seat << 16 | PLAY | number for number in range(64)] for seat in range(7)]
"""By seat and card number: the entry of `Hand.log`, the same number in every hand."""
LOW_SIZE: Final = 12
LOW_BITS: Final = (1 << LOW_SIZE) - 1


class Split:
    """Turns a mask into a tuple, one entry a bit, ascending, by looking it up in pieces.

    ``low[mask & LOW_BITS] + high[mask >> LOW_SIZE]``; ``high`` is a list too, or another Split
    where the pack is larger. A dictionary that remembers whole masks loses: hands do not repeat
    often enough.
    """

    __slots__ = ("high", "low")

    def __init__(self, values: Sequence[int]) -> None:
        rest = values[LOW_SIZE:]
        self.low = _subsets(values[:LOW_SIZE])
        self.high: list[tuple[int, ...]] | Split = (
            _subsets(rest) if len(rest) <= LOW_SIZE + 1 else Split(rest)
        )

    def __getitem__(self, mask: int) -> tuple[int, ...]:
        """The entries of the bits set in ``mask``."""
        return self.low[mask & LOW_BITS] + self.high[mask >> LOW_SIZE]


def _subsets(values: Sequence[int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for value in values:
        found += [(*subset, value) for subset in found]
    return found


class PackTables(NamedTuple):
    """What depends on the pack alone."""

    cards: tuple[Card, ...]
    """Card number at each position."""
    bit: list[int]
    """By card number: bit of its (first) position; 0 for cards not in the pack. A list: the
    ``__getitem__`` of a tuple, to be mapped, costs three times as much."""
    copies: int
    """Shift from the first copy of a card to the second; 0 in a single pack."""
    firsts: int
    """Mask of all first copies in a double pack, else 0."""
    names: Split
    """Mask → card numbers."""
    plays: Split
    """Mask → action codes ``play …``."""
    discards: Split
    """Mask → action codes ``discard …``."""


@cache  # seven packs exist
def pack_tables(name: str) -> PackTables:
    """Tables of a pack of rules.md §1."""
    cards = PACKS[name].cards
    bit = [0] * (JOKER + 1)
    for position in reversed(range(len(cards))):
        bit[cards[position]] = 1 << position
    copies = len(cards) // 2 if len(set(cards)) < len(cards) else 0
    return PackTables(
        cards,
        bit,
        copies,
        (1 << copies) - 1 if copies else 0,
        Split(cards),
        Split([PLAY | number for number in cards]),
        Split([Kind.DISCARD << 10 | number for number in cards]),
    )


class TrumpTables(NamedTuple):
    """What depends on pack and trump suit. Suits: 1 … 4, at no trump the joker has suit 0."""

    trump: Suit
    suits: tuple[Suit, ...]
    """By card number: the suit the card counts as; the left bower is a trump."""
    follow: tuple[int, ...]
    """By suit: mask of the cards which follow it."""
    powers: tuple[tuple[int, ...], ...]
    """By suit led and card number: higher wins, 0 never wins a trick it did not lead."""
    ranking: tuple[Card, ...]
    """The trump suit, high to low."""


@cache  # seven packs, five trumps, two rankings
def trump_tables(pack: str, trump: Suit, ecarte: bool = False) -> TrumpTables:
    """Tables of a pack under a trump suit (rules.md §1); ``ecarte`` has its own ranking."""
    cards = PACKS[pack].cards
    numbers = sorted(set(cards))
    suits = [0] * (JOKER + 1)
    height = [0] * (JOKER + 1)
    for number in numbers:
        suits[number] = suit_of(number)
        height[number] = (_ECARTE if ecarte else _PLAIN).get(rank_of(number), 0)
    if trump != NO_TRUMP and not ecarte:
        right, left = card(trump, "J"), card(same_colour(trump), "J")
        suits[left] = trump
        height[left], height[right], height[JOKER] = 20, 21, 22
        suits[JOKER] = trump if JOKER in numbers else 0
    follow = [0] * 6
    for position, number in enumerate(cards):
        follow[suits[number]] |= 1 << position
    follow[0] = 0
    powers = [_powers(numbers, suits, height, trump, led) for led in range(6)]
    trumps = [number for number in numbers if suits[number] == trump]
    ranking = tuple(sorted(trumps, key=lambda number: -height[number]))
    return TrumpTables(trump, tuple(suits), tuple(follow), tuple(powers), ranking)


def _powers(
    numbers: list[Card], suits: list[Suit], height: list[int], trump: Suit, led: Suit
) -> tuple[int, ...]:
    power = [0] * (JOKER + 1)
    for number in numbers:
        if suits[number] == trump:
            power[number] = _TRUMP_POWER + height[number]
        elif number == JOKER:
            power[number] = 2 * _TRUMP_POWER
        elif suits[number] == led:
            power[number] = height[number]
    return tuple(power)


def double_mask(hand: Sequence[Card], bit: Sequence[int], copies: int) -> int:
    """A hand of a double pack as a mask; ``bit`` and ``copies`` of its `PackTables`."""
    mask = 0
    for number in hand:
        mask |= bit[number] << copies if mask & bit[number] else bit[number]
    return mask

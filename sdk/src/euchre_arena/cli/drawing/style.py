"""Suits, frames and marks, in Unicode or plain ASCII; colour is put on at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

import click

from euchre_arena.rules.cards import NAMES, RANKS, SUIT_LETTERS, Card, rank_of, suit_of

_SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠", "n": "no trump"}
_ORDER: Final = "hcds"
"""Colours in turn, as one holds them."""
_RED_UNICODE: Final = re.compile("[2-9TJQKA]?[♥♦]+")
_RED_ASCII: Final = re.compile(r"\b[2-9TJQKA][hd]\b")


class Style(NamedTuple):
    """How things are drawn."""

    unicode: bool
    lead: str
    won: str
    dash: str
    dot: str
    back: str
    frame: tuple[str, ...]
    """Corners and lines: top left, top right, bottom left, bottom right, flat, upright."""

    def card(self, number: Card) -> str:
        """``J♥``, ``Jh``; the joker is ``B``."""
        name = NAMES[number]
        return name[0] + _SYMBOLS[name[1]] if self.unicode and len(name) == 2 else name

    def cards(self, numbers: Iterable[Card]) -> str:
        """Cards as one holds them: by suit, colours in turn, high to low."""
        return " ".join(self.card(number) for number in sorted(numbers, key=_held))

    def suit(self, trump: int) -> str:
        """``♥``, or ``hearts``; ``no trump``."""
        letter = SUIT_LETTERS[trump]
        return _SYMBOLS[letter] if self.unicode else _WORDS[letter]

    def text(self, text: str) -> str:
        """A name or a message that may hold anything."""
        if self.unicode:
            return "".join(c if c.isprintable() else "?" for c in text)
        return "".join(c if c.isprintable() and c.isascii() else "?" for c in text)

    def colour(self, line: str) -> str:
        """Hearts and diamonds in red; where the output is no terminal click takes it off again."""
        pattern = _RED_UNICODE if self.unicode else _RED_ASCII
        return pattern.sub(lambda found: click.style(found[0], fg="red"), line)


_WORDS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades", "n": "no trump"}

UNICODE: Final = Style(True, "›", "*", "–", "·", "░", tuple("┌┐└┘─│"))
ASCII: Final = Style(False, ">", "*", "-", "-", "#", tuple("++++-|"))


def _held(number: Card) -> tuple[int, int]:
    name = NAMES[number]
    if len(name) == 1:
        return -1, 0
    return _ORDER.index(SUIT_LETTERS[suit_of(number)]), -RANKS.index(rank_of(number))

"""The score kept with two small cards.

To five, a three and a four [F][P]: one is the three face up under the four face down, two the four
face up under the three face down, three the three face up over the other, four the four face up
over the other. To ten, a six and a four [W]: the four face down uncovers the pips of the six one
by one, then lies face up and its own are added.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from euchre_arena.cli.drawing.found import Found
from euchre_arena.cli.drawing.style import Style

_SUITS = ("h", "s")
_SMALL, _LARGE = 5, 10


class Cards(NamedTuple):
    """Two cards, the right one lying on the left one; empty: wholly covered."""

    under: str
    over: str


def score_lines(found: Found, style: Style) -> Iterator[str]:
    """The score after the hand, each side's with its cards where they reach."""
    rules = found.rules
    for side, points in enumerate(found.after):
        seats = [seat for seat, of in enumerate(rules.side_of) if of == side]
        word = "seat" if len(seats) == 1 else "seats"
        names = " ".join(map(str, seats))
        text = f"{word} {names}: {found.before[side]} + {points - found.before[side]} = {points}"
        text = text.replace("+ -", f"{'−' if style.unicode else '-'} ")
        if rules.target and points >= rules.target:
            text += ", game"
        cards = marker(points, rules.target, side, style) if rules.sides == 2 else None
        if cards is None:
            yield text
        else:
            yield from _beside(text, cards, style)


def marker(points: int, target: int, side: int, style: Style) -> Cards | None:
    """How the two cards of a side lie; None where they cannot show it."""
    if not 0 <= points < target or target > _LARGE:
        return None
    suit = _symbol(side, style)
    back = style.back * 2
    if target <= _SMALL:
        return (
            Cards(back, back),
            Cards("3" + suit, back),
            Cards("4" + suit, back),
            Cards(back, "3" + suit),
            Cards(back, "4" + suit),
        )[points]
    if points <= 6:
        return Cards(suit * points, style.back * 3)
    return Cards(suit * 6, suit * (points - 6))


def _symbol(side: int, style: Style) -> str:
    letter = _SUITS[side]
    return {"h": "♥", "s": "♠"}[letter] if style.unicode else letter


def _beside(text: str, cards: Cards, style: Style) -> Iterator[str]:
    """Three lines: the cards, and the text beside their middle."""
    nw, ne, sw, se, flat, upright = style.frame
    under, over = cards
    left = (nw + flat * len(under), upright + under, sw + flat * len(under))
    if not under:
        left = ("", "", "")
    right = (nw + flat * len(over) + ne, upright + over + upright, sw + flat * len(over) + se)
    width = 12
    for number, (one, two) in enumerate(zip(left, right, strict=True)):
        yield f"{one + two:<{width}}  {text if number == 1 else ''}".rstrip()

"""What was said, who made trumps, the tricks in order."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from euchre_arena.cli.drawing.found import Found, Trick
from euchre_arena.cli.drawing.style import Style

_WIDTH = 90
_FIRM = "\x00"
"""A blank at which no line is broken."""


def said_lines(found: Found, style: Style) -> Iterator[str]:
    """Everything before the first card, then what came of it."""
    if found.said:
        said = f" {style.dot} ".join(text.replace(" ", _FIRM) for text in found.said)
        for line in wrap(f"said: {said}", _WIDTH, subsequent_indent="  "):
            yield line.replace(_FIRM, " ")
    hand = found.hand
    if hand.maker >= 0 and hand.trump:
        alone = " alone" if hand.alone else ""
        yield f"trumps {style.suit(hand.trump)}, made by seat {hand.maker}{alone}"


def trick_lines(found: Found, style: Style) -> Iterator[str]:
    """A row a trick, a column a seat: the lead and the winning card are marked."""
    if not found.tricks:
        return
    seats = range(found.rules.seats)
    yield ("trick " + "".join(f"{f'seat {seat}':^9}" for seat in seats)).rstrip()
    for number, trick in enumerate(found.tricks, 1):
        cells = "".join(f"{_cell(trick, seat, style):^9}" for seat in seats)
        won = f" won by seat {trick.winner}" if trick.winner >= 0 else ""
        yield f"{number:>4}  {cells}{won}".rstrip()
        yield from (f"      {note}" for note in trick.notes)
    yield f"      {style.lead} led   {style.won} won the trick"


def _cell(trick: Trick, seat: int, style: Style) -> str:
    for place, (player, number) in enumerate(trick.cards):
        if player == seat:
            lead = style.lead if place == 0 else " "
            won = style.won if seat == trick.winner else " "
            return f"{lead}{style.card(number):<2}{won}"
    return style.dash

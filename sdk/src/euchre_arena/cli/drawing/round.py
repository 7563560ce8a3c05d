"""The hands round a table: seat 0 nearest, the others clockwise."""

from __future__ import annotations

from collections.abc import Iterator

from euchre_arena.cli.drawing.found import Found
from euchre_arena.cli.drawing.style import Style
from euchre_arena.rules.terms import UpCardState

_LEAST = 14
"""Columns of a seat, and between two."""
_NAME = 24


def rows(seats: int) -> list[tuple[int, ...]]:
    """Seats by row, far to near: pairs left and right, one alone in the middle."""
    pairs: list[tuple[int, ...]] = [(near, seats - near) for near in range(1, (seats + 1) // 2)]
    if seats % 2 == 0:
        pairs.append((seats // 2,))
    return [*reversed(pairs), (0,)]


def draw_table(found: Found, style: Style) -> Iterator[str]:
    """Two lines a seat: who sits there, and the cards dealt; the up-card in the middle."""
    blocks = [_block(found, seat, style) for seat in range(found.rules.seats)]
    width = max(_LEAST, max(len(line) for block in blocks for line in block))
    middle = _middle(found, style)
    centre = max(len(middle), 6) + 4
    placed = False
    all_rows = rows(found.rules.seats)
    for number, row in enumerate(all_rows):
        here = not placed and number >= (len(all_rows) - 1) // 2 and len(row) == 2
        for line in (0, 1):
            if len(row) == 1:
                yield (
                    " " * ((2 * width + centre - _width(blocks[row[0]])) // 2)
                    + (blocks[row[0]][line])
                )
                continue
            inner = middle if here and line == 1 else ""
            left, right = (blocks[seat][line] for seat in row)
            yield f"{left:<{width}}{inner:^{centre}}{right}"
        placed = placed or here
        if number + 1 < len(all_rows):
            yield ""
            if found.rules.seats == 2:
                yield middle.center(2 * width + centre)
                yield ""


def _width(block: tuple[str, str]) -> int:
    return max(map(len, block))


def _middle(found: Found, style: Style) -> str:
    return f"[{style.card(found.deal.up_card)}]" if found.deal.up_card else ""


def _block(found: Found, seat: int, style: Style) -> tuple[str, str]:
    name = style.text(found.names[seat])
    if len(name) > _NAME:
        name = name[: _NAME - 1] + style.back
    marks = [str(seat)]
    hand = found.hand
    if seat == hand.dealer:
        marks.append("dealer")
    if seat == hand.maker:
        marks.append("maker, alone" if hand.alone else "maker")
    elif seat == hand.defending_alone:
        marks.append("defends alone")
    elif hand.out >> seat & 1:
        marks.append("sits out")
    elif hand.chosen >> seat & 1:
        marks.append("partner")
    return f"{name} ({', '.join(marks)})", style.cards(found.deal.hands[seat])


def card_lines(found: Found, style: Style) -> Iterator[str]:
    """Up-card and what is left of the pack."""
    state = {
        UpCardState.FACE_UP: "left face up",
        UpCardState.TAKEN: f"taken by the dealer, seat {found.hand.dealer}",
        UpCardState.TURNED_DOWN: "turned down",
    }.get(found.hand.up_card_state)
    rest = style.cards(found.deal.kitty)
    left = {"ecarte": "stock"}.get(found.rules.making, "kitty")
    if any(bid.widow for bid in found.rules.table.bids.values()):
        left = "widow"
    if found.deal.up_card:
        trumps = "trumps" if found.rules.making == "ecarte" else state
        yield f"up-card {style.card(found.deal.up_card)}, {trumps}"
    if rest:
        yield f"{left} {rest}"

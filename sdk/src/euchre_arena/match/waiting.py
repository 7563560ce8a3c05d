"""Hands that wait for their lines in the record.

Games of a match are played at once and stand in the record one after the other, so that the hands
of hundreds of games wait at any time, and all of them for the next checkpoint. Each waits as the
order of the cards, what was said and what came of it, a fifth of its line, which is written when
it is due.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, TypeAlias

from euchre_arena.match.record import hand_line
from euchre_arena.rules import Rules, deal_cards
from euchre_arena.rules.dealing import deal_order

Waiting: TypeAlias = str | bytes
"""A line of the record, or a hand that waits for its own."""

_COUNT: Final = 3
"""The byte that tells how many actions there are, see `_layout`."""


@cache  # hands have much the same number of actions
def _layout(actions: int, sides: int) -> struct.Struct:
    """Of what waits but the order of the cards, which stands behind it."""
    return struct.Struct(f"<HBB{actions}H{3 * sides}h")


def waiting(
    number: int,
    dealer: int,
    order: bytes,
    actions: Sequence[int],
    tricks: Sequence[int],
    points: Sequence[int],
    score: Sequence[int],
) -> bytes | None:
    """A hand that ended; None for one with actions of so many cards that only its line will do.
    ``order``: of `drawn`."""
    count = len(actions)
    pack = _layout(count, len(score)).pack
    try:
        return pack(number, dealer, count, *actions, *tricks, *points, *score) + order
    except struct.error:
        return None


def written(lines: Iterable[Waiting], rules: Rules, key: bytes, index: int) -> list[str]:
    """Lines of one game; ``index``: the g its deals are drawn under."""
    return [line if isinstance(line, str) else _line(line, rules, key, index) for line in lines]


def drawn(rules: Rules, key: bytes, index: int, number: int) -> bytes:
    """The order in which a game's deal is dealt (rules.md §9), a byte a position of the pack."""
    return bytes(deal_order(key, index, number, rules.pack.size))


def _line(hand: bytes, rules: Rules, key: bytes, index: int) -> str:
    sides = rules.sides
    layout = _layout(hand[_COUNT], sides)
    number, dealer, count, *said = layout.unpack_from(hand)
    # Hands in checkpoints of an earlier release come without it.
    order = hand[layout.size :] or drawn(rules, key, index, number)
    actions, came = said[:count], said[count:]
    tricks, points, score = came[:sides], came[sides : 2 * sides], came[2 * sides :]
    deal = deal_cards(rules, dealer, order)
    return hand_line(number, dealer, deal, actions, tricks, points, score)

"""Hands that wait for their lines in the record.

Games of a match are played at once and stand in the record one after the other, so that the hands
of hundreds of games wait at any time, and all of them for the next checkpoint. Each waits as what
cannot be worked out again: what was said and what came of it, a hundred bytes in place of six
hundred. Its cards come from the match's key, and its line is written when it is due.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from euchre_arena.match.record import hand_line
from euchre_arena.rules import Rules, deal_cards
from euchre_arena.rules.dealing import Deal, deal_order

Waiting: TypeAlias = str | bytes
"""A line of the record, or a hand that waits for its own."""

_HEAD: Final = struct.Struct("<HBB")


def waiting(
    number: int,
    dealer: int,
    actions: Sequence[int],
    tricks: Sequence[int],
    points: Sequence[int],
    score: Sequence[int],
) -> bytes | None:
    """A hand that ended; None for one with actions of so many cards that only its line will do."""
    layout = f"<HBB{len(actions)}H{3 * len(score)}h"
    try:
        return struct.pack(layout, number, dealer, len(actions), *actions, *tricks, *points, *score)
    except struct.error:
        return None


def written(lines: Iterable[Waiting], rules: Rules, key: bytes, index: int) -> list[str]:
    """Lines of one game; ``index``: the g its deals are drawn under."""
    return [line if isinstance(line, str) else _line(line, rules, key, index) for line in lines]


def dealt(rules: Rules, key: bytes, index: int, dealer: int, number: int) -> Deal:
    """The cards of a game's deal (rules.md §9)."""
    return deal_cards(rules, dealer, deal_order(key, index, number, rules.pack.size))


def _line(hand: bytes, rules: Rules, key: bytes, index: int) -> str:
    number, dealer, count = _HEAD.unpack_from(hand)
    sides = rules.sides
    actions = struct.unpack_from(f"<{count}H", hand, _HEAD.size)
    came = struct.unpack_from(f"<{3 * sides}h", hand, _HEAD.size + 2 * count)
    tricks, points, score = (came[at : at + sides] for at in (0, sides, 2 * sides))
    deal = dealt(rules, key, index, dealer, number)
    return hand_line(number, dealer, deal, actions, tricks, points, score)

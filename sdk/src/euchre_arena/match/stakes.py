"""Rubber points, stakes and skunks: what a game between two sides is worth (rules.md §11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

RUBBER_BONUS: Final = 2
"""Points for winning the rubber [F]; nobody's where it ends level (ruling)."""

TREBLE: Final = 3
DOUBLE: Final = 2
SINGLE: Final = 1


def rubber_points(target: int, losers: int) -> int:
    """What a game of a rubber counts, by the losers' score: treble, double or single [F]."""
    if losers <= 0:
        return TREBLE
    return DOUBLE if losers < (target + 1) // 2 else SINGLE


def owed_points(score: Sequence[int], winner: int) -> int:
    """Points the losers of a game owe: the difference.

    Nothing where a game was lost by a fault with the better score (ruling).
    """
    return max(0, score[winner] - score[1 - winner])


def owed_tricks(tricks: Sequence[int], winner: int) -> int:
    """Tricks the losers of a game owe; fewer than none where the winners took fewer."""
    return tricks[winner] - tricks[1 - winner]


def skunked(score: Sequence[int], winners: Sequence[int]) -> bool:
    """A game of two sides was won with the losers at nothing or less [W]."""
    return len(winners) == 1 and score[1 - winners[0]] <= 0

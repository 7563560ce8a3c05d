"""Numbers and lists as one writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def count(number: int, what: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def points(number: int) -> str:
    """``1 point``, ``2 points``."""
    return count(number, "point")


def tricks(number: int) -> str:
    """``1 trick``, ``2 tricks``."""
    return count(number, "trick")


def listed(items: Iterable[object], last: str = "and") -> str:
    """``1, 2 and 3``."""
    texts = list(map(str, items))
    return f" {last} ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def span(numbers: Sequence[int]) -> str:
    """Numbers in a row: ``5``, ``3 or 4``, ``0 to 2``."""
    if len(numbers) < 3:
        return listed(numbers, "or")
    return f"{numbers[0]} to {numbers[-1]}"


def partners(rules_seats: int, sides: int) -> str:
    """What a player's partner is called, or partners."""
    return "partner" if rules_seats // sides == 2 else "partners"

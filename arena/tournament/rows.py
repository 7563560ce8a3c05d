"""What a table shows: a row of the standings, a cell of the crosstable."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

DIGITS = {
    **dict.fromkeys(("rating", "interval", "low", "high"), 2),
    **dict.fromkeys(("plackett_luce", "plackett_luce_interval"), 2),
    **dict.fromkeys(("score", "per_deal", "per_deal_interval"), 4),
}
"""What is rounded, and to how many digits."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings."""

    rank: int
    """From 1; shared by entrants that are level."""
    index: int
    """Of the entrant in the spec."""
    entrant: str
    """Its name."""
    rating: float
    """On the Elo scale, the field's mean being 1500."""
    interval: float
    """Half the width of the rating's 95 % interval: rating ± interval."""
    score: float
    """What the rank goes by."""
    matches: int
    matches_won: int
    matches_drawn: int
    games: int
    won: int
    drawn: int
    """Games won together with others: with two sides level, with more shared."""
    points: int
    conceded: int
    """Points of the other side; where there are more than two, of all others together."""
    units: int
    """Units behind the rating."""
    faults: dict[str, int]
    """By kind."""
    per_deal: float | None = None
    """Points scored less points conceded, a deal; where partners change."""
    per_deal_interval: float | None = None
    """Half the width of its 95 % interval; None before there are two units."""
    rubber: int | None = None
    """Rubber points; None where no rubbers are played."""
    stakes: int | None = None
    """What it won, or with a minus owes; None where nothing is staked."""
    skunks: int | None = None
    """Games it won that are marked skunk; None where none is marked."""
    plackett_luce: float | None = None
    """The rating by the other model, where `rating` is Bradley-Terry's; the same scale."""
    plackett_luce_interval: float | None = None
    """Half the width of its 95 % interval."""

    @property
    def lost(self) -> int:
        """Games lost."""
        return self.games - self.won - self.drawn

    @property
    def low(self) -> float:
        """Lower end of the rating's 95 % interval."""
        return self.rating - self.interval

    @property
    def high(self) -> float:
        """Upper end of it."""
        return self.rating + self.interval

    def as_dict(self) -> dict[str, Any]:
        """For JSON: numbers with fractions rounded."""
        values = asdict(self)
        values["lost"] = self.lost
        for key, digits in DIGITS.items():
            value = getattr(self, key)
            values[key] = None if value is None else round(value, digits)
        return {key: value for key, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Cell:
    """What one entrant did against another, as opponents: games it was ahead, level and behind,
    and points. With two sides that is games won, level and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    conceded: int = 0

    @property
    def score(self) -> float:
        """Games won and half of those level."""
        return self.won + self.drawn / 2

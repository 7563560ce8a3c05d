"""What a preset is (rules.md §7); the presets themselves stand in ``preset_table``.

A preset fixes what cannot be chosen (players, sides, pack, hand, how trumps are made, how a hand is
scored) and gives options their defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

OptionValue = bool | int | str

Making = Literal["turn-up", "auction", "ecarte"]
Scoring = Literal[
    "partnership", "solo", "setback", "seven-card", "auction", "bid", "picked", "ecarte"
]


SOURCES: Final[Mapping[str, str]] = {
    "F": "Foster's Complete Hoyle, Euchre",
    "S": "the SquareScores rules page",
    "H": "Hoyle's Games Modernized, Écarté and Euchre",
    "P": "a short two-handed text drawn from Hoyle's Games Modernized",
    "W": "Wikipedia, Euchre, 14 October 2022",
    "E": "Euchre Game Notation 1.4, house rules in use today",
    "R": "a ruling of the arena, where the sources differ or are silent",
}
"""What a source named with a preset or an option is (rules.md)."""


class Bid(NamedTuple):
    """What a number bid undertakes (§4, §7)."""

    tricks: int
    partners: int = 0
    """How many partners the maker picks."""
    widow: bool = False
    """The maker takes the widow."""
    alone: bool = False
    """The number means all tricks alone; nobody sits out."""


class Preset(NamedTuple):
    """One line of the table of rules.md §7."""

    name: str
    source: str
    seats: int
    side_of: tuple[int, ...]
    """Side of each seat; sides are numbered by their lowest seat."""
    pack: str
    hand_size: int
    making: Making
    scoring: Scoring
    defaults: Mapping[str, OptionValue]
    summary: str
    bids: Mapping[int, Bid] = {}
    """By number, ascending, where trumps are made by auction."""
    lone_bid: int = 0
    """Bid euchre: points for all tricks bid alone; no trump exists and the maker leads. Else 0."""

    @property
    def sides(self) -> int:
        """Number of sides."""
        return max(self.side_of) + 1

    @property
    def partnership(self) -> bool:
        """Two sides of two or three partners each."""
        return self.sides == 2 and self.seats >= 4

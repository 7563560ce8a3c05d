"""The presets of rules.md §7, as data.

A preset fixes what cannot be chosen (players, sides, pack, hand, how trumps are made, how a hand is
scored) and gives options their defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

OptionValue = bool | int | str

Making = Literal["turn-up", "auction", "ecarte"]
Scoring = Literal["partnership", "solo", "setback", "seven-card"]


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

    @property
    def sides(self) -> int:
        """Number of sides."""
        return max(self.side_of) + 1

    @property
    def partnership(self) -> bool:
        """Two sides of two or three partners each."""
        return self.sides == 2 and self.seats >= 4


_PAIRS: Final = (0, 1, 0, 1)
_TRIOS: Final = (0, 1, 0, 1, 0, 1)


def _four(name: str, source: str, pack: str, summary: str, **defaults: OptionValue) -> Preset:
    return Preset(name, source, 4, _PAIRS, pack, 5, "turn-up", "partnership", defaults, summary)


PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        _four("standard", "[S][W]", "24", "four-handed euchre with 24 cards to ten", target=10),
        _four(
            "stick",
            "[E] std",
            "24",
            "standard, and the dealer must call in the second round",
            target=10,
            stick_the_dealer=True,
        ),
        _four("hoyle", "[F][H]", "32", "the old game: 32 cards to five", target=5),
        _four(
            "british",
            "[S][W]",
            "24",
            "with the joker as highest trump, 25 cards to eleven",
            target=11,
            benny=True,
        ),
        _four(
            "canadian",
            "[W]",
            "24",
            "standard, and the dealer's partner who orders up goes alone",
            target=10,
            canadian=True,
        ),
        _four(
            "robson",
            "[W]",
            "24",
            "standard, five tricks may be taken off the opponents, and blind loners",
            target=10,
            robson=True,
            blind_loner=True,
        ),
        Preset(
            "two",
            "[P][H]",
            2,
            (0, 1),
            "32",
            5,
            "turn-up",
            "solo",
            {"target": 5, "march": 2},
            "two-handed euchre with 32 cards to five",
        ),
        Preset(
            "three",
            "[F][H]",
            3,
            (0, 1, 2),
            "32",
            5,
            "turn-up",
            "solo",
            {"target": 5, "march": 3, "tie": "shared"},
            "cut-throat: the maker against the two others, 32 cards to five",
        ),
        Preset(
            "three-setback",
            "[H]",
            3,
            (0, 1, 2),
            "32",
            5,
            "turn-up",
            "setback",
            {"target": 5, "march": 2, "tie": "shared"},
            "cut-throat, and a euchred maker loses two points",
        ),
        Preset(
            "three-modern",
            "[S]",
            3,
            (0, 1, 2),
            "24",
            5,
            "turn-up",
            "solo",
            {"target": 10, "march": 3, "tie": "shared"},
            "cut-throat with 24 cards to ten",
        ),
        Preset(
            "three-seven",
            "[W]",
            3,
            (0, 1, 2),
            "24",
            7,
            "turn-up",
            "seven-card",
            {"target": 10, "tie": "shared"},
            "three-handed with seven cards each, 24 cards to ten",
        ),
        Preset(
            "six",
            "[F]",
            6,
            _TRIOS,
            "32",
            5,
            "turn-up",
            "partnership",
            {"target": 5},
            "six-handed in trios, 32 cards to five",
        ),
    )
}

KNOWN: Final = (
    "standard",
    "stick",
    "hoyle",
    "british",
    "canadian",
    "robson",
    "two",
    "three",
    "three-setback",
    "three-modern",
    "three-seven",
    "six",
    "auction",
    "bid-four",
    "bid-six",
    "five",
    "seven",
    "ecarte",
)
"""Every preset of rules.md §7, whether played yet or not."""

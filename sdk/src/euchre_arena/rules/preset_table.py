"""The table of rules.md §7: one entry a preset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .presets import Bid, OptionValue, Preset

_PAIRS: Final = (0, 1, 0, 1)
_TRIOS: Final = (0, 1, 0, 1, 0, 1)


def _four(name: str, source: str, pack: str, summary: str, **defaults: OptionValue) -> Preset:
    return Preset(name, source, 4, _PAIRS, pack, 5, "turn-up", "partnership", defaults, summary)


_TRICKS: Final = {number: Bid(number) for number in range(1, 9)}
_AUCTION_DEFAULTS: Final[dict[str, OptionValue]] = {"rounds": "one", "suit_in_bid": False}
_BID_DEFAULTS: Final[dict[str, OptionValue]] = {"rounds": "one", "suit_in_bid": True}

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
            "[S][W], the target [R]",
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
            "standard, the points for all five tricks may come off the opponents, and blind loners",
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
            "cut-throat with 32 cards to five, and a euchred maker loses two points",
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
        Preset(
            "auction",
            "[F]",
            4,
            _PAIRS,
            "32",
            5,
            "auction",
            "auction",
            {"target": 15, "players": 4, **_AUCTION_DEFAULTS},
            "auction euchre: the highest bidder names trumps, 32 cards to fifteen",
            {number: _TRICKS[number] for number in range(1, 6)},
        ),
        Preset(
            "bid-four",
            "[S], the points [R]",
            4,
            _PAIRS,
            "24",
            6,
            "auction",
            "bid",
            {"target": 32, **_BID_DEFAULTS},
            "bid euchre: all 24 cards dealt, a number of tricks and a suit are bid, to 32",
            {number: _TRICKS[number] for number in range(1, 7)},
            lone_bid=12,
        ),
        Preset(
            "bid-six",
            "[S], the points [R]",
            6,
            _TRIOS,
            "48",
            8,
            "auction",
            "bid",
            {"target": 52, **_BID_DEFAULTS},
            "bid euchre in trios with a double pack, to 52",
            _TRICKS,
            lone_bid=24,
        ),
        Preset(
            "five",
            "[F], the numbers [R]",
            5,
            (0, 1, 2, 3, 4),
            "28",
            5,
            "auction",
            "picked",
            {"target": 50, "rounds": "one", "tie": "shared"},
            "five-handed: the highest bidder takes the widow and picks partners, to fifty",
            {
                3: Bid(3, 1, widow=True),
                4: Bid(4, 2, widow=True),
                5: Bid(5, 2, widow=True),
                8: Bid(5, widow=True, alone=True),
                15: Bid(5, alone=True),
            },
        ),
        Preset(
            "seven",
            "[F], the numbers [R]",
            7,
            (0, 1, 2, 3, 4, 5, 6),
            "53",
            7,
            "auction",
            "picked",
            {"target": 100, "rounds": "one", "tie": "shared"},
            "seven-handed with the full pack and joker: as five, to a hundred",
            {
                **{number: Bid(number, 2, widow=True) for number in range(1, 6)},
                6: Bid(6, 3, widow=True),
                7: Bid(7, 3, widow=True),
                10: Bid(7, widow=True, alone=True),
                20: Bid(7, alone=True),
            },
        ),
        Preset(
            "ecarte",
            "[H]",
            2,
            (0, 1),
            "32",
            5,
            "ecarte",
            "ecarte",
            {"target": 5},
            "Écarté: exchange cards, mark the king, tricks must be won, 32 cards to five",
        ),
    )
}


def seated(preset: Preset, options: Mapping[str, object]) -> Preset:
    """The preset at the number of seats its options ask for (``auction``: ``players: 6``)."""
    if preset.name == "auction" and options.get("players") == 6:
        return preset._replace(seats=6, side_of=_TRIOS)
    return preset

"""A preset with its options, checked and compiled: everything a hand asks for, ready to look up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from .cards import JOKER, PACKS, Card, Pack
from .dealing import deal_plan
from .options import OptionError, find_preset, pack_name, validate
from .preset_table import seated
from .presets import OptionValue, Preset
from .tables import PackTables, TrumpTables, pack_tables, trump_tables


class Rules:
    """The rules of a competition: immutable, shared by all its hands. Get one with ``Rules.of``."""

    def __init__(self, preset: Preset, options: Mapping[str, OptionValue]) -> None:
        preset = seated(preset, options)
        values = validate(preset, options)
        self.preset: Final = preset.name
        self.table: Final = preset
        self.options: Final[Mapping[str, OptionValue]] = MappingProxyType(dict(options))
        """Options set over the preset, as given."""
        self.values: Final[Mapping[str, OptionValue]] = MappingProxyType(values)
        """Every effective value; ``target`` is missing where a number of deals is played."""
        self.seats: Final = preset.seats
        self.sides: Final = preset.sides
        self.side_of: Final = preset.side_of
        self.hand_size: Final = preset.hand_size
        self.making: Final = preset.making
        self.scoring: Final = preset.scoring
        self.turns_up: Final = preset.making != "auction"
        self.partnership: Final = preset.partnership
        self.pack: Final[Pack] = PACKS[pack_name(preset, values)]
        self.pack_tables: Final[PackTables] = pack_tables(self.pack.name)
        self.trump_tables: Final[tuple[TrumpTables | None, ...]] = (
            None,
            *(
                trump_tables(self.pack.name, suit, preset.making == "ecarte")
                for suit in range(1, 6)
            ),
        )
        """By trump suit 1 … 5."""
        self.deal_plan: Final = deal_plan(self.seats, self.hand_size)
        self.steady: Final = (
            preset.making != "ecarte"
            and JOKER not in self.pack.cards
            and values.get("robson") is not True
        )
        """From the first lead on nothing changes in what a seat sees but cards, trick and history:
        no joker's suit is named, no king is marked, nothing is asked after the last trick."""
        self.target: Final = int(values.get("target", 0))
        """Points that win; 0 where a number of deals is played."""
        self.majority: Final = self.hand_size // 2 + 1
        self.next_active: Final = tuple(
            tuple(_next(seat, out, self.seats) for seat in range(self.seats))
            for out in range(1 << self.seats)
        )
        """By mask of seats sitting out, and seat: the next seat to the left that plays."""
        self.flags: Final = frozenset(name for name, value in values.items() if value is True)
        """Names of the options that are simply on."""
        self.tokens: Final = "four_trick_tokens" in self.flags
        self.nothing_away: Final[tuple[tuple[Card, ...], ...]] = ((),) * self.seats
        """What the seats of a hand have put away at its beginning."""

    @staticmethod
    def of(preset: str, options: Mapping[str, object] | None = None) -> Rules:
        """The rules of a preset with options set over it; cached.

        OptionError names what is wrong.
        """
        try:
            text = json.dumps(dict(options or {}), sort_keys=True)
        except (TypeError, ValueError) as error:
            raise OptionError(
                f"an option of {preset!r} has a value it cannot have: {error}"
            ) from None
        return _compiled(preset, text)

    def value(self, name: str) -> OptionValue | None:
        """Effective value of an option; None where the preset has no use for it."""
        return self.values.get(name)

    def number(self, name: str) -> int:
        """Effective value of an option that is a number."""
        return int(self.values[name])

    def trumps(self, suit: int) -> TrumpTables:
        """Tables under a trump suit, 1 … 5."""
        tables = self.trump_tables[suit]
        assert tables is not None, "trumps are not made yet"
        return tables

    def __repr__(self) -> str:
        return f"Rules.of({self.preset!r}, {dict(self.options)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Rules.of, (self.preset, dict(self.options))


@lru_cache(maxsize=256)
def _compiled(preset: str, options: str) -> Rules:
    return Rules(find_preset(preset), json.loads(options))


@lru_cache(maxsize=1 << 12)
def makers_of(side_of: tuple[int, ...], maker: int, chosen: int, out: int) -> tuple[int, ...]:
    """Seats on the maker's side, and those ``chosen``, that do not sit ``out`` (masks)."""
    side = side_of[maker]
    return tuple(
        seat
        for seat, of in enumerate(side_of)
        if (of == side or chosen >> seat & 1) and not out >> seat & 1
    )


def _next(seat: int, out: int, seats: int) -> int:
    for step in range(1, seats + 1):
        if not out >> (seat + step) % seats & 1:
            return (seat + step) % seats
    return seat

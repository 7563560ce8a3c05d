"""What is to be played: the match, its format and its clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from euchre_arena.rules import Rules

KINDS: Final = ("games", "best_of", "deals", "rubber")
"""Formats of rules.md §11."""
STAKES: Final = ("stake_per_point", "stake_per_trick")
"""Keys that say what is staked; one of them at most."""
RUBBER_GAMES: Final = 3
FLAGS: Final = ("duplicate", "skunk")
MOST_STAKED: Final = 10_000
"""Keeps what a match can cost within what a record can hold."""


class SpecError(ValueError):
    """A match that cannot be played; the message names the field or option and says why."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time a seat has. All in milliseconds, 0 or more (protocol.md, Clocks)."""

    move_time_ms: int
    """For each decision."""
    bank_ms: int = 0
    """For each seat and game, drawn on when a decision takes longer."""
    increment_ms: int = 0
    """Added to the bank at every deal."""
    lag_per_move_ms: int = 500
    """Most of the network's share that is forgiven in one decision."""
    lag_per_game_ms: int = 10_000
    """Most of the network's share that is forgiven to one seat in one game."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise SpecError(f"clock: {name} must be a whole number from 0, not {value!r}")
        if not self.move_time_ms and not self.bank_ms:
            raise SpecError("clock: move_time_ms and bank_ms are both 0: no time to decide")


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """How many games, and how they make a match (rules.md §11)."""

    kind: str
    """One of `KINDS`."""
    count: int
    """Games (or deals) at most; `RUBBER_GAMES` for a rubber."""
    duplicate: bool = False
    """With k sides, k games on the same deals, the entrants moved one side on each time."""
    stake_per_point: int = 0
    """What a point of difference is worth, in a rubber a rubber point; 0: nothing is staked."""
    stake_per_trick: int = 0
    """What a trick of difference over a whole game is worth; 0: nothing is staked."""
    skunk: bool = False
    """Games won with the losers at nothing or less are marked."""

    @classmethod
    def of(cls, data: object) -> MatchFormat:
        """Read ``{"games": 100, "duplicate": true}``. SpecError names what is wrong."""
        if not isinstance(data, Mapping):
            raise SpecError(f"match format: an object is needed, not {data!r}")
        named = [key for key in KINDS if key in data]
        unknown = [str(key) for key in data if key not in (*KINDS, *STAKES, *FLAGS)]
        if unknown:
            raise SpecError(f"match format: {', '.join(unknown)} is none of {', '.join(KINDS)}")
        if len(named) != 1:
            raise SpecError(
                f"match format: exactly one of {', '.join(KINDS)} is needed, "
                + (f"not {' and '.join(named)}" if named else "none is there")
            )
        kind = named[0]
        value = data[kind]
        if kind == "rubber":
            if value is not True:
                raise SpecError(f"match format: rubber must be true, not {value!r}")
            value = RUBBER_GAMES
        elif isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 1 << 32:
            raise SpecError(f"match format: {kind} must be a whole number from 1, not {value!r}")
        duplicate, skunk = (_flag(data, name) for name in FLAGS)
        per_point, per_trick = (_stake(data, name) for name in STAKES)
        if per_trick and (per_point or kind == "rubber"):
            other = "stake_per_point" if per_point else "rubber"
            raise SpecError(
                f"match format: '{other}' and 'stake_per_trick' contradict each other: "
                + ("one thing is staked" if per_point else "a rubber is staked by its points")
            )
        return cls(kind, value, duplicate, per_point, per_trick, skunk)

    @property
    def two_sided(self) -> tuple[str, ...]:
        """Its parts that are of two sides alone, by name."""
        kind = ("rubber",) if self.kind == "rubber" else ()
        return (*kind, *(name for name in (*STAKES, "skunk") if getattr(self, name)))

    def as_dict(self) -> dict[str, Any]:
        """The same as `of` reads."""
        data: dict[str, Any] = {self.kind: True if self.kind == "rubber" else self.count}
        for name in ("duplicate", *STAKES, "skunk"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        return data

    def deal_index(self, game: int, sides: int) -> int:
        """The g under which the deals of a game are drawn (rules.md §9)."""
        return game // sides if self.duplicate else game

    def seats(self, seating: tuple[int, ...], game: int, sides: int) -> tuple[int, ...]:
        """The entrant of each seat in a game, ``seating`` being that of game 0.

        Sides alternate round the table, so everybody one seat on is every entrant one side on.
        Without duplicate nobody moves: the first dealer, drawn anew each game, evens the seats out.
        """
        shift = game % sides if self.duplicate else 0
        return seating[-shift:] + seating[:-shift] if shift else seating


def _flag(data: Mapping[str, Any], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise SpecError(f"match format: {name} must be true or false, not {value!r}")
    return value


def _stake(data: Mapping[str, Any], name: str) -> int:
    """What is staked; 0 where the key is absent."""
    if name not in data:
        return 0
    value = data[name]
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_STAKED:
        raise SpecError(
            f"match format: {name} must be a whole number from 1 to {MOST_STAKED}, not {value!r}"
        )
    return value


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match, before its secret is known."""

    match_id: str
    """Public name; not empty."""
    preset: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Set over the preset, competition options included (rules.md §7)."""
    match_format: Mapping[str, Any] = field(default_factory=lambda: {"games": 1})
    entrants: tuple[str, ...] = ()
    """Names, at least one a side."""
    seating: tuple[int, ...] = ()
    """Index of the entrant in each seat of game 0; empty: entrant i plays side i."""
    clock: Clock | None = None
    """None: nobody is ever late."""
    seeded: bool = False
    """The secret comes from a seed (rules.md §9); the record says so."""

    def check(self, match_format: MatchFormat) -> Rules:
        """The rules it is played by, names and numbers checked; SpecError, OptionError."""
        rules = playing_rules(self.preset, self.options, match_format)
        _check_names(self.match_id, self.entrants, rules)
        return rules

    def plan(self) -> Plan:
        """Check everything; SpecError or OptionError names what cannot be played."""
        match_format = MatchFormat.of(self.match_format)
        rules = self.check(match_format)
        seating = tuple(self.seating or rules.side_of)
        check_seating(seating, len(self.entrants), rules)
        check_opposed(match_format, seating, rules)
        sides = Counter(entrant for entrant, _ in set(zip(seating, rules.side_of, strict=True)))
        return Plan(rules, match_format, seating, max(sides.values()))


class Plan(NamedTuple):
    """A match spec that was checked."""

    rules: Rules
    """As played: in a match of deals ``num_deals`` is 1."""
    match_format: MatchFormat
    seating: tuple[int, ...]
    most_sides: int
    """The most sides one entrant sits on."""


def playing_rules(preset: str, options: Mapping[str, Any], match_format: MatchFormat) -> Rules:
    """The rules a game of the match is played by (rules.md §11). SpecError, OptionError."""
    rules = Rules.of(preset, dict(options))
    if match_format.two_sided and rules.sides != 2:
        raise SpecError(
            f"match format '{match_format.two_sided[0]}' and preset {preset!r} contradict each "
            f"other: it is for two sides, and there are {rules.sides}"
        )
    if match_format.kind == "rubber" and not rules.target:
        raise SpecError(
            "match format 'rubber' and option 'num_deals' contradict each other: a game of a "
            "rubber counts by how far from the target its losers stay"
        )
    if match_format.kind != "deals":
        return rules
    for name in ("num_deals", "target", "win_by_two"):
        if options.get(name):
            raise SpecError(
                f"match format 'deals' and option {name!r} contradict each other: "
                "a match of deals has games of one deal"
            )
    return Rules.of(preset, {**options, "num_deals": 1})


def check_seating(seating: Sequence[int], entrants: int, rules: Rules) -> None:
    """Every seat has an entrant and every entrant a seat; SpecError."""
    if len(seating) != rules.seats:
        raise SpecError(f"seats: {rules.seats} are needed, not {len(seating)}")
    if set(seating) != set(range(entrants)):
        raise SpecError(f"seats: every entrant 0 … {entrants - 1} needs one, not {list(seating)}")
    if entrants == rules.sides:
        for entrant, side in set(zip(seating, rules.side_of, strict=True)):
            others = [s for e, s in zip(seating, rules.side_of, strict=True) if e == entrant]
            if any(other != side for other in others):
                raise SpecError(f"seats: entrant {entrant} sits on more than one side")


def check_opposed(match_format: MatchFormat, seating: Sequence[int], rules: Rules) -> None:
    """Rubbers and stakes are between two sides of as many entrants each; SpecError."""
    between = [name for name in match_format.two_sided if name != "skunk"]
    if not between:
        return
    sides = [{e for e, of in zip(seating, rules.side_of, strict=True) if of == s} for s in (0, 1)]
    if sides[0] & sides[1] or len(sides[0]) != len(sides[1]):
        raise SpecError(
            f"match format '{between[0]}' and seats {list(seating)} contradict each other: each "
            "side needs as many entrants as the other, and none in common"
        )


def _check_names(match_id: str, entrants: Sequence[str], rules: Rules) -> None:
    if not match_id:
        raise SpecError("match: a name is needed")
    if not all(entrants):
        raise SpecError("entrants: every one needs a name")
    if not rules.sides <= len(entrants) <= rules.seats:
        raise SpecError(
            f"entrants: {rules.preset} takes {rules.sides} to {rules.seats}, not {len(entrants)}"
        )

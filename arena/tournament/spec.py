"""The organizer's spec: TOML text → `Spec`, or `SpecError` with the line at fault.

The tables and keys are those of docs/organizers.md. Nothing unknown is ignored, and nothing that
contradicts itself is taken: what a tournament was played under must be what its file says.

The text itself is what the store keeps; `parse` of the same text gives an equal `Spec`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from euchre_arena.match import MatchFormat
from euchre_arena.match import SpecError as MatchSpecError
from euchre_arena.match.spec import MOST_STAKED, STAKES, playing_rules
from euchre_arena.rules import OptionError, Rules

from arena.tournament.spec_reading import Reader, SpecError, Table

__all__ = ["ClockSpec", "Entrant", "Spec", "SpecError", "parse"]

Scoring = Literal["games", "matches", "points"]
OptionValue = bool | int | str

NAME_LENGTH = 100
BOT_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
"""As `arena bot register` takes them."""
FAULT_OPTIONS = ("on_illegal", "on_timeout", "revoke_lone")
FORMATS = ("games", "best_of", "deals", "rubber")
KINDS = ("round-robin", "progressive")
MAX_GAMES = 100_000
MAX_CYCLES = 10_000
MAX_ROUNDS = 1_000_000
MAX_FIELD = 300
"""Entrants, where more than two meet: their design is searched and counted off in seconds."""
DAY_MS = 86_400_000
GRACES_PER_GAME = 4
"""Where a spec does not say how long a bot may be gone in one game all together."""


@dataclass(frozen=True, slots=True)
class ClockSpec:
    """Times of rules.md and protocol.md, milliseconds; `move_time_ms` 0 is no clock at all."""

    move_time_ms: int = 1_000
    bank_ms: int = 60_000
    increment_ms: int = 0
    """Added to the bank each hand."""
    disconnect_grace_ms: int = 15_000
    """A bot that is gone for longer forfeits what is left of the match."""
    disconnect_grace_per_game_ms: int = 60_000
    """One that is gone again and again, for longer all together, forfeits that game."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who competes: a bot, which plays every seat of its side, or a team."""

    name: str
    """The bot's name; a team's is its bots' joined by ` + `."""
    bots: tuple[str, ...]
    """One name a bot, or as many as a side has seats."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A tournament as asked for, complete: every default filled in."""

    name: str
    entrants: tuple[Entrant, ...]
    preset: str = "standard"
    seed: str = ""
    """Of pairings and seats; deals come from each match's secret."""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Set over the preset, `[faults]` included: what `Rules.of` and the record take."""
    match_format: Mapping[str, int | bool] = field(default_factory=lambda: {"games": 100})
    """As in records: one of `FORMATS`, and duplicate, stakes, skunk where used."""
    secret_seed: str | None = None
    """Set: matches are `seeded` (rules.md 9), repeatable and no secret to whoever knows it."""
    clock: ClockSpec = ClockSpec()
    kind: str = "round-robin"
    """One of `KINDS`."""
    cycles: int = 1
    rounds: int = 0
    """Of a progressive tournament; 0: whole cycles of them."""
    no_show_grace_s: int = 120

    @property
    def rules(self) -> Rules:
        """The rules played (cached by `Rules.of`)."""
        return Rules.of(self.preset, dict(self.options))

    @property
    def side_of(self) -> tuple[int, ...]:
        """The side of each seat."""
        return tuple(self.rules.side_of)

    @property
    def progressive(self) -> bool:
        """Single bots, whose partners change from round to round."""
        return self.kind == "progressive"

    @property
    def entrant_sides(self) -> tuple[int, ...]:
        """The side, in game 0, of each entrant of a match."""
        return self.side_of if self.progressive else tuple(range(self.rules.sides))

    @property
    def unit(self) -> str:
        """What ratings and intervals are computed over."""
        if not self.duplicate:
            return "game"
        return "duplicate pair" if self.rules.sides == 2 else "duplicate set"

    @property
    def duplicate(self) -> bool:
        """Every deal is played from every side."""
        return bool(self.match_format.get("duplicate", False))

    @property
    def games(self) -> int:
        """Games of one match, the most there can be."""
        return MatchFormat.of(self.match_format).count

    @property
    def scoring(self) -> Scoring:
        """What the standings count: games won; matches where a match stops early; net points
        where single deals are played."""
        if "best_of" in self.match_format or "rubber" in self.match_format:
            return "matches"
        return "points" if "deals" in self.match_format else "games"

    @property
    def bots(self) -> tuple[str, ...]:
        """Every bot that plays, each once, in the spec's order."""
        return tuple(dict.fromkeys(bot for entrant in self.entrants for bot in entrant.bots))


def parse(text: str) -> Spec:
    """Read a spec. Raises SpecError, which names the line and what to write instead."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecError.of_toml(error, text) from None
    reader = Reader(text, values)
    top = reader.top(
        "name", "preset", "seed", "options", "match", "clock", "faults", "format", "entrants"
    )
    name = top.text("name", longest=NAME_LENGTH)
    preset = top.text("preset", default="standard")
    options = _options(top.table("options"), top.table("faults"))
    rules = _rules(preset, options, reader)
    format_ = top.table("format")
    kind, cycles, rounds = _format(format_, rules)
    match = top.table("match")
    match_format = _match_format(match, rules, "deals" if kind == "progressive" else "games")
    entrants = top.table("entrants")
    entrants.only("bots", "no_show_grace_s")
    return Spec(
        name=name,
        preset=preset,
        seed=top.text("seed", default="", empty=True),
        options=options,
        match_format=match_format,
        secret_seed=match.text("secret_seed") if "secret_seed" in match.values else None,
        clock=_clock(top.table("clock")),
        kind=kind,
        cycles=cycles,
        rounds=rounds,
        entrants=_entrants(entrants, rules, single=kind == "progressive"),
        no_show_grace_s=entrants.number("no_show_grace_s", default=120, least=0, most=7 * 86_400),
    )


def _options(options: Table, faults: Table) -> dict[str, OptionValue]:
    """Both tables as one mapping: they stand in the same table of rules.md 7."""
    chosen: dict[str, OptionValue] = {}
    for key, value in options.values.items():
        if not isinstance(value, bool | int | str):
            raise options.error(key, f"option {key} takes true, false, a number or a word")
        chosen[key] = value
    faults.only(*FAULT_OPTIONS)
    for key, value in faults.values.items():
        if key in chosen:
            raise faults.error(
                key, f"{key} stands in [options] and in [faults]; keep one of the two"
            )
        if not isinstance(value, bool | int | str):
            raise faults.error(key, f"{key} takes a word or a number")
        chosen[key] = value
    return chosen


def _rules(preset: str, options: Mapping[str, OptionValue], reader: Reader) -> Rules:
    try:
        return Rules.of(preset, options)
    except OptionError as error:
        raise reader.option_error(str(error), options) from None


def _match_format(match: Table, rules: Rules, usual: str) -> dict[str, int | bool]:
    match.only(*FORMATS, *STAKES, "skunk", "duplicate", "secret_seed")
    given = [key for key in FORMATS if key in match.values]
    if len(given) > 1:
        raise match.error(given[1], f"a match is {given[0]} or {given[1]}, not both")
    kind = given[0] if given else usual
    if usual == "deals" and kind != usual:
        raise match.error(
            kind, f"a progressive tournament counts points by the deal: deals = 20, not {kind}"
        )
    result: dict[str, int | bool] = {}
    if kind == "rubber":
        result[kind] = match.flag(kind, default=True)
    else:
        result[kind] = match.number(kind, default=100, least=1, most=MAX_GAMES)
    if match.flag("duplicate", default=False):
        if kind in ("games", "deals") and result[kind] % rules.sides:
            raise match.error(
                kind if given else "duplicate",
                f"duplicate plays every deal {rules.sides} times, so {kind} must be a multiple "
                f"of {rules.sides}, not {result[kind]}; or leave out duplicate",
            )
        result["duplicate"] = True
    for key in STAKES:
        if key in match.values:
            result[key] = match.number(key, default=0, least=1, most=MOST_STAKED)
    if match.flag("skunk", default=False):
        result["skunk"] = True
    try:
        playing_rules(rules.preset, rules.options, MatchFormat.of(result))
    except MatchSpecError as error:
        named = [key for key in result if f"'{key}'" in str(error)]
        raise match.error(named[-1] if named else kind, str(error)) from None
    return result


def _clock(clock: Table) -> ClockSpec:
    names = tuple(item.name for item in fields(ClockSpec))
    clock.only(*names)
    off = clock.values.get("move_time_ms") == 0
    default = ClockSpec(0, 0, 0) if off else ClockSpec()
    grace = clock.number(
        "disconnect_grace_ms", default=default.disconnect_grace_ms, least=0, most=DAY_MS
    )
    per_game = min(DAY_MS, GRACES_PER_GAME * grace)
    default = replace(default, disconnect_grace_per_game_ms=per_game)
    result = ClockSpec(
        **{
            name: clock.number(name, default=getattr(default, name), least=0, most=DAY_MS)
            for name in names
        }
    )
    for key in ("bank_ms", "increment_ms"):
        if off and getattr(result, key):
            raise clock.error(key, f"move_time_ms = 0 is no clock, and {key} is one; drop either")
    if result.disconnect_grace_per_game_ms < grace:
        raise clock.error(
            "disconnect_grace_per_game_ms",
            f"a bot may be gone for {grace} ms at once (disconnect_grace_ms), so a whole game "
            f"cannot give it {result.disconnect_grace_per_game_ms} ms; raise it or lower the other",
        )
    return result


def _format(table: Table, rules: Rules) -> tuple[str, int, int]:
    """Kind, cycles and rounds."""
    table.only("kind", "cycles", "rounds")
    kind = table.word("kind", KINDS, default="round-robin")
    if kind == "progressive" and not 2 == rules.sides < rules.seats:
        raise table.error(
            "kind",
            f"in a progressive tournament partners change, and preset {rules.preset!r} has none; "
            'write kind = "round-robin"',
        )
    rounds = 0
    if "rounds" in table.values:
        if kind != "progressive":
            raise table.error(
                "rounds", "a round robin has as many rounds as its cycles; rounds is progressive's"
            )
        if "cycles" in table.values:
            raise table.error("rounds", "cycles and rounds both say how long it is; drop either")
        rounds = table.number("rounds", default=0, least=1, most=MAX_ROUNDS)
    return kind, table.number("cycles", default=1, least=1, most=MAX_CYCLES), rounds


def _entrants(table: Table, rules: Rules, *, single: bool) -> tuple[Entrant, ...]:
    """Bots and teams, which have to fill the seats of a side; single bots where partners change."""
    seats = rules.seats // rules.sides
    fewest = rules.seats if single else rules.sides
    found: dict[str, Entrant] = {}
    for number, item in enumerate(table.array("bots")):
        bots = tuple(item) if isinstance(item, list) else (item,)
        for bot in bots:
            if not isinstance(bot, str) or not BOT_NAME.fullmatch(bot):
                raise table.error(
                    ("bots", number),
                    f"{bot!r} is no bot's name: 1 to 64 of a-z 0-9 . _ - with a letter or digit "
                    'at both ends; a team is a list, ["a", "b"]',
                )
        if single and isinstance(item, list):
            raise table.error(("bots", number), "partners change here: name bots, not teams")
        if isinstance(item, list) and (len(bots) != seats or len(set(bots)) != len(bots)):
            raise table.error(
                ("bots", number),
                f"a team here is {seats} different bots, not {len(bots)}: {', '.join(bots)}"
                if seats > 1
                else "a side here is one seat: name bots, not teams",
            )
        entrant = Entrant("+".join(bots), bots)
        if entrant.name in found:
            raise table.error(("bots", number), f"{entrant.name} is entered twice")
        found[entrant.name] = entrant
    if len(found) < fewest:
        wanted = "two entrants" if fewest == 2 else f"{fewest} entrants, as {rules.preset!r} seats"
        raise table.error("bots", f"a tournament needs {wanted}, there is {len(found) or 'none'}")
    if len(found) > MAX_FIELD and (single or rules.sides > 2):
        raise table.error(
            "bots", f"where more than two meet, {MAX_FIELD} can enter, not {len(found)}"
        )
    return tuple(found.values())

"""Entrants, deals and the record of a match at home, put together."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from inspect import isclass, iscoroutinefunction
from pathlib import Path
from typing import Any, Final

from euchre_arena.bot import Bot
from euchre_arena.bots.loading import load_bot
from euchre_arena.local.driver import Driver
from euchre_arena.local.interval import Units
from euchre_arena.local.result import LocalResult, RecordFile
from euchre_arena.match import Clock, GameOver, Match, MatchSpec, SpecError
from euchre_arena.rules import Rules
from euchre_arena.rules.dealing import NONCE_BYTES, SECRET_BYTES, seeded_secret

BotLike = Bot | type[Bot] | str
"""A bot, its class, or what one writes on a command line: ``"book"``, ``"mybot:MyBot"``."""

SIDE_BY_SIDE: Final = 256
"""Games played at once where a bot is asynchronous."""


class LocalMatch:
    """One match at home: made, run, and perhaps told to stop by a signal handler."""

    def __init__(
        self,
        bots: Sequence[BotLike],
        preset: str = "standard",
        options: Mapping[str, Any] | None = None,
        match_format: Mapping[str, Any] | None = None,
        *,
        seed: object = None,
        clock: Clock | None = None,
        record: str | os.PathLike[str] | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        """As `play_local`; ``progress`` is told the number of games that have ended."""
        rules = Rules.of(preset, options or {})
        teams = _teams(bots, rules)
        entrants, players = _named(teams)
        seeded = seed is not None
        self.spec: Final = MatchSpec(
            match_id="local" if seeded else f"local-{os.urandom(4).hex()}",
            preset=preset,
            options=dict(options or {}),
            match_format=dict(match_format or {"games": 100, "duplicate": True}),
            entrants=entrants,
            clock=clock,
            seeded=seeded,
        )
        if seeded:
            secret = seeded_secret(str(seed), self.spec.match_id)
            nonces: tuple[bytes, ...] = ()
        else:
            secret = os.urandom(SECRET_BYTES)
            nonces = tuple(os.urandom(NONCE_BYTES) for _ in range(rules.seats))
        seated = [players[side][seat // rules.sides] for seat, side in enumerate(rules.side_of)]
        parallel = SIDE_BY_SIDE if any(_is_async(bot) for _, bot in seated) else 1
        self.match: Final = Match(self.spec, secret, nonces, parallel)
        plan = self.spec.plan()
        unit = rules.sides if plan.match_format.duplicate else 1
        self._units = Units(len(entrants), unit, rules.side_of)
        self._progress = progress
        self._record = RecordFile(Path(record)) if record is not None else None
        self.driver: Final = Driver(
            self.match,
            [bot for _, bot in seated],
            [name for name, _ in seated],
            time.perf_counter_ns if clock else None,
            self._record.write if self._record else (lambda lines: None),
            self._game_over,
        )

    def run(self) -> LocalResult:
        """Play it. RecordWriteError where the record cannot be written."""
        began = time.perf_counter()
        try:
            finished = self.driver.run()
        finally:
            if self._record is not None:
                self._record.close()
        driver, units, result = self.driver, self._units, self.match.result
        assert result is not None, "the match is over"
        return LocalResult(
            self.spec,
            result,
            units.won[0].count,
            [sums.share() for sums in units.won],
            [sums.mean() for sums in units.ahead],
            driver.hands,
            driver.decisions,
            time.perf_counter() - began,
            driver.faults,
            driver.fault_counts,
            driver.errors,
            driver.refusals,
            level=units.level,
            shared=units.shared,
            interrupted=not finished,
        )

    def interrupt(self) -> bool:
        """End the match soon; True when a bot is running, which only an exception can stop."""
        return self.driver.interrupt()

    def _game_over(self, over: GameOver, seats: tuple[int, ...]) -> None:
        self._units.add(over.game, seats, over.score, over.winners)
        if self._progress is not None:
            self._progress(self._units.games)


def play_local(
    bots: Sequence[BotLike],
    preset: str = "standard",
    options: Mapping[str, Any] | None = None,
    match_format: Mapping[str, Any] | None = None,
    *,
    seed: object = None,
    clock: Clock | None = None,
    record: str | os.PathLike[str] | None = None,
) -> LocalResult:
    """Play bots against each other in this process, refereed as on a server.

    ``bots``: one a side, given ones repeated in turn until every side has one; or one a seat, and
    then the bots of a side are a team. ``match_format``: ``{"games": n}``, ``{"deals": n}`` or
    ``{"best_of": n}`` or ``{"rubber": True}``, with ``"duplicate": True`` for duplicate games, and
    ``"stake_per_point": v``, ``"stake_per_trick": v``, ``"skunk": True``; without one, 100
    duplicate games. ``seed``: any text or number; the same deals every time. ``clock``: without
    one nobody is ever late. ``record``: file to write the record to.

    An exception in a bot forfeits that game only and stands in ``errors`` of what is returned.
    Raises OptionError and SpecError for what cannot be played, LoadError for a bot that is not
    found, RecordWriteError for a record that cannot be written.
    """
    match = LocalMatch(bots, preset, options, match_format, seed=seed, clock=clock, record=record)
    return match.run()


def _teams(bots: Sequence[BotLike], rules: Rules) -> list[list[BotLike]]:
    """Side by side, the bots of its seats in order; one bot may play all of them."""
    if not bots:
        raise SpecError("bots: at least one is needed")
    if len(bots) <= rules.sides:
        turns = -(-rules.sides // len(bots))
        return [[bot] for bot in (list(bots) * turns)[: rules.sides]]
    if len(bots) == rules.seats:
        return [
            [bot for bot, of in zip(bots, rules.side_of, strict=True) if of == side]
            for side in range(rules.sides)
        ]
    seats = f" or {rules.seats}" if rules.seats > rules.sides else ""
    raise SpecError(f"bots: {rules.preset} takes up to {rules.sides}{seats}, not {len(bots)}")


Player = tuple[str, Bot]


def _named(teams: Sequence[Sequence[BotLike]]) -> tuple[tuple[str, ...], list[list[Player]]]:
    """The name of every entrant, no two alike, and by side the players of its seats.

    A bot that stands alone plays every seat of its side (the list is as long as a side at most,
    and repeats it).
    """
    players: list[list[Player]] = []
    names: list[str] = []
    for team in teams:
        loaded = [_loaded(bot) for bot in team]
        name = "+".join(dict.fromkeys(name for name, _ in loaded))
        number = 2
        plain = name
        while name in names:
            name = f"{plain}-{number}"
            number += 1
        names.append(name)
        if len(loaded) == 1:
            loaded = [(name, loaded[0][1])] * _MOST_SEATS_A_SIDE
        players.append(loaded)
    return tuple(names), players


_MOST_SEATS_A_SIDE: Final = 3


def _loaded(bot: BotLike) -> Player:
    if isinstance(bot, str):
        loaded = load_bot(bot)
        where, query, parameters = bot.partition("?")
        if ":" in where or where.endswith(".py"):
            # A house bot is known by what it is called, an author's by its name or its class.
            where = _name(loaded)
        return where + query + parameters, loaded
    if isclass(bot):
        bot = bot()
    if not isinstance(bot, Bot):
        raise SpecError(f"bots: {bot!r:.60} is no euchre_arena.Bot")
    return _name(bot), bot


def _name(bot: Bot) -> str:
    return bot.name or type(bot).__name__


def _is_async(bot: Bot) -> bool:
    return iscoroutinefunction(bot.act)

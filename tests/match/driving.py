"""Plays matches in tests: answers drawn from a seed, in any order, with or without noise."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from euchre_arena.match import (
    Ask,
    Clock,
    Effect,
    FaultNoted,
    GameOver,
    Match,
    MatchOver,
    MatchSpec,
    Record,
    Rejected,
)
from euchre_arena.rules import parse_action

MS = 1_000_000
SECRET = bytes(range(32))


def a_match(
    match_format: dict[str, Any] | None = None,
    preset: str = "standard",
    *,
    entrants: tuple[str, ...] = ("ann", "ben"),
    clock: Clock | None = None,
    parallel: int = 32,
    updates: bool = False,
    secret: bytes = SECRET,
    seating: tuple[int, ...] = (),
    **options: Any,
) -> Match:
    spec = MatchSpec(
        "m-test", preset, options, match_format or {"games": 1}, entrants, seating, clock
    )
    return Match(spec, secret, (), parallel, updates)


class Play:
    """A match being played, and everything it has said."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.effects: list[Effect] = []
        self.open: list[Ask] = []
        self.now = 0

    def take(self, effects: list[Effect]) -> list[Effect]:
        """Keep effects; the turns they ask for are in ``open``."""
        self.effects += effects
        self.open += [effect for effect in effects if isinstance(effect, Ask)]
        return effects

    def start(self) -> Play:
        self.take(self.match.start(self.now))
        return self

    def choose(self, ask: Ask, choice: int) -> list[Effect]:
        self.open.remove(ask)
        return self.take(self.match.choose(ask.game, ask.seat, ask.turn, choice, self.now))

    def say(self, text: str, now: int = 0, game: int = 0, network: int = 0) -> list[Effect]:
        """The seat to act says something, legal or not."""
        (ask,) = [ask for ask in self.open if ask.game == game]
        effects = self.match.receive(game, ask.seat, ask.turn, parse_action(text), now, network)
        still = [live for live in self.match.open_turns() if live[0] == game]
        if still != [(ask.game, ask.seat, ask.turn)]:
            self.open.remove(ask)
        return self.take(effects)

    def finish(
        self,
        seed: int = 0,
        order: Callable[[int], int] | None = None,
        choice: Callable[[Ask, int], int] | None = None,
    ) -> Play:
        """Play to the end. What a seat chooses hangs on the seed, its game, seat and turn alone;
        ``order``, given the number of open turns, tells which is answered next."""
        pick = choice or (lambda ask, count: chosen(seed, ask, count))
        while self.open:
            index = order(len(self.open)) if order is not None else -1
            ask = self.open[index]
            self.choose(ask, pick(ask, len(self.match.open_turn(ask.game).legal)))
        return self

    @property
    def lines(self) -> list[str]:
        """The record so far."""
        return [line for e in self.effects if isinstance(e, Record) for line in e.lines]

    @property
    def faults(self) -> list[str]:
        return [e.fault.kind for e in self.effects if isinstance(e, FaultNoted)]

    @property
    def rejections(self) -> list[str]:
        return [e.reason for e in self.effects if isinstance(e, Rejected)]

    @property
    def games_over(self) -> list[GameOver]:
        return [e for e in self.effects if isinstance(e, GameOver)]

    @property
    def over(self) -> bool:
        return bool(self.effects) and isinstance(self.effects[-1], MatchOver)


def chosen(seed: int, ask: Ask, count: int) -> int:
    """A choice that does not hang on the order in which turns are answered."""
    return random.Random(f"{seed} {ask.game} {ask.seat} {ask.turn}").randrange(count)

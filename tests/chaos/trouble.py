"""Trouble at random from a seed, spread over a tournament so that play goes on in between."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass

from tests.chaos.cup import NAMES, Cup
from tests.chaos.faults import KINDS, End, Kind
from tests.support.tournaments import wait_for

SPREAD = 0.85
"""The last trouble comes when so much of the tournament is over."""
BETWEEN = 3_000
"""Bytes of what bots are shown, about 25 decisions, between one trouble and the next."""
CALM_S = 3.0
"""A bot that is not asked anything meanwhile is taken for well again after that."""
STANDSTILL_S = 240.0
"""Nothing is decided for so long: the tournament is stuck."""
PARTS = ("referee", "referee-2", "worker", "beat", "valkey")
TARGETS = (*(f"bot:{name}" for name in NAMES), "between:1", "between:2", *PARTS, "up")


@dataclass
class Under:
    """A trouble that goes on, or has just been ended."""

    kind: Kind
    target: str
    began: float
    until: float
    end: End | None
    """None: it has ended."""
    seen: int = 0
    """What the bot had been shown when it ended."""


@dataclass(frozen=True)
class Charge:
    """A bot was away beyond its grace: milliseconds since the epoch."""

    bot: str
    since: float
    until: float


class Trouble:
    """Makes it."""

    def __init__(self, cup: Cup) -> None:
        self.cup = cup
        self.random = random.Random(cup.seed)
        self.under: list[Under] = []
        self.counts: Counter[str] = Counter()
        self.charges: list[Charge] = []
        self._seen = self._moved_at = 0
        self._moved_at = time.monotonic()
        self._last = 0

    @property
    def done(self) -> int:
        """Troubles made."""
        return self.counts.total()

    def run(self) -> None:
        """Until the tournament has all its records and everything is well again."""
        try:
            wait_for(self._step, 24 * 3600)
        finally:
            for each in self.under:
                if each.end is not None and each.target != "up":
                    each.end()

    def _step(self) -> bool:
        cup, now = self.cup, time.monotonic()
        self._heal(now)
        seen, records = cup.seen(), cup.records()
        if seen > self._seen:
            self._seen, self._moved_at = seen, now
        over = records >= cup.scale.matches
        assert over or now - self._moved_at < STANDSTILL_S, (
            f"nothing moves after {records} matches and {self.done} troubles; the last: "
            f"{self.counts}"
        )
        goal = cup.scale.faults
        due = (self.done + 1) * SPREAD * cup.scale.matches / goal
        if self.done < goal and records >= due and seen >= self._last + BETWEEN:
            self._make(now)
            self._last = seen
        return over and all(each.end is None for each in self.under)

    def _heal(self, now: float) -> None:
        for each in self.under:
            if each.end is None or now < each.until:
                continue
            each.end()
            each.end, each.until = None, time.monotonic()
            each.seen = self._seen_by(each.target)
            if each.kind.charges:
                away_s = time.monotonic() - each.began
                bot, wall = each.target.partition(":")[2], time.time() * 1000
                self.charges.append(Charge(bot, wall - away_s * 1000, wall))
        self.under = [each for each in self.under if not self._well(each)]

    def _seen_by(self, target: str) -> int:
        player = self.cup.players.get(target.partition(":")[2])
        return player.seen() if player is not None else 0

    def _well(self, each: Under) -> bool:
        """Its target may be troubled again."""
        if each.end is not None:
            return False
        shown_more = self._seen_by(each.target) > each.seen
        return shown_more or time.monotonic() - each.until > CALM_S

    def _make(self, now: float) -> None:
        """One more trouble, to somebody who has none."""
        kind = self.random.choices(KINDS, [kind.weight for kind in KINDS])[0]
        busy = {each.target for each in self.under}
        if kind.whom == "up":
            free = not busy.intersection(PARTS)
        else:
            free = not ("up" in busy and kind.whom in ("worker", "beat", "valkey", "referee"))
        targets = [each for each in TARGETS if each.startswith(kind.whom) and each not in busy]
        if not targets or not free:
            return
        target = self.random.choice(targets)
        hold_s = self.random.uniform(*kind.hold_s)
        end = kind.begin(self.cup, target)
        if end is None:
            return
        self.counts[kind.name] += 1
        self.under.append(Under(kind, target, now, now + hold_s, end))

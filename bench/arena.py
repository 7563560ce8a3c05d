"""The arena measured whole: store, referees and bots as processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any

from arena.store import Embedded, Store
from arena.store.types import Entrant, Placement

ENDLESS = 4_000_000
"""Games of a match that does not end while it is measured."""


@dataclass(frozen=True)
class Pairing:
    """As `arena.tournament` makes them."""

    index: int
    entrants: tuple[int, ...]
    seating: tuple[int, ...]
    bots: tuple[str, ...]


@dataclass(frozen=True)
class Sample:
    """What one run gave, medians over its seconds."""

    decisions_s: float
    hands_s: float
    p50_ms: float
    p99_ms: float
    games: int
    rss_kb: int
    cpu: float
    """Cores the referees used."""
    actions_hand: float
    """Actions of a hand: answers of bots, and turns with one legal action, played for them."""

    @property
    def every_s(self) -> float:
        """Decisions of hands, those played for the bots included, a second."""
        return self.hands_s * self.actions_hand

    @property
    def us_each(self) -> float:
        """CPU of a referee for a decision, microseconds."""
        return self.cpu / self.decisions_s * 1e6 if self.decisions_s else 0.0


class RefereeProcess:
    """A referee and what it reports once a second."""

    def __init__(self, url: str, settings: dict[str, Any]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.referee", url, json.dumps(settings)],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.address: str = self.line()["address"]

    def line(self) -> dict[str, Any]:
        """The next report."""
        assert self.process.stdout is not None
        text = self.process.stdout.readline()
        if not text:
            raise RuntimeError("the referee ended")
        found: dict[str, Any] = json.loads(text)
        return found


class Arena:
    """A store and its referees, running."""

    def __init__(
        self, data: Path, store: Store, url: str, referees: int = 1, **settings: Any
    ) -> None:
        self.store = store
        self.data = data
        settings = {"port": 0, "data": str(data), "entropy_ms": 0, "drain_s": 0.5, **settings}
        self.referees = [RefereeProcess(url, settings) for _ in range(referees)]
        self.bots: list[subprocess.Popen[str]] = []

    def lines(self) -> list[dict[str, Any]]:
        """The next report of each referee."""
        return [referee.line() for referee in self.referees]

    def bot(self, name: str, kind: str) -> None:
        """Register and start a bot, at home with the referees in turn."""
        env = {**os.environ, "BENCH_TOKEN": self.store.bots.register(name)}
        home = self.referees[len(self.bots) % len(self.referees)].address
        command = [sys.executable, "-m", "bench.bot", kind, home]
        self.bots.append(subprocess.Popen(command, env=env, text=True))

    def play(self, bots: list[str], games: int = ENDLESS) -> None:
        """Let each play each, and wait until all matches are placed."""
        pairs = list(combinations(range(len(bots)), 2))
        self.store.tournaments.create(
            "bench",
            name="bench",
            spec_text="",
            spec={
                "preset": "standard",
                "match_format": {"games": games},
                "clock": {"move_time_ms": 10_000, "bank_ms": 60_000},
            },
            entrants=[Entrant(name, (name,)) for name in bots],
            total=len(pairs),
        )
        self.store.tournaments.start("bench")
        seating = (0, 1, 0, 1)
        pairings = [
            Pairing(i, pair, seating, tuple(bots[pair[seat]] for seat in seating))
            for i, pair in enumerate(pairs)
        ]
        self.store.tournaments.add("bench", 0, pairings)
        for i in range(len(pairs)):
            while self.store.matches.place(f"bench-m{i}").placement is not Placement.PLACED:
                time.sleep(0.01)  # bots are still connecting

    def measure(self, seconds: int, warm_up: int = 3) -> Sample:
        """Medians over so many seconds."""
        while not all(line["decisions"] for line in self.lines()):
            pass
        rounds = [self.lines() for _ in range(warm_up + seconds + 1)][warm_up:]
        of_each = [list(lines) for lines in zip(*rounds, strict=True)]

        def rate(name: str) -> float:
            return sum(
                median((b[name] - a[name]) / (b["time"] - a["time"]) for a, b in pairwise(lines))
                for lines in of_each
            )

        def typical(name: str) -> list[float]:
            return [median(line[name] for line in lines[1:]) for lines in of_each]

        return Sample(
            decisions_s=rate("decisions"),
            hands_s=rate("hands"),
            p50_ms=fmean(typical("p50_ns")) / 1e6,
            p99_ms=max(typical("p99_ns")) / 1e6,
            games=int(sum(typical("games"))),
            rss_kb=int(sum(typical("rss_kb"))),
            cpu=rate("cpu"),
            actions_hand=self.actions_hand(),
        )

    def actions_hand(self) -> float:
        """Actions of a hand on average, from the records being written."""
        counts = []
        for part in (self.data / "records").glob("*/*.part"):
            with part.open() as lines:
                for line in islice(lines, 5_000):
                    if line.startswith('{"line": "hand"') and line.endswith("}\n"):
                        counts.append(len(json.loads(line)["actions"]))
        return fmean(counts) if counts else 0.0

    def close(self) -> None:
        """End everything this started."""
        processes = [*self.bots, *(referee.process for referee in self.referees)]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def arena(durability: str = "everysec", **settings: Any) -> Iterator[Arena]:
    """An arena in a directory of its own; ``settings`` are the referee's."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        data = Path(name)
        with Embedded(data, durability=durability) as valkey:
            store = Store.connect(valkey.settings)
            running = Arena(data, store, valkey.settings.url, **settings)
            try:
                yield running
            finally:
                running.close()
                store.close()


def crowd(
    kind: str,
    games: int,
    seconds: int,
    bots: int = 4,
    referees: int = 1,
    durability: str = "everysec",
) -> Sample:
    """``games`` at once between so many bots, each in matches with each."""
    names = [f"bot{i}" for i in range(bots)]
    matches = bots * (bots - 1) // 2
    parallel, each = -(-games // matches), -(-matches // referees)
    with arena(durability, parallel=parallel, matches=each, referees=referees) as running:
        for name in names:
            running.bot(name, kind)
        running.play(names)
        return running.measure(seconds)


def lonely(seconds: int, durability: str = "everysec") -> Sample:
    """One game at a time between two bots that answer at once."""
    with arena(durability, parallel=1, matches=1) as running:
        running.bot("ada", "quick")
        running.bot("bob", "quick")
        running.play(["ada", "bob"])
        return running.measure(seconds)


def base_kb() -> int:
    """Memory of a referee that plays with four bots, hardly any game at once."""
    return crowd("quick", 6, 2).rss_kb

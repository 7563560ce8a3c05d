"""How far a tournament is: a bar on a terminal, a line every few seconds otherwise."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from arena.admin.client import Change, Tournament, tournament_state

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

LINE_S: Final = 3.0
WINDOW_S: Final = 20.0
SHORTEST_BAR: Final = 10
"""Columns."""
LEAST_NAME: Final = 8


class Rate:
    """Games a second over the last while; a voided attempt takes games back, which is no rate."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def add(self, now: float, games: int) -> float:
        """Note how many games are over; how many a second that makes."""
        self._seen.append((now, games))
        while len(self._seen) > 2 and self._seen[1][0] < now - WINDOW_S:
            self._seen.popleft()
        since, before = self._seen[0]
        return max(0, games - before) / (now - since) if now > since else 0.0


def follow(changes: Iterator[Change]) -> Iterator[Change]:
    """Pass changes on, showing on standard error how far the tournament is."""
    rate = Rate()
    with _shown() as show:
        for change in changes:
            now = time.monotonic()
            show(change.tournament, rate.add(now, change.tournament.progress.games))
            yield change


@contextmanager
def _shown() -> Iterator[_Bar | _Lines]:
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[text]}", markup=False),
        console=console,
        expand=True,
    ) as bar:
        yield _Bar(bar)


class _Bar:
    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task: TaskID | None = None

    def __call__(self, tournament: Tournament, rate: float) -> None:
        progress = tournament.progress
        if self._task is None:
            self._task = self._bar.add_task("", total=None, text="")
        what, text = _fitting(tournament, rate, self._bar.console.width)
        self._bar.update(
            self._task,
            description=what,
            completed=progress.games,
            total=progress.games_total,
            text=text,
        )


class _Lines:
    """A first line, one every few seconds while something changes, and a last one."""

    def __init__(self) -> None:
        self._last = 0.0
        self._state = -1

    def __call__(self, tournament: Tournament, rate: float) -> None:
        now = time.monotonic()
        if tournament.state == self._state and now - self._last < LINE_S:
            return
        self._last, self._state = now, tournament.state
        progress = tournament.progress
        click.echo(
            f"{tournament.name} {tournament_state(tournament)}: {progress.games} of "
            f"{progress.games_total} games, {', '.join(_more(tournament, rate))}",
            err=True,
        )


def _fitting(tournament: Tournament, rate: float, width: int) -> tuple[str, str]:
    """What stands before the bar and behind it on a terminal so wide: numbers are whole or absent.

    The games are always there; then as much of the rest, in order, as leaves room for a bar.
    """
    progress = tournament.progress
    text = f"{progress.games}/{progress.games_total} games"
    state = f" {tournament_state(tournament)}"
    room = width - SHORTEST_BAR - len(text) - len(state) - 2  # a space on each side of the bar
    if room < LEAST_NAME:
        return "", text
    name = tournament.name
    if len(name) > room:
        name = name[: room - 1] + "…"
    room -= len(name)
    for part in _more(tournament, rate):
        if len(part) + 2 <= room:
            text += f", {part}"
            room -= len(part) + 2
    return name + state, text


def _more(tournament: Tournament, rate: float) -> list[str]:
    progress = tournament.progress
    parts = [f"{progress.finished}/{progress.total} matches"]
    spent_ms = tournament.finished_ms - tournament.started_ms
    if not tournament.finished_ms:
        parts.append(f"{rate:.0f} games/s")
    elif tournament.started_ms and spent_ms > 0 and progress.games:
        average = progress.games * 1000 / spent_ms
        parts.append(f"{average:.0f} games/s" if average >= 1 else f"{average:.2g} games/s")
    left = progress.games_total - progress.games
    if rate and left and not tournament.finished_ms:
        parts.append(f"{_duration(left / rate)} left")
    if progress.voided:
        parts.append(f"{progress.voided} attempts voided")
    if tournament.note:
        parts.append(tournament.note)
    return parts


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

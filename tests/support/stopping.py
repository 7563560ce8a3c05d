"""The workers' app, made to stop inside a task: `celery -A tests.support.stopping worker`.

``ARENA_TEST_STOP`` is ``Domain.method:before|after:FOLDER``. Where the folder holds a named pipe
``reached``, the task that calls the method writes its process id there and stands still, before
the call or after it, until it is killed. Without the pipe nothing is changed.
"""

from __future__ import annotations

import os
import signal
from functools import wraps
from pathlib import Path
from typing import Any

from arena.store.matches import Matches
from arena.store.standings import Standings
from arena.store.tournaments import Tournaments
from workers.app import app

__all__ = ["app"]

DOMAINS: dict[str, type] = {"matches": Matches, "standings": Standings, "tournaments": Tournaments}


def stop(folder: Path) -> None:
    """Tell who reads the pipe that we are here, and stay."""
    pipe = folder / "reached"
    if pipe.exists():
        with pipe.open("w") as reached:  # waits for the reader
            reached.write(f"{os.getpid()}\n")
        while True:
            signal.pause()


def install(method: str, when: str, folder: Path) -> None:
    """Put the stop before or after a method of the store."""
    domain, _, name = method.partition(".")
    original = getattr(DOMAINS[domain], name)

    @wraps(original)
    def stopping(*args: Any, **kwargs: Any) -> Any:
        if when == "before":
            stop(folder)
        found = original(*args, **kwargs)
        if when == "after":
            stop(folder)
        return found

    setattr(DOMAINS[domain], name, stopping)


if where := os.environ.get("ARENA_TEST_STOP"):
    install(*where.split(":")[:2], Path(where.split(":", 2)[2]))

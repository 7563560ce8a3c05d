"""`arena up` whose parts are killed on purpose: `python -m tests.chaos.up DATA LISTEN=SHOWN…`.

One referee for each pair of addresses: where it listens, and where bots are told to find it (a
proxy). A part that keeps dying is started again soon, however often that was.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from arena import up
from arena.config import Address, Data
from arena.up import Part, Plan, Supervisor

LONGEST_WAIT_S = 1.0


class Killed(Supervisor):
    """Referees at addresses of our choice."""

    def __init__(self, data: Data, listen: list[str], shown: list[str]) -> None:
        self._listen = listen
        self._shown = dict(zip(("referee", "referee-2", "referee-3"), shown, strict=False))
        anywhere = Address("127.0.0.1", 0)
        first = Address.parse(listen[0])
        plan = Plan(data, first, anywhere, None, referees=len(listen), concurrency=1)
        super().__init__(plan, click.echo)

    def _referee(self, number: int, name: str) -> list[str]:
        words = super()._referee(number, name)
        words[words.index("--listen") + 1] = self._listen[number - 1]
        return words

    def _start(self, part: Part) -> None:
        shown = self._shown.get(part.name, "")
        self.plan = replace(self.plan, environment={"ARENA_REFEREE_ADVERTISE": shown})
        super()._start(part)


def main(folder: str, *pairs: str) -> None:
    """Run until SIGTERM."""
    up.LONGEST_WAIT_S = LONGEST_WAIT_S
    listen, shown = zip(*(pair.split("=") for pair in pairs), strict=True)
    Killed(Data(Path(folder)), list(listen), list(shown)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])

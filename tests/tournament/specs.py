"""Specs the tests of this room share."""

from __future__ import annotations

from dataclasses import replace

from arena.tournament import Entrant, Spec, parse

# As in docs/organizers.md: every table and key there is.
FULL = """\
name = "Friday night"
preset = "standard"
seed = "any text"
[options]
stick_the_dealer = true
[match]
games = 100
duplicate = true
[clock]
move_time_ms = 1000
bank_ms = 60000
increment_ms = 0
disconnect_grace_ms = 15000
[faults]
on_illegal = "retry"
on_timeout = "default"
[format]
kind = "round-robin"
cycles = 1
[entrants]
bots = ["book", "my-bot"]
no_show_grace_s = 120
"""


def field(size: int, *, cycles: int = 1, seed: str = "", duplicate: bool = True) -> Spec:
    """A spec of so many bots, `bot-0` …"""
    entrants = tuple(Entrant(f"bot-{i}", (f"bot-{i}",)) for i in range(size))
    match_format: dict[str, int | bool] = {"games": 100}
    if duplicate:
        match_format["duplicate"] = True
    return Spec("a test", entrants, cycles=cycles, seed=seed, match_format=match_format)


def teams(size: int, *, cycles: int = 1, seed: str = "") -> Spec:
    """A spec of teams of two."""
    entrants = tuple(Entrant(f"a{i}+b{i}", (f"a{i}", f"b{i}")) for i in range(size))
    return replace(field(2, cycles=cycles, seed=seed), entrants=entrants)


def line_of(text: str, part: str) -> int:
    """The line a piece of text stands on."""
    return text[: text.index(part)].count("\n") + 1


assert parse(FULL)

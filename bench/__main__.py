"""``python -m bench [--quick]``: the table of speeds and sizes."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from euchre_arena.rules import PRESETS

from bench import against, arena, echo, hostile, machine, presets, rules
from bench.table import Row, show

ROOT = str(Path(__file__).resolve().parents[1])


def machine_rows(quick: bool) -> list[Row]:
    """How fast the machine is now, and whether its two cores are two."""
    del quick
    return [
        Row("this machine: a protobuf message of 16 fields, ns", f"{machine.encode_ns():,.0f}"),
        Row("  speed of one core while the other is busy", f"{machine.second_core():.2f}", "1.00"),
    ]


def rules_rows(quick: bool) -> list[Row]:
    """Random hands in one process."""
    found = rules.speeds(500 if quick else 2_000, 3 if quick else 9)
    return [
        Row("rules, random hands/s, one process", f"{found.ours:,.0f}", "40,000"),
        Row("  the same hands, OpenSpiel from Python", f"{found.theirs:,.0f}"),
        Row("  ours : OpenSpiel", f"{found.ours / found.theirs:.2f}"),
    ]


def preset_rows(quick: bool) -> list[Row]:
    """Random hands of every preset in one process."""
    hands, rounds = (100, 3) if quick else (500, 9)
    rows = [Row("rules, random hands/s of each preset, one process", "")]
    for name in PRESETS:
        found = presets.measure(name, hands, rounds)
        rows.append(Row(f"  {name}", f"{found.hands_s:,.0f}", f"{presets.FLOOR:,}"))
    return rows


def against_rows(revision: str, quick: bool) -> list[Row]:
    """Four-handed rules beside those of another revision."""
    rows = [Row(f"rules, random hands/s now : at {revision}", "")]
    for each in against.ratios(revision, 100 if quick else 500, 3 if quick else 9):
        other = "" if each.same else "  (it plays these hands differently)"
        rows.append(Row(f"  {each.preset}{other}", f"{each.value:.2f}", "1.00"))
    return rows


def crowd_rows(quick: bool) -> list[Row]:
    """Four bots as fast as they can, 1,000 games at once, with one referee and with two."""
    games, seconds = 1_000, 4 if quick else 15
    one = arena.crowd("quick", games, seconds)
    two = arena.crowd("quick", games, seconds, referees=2)
    size = (one.rss_kb - arena.base_kb()) / 1024 * 1_000 / games
    return [
        Row("1,000 games of 4 bot processes, one referee, decisions/s", f"{one.every_s:,.0f}"),
        *_crowd(one),
        Row("  referee's CPU for an answer, µs", f"{one.us_each:.1f}"),
        Row("  memory for 1,000 games over an idle referee, MB", f"{size:.1f}", "10"),
        Row("  with two referees, decisions/s", f"{two.every_s:,.0f}", "80,000"),
        *_crowd(two, "3,000"),
    ]


def thinking_rows(quick: bool) -> list[Row]:
    """Four bots that take a millisecond for each decision.

    With one referee: waiting costs a bot more CPU than an answer at once does, so that four of them
    fill a core, and a second referee gets in their way.
    """
    found = arena.crowd("thinking", 1_000, 4 if quick else 15)
    return [
        Row("the same of bots that think 1 ms, decisions/s", f"{found.every_s:,.0f}", "50,000"),
        *_crowd(found, p99="p99 20"),
    ]


def _crowd(found: arena.Sample, hands: str = "", p99: str = "") -> list[Row]:
    answered = "    of these answered by bots, the rest has one legal action"
    latency = f"{found.p50_ms:.1f} / {found.p99_ms:.1f}"
    return [
        Row(answered, f"{found.decisions_s:,.0f}"),
        Row("    hands/s", f"{found.hands_s:,.0f}", hands),
        Row("    from asking to the answer, p50 / p99 ms", latency, p99),
    ]


def lonely_rows(quick: bool) -> list[Row]:
    """One game of two bots that answer at once: all of it is added latency."""
    found = arena.lonely(4 if quick else 15)
    bare = echo.round_trip_ms(1_000 if quick else 5_000)
    return [
        Row(
            "one lonely game, added latency of a decision, p50 / p99 ms",
            f"{found.p50_ms:.2f} / {found.p99_ms:.2f}",
            "0.50 / 2.00",
        ),
        Row("  a message there and back by grpc.aio alone", f"{bare[0]:.2f} / {bare[1]:.2f}"),
        Row("  ours : that, p50", f"{found.p50_ms / bare[0]:.1f}"),
    ]


def hostile_rows(quick: bool) -> list[Row]:
    """Well-behaved bots beside hostile ones."""
    found = hostile.measure(4 if quick else 15)
    return [
        Row("bots beside hostile peers : the same undisturbed", f"{found.ratio:.2f}", "0.80"),
        Row("  their decisions/s undisturbed", f"{found.alone:,.0f}"),
    ]


def durability_rows(quick: bool) -> list[Row]:
    """What it costs to have every entry of the journal on the disk before anything is revealed."""
    seconds = 4 if quick else 15
    rows = []
    for what, play in (
        ("1,000 games", partial(arena.crowd, "quick", 1_000, seconds)),
        ("one lonely game", partial(arena.lonely, seconds)),
    ):
        often, always = (play(durability=each) for each in ("everysec", "always"))
        rows.append(
            Row(f"{what}, durability always : everysec", f"{always.every_s / often.every_s:.2f}")
        )
        for name, sample in (("everysec", often), ("always", always)):
            latency = f"{sample.p50_ms:.2f} / {sample.p99_ms:.2f}"
            rows += [
                Row(f"  {name}: decisions/s", f"{sample.every_s:,.0f}"),
                Row(f"  {name}: p50 / p99 ms", latency),
            ]
    return rows


PARTS: dict[str, Callable[[bool], list[Row]]] = {
    "machine": machine_rows,
    "rules": rules_rows,
    "presets": preset_rows,
    "crowd": crowd_rows,
    "thinking": thinking_rows,
    "lonely": lonely_rows,
    "hostile": hostile_rows,
    "durability": durability_rows,
}


def measured(part: str, quick: bool, *places: str) -> list[Row]:
    """The rows of a part, by a process that finds the packages in ``places``."""
    env = {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(places)}
    command = [sys.executable, "-m", "bench", "--part", part, *(["--quick"] if quick else [])]
    told = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [Row(*row) for row in json.loads(told)]


def whole(parts: Sequence[str], quick: bool, compiled: str | None) -> list[Row]:
    """Every part; the sources as they are and compiled take turns, so both meet one machine."""
    rows: list[Row] = []
    for part in parts:
        plain = measured(part, quick, ROOT)
        if compiled:
            fast = measured(part, quick, str(Path(compiled).resolve()), ROOT)
            plain = [a._replace(compiled=b.value) for a, b in zip(plain, fast, strict=True)]
        rows += plain
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, less exact")
    parser.add_argument(
        "--compiled", metavar="DIR", help="beside it the same compiled (make compiled)"
    )
    parser.add_argument(
        "--against", metavar="REV", help="only four-handed rules, beside those of a git revision"
    )
    parser.add_argument("--only", choices=PARTS, action="append", help="a part of the table")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.part:
        print(json.dumps(PARTS[told.part](told.quick)))
        return
    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if load > 0.5:
        print(f"load {load:.1f}: other programs run here; trust the ratios, not the numbers")
    if told.against:
        try:
            show(against_rows(told.against, told.quick))
        except against.RevisionError as error:
            parser.error(str(error))
        return
    show(whole(told.only or list(PARTS), told.quick, told.compiled))


if __name__ == "__main__":
    main()

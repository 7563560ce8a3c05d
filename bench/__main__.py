"""``python -m bench [--quick]``: the table of speeds and sizes."""

from __future__ import annotations

import argparse
import os
import platform

from euchre_arena.rules import PRESETS

from bench import against, arena, machine, presets, rules
from bench.table import Row, show


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
    """Four bots as fast as they can, 1,000 games at once."""
    games = 1_000
    found = arena.crowd("quick", games, 4 if quick else 15)
    return [
        Row("1,000 games of 4 bot processes, decisions/s", f"{found.every_s:,.0f}", "80,000"),
        Row(
            "  of these answered by bots, the rest has one legal action",
            f"{found.decisions_s:,.0f}",
        ),
        Row("  hands/s", f"{found.hands_s:,.0f}", "3,000"),
        Row(
            "  from asking to the answer, p50 / p99 ms", f"{found.p50_ms:.1f} / {found.p99_ms:.1f}"
        ),
        Row("  referee's CPU for an answer, µs", f"{found.us_each:.1f}"),
        Row(
            "  memory for 1,000 games over an idle referee, MB",
            f"{(found.rss_kb - arena.base_kb()) / 1024 * 1_000 / games:.1f}",
            "10",
        ),
    ]


def thinking_rows(quick: bool) -> list[Row]:
    """Four bots that take a millisecond for each decision."""
    found = arena.crowd("thinking", 1_000, 4 if quick else 15)
    return [
        Row("1,000 games of bots that think 1 ms, decisions/s", f"{found.every_s:,.0f}", "50,000"),
        Row(
            "  of these answered by bots, the rest has one legal action",
            f"{found.decisions_s:,.0f}",
        ),
        Row(
            "  from asking to the answer, p50 / p99 ms",
            f"{found.p50_ms:.1f} / {found.p99_ms:.1f}",
            "p99 20",
        ),
    ]


def lonely_rows(quick: bool) -> list[Row]:
    """One game of two bots that answer at once: all of it is added latency."""
    found = arena.lonely(4 if quick else 15)
    return [
        Row(
            "one lonely game, added latency of a decision, p50 / p99 ms",
            f"{found.p50_ms:.2f} / {found.p99_ms:.2f}",
            "0.50 / 2.00",
        ),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, less exact")
    parser.add_argument(
        "--against", metavar="REV", help="only four-handed rules, beside those of a git revision"
    )
    told = parser.parse_args()
    quick = told.quick
    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if load > 0.5:
        print(f"load {load:.1f}: other programs run here; trust the ratios, not the numbers")
    if told.against:
        try:
            show(against_rows(told.against, quick))
        except against.RevisionError as error:
            parser.error(str(error))
        return
    parts = (machine_rows, rules_rows, preset_rows, crowd_rows, thinking_rows, lonely_rows)
    show([row for part in parts for row in part(quick)])


if __name__ == "__main__":
    main()

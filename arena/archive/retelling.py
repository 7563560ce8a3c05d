"""A record refereed again, and counted as the referee counted the match."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from euchre_arena.match import MatchFormat
from euchre_arena.match.replay import replay_record
from euchre_arena.rules import Rules

from arena.tournament import GameScore, tally


class RetellingError(Exception):
    """A record that breaks the rules, or tells of no whole match; the text says where and how."""


def retell(record: Path) -> dict[str, Any]:
    """What `arena.tournament.Tally.as_dict` is by a record alone: every card played again, every
    deal checked against the secret. RetellingError; OSError."""
    lines = record.read_bytes().splitlines(keepends=True)
    report = replay_record(lines)
    if not report.ok:
        raise RetellingError(report.message)
    if not report.finished or report.result is None:
        raise RetellingError("the match in it was not finished")
    if not report.deals_verified:
        raise RetellingError("its deals could not be checked")
    return _count([json.loads(line) for line in lines])


def _count(lines: list[dict[str, Any]]) -> dict[str, Any]:
    head, result = lines[0], lines[-1]["result"]
    form = MatchFormat.of(head["match_format"])
    side_of = Rules.of(head["preset"], head["options"]).side_of
    seats: dict[int, list[int]] = {}
    faults: list[Counter[str]] = [Counter() for _ in head["entrants"]]
    skunks = [0] * len(faults)
    games = []
    for line in lines:
        match line["line"]:
            case "game":
                seats[line["game"]] = line["seats"]
            case "fault":
                faults[seats[line["game"]][line["seat"]]][line["fault"]] += 1
            case "game_result":
                games.append(_score(line, seats[line["game_result"]], side_of, len(faults)))
                for winner in games[-1].winners if line.get("skunk") else ():
                    skunks[winner] += 1
    side = dict(zip(seats[0], side_of, strict=True)) if seats else {}
    return tally(
        games,
        duplicate=form.duplicate,
        winners=result["winners"],
        faults=[dict(sorted(kinds.items())) for kinds in faults],
        entrants=range(len(faults)),
        sides=[side.get(entrant, entrant) for entrant in range(len(faults))],
        by_points=form.kind == "deals",
        worth={
            "rubber": result.get("rubber"),
            "stakes": result.get("stakes"),
            "skunks": skunks if form.skunk else None,
        },
    ).as_dict()


def _score(
    line: dict[str, Any], seats: list[int], side_of: tuple[int, ...], entrants: int
) -> GameScore:
    sides = set(zip(seats, side_of, strict=True))
    points = [0] * entrants
    for entrant, side in sides:
        points[entrant] += line["score"][side]
    winners = sorted({entrant for entrant, side in sides if side in line["winners"]})
    return GameScore(line["game_result"], tuple(winners), tuple(points))

"""Through real processes: a tournament of rubbers played for stakes, and one of tricks staked."""

from __future__ import annotations

import csv
import json
from collections import Counter

import pytest

from tests.e2e.halls import gone, hall

BOTS = {"ada": "book", "bob": "first", "cyd": "random"}
SPEC = """\
name = "Rubbers"
preset = "{preset}"
[match]
{match}
skunk = true
secret_seed = "3"
[clock]
move_time_ms = 60000
disconnect_grace_ms = 60000
[entrants]
bots = ["ada", "bob", "cyd"]
"""
MATCHES = {
    "rubbers": ("hoyle", "rubber = true\nstake_per_point = 5"),
    "tricks": ("ecarte", "games = 4\nduplicate = true\nstake_per_trick = 2"),
}


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_rubbers_and_stakes_from_the_referee_to_the_files(tmp_path):
    data = tmp_path / "data"
    with hall(data) as arena:
        for name, bot in BOTS.items():
            arena.bot(name, bot)
        for name, (preset, match) in MATCHES.items():
            spec = tmp_path / f"{name}.toml"
            spec.write_text(SPEC.format(preset=preset, match=match))
            arena.arena("tournament", "create", str(spec), "--id", name, "--start")
        for name in MATCHES:
            arena.arena("tournament", "watch", name)
            table = json.loads(arena.arena("tournament", "standings", name, "--json"))
            assert (table["final"], table["results"]) == (True, 3)
            rows = {row["entrant"]: row for row in table["rows"]}
            counted = worth_of_records(arena, name, tmp_path)
            for entrant, row in rows.items():
                kept = {what: row[what] for what in ("rubber", "stakes", "skunks") if what in row}
                assert kept == counted[entrant], name
            assert ("rubber" in rows["ada"]) == (name == "rubbers")
            assert sum(row["stakes"] for row in rows.values()) == 0
            assert any(row["stakes"] for row in rows.values())
            assert table["beside"].startswith("Plackett-Luce over")
            shown = arena.arena("tournament", "standings", name)
            assert "stakes" in shown
            assert f"{rows['ada']['stakes']:+d}" in shown
            assert ("rubber" in shown.splitlines()[1]) == (name == "rubbers")
            listed = list(csv.DictReader((tmp_path / name / "standings.csv").open()))
            assert {r["entrant"]: int(r["stakes"]) for r in listed} == {
                entrant: row["stakes"] for entrant, row in rows.items()
            }
            assert all(float(r["plackett_luce"]) > 0 for r in listed)
        assert arena.stop() == 0
    gone(data)


def worth_of_records(arena, name, folder):
    """By entrant what the export's records and its `results.csv`, which agree, say in all."""
    arena.arena("tournament", "export", name, cwd=folder)
    total: dict[str, Counter[str]] = {bot: Counter() for bot in BOTS}
    results = {row["match"]: row for row in csv.DictReader((folder / name / "results.csv").open())}
    for path in sorted((folder / name / "records").glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        result = lines[-1]["result"]
        skunks = Counter(
            seats_of(lines, line["game_result"])[line["winners"][0]]
            for line in lines
            if line.get("skunk")
        )
        row = results[path.stem]
        for i, entrant in enumerate(lines[0]["entrants"]):
            for what in ("rubber", "stakes"):
                if what in result:
                    total[entrant][what] += result[what][i]
                    assert int(row[f"{what}_{i}"]) == result[what][i]
            total[entrant]["skunks"] += skunks[i]
            assert int(row[f"skunks_{i}"]) == skunks[i]
    return {entrant: dict(sums) for entrant, sums in total.items()}


def seats_of(lines, game):
    """The entrants of a game by seat; side 0 has seat 0, side 1 seat 1."""
    return next(line["seats"] for line in lines if line.get("game") == game)

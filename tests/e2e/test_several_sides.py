"""Through real processes: a tournament of three sides, and one whose partners change."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from tests.e2e.halls import gone, hall

BOTS = {"ada": "book", "bob": "first", "cyd": "random", "dee": "first", "eve": "random"}
THREE = """\
name = "Cut-throat"
preset = "three"
seed = "s"
[match]
games = 3
duplicate = true
[clock]
move_time_ms = 60000
disconnect_grace_ms = 60000
[entrants]
bots = ["ada", "bob", "cyd", "dee"]
"""
PROGRESSIVE = """\
name = "Club night"
seed = "s"
[match]
deals = 4
duplicate = true
[clock]
move_time_ms = 60000
disconnect_grace_ms = 60000
[format]
kind = "progressive"
[entrants]
bots = ["ada", "bob", "cyd", "dee", "eve"]
"""


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_tournaments_of_three_sides_and_of_changing_partners(tmp_path):
    data = tmp_path / "data"
    for name, text in (("three", THREE), ("club", PROGRESSIVE)):
        (tmp_path / f"{name}.toml").write_text(text)
    with hall(data) as arena:
        for name, bot in BOTS.items():
            arena.bot(name, bot)
        for name in ("three", "club"):
            spec = str(tmp_path / f"{name}.toml")
            arena.arena("tournament", "create", spec, "--id", name, "--start")
        tables = {}
        for name in ("three", "club"):
            arena.arena("tournament", "watch", name)
            shown = arena.arena("tournament", "standings", name, "--json")
            tables[name] = json.loads(shown)
            assert tables[name]["final"] is True

        three = tables["three"]
        assert three["results"] == three["total"] == 4
        assert (three["ratings"], three["unit"]) == ("Plackett-Luce", "duplicate set")
        assert three["balance"]["opponents"] == {"least": 2, "most": 2}
        assert three["balance"]["even"]
        # Each plays three of the four matches, three games each; every game is won once in all.
        assert [row["games"] for row in three["rows"]] == [9] * 4
        assert sum(row["score"] for row in three["rows"]) == pytest.approx(12, abs=0.001)
        for i, j in combinations(range(4), 2):
            one, other = (three["crosstable"][a]["cells"][b] for a, b in ((i, j), (j, i)))
            assert one["won"] + one["drawn"] + one["lost"] == 6
            assert (one["won"], one["points"]) == (other["lost"], other["conceded"])
        assert "shared" in arena.arena("tournament", "standings", "three") or all(
            row["drawn"] == 0 for row in three["rows"]
        )

        club = tables["club"]
        assert club["results"] == club["total"] == 5
        assert (club["kind"], club["scoring"]) == ("progressive", "per deal")
        assert club["balance"]["partners"] == {"least": 1, "most": 1}
        assert club["balance"]["byes"] == {"least": 1, "most": 1}
        assert [row["games"] for row in club["rows"]] == [16] * 5
        assert [row["score"] for row in club["rows"]] == sorted(
            (row["per_deal"] for row in club["rows"]), reverse=True
        )
        assert sum(row["per_deal"] for row in club["rows"]) == pytest.approx(0, abs=0.001)
        assert all(row["per_deal_interval"] > 0 for row in club["rows"])
        assert "per deal" in arena.arena("tournament", "standings", "club", "--crosstable")

        for name in ("three", "club"):
            assert all(row["faults"] == {} for row in tables[name]["rows"])
            arena.arena("tournament", "export", name, cwd=tmp_path)
            records = sorted((tmp_path / name / "records").iterdir())
            replayed = arena.run("euchre-arena", "replay", "--json", *map(str, records))
            reports = list(map(json.loads, replayed.splitlines()))
            assert len(reports) == tables[name]["total"]
            assert all(report["ok"] and report["deals_verified"] for report in reports)
        assert arena.stop() == 0
    gone(data)

"""The operator's guide says what the code does: metrics, alerts, variables, settings."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import yaml

from arena.config import ADMIN, METRICS, REFEREE
from arena.metrics.catalogue import CATALOGUE
from arena.referee.config import RefereeConfig
from workers.measuring import VARIABLE

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")


def rows(after: str) -> list[list[str]]:
    """The cells of the first table after a text."""
    lines = GUIDE[GUIDE.index(after) :].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    found = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def test_the_metrics_tables_are_those_of_the_catalogue():
    for part, title in (
        ("referee", "Shown by a referee:"),
        ("worker", "Shown by a worker:"),
        ("store", "Shown by either, read from the store:"),
    ):
        assert rows(title) == [
            [
                f"`{spec.exposed}`",
                spec.type,
                ", ".join(f"`{label}`" for label in spec.labels) or "–",
                spec.help,
            ]
            for spec in CATALOGUE
            if spec.part == part
        ]


def test_every_alert_is_explained_and_no_other():
    rules = yaml.safe_load((ROOT / "deploy" / "prometheus" / "rules.yml").read_text())
    alerts = [r["alert"] for group in rules["groups"] for r in group["rules"] if "alert" in r]
    table = rows("## Alerts")
    assert [row[0].strip("`") for row in table] == alerts
    assert all(len(row) == 3 and row[1] and row[2] for row in table)


def test_every_setting_of_a_referee_stands_with_its_default():
    base = RefereeConfig()
    expected = {
        f"`{item.name.upper()}`": str(getattr(base, item.name)) or "–"
        for item in fields(RefereeConfig)
        if item.name not in ("host", "port", "data")
    }
    table = rows("each `ARENA_REFEREE_` and a name")
    assert {row[0]: row[1].strip("`") for row in table} == expected
    assert all(row[2] for row in table)


def test_every_variable_the_code_reads_is_named():
    """Found where the sources name one; the tests' own are not the operator's."""
    named = {f"ARENA_REFEREE_{item.name.upper()}" for item in fields(RefereeConfig)}
    for folder in ("arena", "workers"):
        for path in (ROOT / folder).rglob("*.py"):
            for variable in re.findall(r"[\"'`](ARENA_[A-Z_]*[A-Z])[\"'`]", path.read_text()):
                if variable not in named:
                    assert f"`{variable}`" in GUIDE, f"{path}: {variable}"
    assert f"`{VARIABLE}`" in GUIDE


def test_addresses_are_the_defaults():
    for address in (REFEREE, ADMIN, METRICS):
        assert address.rpartition(":")[2] in GUIDE
    assert METRICS in GUIDE
    assert ADMIN in GUIDE


def test_the_stores_settings_are_those_deployed():
    conf = (ROOT / "deploy" / "valkey.conf").read_text()
    for row in rows("## The store"):
        name, value = row[0].strip("`"), row[1].strip("`")
        if re.fullmatch(r"[a-z-]+", name) and name not in ("user", "clock"):
            assert f"{name} {value}" in conf.splitlines()

"""Every query of dashboards, rules and alerts names metrics and labels that are really shown."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path

import pytest
import yaml
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from arena.metrics import Metrics, StoreCollector, TaskBoard, serve
from arena.metrics.catalogue import CATALOGUE
from arena.store import Store
from tests.deploy.promql import named
from tests.metrics.test_metrics import touch
from tests.metrics.test_store import finish_one, rated
from tests.support.valkey import store, valkey

__all__ = ["store", "valkey"]

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
RULES = DEPLOY / "prometheus" / "rules.yml"
DASHBOARDS = sorted((DEPLOY / "grafana" / "dashboards").glob("*.json"))
# What Prometheus itself adds.
TARGET = {"job", "instance"}


@pytest.fixture
def shown(store: Store) -> dict[str, set[str]]:
    """Sample names and labels that the real registries give out over HTTP."""
    metrics, worker = Metrics(), CollectorRegistry()
    touch(metrics)
    board = TaskBoard(["sweep"])
    board.done(0, "sweep", "ok", 1)
    worker.register(board)
    finish_one(store)
    rated(store)
    worker.register(StoreCollector(store))
    found: dict[str, set[str]] = {"up": set(TARGET)}
    for registry in (metrics.registry, worker):
        server = serve(registry, "127.0.0.1:0")
        try:
            url = f"http://127.0.0.1:{server.port}/metrics"
            with urllib.request.urlopen(url, timeout=60) as answer:
                text = answer.read().decode()
        finally:
            server.close()
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found.setdefault(sample.name, set(TARGET)).update(sample.labels)
    return found


def rules() -> list[dict[str, str]]:
    return [
        rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]
    ]


def dashboard_queries() -> list[tuple[str, str]]:
    """Panel and expression, variables' queries included."""
    found = []
    for path in DASHBOARDS:
        board = json.loads(path.read_text(encoding="utf-8"))
        for panel in board["panels"]:
            for target in panel.get("targets", ()):
                found.append((f"{path.name}: {panel['title']}", target["expr"]))
        for variable in board["templating"]["list"]:
            inside = re.fullmatch(r"label_values\((.*), *(\w+)\)", variable["definition"])
            assert inside, variable
            found.append(
                (f"{path.name}: ${variable['name']}", f"sum by ({inside[2]}) ({inside[1]})")
            )
    return found


def test_every_query_names_what_is_shown(shown: dict[str, set[str]]) -> None:
    recorded = {rule["record"]: rule["expr"] for rule in rules() if "record" in rule}
    queries = [(rule.get("record") or rule["alert"], rule["expr"]) for rule in rules()]
    queries += dashboard_queries()
    for title, expression in queries:
        metrics = named(expression)
        grouped = metrics.pop("")
        assert metrics, f"{title}: no metric in {expression!r}"
        has = set(TARGET)
        for metric, labels in metrics.items():
            if metric in recorded:
                continue
            assert metric in shown, f"{title}: there is no {metric}"
            assert labels <= shown[metric], f"{title}: {metric} has no {labels - shown[metric]}"
            has |= shown[metric]
        if not any(metric in recorded for metric in metrics):
            assert grouped <= has, f"{title}: no label {grouped - has}"


def test_label_values_of_matchers_exist(shown: dict[str, set[str]]) -> None:
    """An alert on a value nobody ever sets would never fire."""
    from arena.metrics.catalogue import FAULTS
    from arena.store.types import MatchState

    known = {"sweep", "ok", "failed", "playing", "tasks", "played", *FAULTS, *MatchState}
    for rule in rules():
        for values in re.findall(r'\w+=~?"([^"]*)"', rule["expr"]):
            if "arena-" not in values:
                assert set(values.split("|")) <= known, rule


def test_the_dashboard_shows_every_metric_of_ours() -> None:
    """What is worth counting is worth seeing."""
    seen = {
        re.sub(r"_(bucket|sum|count)$", "", metric)
        for _, expression in dashboard_queries()
        for metric in named(expression)
    }
    assert {spec.exposed for spec in CATALOGUE} - seen == set()


def test_every_dashboard_query_is_covered() -> None:
    assert len(dashboard_queries()) > 30


def test_panels_do_not_overlap_and_have_distinct_numbers() -> None:
    for path in DASHBOARDS:
        panels = json.loads(path.read_text(encoding="utf-8"))["panels"]
        assert len({panel["id"] for panel in panels}) == len(panels)
        cells: set[tuple[int, int]] = set()
        for panel in panels:
            at = panel["gridPos"]
            area = {
                (x, y)
                for x in range(at["x"], at["x"] + at["w"])
                for y in range(at["y"], at["y"] + at["h"])
            }
            assert at["x"] + at["w"] <= 24
            assert not cells & area, panel["title"]
            cells |= area


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("up", {"up": set()}),
        ('sum by (le, x) (rate(a_b{c="d",e=~"f|g"}[5m]))', {"a_b": {"c", "e"}, "": {"le", "x"}}),
        ("a / on(z) group_left b > 0.5", {"a": set(), "b": set(), "": {"z"}}),
        ("topk(10, sum by (k) (increase(m[5m])))", {"m": set(), "": {"k"}}),
        ('a{x!="y"} and b == 0 unless c', {"a": {"x"}, "b": set(), "c": set()}),
        ("histogram_quantile(0.99, r:p99_5m)", {"r:p99_5m": set()}),
    ],
)
def test_how_a_query_is_read(expression, expected):
    assert named(expression) == {"": set(), **expected}


def test_a_query_that_cannot_be_read_is_no_empty_query():
    with pytest.raises(ValueError, match="cannot read"):
        named("sum(a) # comment")

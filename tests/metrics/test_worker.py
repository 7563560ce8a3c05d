"""A real worker's /metrics: tasks done by its children, and what the store knows."""

from __future__ import annotations

import os
import signal
import urllib.request
from multiprocessing import Process
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from arena.metrics import TaskBoard
from arena.metrics.catalogue import CATALOGUE
from arena.store import Store
from tests.support.servers import free_port
from tests.support.tournaments import wait_for
from tests.support.valkey import store, valkey
from tests.support.workers import hall

__all__ = ["store", "valkey"]


def samples(text: str) -> dict[tuple[str, ...], float]:
    """By name and label values in the labels' order."""
    return {
        (sample.name, *(str(v) for _, v in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_children_count_on_one_board_and_their_death_loses_nothing():
    board = TaskBoard(["settle", "sweep"], rows=4)
    registry = CollectorRegistry()
    registry.register(board)

    def child(row: int) -> None:
        for _ in range(1000):
            board.done(row, "settle", "ok", 3_000_000)
        board.done(row, "sweep", "failed", 10**12)
        board.done(row, "no-such-task", "ok", 1)
        os.kill(os.getpid(), signal.SIGKILL)

    children = [Process(target=child, args=(row,)) for row in range(3)]
    for process in children:
        process.start()
    for process in children:
        process.join(60)
    found = samples(generate_latest(registry).decode())
    name = "euchre_arena_task"
    assert found[f"{name}s_total", "ok", "settle"] == 3000
    assert found[f"{name}s_total", "failed", "sweep"] == 3
    assert found[f"{name}_seconds_bucket", "0.002", "settle"] == 0
    assert found[f"{name}_seconds_bucket", "0.005", "settle"] == 3000
    assert found[f"{name}_seconds_bucket", "300.0", "sweep"] == 0
    assert found[f"{name}_seconds_count", "sweep"] == 3
    assert found[f"{name}_seconds_sum", "settle"] == pytest.approx(9)


def test_a_worker_shows_its_tasks_and_the_store(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"127.0.0.1:{free_port()}"
    monkeypatch.setenv("ARENA_WORKER_METRICS", address)
    with hall(store.settings, tmp_path) as h:
        h.worker()

        def read() -> dict[tuple[str, ...], float]:
            with urllib.request.urlopen(f"http://{address}/metrics", timeout=60) as answer:
                return samples(answer.read().decode())

        for _ in range(3):
            store.tasks.sweep()
        wait_for(lambda: read()["euchre_arena_tasks_total", "ok", "sweep"] >= 3)
        found = read()
    assert found["euchre_arena_store_up",] == 1
    shown = {key[0].removesuffix("_bucket") for key in found}
    for spec in CATALOGUE:
        if spec.part == "worker":
            assert spec.exposed in shown
    assert found["euchre_arena_task_seconds_count", "sweep"] >= 3

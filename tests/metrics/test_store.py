"""What is read from a real store at each scrape."""

from __future__ import annotations

from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest

from arena.metrics import StoreCollector
from arena.metrics.catalogue import CATALOGUE
from arena.store import Embedded, Store
from tests.metrics.test_worker import samples
from tests.support.tournaments import FakeReferee, dispatch, start
from tests.support.valkey import store, valkey

__all__ = ["store", "valkey"]


def scrape(store: Store, **options: int) -> dict[tuple[str, ...], float]:
    registry = CollectorRegistry()
    registry.register(StoreCollector(store, **options))
    return samples(generate_latest(registry).decode())


def rated(store: Store, tournament_id: str = "t") -> None:
    """A snapshot as the workers write it."""
    ticket = store.standings.claim(tournament_id)
    rows = [
        {"entrant": "a", "rating": 1540.25, "low": 1500.5, "high": 1580.0},
        {"entrant": "b", "rating": 1459.75, "low": 1420.0, "high": 1499.5},
    ]
    assert ticket
    assert store.standings.put(tournament_id, ticket, {"standings": rows}, 1)


def test_an_empty_store_shows_zeros(store: Store) -> None:
    found = scrape(store)
    assert found["euchre_arena_store_up",] == 1
    assert found["euchre_arena_oldest_stalled_match_seconds",] == 0
    assert found["euchre_arena_queue_depth", "tasks"] == 0
    assert found["euchre_arena_store_matches", "playing"] == 0
    assert found["euchre_arena_results_rejected_total", "duplicate"] == 0


def test_matches_queues_and_ratings_are_shown(store: Store) -> None:
    start(store, ["a", "b", "c"])
    found = scrape(store)
    assert found["euchre_arena_store_matches", "scheduled"] == 3
    assert found["euchre_arena_queue_depth", "waiting"] == 3
    assert found["euchre_arena_tournaments", "running"] == 1
    assert not [key for key in found if key[0] == "euchre_arena_rating"]


def test_ratings_with_intervals(store: Store) -> None:
    finish_one(store)
    rated(store)
    found = scrape(store)
    assert found["euchre_arena_rating", "a", "t"] == 1540.25
    assert found["euchre_arena_rating_low", "a", "t"] == 1500.5
    assert found["euchre_arena_rating_high", "b", "t"] == 1499.5


def test_too_many_ratings_are_left_out_rather_than_shown_in_part(store: Store) -> None:
    finish_one(store)
    rated(store)
    found = scrape(store, max_ratings=1)
    assert not [key for key in found if key[0] == "euchre_arena_rating"]


def test_a_store_that_is_away_says_so_and_nothing_else(tmp_path: Path) -> None:
    with Embedded(tmp_path / "data") as server:
        store = Store.connect(server.settings)
        assert scrape(store)["euchre_arena_store_up",] == 1
    assert scrape(store) == {("euchre_arena_store_up",): 0.0}


def test_registering_does_not_ask_a_store_that_is_away(tmp_path: Path) -> None:
    with Embedded(tmp_path / "data") as server:
        store = Store.connect(server.settings)
    CollectorRegistry().register(StoreCollector(store))


def test_every_store_metric_of_the_catalogue_is_described(store: Store) -> None:
    described = {metric.name for metric in StoreCollector(store).describe()}
    assert described == {
        spec.exposed.removesuffix("_total") for spec in CATALOGUE if spec.part == "store"
    }


def finish_one(store: Store) -> None:
    """A tournament of four matches, one of them finished."""
    start(store, ["a", "b"], cycles=4)
    referee = FakeReferee(store, {"a": 10, "b": 10})
    dispatch(store, 1)
    assert referee.play() == ["t-m0"]

"""What a process shows on /metrics: names, types, labels, values, read over real HTTP."""

from __future__ import annotations

import random
import re
import urllib.request
from collections.abc import Iterator

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from arena.metrics import Histogram, Metrics, MetricsServer, serve
from arena.metrics.catalogue import BY_NAME, CATALOGUE, Spec


def scrape(server: MetricsServer) -> dict[str, Metric]:
    """The families of a scrape, by the name they are exposed under."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=60) as answer:
        assert answer.status == 200
        text = answer.read().decode()
    return {family.name: family for family in text_string_to_metric_families(text)}


@pytest.fixture
def metrics() -> Metrics:
    return Metrics(max_bots=3)


@pytest.fixture
def server(metrics: Metrics) -> Iterator[MetricsServer]:
    server = serve(metrics.registry, "127.0.0.1:0")
    yield server
    server.close()


def value(families: dict[str, Metric], sample: str, **labels: str) -> float:
    for family in families.values():
        for found in family.samples:
            if found.name == sample and found.labels == labels:
                return float(found.value)
    raise AssertionError(f"no {sample}{labels}")


def touch(metrics: Metrics) -> None:
    """Call everything once, so that every label set stands on the page."""
    metrics.frame_read(3_000, 200)
    metrics.frame_sent(20_000, 180)
    metrics.observe_decisions([20_000] * 3, [300_000] * 3, [1_500_000, 1_500_000, 40_000_000])
    metrics.answer_rejected("stale")
    metrics.loop_lag.observe(80_000)
    metrics.hands_over(3)
    metrics.game_over()
    metrics.game_over("disconnected")
    metrics.match_over("finished")
    metrics.referee_matches("playing", 4)
    metrics.open_games.set(7)
    metrics.fault("timeout", "slowpoke")
    metrics.session_opened()
    metrics.session_opened(resumed=True)
    metrics.session_closed()
    metrics.session_refused("unauthenticated")
    metrics.draining.set(0)
    metrics.record_error()


def test_every_metric_of_the_catalogue_is_shown_with_type_and_labels(metrics, server):
    touch(metrics)
    families = scrape(server)
    for spec in CATALOGUE:
        if spec.part != "referee":
            continue
        name = spec.exposed.removesuffix("_total")
        assert name in families, spec.name
        family = families[name]
        assert family.type == spec.type
        assert family.documentation == spec.help
        assert family.samples
        for sample in family.samples:
            assert set(sample.labels) - {"le"} == set(spec.labels), sample


def test_names_follow_the_conventions():
    """Base units at the end, `_total` on counters, and nothing named twice."""
    assert len({spec.name for spec in CATALOGUE}) == len(CATALOGUE)
    for spec in CATALOGUE:
        assert re.fullmatch(r"euchre_arena_[a-z_]+", spec.exposed)
        assert not re.search(r"_(ms|us|ns|kb|mb)(_|$)", spec.name)
        assert spec.help.endswith(".")
        if spec.scale != 1:
            assert spec.name.endswith("_seconds")
        assert (spec.type == "histogram") == bool(spec.bounds)
        assert list(spec.bounds) == sorted(set(spec.bounds))


def test_values_arrive(metrics, server):
    touch(metrics)
    families = scrape(server)
    prefix = "euchre_arena_"
    assert value(families, prefix + "decisions_total") == 3
    assert value(families, prefix + "frames_total", direction="in") == 1
    assert value(families, prefix + "frame_size_bytes_sum", direction="out") == 20_000
    assert value(families, prefix + "frame_decisions_sum", direction="in") == 200
    assert value(families, prefix + "answers_rejected_total", reason="stale") == 1
    assert value(families, prefix + "answers_rejected_total", reason="illegal") == 0
    assert value(families, prefix + "games_total", ended="played") == 1
    assert value(families, prefix + "games_total", ended="disconnected") == 1
    assert value(families, prefix + "faults_total", kind="timeout", bot="slowpoke") == 1
    assert value(families, prefix + "time_losses_total") == 1
    assert value(families, prefix + "sessions") == 1
    assert value(families, prefix + "sessions_opened_total", how="resumed") == 1
    assert value(families, "process_start_time_seconds") > 0


def test_latency_is_split_and_in_seconds(metrics, server):
    touch(metrics)
    families = scrape(server)
    name = "euchre_arena_decision_seconds"
    assert value(families, f"{name}_sum", part="thinking") == pytest.approx(0.043)
    assert value(families, f"{name}_bucket", part="thinking", le="0.001") == 0
    assert value(families, f"{name}_bucket", part="thinking", le="0.002") == 2
    assert value(families, f"{name}_bucket", part="thinking", le="0.05") == 3
    assert value(families, f"{name}_bucket", part="thinking", le="+Inf") == 3
    assert value(families, f"{name}_count", part="network") == 3
    assert value(families, f"{name}_bucket", part="referee", le="2.5e-05") == 3


def test_names_of_bots_are_bounded(metrics, server):
    for number in range(10):
        metrics.fault("illegal", f"bot-{number}")
    metrics.fault("illegal", "bot-0")
    samples = scrape(server)["euchre_arena_faults"].samples
    by_bot = {sample.labels["bot"]: sample.value for sample in samples}
    assert by_bot == {"bot-0": 2, "bot-1": 1, "bot-2": 1, "other": 7}


def test_unknown_kinds_do_not_make_series(metrics, server):
    metrics.fault("cheating", "bot")
    metrics.answer_rejected("because")
    metrics.game_over("cheating")
    metrics.match_over("lost")
    families = scrape(server)
    assert value(families, "euchre_arena_faults_total", kind="other", bot="bot") == 1
    assert value(families, "euchre_arena_answers_rejected_total", reason="other") == 1
    assert value(families, "euchre_arena_games_total", ended="other") == 1
    assert value(families, "euchre_arena_matches_total", outcome="other") == 1


def naive(bounds: tuple[int, ...], values: list[int]) -> list[int]:
    """Counts a bucket, the slow way."""
    counts = [0] * (len(bounds) + 1)
    for v in values:
        counts[next((i for i, bound in enumerate(bounds) if v <= bound), len(bounds))] += 1
    return counts


@pytest.mark.parametrize("size", [0, 1, 12, 13, 300])
def test_buckets_count_like_the_slow_way(size):
    """Bounds are inclusive; lists short and long take different ways."""
    bounds = BY_NAME["decision_seconds"].bounds
    rng = random.Random(size)
    values = [rng.choice([rng.choice(bounds), rng.randrange(10**11)]) for _ in range(size)]
    values += [bounds[0], bounds[-1], bounds[-1] + 1] if size else []
    many, single = Histogram(bounds), Histogram(bounds)
    many.observe_many(values)
    for v in values:
        single.observe(v)
    assert many.counts == single.counts == naive(bounds, values)
    assert many.total == single.total == sum(values)


def test_a_value_observed_for_a_whole_frame():
    histogram = Histogram((10, 20))
    histogram.observe(15, 200)
    assert histogram.counts == [0, 200, 0]
    assert histogram.total == 3_000


def test_a_wrong_number_of_labels_is_refused():
    from arena.metrics.buckets import HistogramFamily

    family = HistogramFamily(Spec("x", "histogram", "referee", ("a",), "X.", (1,)))
    with pytest.raises(ValueError, match="has the labels"):
        family.labels()


@pytest.mark.parametrize("address", ["7602", "localhost", "127.0.0.1:port", "127.0.0.1:70000"])
def test_an_address_that_is_none_is_named(metrics, address):
    with pytest.raises(ValueError, match=re.escape(repr(address))):
        serve(metrics.registry, address)


def test_a_taken_address_is_named(metrics, server):
    with pytest.raises(OSError, match=f"metrics cannot listen on 127.0.0.1:{server.port}"):
        serve(metrics.registry, f"127.0.0.1:{server.port}")


def test_two_processes_worth_of_metrics_do_not_meet():
    """Nothing is registered globally: tests and `arena up` may hold several."""
    first, second = Metrics(), Metrics()
    first.count_decisions(5)
    server = serve(second.registry, "127.0.0.1:0")
    try:
        assert value(scrape(server), "euchre_arena_decisions_total") == 0
    finally:
        server.close()

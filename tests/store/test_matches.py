from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.store import NotFound, Store, keys
from arena.store.types import Finish, MatchState
from tests.support.tournaments import RESULT, FakeReferee, dispatch, start, wait_for


@pytest.fixture
def referee(store: Store) -> Iterator[FakeReferee]:
    """A referee with a and b, and a tournament of three matches between them."""
    start(store, ["a", "b"], cycles=3)
    return FakeReferee(store, {"a": 3, "b": 3})


HOUR_MS = 3_600_000


def an_hour_ago(store: Store, what: str, *match_ids: str) -> None:
    """Make it an hour that matches have moved, or their leases have ended."""
    past = store.now() - HOUR_MS
    store._link.client.zadd(keys.single(what), dict.fromkeys(match_ids, past), xx=True)


def state(store: Store, match_id: str) -> MatchState:
    return store.matches.get(match_id).state


def test_the_life_of_a_match(store: Store, referee: FakeReferee) -> None:
    assert state(store, "t-m0") == "scheduled"
    assert dispatch(store, 1) == ["t-m0"]
    assert state(store, "t-m0") == "queued"
    [message] = referee.orders()
    assert message.order == store.matches.order("t-m0")
    assert message.order.attempt == 0
    lease = store.matches.lease(referee.id, "t-m0")
    assert lease is not None
    assert (lease.attempt, lease.tournament_id, lease.referee) == (1, "t", referee.id)
    assert state(store, "t-m0") == "leased"
    assert store.matches.begin(lease, "ab" * 32)
    found = store.matches.get("t-m0")
    assert (found.state, found.commitment, found.attempts) == ("playing", "ab" * 32, 1)
    assert store.matches.renew({lease: 17}) == set()
    assert store.matches.get("t-m0").progress == 17
    counts = {"games": 2, "hands": 31, "decisions": 400}
    assert store.matches.finish(lease, RESULT, record="t/m0.jsonl", counts=counts) == "written"
    found = store.matches.get("t-m0")
    assert (found.state, found.record) == ("finished", "t/m0.jsonl")
    assert found.finished_at >= found.started_at > 0
    result = store.matches.result("t-m0")
    assert result is not None
    assert (result.result, result.attempt, result.index) == (RESULT, 1, 0)
    assert result.entrants == tuple(
        store.tournaments.get("t").entrants.index(e) for e in found.entrants
    )
    progress = store.tournaments.get("t").progress
    assert (progress.finished, progress.games, progress.hands) == (1, 2, 31)
    kinds = [(e.kind, e.data.get("state")) for e in store.events.read("t")]
    assert kinds[-2:] == [("match", "playing"), ("match", "finished")]


def test_games_count_as_they_end(store: Store, referee: FakeReferee) -> None:
    def games() -> int:
        return store.tournaments.get("t").progress.games

    dispatch(store, 2)
    referee.orders()
    one, two = referee.lease("t-m0"), referee.lease("t-m1")
    store.matches.renew({one: 5, two: 5}, {"t-m0": 1, "t-m1": 1})
    assert games() == 2
    assert [e.kind for e in store.events.read("t")][-1] == "progress", "watchers are told"
    store.matches.renew({one: 6, two: 5}, {"t-m0": 1})
    assert games() == 2, "the same again, and one that says nothing of its games"
    store.matches.release(two, "test")
    assert games() == 1, "a voided attempt takes its games back"
    assert store.matches.renew({two: 7}, {"t-m1": 2}) == {"t-m1"}
    assert games() == 1
    store.matches.finish(one, RESULT, counts={"games": 2})
    assert games() == 2
    dispatch(store, 1)
    store.matches.renew({referee.lease("t-m1"): 1}, {"t-m1": 1})
    store.tournaments.cancel("t")
    assert games() == 2


def test_numbers_of_a_result_stay_what_they_are(store: Store, referee: FakeReferee) -> None:
    dispatch(store, 1)
    referee.orders()
    odd = {**RESULT, "big": 2**53 + 1, "float": 0.1, "whole": 1.0, "text": '"\\\n\u2660'}
    store.matches.finish(referee.lease("t-m0"), odd)
    found = store.matches.result("t-m0")
    assert found is not None
    assert found.result == odd
    assert isinstance(found.result["whole"], float)


def test_a_result_is_written_once(store: Store, referee: FakeReferee) -> None:
    dispatch(store, 1)
    referee.orders()
    old = referee.lease("t-m0", ttl_ms=1)
    assert wait_for(store.matches.reclaim) == ["t-m0"]
    dispatch(store, 1)
    referee.orders()
    new = referee.lease("t-m0")
    assert new.fence > old.fence
    assert new.attempt == 2
    other = {**RESULT, "winners": [1]}
    assert store.matches.finish(old, other) is Finish.STALE
    assert store.matches.finish(new, RESULT) is Finish.WRITTEN
    assert store.matches.finish(new, RESULT, counts={"games": 2}) is Finish.AGAIN
    assert store.matches.finish(old, other) is Finish.DUPLICATE
    found = store.matches.result("t-m0")
    assert found is not None
    assert found.result == RESULT
    assert store.matches.depths().rejected == {"duplicate": 1, "stale": 1}
    assert store.tournaments.get("t").progress.games == 0, "the retry added nothing"


def test_who_lost_the_lease_changes_nothing(store: Store, referee: FakeReferee) -> None:
    dispatch(store, 1)
    referee.orders()
    lease = referee.lease("t-m0", ttl_ms=1)
    wait_for(store.matches.reclaim)
    before = store.matches.get("t-m0")
    assert not store.matches.begin(lease, "00")
    assert store.matches.renew({lease: 5}) == {"t-m0"}
    assert not store.matches.release(lease, "late")
    assert store.matches.finish(lease, RESULT) is Finish.STALE
    assert store.matches.get("t-m0") == before
    assert store.matches.lease(referee.id, "t-m0") is None


def test_an_order_is_leased_by_the_referee_it_was_sent_to(
    store: Store, referee: FakeReferee
) -> None:
    other = FakeReferee(store, {})
    dispatch(store, 1)
    assert store.matches.lease(other.id, "t-m0") is None
    lease = store.matches.lease(referee.id, "t-m0")
    assert lease is not None
    assert store.matches.lease(referee.id, "t-m0") == lease, "asked again after a lost answer"
    assert store.matches.lease(referee.id, "t-m1") is None, "never sent"
    assert store.matches.lease(referee.id, "none-m1") is None


def test_a_released_match_waits_again_with_its_secret_published(
    store: Store, referee: FakeReferee
) -> None:
    dispatch(store, 1)
    referee.orders()
    lease = referee.lease("t-m0")
    store.matches.renew({lease: 9})
    assert store.matches.release(lease, "draining", secret="5e")
    assert not store.matches.release(lease, "draining", secret="5e")
    [attempt] = store.matches.attempts("t-m0")
    assert attempt["reason"] == "draining"
    assert (attempt["attempt"], attempt["commitment"], attempt["secret"]) == (1, "c0ffee", "5e")
    assert (attempt["progress"], attempt["referee"]) == (9, referee.id)
    found = store.matches.get("t-m0")
    assert (found.state, found.referee, found.commitment) == ("scheduled", "", "")
    assert store.tournaments.get("t").progress.voided == 1
    assert dispatch(store, 1) == ["t-m0"]
    [message] = referee.orders()
    assert message.order is not None
    assert message.order.attempt == 1


def test_renewal_keeps_a_lease_and_progress_keeps_it_from_stalling(
    store: Store, referee: FakeReferee
) -> None:
    dispatch(store, 2)
    referee.orders()
    moving, stuck = referee.lease("t-m0"), referee.lease("t-m1")
    store.matches.renew({moving: 1, stuck: 1})
    an_hour_ago(store, "progress", "t-m0", "t-m1")
    store.matches.renew({moving: 2, stuck: 1})
    assert store.matches.reclaim() == ["t-m1"]
    assert store.matches.attempts("t-m1")[0]["reason"] == "no progress"
    assert store.matches.renew({moving: 3, stuck: 2}) == {"t-m1"}


def test_the_age_of_the_match_longest_without_progress(store: Store, referee: FakeReferee) -> None:
    assert store.matches.depths().oldest_progress_ms == 0
    dispatch(store, 1)
    referee.orders()
    lease = referee.lease("t-m0")
    an_hour_ago(store, "progress", "t-m0")
    assert store.matches.depths().oldest_progress_ms >= HOUR_MS
    store.matches.renew({lease: 1})
    assert store.matches.depths().oldest_progress_ms < HOUR_MS


def test_an_order_nobody_takes_waits_again_and_leaves_the_inbox(
    store: Store, referee: FakeReferee
) -> None:
    [match_id] = store.matches.due(1)
    store.matches.place(match_id, queue_ms=1)
    assert wait_for(store.matches.reclaim) == ["t-m0"]
    assert store.matches.attempts("t-m0") == [], "no attempt had begun"
    assert referee.orders() == []
    assert store.referees.all()[0].load == 0


def test_a_dead_referee_gives_back_its_inbox_at_once_and_its_leases_when_they_end(
    store: Store, referee: FakeReferee
) -> None:
    dispatch(store)
    store.referees.inbox(referee.id, 1)
    lease = referee.lease("t-m0", ttl_ms=HOUR_MS)
    referee.beat(ttl_ms=1)
    assert wait_for(store.matches.reclaim) == ["t-m1", "t-m2"]
    assert store.referees.all() == []
    an_hour_ago(store, "leases", "t-m0")
    assert store.matches.reclaim() == ["t-m0"]
    assert store.matches.finish(lease, RESULT) is Finish.STALE
    assert store._link.client.keys(f"arena:r:{referee.id}*") == []
    assert referee.beat(ttl_ms=60_000), "it lives after all, and has room"
    assert dispatch(store) == ["t-m0", "t-m1", "t-m2"]
    assert referee.play() == ["t-m0", "t-m1", "t-m2"]


def test_a_referee_that_leaves_gives_everything_back(store: Store, referee: FakeReferee) -> None:
    dispatch(store, 2)
    lease = store.matches.lease(referee.id, "t-m0")
    assert lease is not None
    assert sorted(store.referees.leave(referee.id)) == ["t-m0", "t-m1"]
    assert store.matches.renew({lease: 1}) == {"t-m0"}
    assert store._link.client.keys(f"arena:r:{referee.id}*") == []
    FakeReferee(store, {"a": 3, "b": 3})
    assert dispatch(store) == ["t-m0", "t-m1", "t-m2"]


def test_what_a_dispatch_took_and_never_placed_waits_again(
    store: Store, referee: FakeReferee
) -> None:
    assert store.matches.due(2, hold_ms=1) == ["t-m0", "t-m1"]
    assert sorted(wait_for(store.matches.reclaim)) == ["t-m0", "t-m1"]
    assert store.matches.due() == ["t-m0", "t-m1", "t-m2"]
    assert store.matches.due() == []


def test_results_in_schedule_order(store: Store, referee: FakeReferee) -> None:
    dispatch(store)
    referee.orders()
    for index in (2, 0, 1):
        store.matches.finish(referee.lease(f"t-m{index}"), RESULT)
    for batch in (1, 2, 500):
        assert [r.index for r in store.matches.results("t", batch)] == [0, 1, 2]
    assert store.matches.result("t-m1").match_id == "t-m1"
    assert store.matches.result("t-m7") is None
    assert store.matches.result("nonsense") is None


def test_pages(store: Store, referee: FakeReferee) -> None:
    dispatch(store, 1)
    assert [m.index for m in store.matches.page("t", 1, 5)] == [1, 2]
    queued = store.matches.page("t", state=MatchState.QUEUED)
    assert [m.match_id for m in queued] == ["t-m0"]
    with pytest.raises(NotFound):
        store.matches.page("none")
    with pytest.raises(NotFound):
        store.matches.get("t-m9")
    with pytest.raises(NotFound):
        list(store.matches.results("none"))


def test_what_no_tournament_counts(store: Store, referee: FakeReferee) -> None:
    dispatch(store, 1)
    referee.orders()
    with pytest.raises(ValueError, match="'state'"):
        store.matches.finish(referee.lease("t-m0"), RESULT, counts={"state": 1})


def test_fences_grow_also_when_the_server_forgot_the_last(
    store: Store, referee: FakeReferee
) -> None:
    dispatch(store, 3)
    referee.orders()
    first = referee.lease("t-m0")
    second = referee.lease("t-m1")
    assert second.fence > first.fence
    before = store.now()
    wait_for(lambda: store.now() > before)
    store._link.client.delete("arena:fence")
    assert referee.lease("t-m2").fence > second.fence


def test_what_a_dead_referee_had_to_tell_is_told_by_another(store: Store) -> None:
    first, second = start(store, ["a", "b"], cycles=2)
    bots = {"a": 2, "b": 2}
    dead = FakeReferee(store, bots)
    dispatch(store)
    ends = {"a": [(2**64 - 1, b"\x00end")], "b": [(7, b"end")]}
    assert store.matches.finish(dead.lease(first), RESULT, ends=ends) == "written"
    other = FakeReferee(store, bots, address="127.0.0.1:7601")
    assert store.matches.untold(other.id, bots) == {}, "it lives, and tells it itself"
    store.referees.leave(dead.id)
    assert store.matches.untold(other.id, ["a", "c"]) == {(first, "a"): ends["a"]}
    assert store.matches.untold(other.id, ["a"]) == {(first, "a"): ends["a"]}, "until it is told"
    third = FakeReferee(store, bots, address="127.0.0.1:7602")
    assert store.matches.untold(third.id, bots) == {(first, "b"): ends["b"]}
    store.matches.told([(first, "a"), (second, "a")])
    assert store.matches.untold(other.id, bots) == {}
    assert store.matches.untold(third.id, ["c"], keep_ms=-1) == {}
    assert store.matches.untold(third.id, bots) == {}, "nobody came for it in all that time"

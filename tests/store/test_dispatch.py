from __future__ import annotations

from arena.store import Store
from arena.store.types import Placement
from tests.support.tournaments import FakeReferee, create, dispatch, start, wait_for


def absent_since_long(store: Store, *bots: str) -> None:
    """Make it an hour that they, the referees and the tournament have been as they are."""
    past = store.now() - 3_600_000
    client = store._link.client
    for bot in bots:
        client.hset("arena:seen", bot, past)
    for referee in store.referees.all():
        client.hset(f"arena:r:{referee.referee}", "since", past)
    for tournament in store.tournaments.all():
        client.hset(f"arena:t:{tournament.tournament_id}", "since", past)


def test_never_more_than_referees_have_room_for(store: Store) -> None:
    start(store, ["a", "b"], cycles=20)
    referee = FakeReferee(store, {"a": 100, "b": 100}, capacity=3, ahead=2)
    assert dispatch(store) == [f"t-m{i}" for i in range(5)]
    assert dispatch(store) == []
    assert store.matches.place("t-m9").placement is Placement.FULL
    assert referee.play(2) == ["t-m0", "t-m1"]
    assert store.matches.due(1) == ["t-m5"]
    assert store.matches.due() == ["t-m6"], "what is being dispatched counts"
    referee.beat(capacity=0)
    assert store.matches.place("t-m5").placement is Placement.FULL


def test_never_more_than_a_bot_takes(store: Store) -> None:
    start(store, ["a", "b", "c"], cycles=4)
    referee = FakeReferee(store, {"a": 1, "b": 100, "c": 100})
    found = dispatch(store)
    with_a = [m for m in found if "a" in {e.name for e in store.matches.order(m).entrants}]
    assert len(with_a) == 1
    assert len(found) == 1 + 4
    waits = next(m.match_id for m in store.matches.page("t") if m.state == "scheduled")
    placed = store.matches.place(waits)
    assert (placed.placement, placed.bot) == (Placement.WAITING, "a")
    referee.beat(bots={"a": 3, "b": 100, "c": 100})
    assert len(dispatch(store)) == 2


def test_matches_wait_for_bots_and_nobody_waits_for_others(store: Store) -> None:
    start(store, ["a", "b", "c"])
    referee = FakeReferee(store, {"b": 5, "c": 5})
    [found] = dispatch(store)
    assert {e.name for e in store.matches.order(found).entrants} == {"b", "c"}
    other = next(m.match_id for m in store.matches.page("t") if m.state == "scheduled")
    placed = store.matches.place(other)
    assert (placed.placement, placed.bot) == (Placement.WAITING, "a")
    assert referee.beat(bots={"a": 5, "b": 5, "c": 5})
    assert not referee.beat()
    assert len(dispatch(store)) == 2


def test_placing_twice_places_once(store: Store) -> None:
    start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 5, "b": 5})
    assert store.matches.place("t-m0").placement is Placement.PLACED
    assert store.matches.place("t-m0").placement is Placement.NOTHING
    assert referee.play() == ["t-m0"]
    assert store.matches.place("t-m0").placement is Placement.NOTHING
    assert store.matches.place("none-m0").placement is Placement.NOTHING


def test_the_least_loaded_referee_where_both_are_connected(store: Store) -> None:
    start(store, ["a", "b"], cycles=9)
    both = {"a": 50, "b": 50}
    large, small = FakeReferee(store, both, capacity=20), FakeReferee(store, both, capacity=10)
    FakeReferee(store, {"a": 50}, capacity=100)
    assert len(dispatch(store)) == 9
    loads = {r.referee: r.load for r in store.referees.all()}
    assert (loads[large.id], loads[small.id]) == (6, 3)
    assert all(not message.order.summon for message in large.orders() if message.order)


def test_bots_at_different_referees_are_summoned(store: Store) -> None:
    start(store, ["a", "b"], cycles=3)
    one, two = FakeReferee(store, {"a": 2}, capacity=1), FakeReferee(store, {"b": 2}, capacity=1)
    assert len(dispatch(store)) == 2
    [first], [second] = one.orders(), two.orders()
    assert first.order is not None
    assert second.order is not None
    assert (first.order.summon, second.order.summon) == (("b",), ("a",))
    assert store.referees.summon("b", one.address, "ticket", first.match_id) == [two.id]
    [summons] = two.orders()
    assert (summons.kind, summons.bot, summons.address) == ("summons", "b", one.address)
    assert (summons.ticket, summons.match_id) == ("ticket", first.match_id)
    assert dispatch(store) == [], "both bots are busy"


def test_a_draining_referee_gets_nothing_but_its_bots_are_there(store: Store) -> None:
    start(store, ["a", "b"])
    drains = FakeReferee(store, {"a": 1, "b": 1})
    store.referees.heartbeat(drains.id, capacity=9, bots={"a": 1, "b": 1}, draining=True)
    assert store.matches.due() == []
    takes = FakeReferee(store, {})
    assert dispatch(store) == ["t-m0"]
    [message] = takes.orders()
    assert message.order is not None
    assert set(message.order.summon) == {"a", "b"}
    assert store.referees.heartbeat(drains.id, capacity=9, bots={"a": 1, "b": 1})


def test_an_absent_bot_forfeits_after_its_grace_and_not_before(store: Store) -> None:
    start(store, ["a", "b", "c"], grace_s=120)
    referee = FakeReferee(store, {"a": 1, "b": 1})
    absent_since_long(store, "c")
    found = dispatch(store)
    orders = {m.match_id: m.order for m in referee.orders() if m.order}
    assert set(found) == set(orders)
    no_shows = [order.no_show for order in orders.values()]
    assert sorted(no_shows) in ([(), ("c",), ("c",)], [("c",), ("c",)], [()])
    # a and b take one match at once; play on until the absent bot has forfeited both of its.
    for order in orders.values():
        store.matches.finish(referee.lease(order.match_id), {})
    dispatch(store)
    orders |= {m.match_id: m.order for m in referee.orders() if m.order}
    assert len(orders) == 3
    for order in orders.values():
        names = {entrant.name for entrant in order.entrants}
        assert order.no_show == (("c",) if "c" in names else ())


def test_both_absent(store: Store) -> None:
    start(store, ["a", "b"])
    referee = FakeReferee(store, {})
    absent_since_long(store, "a", "b")
    assert dispatch(store) == ["t-m0"]
    [message] = referee.orders()
    assert message.order is not None
    assert set(message.order.no_show) == {"a", "b"}


def test_grace_does_not_run_while_the_arena_was_away(store: Store) -> None:
    start(store, ["a", "b"], grace_s=120)
    referee = FakeReferee(store, {"a": 1})
    absent_since_long(store, "b")
    assert store.matches.due(1, hold_ms=1) == ["t-m0"]
    wait_for(store.matches.reclaim)
    # The referee's presence lapses (the store was down, say): the bot has had no one to come to.
    referee.beat(ttl_ms=1)
    wait_for(lambda: not store.referees.all())
    referee.beat(ttl_ms=60_000)
    assert store.matches.due() == []
    absent_since_long(store, "b")
    assert store.matches.due(1, hold_ms=1) == ["t-m0"]
    wait_for(store.matches.reclaim)
    # A new referee came: its bots may be on their way.
    FakeReferee(store, {})
    assert store.matches.due() == []
    absent_since_long(store, "b")
    store.tournaments.pause("t")
    store.tournaments.resume("t")
    assert store.matches.due() == [], "the tournament stood still meanwhile"


def test_a_bot_that_left_a_moment_ago_has_its_grace_before_it(store: Store) -> None:
    start(store, ["a", "b"], grace_s=120)
    referee = FakeReferee(store, {"a": 1, "b": 1})
    absent_since_long(store)
    referee.beat(bots={"a": 1})
    assert store.matches.due() == []


def test_a_bot_that_is_there_but_takes_no_match_does_not_stop_the_tournament(store: Store) -> None:
    start(store, ["a", "b"], grace_s=120)
    referee = FakeReferee(store, {"a": 1, "b": 1})
    referee.beat(bots={"a": 1, "b": 0})
    absent_since_long(store)
    assert store.matches.due() == [], "it has taken none for a moment only"
    assert store.bots.get("b").connected
    absent_since_long(store, "b")
    referee.beat()
    assert dispatch(store) == ["t-m0"]
    [message] = referee.orders()
    assert message.order is not None
    assert message.order.no_show == ("b",)


def test_grace_zero_forfeits_at_once(store: Store) -> None:
    start(store, ["a", "b"], grace_s=0)
    FakeReferee(store, {"a": 1})
    assert dispatch(store) == ["t-m0"]


def test_tournaments_take_turns(store: Store) -> None:
    bots = {"a": 100, "b": 100}
    start(store, list(bots), "one", cycles=30)
    referee = FakeReferee(store, bots, capacity=10)
    assert len(dispatch(store)) == 10
    start(store, list(bots), "two", cycles=30)
    referee.play(4)
    assert dispatch(store) == [f"two-m{i}" for i in range(2)] + ["one-m10", "one-m11"]
    referee.play()
    found = dispatch(store)
    assert sum(match_id.startswith("two") for match_id in found) == 5


def test_far_down_the_schedule_what_can_be_played_is_found(store: Store) -> None:
    """The head of a long schedule waits for one absent bot; the others play on."""
    create(store, ["a", "b", "c"], cycles=3000)
    store.tournaments.start("t")
    bots = ("a", "b", "c")

    class Meeting:
        def __init__(self, index: int) -> None:
            self.index = index
            self.entrants = (0, 2) if index < 8_500 else (0, 1)
            self.seating = (0, 1, 0, 1)
            self.bots = tuple(bots[self.entrants[place]] for place in self.seating)

    store.tournaments.add("t", 0, [Meeting(i) for i in range(9_000)])
    referee = FakeReferee(store, {"a": 1, "b": 1})
    found = wait_for(lambda: dispatch(store))
    assert found == ["t-m8500"] or int(found[0][3:]) > 8_500
    for _ in range(20):
        assert len(referee.play()) == 1
        assert len(dispatch(store)) == 1, "once found it goes on there"


def test_orders_handed_back_wait_for_another_referee(store: Store) -> None:
    start(store, ["a", "b"], cycles=4)
    bots = {"a": 9, "b": 9}
    tired = FakeReferee(store, bots)
    placed = dispatch(store)
    assert len(placed) == 4
    first = tired.orders(1)[0].match_id
    lease = tired.lease(first)
    left = sorted(set(placed) - {first})
    assert sorted(store.referees.hand_back(tired.id)) == left
    assert store.referees.hand_back(tired.id) == []
    # What it plays it keeps; the rest waits, is no voided attempt, and comes to it no more.
    assert store.matches.renew({lease: 1}) == set()
    assert tired.orders() == []
    assert store.matches.lease(tired.id, left[0]) is None
    assert all(store.matches.attempts(match) == [] for match in left)
    assert dispatch(store) == []
    other = FakeReferee(store, bots, address="127.0.0.1:7601")
    assert sorted(dispatch(store)) == left
    assert {message.match_id for message in other.orders()} == set(left)


def test_after_handing_back_a_heartbeat_has_orders_placed_again(store: Store) -> None:
    (match,) = start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 1, "b": 1})
    assert dispatch(store) == [match]
    assert store.referees.hand_back(referee.id) == [match]
    assert dispatch(store) == []
    assert referee.beat(), "there is room again"
    assert dispatch(store) == [match]
    assert referee.play() == [match]

from __future__ import annotations

import pytest

from arena.store import AlreadyExists, NotFound, Store, WrongState
from arena.store.types import Entrant, MatchState, TournamentState
from arena.tournament import Schedule, parse
from tests.support.tournaments import RESULT, FakeReferee, create, dispatch, start


def test_a_tournament_comes_back_as_it_was_created(store: Store) -> None:
    made = create(store, ["a", "b", "c"])
    assert store.tournaments.get("t") == made
    assert made.state is TournamentState.CREATED
    assert made.entrants == (Entrant("a", ("a",)), Entrant("b", ("b",)), Entrant("c", ("c",)))
    assert parse(made.spec_text).cycles == made.spec["cycles"] == 1
    assert (made.progress.total, made.progress.scheduled) == (3, 0)
    assert made.created_at
    assert not made.seeded


def test_ids_are_taken_once_and_checked(store: Store) -> None:
    create(store, ["a", "b"])
    with pytest.raises(AlreadyExists, match="'t'"):
        create(store, ["a", "b"])
    with pytest.raises(ValueError, match="is not a name"):
        create(store, ["a", "b"], "Friday night")
    with pytest.raises(NotFound, match="'none'"):
        store.tournaments.get("none")
    with pytest.raises(ValueError, match="at least one pairing"):
        store.tournaments.create("u", name="", spec_text="", spec={}, entrants=[], total=0)


def test_the_list_newest_first(store: Store) -> None:
    for name in ("one", "two", "three"):
        create(store, ["a", "b"], name)
    store.tournaments.start("two")
    assert {t.tournament_id for t in store.tournaments.all()} == {"one", "two", "three"}
    created = store.tournaments.all(TournamentState.CREATED)
    assert {t.tournament_id for t in created} == {"one", "three"}


def test_states(store: Store) -> None:
    create(store, ["a", "b"])
    do = store.tournaments
    with pytest.raises(WrongState, match="cannot pause tournament 't': it is created"):
        do.pause("t")
    with pytest.raises(WrongState):
        do.resume("t")
    assert do.start("t") == do.start("t") == "scheduling"
    assert do.pause("t") == do.pause("t") == "paused"
    with pytest.raises(WrongState):
        do.start("t")
    assert do.resume("t") == "scheduling"
    pairings = Schedule(parse(do.get("t").spec_text))
    assert do.add("t", 0, pairings[:])
    assert do.get("t").state == do.start("t") == "running"
    assert do.pause("t") == "paused"
    assert do.resume("t") == do.resume("t") == "running"
    assert do.cancel("t", "rain") == do.cancel("t") == "cancelled"
    assert do.get("t").note == "rain"
    with pytest.raises(WrongState):
        do.start("t")
    with pytest.raises(NotFound):
        do.start("none")
    kinds = [e.data["state"] for e in store.events.read("t") if e.kind == "state"]
    assert kinds == ["created", "scheduling", "paused", "scheduling", "running", "paused",
                     "running", "cancelled"]  # fmt: skip


def test_batches_of_the_schedule_are_appended_once(store: Store) -> None:
    made = create(store, ["a", "b", "c", "d"], cycles=2)
    pairings = Schedule(parse(made.spec_text))
    add = store.tournaments.add
    assert not add("t", 0, pairings[:5]), "it has not been started"
    store.tournaments.start("t")
    assert add("t", 0, pairings[:5])
    assert not add("t", 0, pairings[:5]), "again"
    assert not add("t", 7, pairings[7:9]), "a gap"
    assert store.tournaments.cursor("t") == 5
    assert store.tournaments.get("t").state == "scheduling"
    store.tournaments.pause("t")
    assert not add("t", 5, pairings[5:]), "paused"
    store.tournaments.resume("t")
    assert add("t", 5, pairings[5:])
    assert store.tournaments.cursor("t") == 12
    assert store.tournaments.get("t").state == "running"
    found = store.matches.page("t", 0, 100)
    assert [m.index for m in found] == list(range(12))
    for match, pairing in zip(found, pairings, strict=True):
        assert tuple(e.name for e in match.entrants) == pairing.names
        assert match.seating == pairing.seating
        assert match.state is MatchState.SCHEDULED
        assert match.match_id == pairing.match_id("t")
    assert store.matches.depths().waiting == 12
    with pytest.raises(ValueError, match="stands at place"):
        add("t", 3, pairings[:2])
    with pytest.raises(NotFound):
        add("none", 0, pairings[:2])


def test_a_schedule_that_stands_still(store: Store) -> None:
    create(store, ["a", "b"])
    assert store.tournaments.standing_still(0) == []
    store.tournaments.start("t")
    assert store.tournaments.standing_still(0) == ["t"]
    assert store.tournaments.standing_still(60_000) == []
    store.tournaments.pause("t")
    assert store.tournaments.standing_still(0) == []
    store.tournaments.resume("t")
    store.tournaments.add("t", 0, Schedule(parse(store.tournaments.get("t").spec_text))[:])
    assert store.tournaments.standing_still(0) == []


def test_paused_nothing_begins_but_what_plays_is_played_out(store: Store) -> None:
    start(store, ["a", "b"], cycles=3)
    referee = FakeReferee(store, {"a": 1, "b": 1})
    first, taken = dispatch(store), store.matches.due()
    assert (first, taken) == (["t-m0"], [])
    store.tournaments.pause("t")
    assert referee.play() == ["t-m0"]
    assert store.matches.due() == []
    store.tournaments.resume("t")
    [held] = store.matches.due()
    store.tournaments.pause("t")
    assert store.matches.place(held).placement == "held"
    store.tournaments.resume("t")
    assert dispatch(store) == ["t-m1"]


def test_cancelled_everything_ends(store: Store) -> None:
    ids = start(store, ["a", "b", "c", "d"])
    referee = FakeReferee(store, {"a": 3, "b": 3, "c": 3, "d": 3}, capacity=4)
    assert dispatch(store) == ids[:4]
    done, playing = (message.match_id for message in referee.orders(2))
    store.matches.finish(referee.lease(done), RESULT)
    lease = referee.lease(playing)
    store.tournaments.cancel("t")
    found = referee.orders()
    assert [(m.kind, m.match_id) for m in found] == [("cancel", playing)]
    assert not store.matches.begin(lease, "c0ffee")
    assert store.matches.finish(lease, RESULT) == "cancelled"
    states = [m.state for m in store.matches.page("t")]
    assert states == ["finished", *["cancelled"] * 5]
    assert store.matches.due() == []
    assert store.matches.place(ids[5]).placement == "nothing"
    assert store.matches.reclaim(stall_ms=0) == []
    assert store.referees.all()[0].load == 0


def test_a_team_sits_down_in_the_order_of_the_pairing(store: Store) -> None:
    for bot in ("a", "b", "c", "d", "e"):
        store.bots.register(bot)
    text = (
        'name = "teams"\nseed = "s"\n[match]\ngames = 2\n[format]\ncycles = 2\n'
        '[entrants]\nbots = [["a", "b"], ["c", "d"], "e"]\n'
    )
    spec = parse(text)
    pairings = Schedule(spec)
    store.tournaments.create(
        "t",
        name=spec.name,
        spec_text=text,
        spec={},
        entrants=[Entrant(e.name, e.bots) for e in spec.entrants],
        total=len(pairings),
    )
    store.tournaments.start("t")
    store.tournaments.add("t", 0, pairings[:])
    orders = set()
    for pairing in pairings:
        order = store.matches.order(pairing.match_id("t"))
        seated = [0] * 2
        for seat, entrant in enumerate(order.seating):
            bots = order.entrants[entrant].bots
            assert pairing.bots[seat] == bots[seated[entrant] % len(bots)]
            seated[entrant] += 1
        orders.update(entrant.bots for entrant in order.entrants)
    assert {("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("e",)} <= orders

from __future__ import annotations

import threading

import pytest
from euchre_arena.v1 import tournament_pb2 as pb

from arena.admin.client import AdminError
from arena.admin.meant import slug
from arena.store.types import Role
from tests.support.tournaments import FakeReferee, dispatch, spec_text, start, wait_for
from workers.scheduling import schedule
from workers.settling import derive

BOTS = ["ada", "bob", "cyd"]


def registered(served, bots=BOTS):
    for bot in bots:
        served.store.bots.register(bot)


def code(refused):
    return refused.value.code, refused.value.reason


def test_create_stores_the_spec_as_it_was_written(served):
    text = "# for Friday\n" + spec_text(BOTS, games=4)
    made = served.organizer.create(text)
    assert made.tournament_id == "test"
    assert made.state == pb.TOURNAMENT_STATE_CREATED
    assert made.spec == text
    assert [entrant.name for entrant in made.entrants] == BOTS
    assert made.progress.total == 3
    assert made.progress.games_total == 12
    assert served.organizer.get("test") == made
    assert served.organizer.tournaments() == [made]


def test_an_id_made_of_the_name_gives_way(served):
    ids = [served.organizer.create(spec_text(BOTS)).tournament_id for _ in range(3)]
    assert ids == ["test", "test-2", "test-3"]


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("Friday night", "friday-night"),
        ("  東!  ", "tournament"),
        ("Écarté", "ecarte"),
        ("E\u0301carte\u0301 am Straßenrand", "ecarte-am-strassenrand"),
        ("x" * 100, "x" * 48),
        ("2. Cup / final", "2-cup-final"),
    ],
)
def test_what_an_id_is_made_of(name, id_):
    assert slug(name) == id_


def test_an_id_that_is_asked_for_is_had_once(served):
    assert served.organizer.create(spec_text(BOTS), "cup").tournament_id == "cup"
    with pytest.raises(AdminError, match="'cup'") as refused:
        served.organizer.create(spec_text(BOTS), "cup")
    assert code(refused) == ("ALREADY_EXISTS", "ID")


def test_an_id_that_is_none_is_refused(served):
    with pytest.raises(AdminError) as refused:
        served.organizer.create(spec_text(BOTS), "No id!")
    assert code(refused) == ("INVALID_ARGUMENT", "ID")
    assert served.organizer.tournaments() == []


def test_a_spec_is_refused_with_its_line(served):
    text = spec_text(BOTS).replace("games = 2", "games = 3")
    with pytest.raises(AdminError, match=r"^line 4: duplicate .* games") as refused:
        served.organizer.create(text)
    assert code(refused) == ("INVALID_ARGUMENT", "SPEC")
    assert refused.value.metadata == {"line": "4"}
    assert served.organizer.tournaments() == []


def test_a_spec_that_is_only_checked_is_not_stored(served):
    checked = served.organizer.create(spec_text(BOTS), check_only=True)
    assert checked.progress.total == 3
    assert checked.tournament_id == ""
    assert served.organizer.tournaments() == []


def test_start_names_bots_that_are_not_there(served):
    registered(served, ["bob"])
    served.organizer.create(spec_text(BOTS))
    with pytest.raises(AdminError, match="not registered: ada, cyd") as refused:
        served.organizer.start("test")
    assert code(refused) == ("FAILED_PRECONDITION", "BOTS")
    assert served.organizer.get("test").state == pb.TOURNAMENT_STATE_CREATED


def test_start_pause_start_cancel(served):
    registered(served)
    admin = served.organizer
    admin.create(spec_text(BOTS))
    assert admin.start("test").state == pb.TOURNAMENT_STATE_SCHEDULING
    assert admin.start("test").state == pb.TOURNAMENT_STATE_SCHEDULING
    assert admin.pause("test").state == pb.TOURNAMENT_STATE_PAUSED
    assert admin.start("test").state == pb.TOURNAMENT_STATE_SCHEDULING
    cancelled = admin.cancel("test", "rain")
    assert cancelled.state == pb.TOURNAMENT_STATE_CANCELLED
    assert cancelled.note == "rain"
    with pytest.raises(AdminError, match="it is cancelled") as refused:
        admin.start("test")
    assert code(refused) == ("FAILED_PRECONDITION", "STATE")


@pytest.mark.parametrize("call", ["get", "start", "pause", "cancel", "standings"])
def test_an_unknown_tournament_is_named(served, call):
    with pytest.raises(AdminError, match="'nothing'") as refused:
        getattr(served.organizer, call)("nothing")
    assert code(refused) == ("NOT_FOUND", "TOURNAMENT")


def test_starting_enqueues_the_schedule(served):
    registered(served)
    served.organizer.create(spec_text(BOTS))
    served.organizer.start("test")
    assert served.store.matches.depths().tasks == 1


def test_pairings_are_listed_before_they_are_matches(served):
    admin = served.organizer
    admin.create(spec_text(BOTS, cycles=500), "cup")
    pairings = list(admin.pairings("cup"))
    assert [p.index for p in pairings] == list(range(1500))
    assert pairings[7].match_id == "cup-m7"
    assert pairings[7].bots == [*pairings[7].entrants] * 2
    assert not any(p.scheduled for p in pairings)


def test_too_large_a_page_is_refused(served):
    served.organizer.create(spec_text(BOTS), "cup")
    admin = served.organizer
    with pytest.raises(AdminError, match="1000") as refused:
        admin._call(
            admin._tournaments.ListPairings,
            pb.ListPairingsRequest(tournament_id="cup", count=1001),
        )
    assert code(refused) == ("INVALID_ARGUMENT", "PAGE")


def test_standings_are_there_after_the_first_result(served):
    start(served.store, BOTS, "cup")
    admin = served.organizer
    assert admin.standings("cup") is None
    referee = FakeReferee(served.store, dict.fromkeys(BOTS, 8))
    dispatch(served.store)
    assert len(referee.play()) == 3
    derive(served.store, "cup")
    table = admin.standings("cup")
    assert (table.results, table.total, table.final) == (3, 3, True)
    assert table.unit == "duplicate pair"
    assert [row.rank for row in table.rows] == sorted(row.rank for row in table.rows)
    assert {row.entrant for row in table.rows} == set(BOTS)
    assert all(row.games == 4 and row.interval > 0 for row in table.rows)
    cells = table.crosstable
    assert len(cells) == 3
    assert cells[0].cells[0].won + cells[0].cells[0].lost == 0
    assert cells[0].cells[1].won == cells[1].cells[0].lost == 1


def test_a_watcher_sees_a_tournament_to_its_end(served):
    registered(served)
    admin = served.organizer
    admin.create(spec_text(BOTS), "cup")
    seen = []
    first = threading.Event()

    def watch():
        for change in served.as_(Role.OPERATOR).watch("cup", standings=True):
            seen.append(change)
            first.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert first.wait(60)
    admin.start("cup")
    schedule(served.store, "cup")
    referee = FakeReferee(served.store, dict.fromkeys(BOTS, 8))
    dispatch(served.store)
    referee.play()
    derive(served.store, "cup")
    watcher.join(60)
    assert not watcher.is_alive()
    assert seen[0].tournament.state == pb.TOURNAMENT_STATE_CREATED
    assert not seen[0].HasField("standings")
    assert seen[-1].tournament.state == pb.TOURNAMENT_STATE_FINISHED
    assert seen[-1].tournament.progress.finished == 3
    assert [c.standings.final for c in seen if c.HasField("standings")][-1]


def test_watching_what_is_over_ends_at_once(served):
    admin = served.organizer
    admin.create(spec_text(BOTS), "cup")
    admin.cancel("cup")
    (only,) = admin.watch("cup")
    assert only.tournament.state == pb.TOURNAMENT_STATE_CANCELLED


def test_too_many_watchers_are_turned_away(served, monkeypatch):
    monkeypatch.setattr("arena.admin.watching.WATCHERS", 1)
    admin = served.organizer
    admin.create(spec_text(BOTS), "cup")
    stream = admin.watch("cup")
    next(stream)
    with pytest.raises(AdminError, match="limit watchers") as refused:
        list(admin.watch("cup"))
    assert code(refused) == ("RESOURCE_EXHAUSTED", "LIMIT")
    stream.close()

    def watched_again():
        try:
            return next(admin.watch("cup"))
        except AdminError:
            return None

    wait_for(watched_again, about="the place of a watcher who left is free again")

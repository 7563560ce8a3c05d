"""An empty store made anew from the records: the same to the byte."""

from __future__ import annotations

import json
from pathlib import Path

from arena.admin.desk import Desk
from arena.admin.keeping import Keeper
from arena.admin.server import AdminConfig
from arena.archive import cups
from arena.archive.restoring import restore
from arena.store import Embedded, Store
from arena.store.types import MatchState, Role, TournamentState
from tests.admin.rig import in_a_loop
from tests.archive.played import ID, Played, call, local, told
from tests.support.tournaments import FakeReferee, dispatch
from workers.settling import derive


def shown(store: Store, records: Path, data: Path) -> Played:
    """What organizers are shown by services on a store."""
    token = data / "organizer.token"
    token.write_text(store.tokens.issue(Role.ORGANIZER, "me"))
    token.chmod(0o600)
    with in_a_loop(AdminConfig(records, port=0), store) as address:
        return told(address, token, data)


def test_standings_and_export_are_the_same_to_the_byte(
    played: Played, valkey: Embedded, store: Store, tmp_path: Path
) -> None:
    assert store.tournaments.all() == []
    found = local(valkey, tmp_path, "restore", "--from", str(played.records))
    counts = {"results": 3, "total": 3}
    assert found["tournaments"] == [
        {"tournament": ID, "state": "finished", **counts, "unregistered": [], "problems": []}
    ]
    again = shown(store, played.records, tmp_path)
    assert again.standings == played.standings
    assert again.exported == played.exported
    assert len([name for name in again.exported if name.startswith("records/")]) == 3
    assert local(valkey, tmp_path, "audit")["differences"] == []


def test_what_the_store_has_is_left_as_it_is(
    played: Played, valkey: Embedded, store: Store, tmp_path: Path
) -> None:
    local(valkey, tmp_path, "restore")
    before = store.tournaments.get(ID)
    (found,) = local(valkey, tmp_path, "restore", status=1)["tournaments"]
    assert found["problems"] == [f"there is a tournament '{ID}' already; left as it is"]
    assert store.tournaments.get(ID) == before


def test_a_restore_that_was_broken_off_is_begun_again(
    played: Played, valkey: Embedded, store: Store, tmp_path: Path
) -> None:
    store.restoring.begin(cups.read(cups.path_of(played.records, ID)))
    assert store.tournaments.get(ID).state is TournamentState.PAUSED
    local(valkey, tmp_path, "restore")
    assert shown(store, played.records, tmp_path).exported == played.exported


def test_a_torn_record_is_cut_and_its_match_played_again(
    played: Played, valkey: Embedded, store: Store, tmp_path: Path
) -> None:
    record = played.records / ID / f"{ID}-m1.jsonl"
    whole = record.read_bytes()
    record.write_bytes(whole[:-20])
    (found,) = local(valkey, tmp_path, "restore", status=1)["tournaments"]
    assert (found["state"], found["results"]) == ("paused", 2)
    assert found["unregistered"] == ["ada", "bob", "cyd"]
    assert len(found["problems"]) == 1
    assert "cut short; cut after line" in found["problems"][0]
    assert whole.startswith(record.read_bytes())
    assert record.read_bytes().endswith(b"\n")
    tournament = store.tournaments.get(ID)
    assert "arena tournament start" in tournament.note
    assert store.matches.get(f"{ID}-m1").state is MatchState.SCHEDULED
    # It goes on: the match is placed, finished, and the tournament with it.
    referee = FakeReferee(store, dict.fromkeys(("ada", "bob", "cyd"), 8))
    store.tournaments.resume(ID)
    assert dispatch(store) == [f"{ID}-m1"]
    referee.play()
    derive(store, ID)
    assert store.tournaments.get(ID).state is TournamentState.FINISHED
    fresh = store.standings.get(ID)
    assert fresh is not None
    assert fresh.results == 3


def test_a_damaged_record_is_named_and_not_believed(
    played: Played, valkey: Embedded, store: Store, tmp_path: Path
) -> None:
    record = played.records / ID / f"{ID}-m0.jsonl"
    text = record.read_bytes()
    record.write_bytes(text.replace(b'"score": [0, 0]', b'"score": [0, 1]', 1))
    assert record.read_bytes() != text
    (found,) = local(valkey, tmp_path, "restore", status=1)["tournaments"]
    assert found["results"] == 2
    assert "is not as written; left as it is, not restored" in found["problems"][0]


def test_a_tournaments_file_is_written_when_it_is_made_and_when_it_ends(
    store: Store, tmp_path: Path, played: Played
) -> None:
    records = tmp_path / "elsewhere"
    records.mkdir()
    spec = tmp_path / "spec.toml"
    spec.write_bytes(played.exported["spec.toml"])
    token = tmp_path / "token"
    token.write_text(store.tokens.issue(Role.ORGANIZER, "me"))
    token.chmod(0o600)
    with in_a_loop(AdminConfig(records, port=0), store) as address:
        call(address, token, "tournament", "create", str(spec))
        made = cups.read(cups.path_of(records, ID))
        assert made["state"] == "created"
        assert made["text"] == spec.read_text()
        assert cups.path_of(records, ID).stat().st_mode & 0o777 == 0o600
        call(address, token, "tournament", "cancel", ID)
        path = cups.path_of(records, ID)
        for _ in range(600):
            if cups.read(path)["state"] == "cancelled":
                break
            call(address, token, "tournament", "list")
        assert cups.read(path)["state"] == "cancelled"
    ended = cups.read(cups.path_of(played.records, ID))
    assert ended["state"] == "finished"
    table = json.loads(played.standings)
    assert ended["standings"]["derived"] == table["derived_ms"]
    assert ended["standings"]["final"]


def test_a_tournament_never_started_or_cancelled_comes_back_so(
    store: Store, valkey: Embedded, tmp_path: Path, played: Played
) -> None:
    path = cups.path_of(played.records, ID)
    facts = dict(cups.read(path))
    for name, state, started in (("young", "created", 0), ("gone", "cancelled", 5)):
        empty = {"cursor": 0, "standings": None, "voided": 0, "finished": 0}
        cups.write(
            played.records,
            facts | empty | {"tournament": name, "state": state, "started": started},
        )
    local(valkey, tmp_path, "restore")
    assert store.tournaments.get("young").state is TournamentState.CREATED
    assert store.tournaments.get("gone").state is TournamentState.CANCELLED
    assert local(valkey, tmp_path, "audit")["differences"] == []
    store.tournaments.start("young")


def test_a_tournament_being_restored_does_not_spoil_its_own_file(
    store: Store, tmp_path: Path, played: Played
) -> None:
    """The services keep files as the store has them; of a restore broken off that is too little."""
    path = cups.path_of(played.records, ID)
    before = path.read_bytes()
    store.restoring.begin(cups.read(path))
    keeper = Keeper(Desk(store), played.records)
    keeper.look()
    assert path.read_bytes() == before
    restore(store, played.records)
    keeper.look()
    assert cups.read(path) == json.loads(before)["facts"]


def test_records_the_store_has_forgotten_are_not_written_over(
    store: Store, tmp_path: Path, played: Played
) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_bytes(played.exported["spec.toml"])
    token = tmp_path / "token"
    token.write_text(store.tokens.issue(Role.ORGANIZER, "me"))
    token.chmod(0o600)
    before = cups.path_of(played.records, ID).read_bytes()
    with in_a_loop(AdminConfig(played.records, port=0), store) as address:
        refused = call(address, token, "tournament", "create", str(spec), "--id", ID, status=4)
        assert "`arena restore` brings it back" in refused.stderr
        made = call(address, token, "tournament", "create", str(spec)).stdout
        assert made.split()[0] == f"{ID}-2"
    assert cups.path_of(played.records, ID).read_bytes() == before

"""Admin services on a real Valkey, called over real gRPC, and the commands that call them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.admin.server import AdminConfig
from arena.cli import cli
from arena.store import Store
from arena.store.types import Role
from tests.admin.rig import BOTS, Served, in_a_loop
from tests.support.tournaments import RESULT, FakeReferee, dispatch, spec_text
from tests.support.valkey import store, valkey
from workers.scheduling import schedule
from workers.settling import derive

__all__ = ["store", "valkey"]


@pytest.fixture
def served(store: Store, tmp_path: Path) -> Iterator[Served]:
    """Services on a free port, in a thread with a loop of its own."""
    records = tmp_path / "records"
    records.mkdir()
    with in_a_loop(AdminConfig(records, port=0), store) as address:
        found = Served(address, store, records)
        yield found
        found.close()


@pytest.fixture
def arena(served, tmp_path, monkeypatch):
    """Call a command as an organizer; the result of click's runner."""
    token = tmp_path / "organizer.token"
    token.write_text(served.store.tokens.issue(Role.ORGANIZER, "me") + "\n")
    token.chmod(0o600)
    monkeypatch.setenv("ARENA_SERVER", served.address)
    monkeypatch.setenv("ARENA_TOKEN_FILE", str(token))
    monkeypatch.chdir(tmp_path)

    def call(*words, status=0, **kwargs):
        result = CliRunner().invoke(cli, words, **kwargs)
        assert result.exit_code == status, (result.output, result.exception)
        return result

    return call


@pytest.fixture
def friday(tmp_path):
    """A spec file of the three bots."""
    file = tmp_path / "friday.toml"
    file.write_text(spec_text(BOTS).replace('"test"', '"Friday night"'))
    return str(file)


@pytest.fixture
def over(arena, served, friday, tmp_path):
    """The tournament of that file, played; every match has a record."""
    for bot in BOTS:
        arena("bot", "register", bot)
    arena("tournament", "create", friday, "--start")
    schedule(served.store, "friday-night")
    referee = FakeReferee(served.store, dict.fromkeys(BOTS, 8))
    dispatch(served.store)
    folder = served.records / "friday-night"
    folder.mkdir(exist_ok=True)
    for number, message in enumerate(referee.orders()):
        record = f"friday-night/{message.match_id}.jsonl"
        (served.records / record).write_text(f'{{"match": "{message.match_id}"}}\n')
        result = {**RESULT, "faults": [{}, {"timeout": number}]}
        lease = referee.lease(message.match_id)
        counts = {"games": 2}
        assert served.store.matches.finish(lease, result, record=record, counts=counts).stands
    derive(served.store, "friday-night")
    return "friday-night"

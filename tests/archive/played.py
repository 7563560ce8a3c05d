"""A tournament really played: a referee, admin services, bots through the SDK; the workers' part is
done by calling it, as they would."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from arena.admin.server import AdminConfig, AdminServer
from arena.cli import cli
from arena.store import Embedded, Store
from arena.store.types import Role, TournamentState
from tests.referee.rig import Bold, Rig, until
from tests.support.tournaments import dispatch
from workers.scheduling import schedule
from workers.settling import derive

BOTS = ("ada", "bob", "cyd")
SPEC = """\
name = "Friday night"
seed = "s"
[match]
games = 2
duplicate = true
stake_per_point = 3
skunk = true
[format]
kind = "round-robin"
[entrants]
bots = ["ada", "bob", "cyd"]
"""
ID = "friday-night"


@dataclass(frozen=True)
class Played:
    """What the tournament left."""

    records: Path
    exported: dict[str, bytes]
    standings: str


def call(server: str, token: Path, *words: str, status: int = 0) -> Result:
    """Run an `arena` command as an organizer."""
    env = {"ARENA_SERVER": server, "ARENA_TOKEN_FILE": str(token)}
    result = CliRunner().invoke(cli, words, env=env)
    assert result.exit_code == status, (result.output, result.exception)
    return result


def local(valkey: Embedded, data: Path, *words: str, status: int = 0) -> Any:
    """Run an `arena` command that reads the store, with --json; what it printed."""
    env = {"ARENA_REDIS_URL": valkey.settings.url, "ARENA_DATA": str(data)}
    result = CliRunner().invoke(cli, [*words, "--json"], env=env)
    assert result.exit_code == status, (result.output, result.exception)
    return json.loads(result.stdout)


async def play(valkey: Embedded, data: Path) -> Played:
    """Play it to its end, and export it."""
    store = Store.connect(valkey.settings)
    rig = Rig(store, data)
    await rig.start()
    server = AdminServer(AdminConfig(data / "records", port=0), store)
    await server.start()
    try:
        token = data / "organizer.token"
        token.write_text(store.tokens.issue(Role.ORGANIZER, "me"))
        token.chmod(0o600)
        for bot in BOTS:
            rig.token(bot)
        spec = data / "friday.toml"
        spec.write_text(SPEC)
        at = server.address
        await asyncio.to_thread(call, at, token, "tournament", "create", str(spec), "--start")
        await asyncio.to_thread(schedule, store, ID)
        for bot in BOTS:
            rig.play(bot, Bold())

        def over() -> bool:
            dispatch(store)
            derive(store, ID)
            return store.tournaments.get(ID).state is TournamentState.FINISHED

        await until(over, "the tournament is over")
        server._keeper.look()  # what its task does every second
        return await asyncio.to_thread(told, at, token, data)
    finally:
        await server.stop()
        await rig.close()
        store.close()


def told(at: str, token: Path, data: Path) -> Played:
    """What organizers are shown of it."""
    out = data / "export"
    call(at, token, "tournament", "export", ID, "-o", str(out))
    standings = call(at, token, "tournament", "standings", ID, "--json").stdout
    exported = {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }
    return Played(data / "records", exported, standings)

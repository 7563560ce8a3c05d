"""What is revoked is void at once: tokens, tickets, and the streams opened with them."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner
from euchre_arena.wire import pb

from arena.admin.client import Admin, AdminError
from arena.admin.server import AdminConfig
from arena.cli import cli
from arena.referee.admission import Admission
from arena.referee.config import RefereeConfig
from arena.referee.refusal import RefusedError
from arena.referee.session import Roster
from arena.store import Embedded, Store
from arena.store.types import Principal, Role
from tests.admin.rig import in_a_loop
from tests.referee.rig import RawBot, Rig, until
from tests.support.tournaments import create


async def test_a_rotated_token_ends_the_open_stream_and_the_new_one_plays(rig: Rig) -> None:
    await rig.start()
    bot = await rig.bot("mia")
    rig.tokens["mia"] = await asyncio.to_thread(rig.store.bots.rotate, "mia")
    _, text, _ = await bot.status()
    assert text == "the token of mia is void now"
    await rig.bot("mia")


async def test_a_resume_token_is_no_good_without_the_bots_token(rig: Rig) -> None:
    """Revoked while it is away, a bot does not come back within its grace."""
    await rig.start()
    bot = await rig.bot("mia")
    resume = bot.welcome.resume_token
    await bot.close()
    await until(lambda: not rig.referee.roster.connected("mia"), "it is away")
    await asyncio.to_thread(rig.store.bots.revoke, "mia")
    again = await rig.stranger("mia", resume_token=resume)
    _, _, info = await again.status()
    assert info.reason == "TOKEN"


async def test_a_ticket_of_a_revoked_bot_is_void(rig: Rig) -> None:
    await rig.start()
    rig.token("mia")
    ticket = rig.referee.admission.ticket("mia")
    other = rig.referee.admission.ticket("ned")
    await asyncio.to_thread(rig.store.bots.revoke, "mia")
    await until(lambda: len(rig.referee.admission._tickets) == 1, "the referee was told")
    bot = RawBot(rig.referee.address, ticket)
    rig.raw.append(bot)
    await bot.hello()
    _, _, info = await bot.status()
    assert info.reason == "TOKEN"
    good = RawBot(rig.referee.address, other)
    rig.raw.append(good)
    await good.hello()
    assert (await good.frame()).welcome.bot == "ned"


async def test_a_token_revoked_while_it_is_looked_up_opens_nothing() -> None:
    """The store said yes, then the token was revoked, then its stream would have begun."""
    looking, told = threading.Event(), threading.Event()
    answers = iter([Principal(Role.BOT, "mia"), None])

    def check(token: str) -> Principal | None:
        found = next(answers)
        looking.set()
        assert told.wait(60)
        return found

    admission = Admission(RefereeConfig(), Roster(), check)
    entering = asyncio.create_task(
        admission.admit(pb.Hello(protocol=1, token="x" * 64, capacity=1))
    )
    assert await asyncio.to_thread(looking.wait, 60)
    admission.revoked("mia")
    told.set()
    with pytest.raises(RefusedError, match="the token is not known here"):
        await entering


def test_an_organizers_open_stream_ends_when_the_token_is_void(
    store: Store, tmp_path: Path
) -> None:
    create(store, ["ada", "bob"], "cup")
    with in_a_loop(AdminConfig(tmp_path, port=0), store) as address:
        token = store.tokens.issue(Role.ORGANIZER, "olga")
        with Admin(address, token) as admin:
            changes = admin.watch("cup")
            assert next(changes).tournament.tournament_id == "cup"
            store.tokens.revoke(Role.ORGANIZER, "olga")
            with pytest.raises(AdminError, match="the token is not known here") as error:
                for _ in changes:
                    pass
            assert error.value.code == "UNAUTHENTICATED"


def test_an_operator_watching_a_match_is_shown_no_more(
    rig: Rig, tmp_path: Path, store: Store
) -> None:
    """`WatchMatch` of a match nobody plays on: the stream stands open, and is ended."""
    (match,) = rig.order("ada", "bob")
    with in_a_loop(AdminConfig(tmp_path, port=0), store) as address:
        token = store.tokens.issue(Role.OPERATOR, "otto")
        with Admin(address, token) as admin:
            told = admin.watch_match(match)
            store.tokens.revoke(Role.OPERATOR, "otto")
            with pytest.raises(AdminError, match="the token is not known here"):
                next(told)


def arena(valkey: Embedded, *words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli, words, env={"ARENA_REDIS_URL": valkey.settings.url})
    assert result.exit_code == status, result.output
    return result.stdout if status == 0 else result.stderr


def test_tokens_are_handed_out_listed_and_taken_back(
    store: Store, valkey: Embedded, tmp_path: Path
) -> None:
    token = arena(valkey, "token", "issue", "organizer", "olga").strip()
    assert len(token) == 64
    assert store.tokens.check(token) == Principal(Role.ORGANIZER, "olga")
    file = tmp_path / "otto.token"
    arena(valkey, "token", "issue", "operator", "otto", "-o", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    assert store.tokens.check(file.read_text().strip()) == Principal(Role.OPERATOR, "otto")
    store.bots.register("mia")
    listed = json.loads(arena(valkey, "token", "list", "--json"))
    assert listed == [
        {"role": "operator", "name": "otto"},
        {"role": "organizer", "name": "olga"},
    ]
    again = arena(valkey, "token", "issue", "organizer", "olga").strip()
    assert store.tokens.check(token) is None
    arena(valkey, "token", "revoke", "organizer", "olga")
    assert store.tokens.check(again) is None
    assert "olga has no organizer's token" in arena(
        valkey, "token", "revoke", "organizer", "olga", status=1
    )
    arena(valkey, "token", "issue", "bot", "mia", status=2)

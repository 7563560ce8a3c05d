"""Operators read and drain; nobody's token shows cards, or what deals them, before a match ends."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.admin.client import Admin, AdminError
from arena.admin.server import AdminConfig
from arena.cli import cli
from arena.store import Store
from arena.store.types import Role
from tests.admin.rig import in_a_loop
from tests.e2e.halls import hall
from tests.e2e.halls import until as eventually
from tests.referee.rig import Bold, Calm, Rig, until
from tests.support.tournaments import spec_text


def call(address: str, token: Path, *words: str, status: int = 0) -> str:
    env = {"ARENA_SERVER": address, "ARENA_TOKEN_FILE": str(token)}
    result = CliRunner().invoke(cli, words, env=env)
    assert result.exit_code == status, result.output
    return result.output


async def test_an_operator_lists_referees_and_drains_one(rig: Rig, tmp_path: Path) -> None:
    await rig.start(name="north")
    drained = asyncio.Event()
    rig.referee.on_drain = drained.set
    token = tmp_path / "operator.token"
    token.write_text(rig.store.tokens.issue(Role.OPERATOR, "otto"))
    token.chmod(0o600)
    with in_a_loop(AdminConfig(tmp_path, port=0), rig.store) as address:

        async def arena(*words: str, status: int = 0) -> str:
            return await asyncio.to_thread(call, address, token, *words, status=status)

        (found,) = json.loads(await arena("referees", "--json"))
        assert found["address"] == rig.referee.address
        assert found["name"] in await arena("referees")
        assert "told to drain" in await arena("drain", found["name"])
        await asyncio.wait_for(drained.wait(), 60)
        assert "there is no referee 'south'" in await arena("drain", "south", status=4)


@pytest.mark.slow
def test_a_drained_referee_ends_and_is_started_again(tmp_path: Path) -> None:
    """Under `arena up`, with the token of an operator."""
    with hall(tmp_path / "data") as running:
        token = ["--token-file", str(running.data.operator_token)]
        before = running.data.announced("referee")["pid"]
        (found,) = json.loads(running.arena("referees", "--json", *token))
        running.arena("drain", found["name"], *token)
        eventually(
            lambda: running.data.announced("referee").get("pid") not in (None, before),
            "another referee",
        )
        assert "draining" in running.data.log("referee").read_text()
        (fresh,) = json.loads(running.arena("referees", "--json", *token))
        assert fresh["name"] != found["name"]
        assert fresh["address"] == found["address"]


async def test_no_token_shows_cards_or_secret_of_a_running_match(rig: Rig, tmp_path: Path) -> None:
    """Everything both roles can be told of a match under way, against its secret and its hands."""
    await rig.start()
    rig.play("ada", Calm())
    rig.play("bob", Calm())
    (match,) = rig.order("ada", "bob", match_format={"games": 1000})
    await rig.place(match)
    engine = rig.referee.engine
    await until(lambda: match in engine.hosted, "it plays")
    hosted = engine.hosted[match]
    await until(lambda: hosted.decisions > 20, "it is under way")
    secret = hosted.secret.hex()
    folder = rig.data / "records"
    (part,) = folder.glob(f"*/{match}.jsonl.*.part")
    assert folder.stat().st_mode & 0o077 == 0, "only the service's user reads records under way"
    store = rig.store

    def told(role: Role) -> str:
        said = []
        with (
            in_a_loop(AdminConfig(folder, port=0), store) as address,
            Admin(address, store.tokens.issue(role, "me")) as admin,
        ):
            with pytest.raises(AdminError, match="can be read when the match is over") as error:
                list(admin.record(match))
            said.append(str(error.value))
            for name in (f"../{part.name}", part.name, f"{match}.jsonl"):
                with pytest.raises(AdminError):
                    list(admin.record(name))
            tournament = match.rpartition("-m")[0]
            said += [str(each) for each in admin.matches(tournament)]
            said += [str(admin.standings(tournament)), str(admin.bots()), str(admin.referees())]
            watched = admin.watch_match(match, from_start=True)
            said += [str(next(watched)) for _ in range(20)]
        return "\n".join(said)

    for role in (Role.ORGANIZER, Role.OPERATOR):
        text = await asyncio.to_thread(told, role)
        assert match in text
        assert secret not in text
        assert '"hands"' not in text


SPECS = {
    "as usual": '[match]\nsecret_seed = "rosebud"',
    "with a comment": '[match]\n  secret_seed="rosebud" # mine',
    "quoted": '[match]\n"secret_seed" = "rosebud"',
    "over several lines": '[match]\nsecret_seed = """\nrosebud"""',
    "escaped": '[match]\nsecret_seed = "rose\\u0062ud"',
}


@pytest.mark.parametrize("written", SPECS.values(), ids=SPECS)
def test_the_seed_of_the_deals_is_hidden_until_the_tournament_is_over(
    written: str, store: Store, tmp_path: Path
) -> None:
    text = spec_text(["ada", "bob"]).replace("[match]", written)
    with (
        in_a_loop(AdminConfig(tmp_path / "records", port=0), store) as address,
        Admin(address, store.tokens.issue(Role.ORGANIZER, "me")) as admin,
    ):
        shown = [admin.create(text, "cup"), admin.get("cup"), *admin.tournaments()]
        shown.append(next(admin.watch("cup")).tournament)
        for tournament in shown:
            assert tournament.seeded
            assert "osebud" not in tournament.spec
            assert "rose\\u" not in tournament.spec
            assert "hidden until the tournament is over" in tournament.spec
        assert admin.cancel("cup").spec == text


def test_a_spec_without_a_seed_is_shown_as_it_was_written(store: Store, tmp_path: Path) -> None:
    text = spec_text(["ada", "bob"])
    with (
        in_a_loop(AdminConfig(tmp_path / "records", port=0), store) as address,
        Admin(address, store.tokens.issue(Role.OPERATOR, "me")) as operator,
        Admin(address, store.tokens.issue(Role.ORGANIZER, "me")) as organizer,
    ):
        organizer.create(text, "cup")
        assert operator.get("cup").spec == text


async def test_a_secret_is_told_with_the_result_and_not_before(rig: Rig) -> None:
    """The store keeps no secret of a match under way; its result has it."""
    await rig.start()
    rig.play("ada", Bold())
    rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob", match_format={"games": 4})
    await rig.place(match)
    await rig.finished(match)
    found = rig.store.matches.result(match)
    assert found is not None
    assert len(found.secret) == 64

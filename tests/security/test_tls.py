"""TLS and mutual TLS with real certificates, renewed without a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from euchre_arena.client import AddressError, UnreachableError

from arena.admin.client import Admin, AdminError
from arena.admin.server import AdminConfig
from arena.store import Store
from arena.store.types import Role
from arena.tls import Credentials, Tls, TlsError
from tests.admin.rig import in_a_loop
from tests.referee.rig import Bold, Calm, Rig, Seen, until
from tests.support.certificates import Authority, Pair


def served(pair: Pair, callers: Path | None = None) -> Tls:
    return Tls(pair.certificate, pair.key, callers)


async def connected(rig: Rig, name: str, **settings: Any) -> Seen:
    """Play a bot and wait until it is in; what it ended with is raised."""
    seen = rig.play(name, Calm(), **{"give_up_s": 60, **settings})
    task = rig.players[-1]
    await until(lambda: task.done() or seen.stats.connections, f"{name} is in, or not")
    if task.done():
        rig.players.remove(task)
        task.result()
    return seen


NO_ENTRY = (UnreachableError, AddressError)
SOON = {"give_up_s": 1}
"""For who would try for ever."""


async def test_bots_play_over_tls_and_not_without(rig: Rig, ours: Authority) -> None:
    await rig.start(tls=served(ours.issue("server")))
    trust = {"ca": str(ours.certificate)}
    for name in ("ada", "bob"):
        rig.play(name, Bold(), **trust)
    (match,) = rig.order("ada", "bob")
    await rig.place(match)
    await rig.finished(match)
    with pytest.raises(NO_ENTRY):
        await connected(rig, "cyd", **SOON)


async def test_a_server_of_another_authority_is_not_spoken_to(
    rig: Rig, ours: Authority, theirs: Authority
) -> None:
    """No token is sent to whoever took the server's place."""
    await rig.start(tls=served(theirs.issue("server")))
    with pytest.raises(AddressError, match="certificate is not trusted"):
        await connected(rig, "ada", ca=str(ours.certificate))
    assert rig.referee.admission.handshakes == 0
    assert len(rig.referee.roster) == 0


async def test_mutual_tls_lets_in_only_who_shows_a_certificate(
    rig: Rig, ours: Authority, theirs: Authority
) -> None:
    await rig.start(tls=served(ours.issue("server"), callers=ours.certificate))
    trust = {"ca": str(ours.certificate)}
    with pytest.raises(NO_ENTRY):
        await connected(rig, "ada", **trust, **SOON)
    false = theirs.issue("ada")
    shown = {"cert": str(false.certificate), "key": str(false.key)}
    with pytest.raises(NO_ENTRY):
        await connected(rig, "ada", **shown, **trust, **SOON)
    good = ours.issue("ada")
    await connected(rig, "ada", cert=str(good.certificate), key=str(good.key), **trust)


async def test_certificates_are_renewed_without_a_restart(
    rig: Rig, ours: Authority, theirs: Authority
) -> None:
    """Open streams go on, whoever comes after meets the new certificate."""
    pair = ours.issue("server")
    await rig.start(tls=served(pair))
    before = await connected(rig, "ada", ca=str(ours.certificate))
    fresh = theirs.issue("server")
    pair.put_key(fresh)  # half of it is there: the old ones stay in use
    await connected(rig, "bob", ca=str(ours.certificate))
    pair.put_certificate(fresh)
    await connected(rig, "cyd", ca=str(theirs.certificate))
    with pytest.raises(AddressError, match="certificate is not trusted"):
        await connected(rig, "dan", ca=str(ours.certificate))
    (match,) = rig.order("ada", "cyd")
    await rig.place(match)
    await until(lambda: before.stats.decisions, "the old stream plays")
    assert before.stats.connections == 1


async def test_the_authority_of_callers_is_renewed_too(
    rig: Rig, ours: Authority, theirs: Authority, tmp_path: Path
) -> None:
    callers = tmp_path / "callers.pem"
    callers.write_bytes(ours.certificate.read_bytes())
    await rig.start(tls=served(ours.issue("server"), callers=callers))
    other = theirs.issue("ada")
    settings = {
        "ca": str(ours.certificate),
        "cert": str(other.certificate),
        "key": str(other.key),
    }
    with pytest.raises(NO_ENTRY):
        await connected(rig, "ada", **settings, **SOON)
    callers.write_bytes(ours.certificate.read_bytes() + theirs.certificate.read_bytes())
    await connected(rig, "ada", **settings)


def test_organizers_call_over_tls_with_a_certificate_of_theirs(
    store: Store, ours: Authority, theirs: Authority, tmp_path: Path
) -> None:
    config = AdminConfig(
        tmp_path, port=0, tls=served(ours.issue("server"), callers=ours.certificate)
    )
    token = store.tokens.issue(Role.ORGANIZER, "me")
    good, false = ours.issue("me"), theirs.issue("me")
    trust = {"ca": str(ours.certificate)}

    def shown(pair: Pair) -> dict[str, str]:
        return {"cert": str(pair.certificate), "key": str(pair.key)}

    with in_a_loop(config, store) as address:
        with Admin(address, token, **trust, **shown(good)) as admin:
            assert admin.bots() == []
        with (
            Admin(address, token, timeout_s=30, insecure=True) as admin,
            pytest.raises(AdminError, match=r"nobody answers at .* serves with TLS, --ca FILE"),
        ):
            admin.bots()
        for settings in ({}, trust, {**trust, **shown(false)}):
            with Admin(address, token, timeout_s=30, **settings) as admin:
                with pytest.raises(AdminError) as error:
                    admin.bots()
                assert error.value.unreachable
        with (
            Admin(address, token, ca=str(theirs.certificate), **shown(good)) as admin,
            pytest.raises(AdminError, match="certificate is not trusted: name the file"),
        ):
            admin.bots()


def test_another_machine_is_called_with_tls_unless_told_otherwise() -> None:
    with Admin("arena.example.org:7601", "x" * 64) as admin:
        assert admin._server.tls
    with Admin("arena.example.org:7601", "x" * 64, insecure=True) as admin:
        assert not admin._server.tls
    with pytest.raises(AdminError, match="--cert and --key belong together"):
        Admin("arena.example.org:7601", "x" * 64, cert="mine.pem")


def test_files_that_do_not_fit_are_named_before_anything_listens(
    ours: Authority, theirs: Authority, tmp_path: Path
) -> None:
    pair, other = ours.issue("server"), theirs.issue("server")
    Credentials(served(pair))
    with pytest.raises(TlsError, match=r"server\.pem.*do not fit together"):
        Credentials(Tls(pair.certificate, other.key))
    with pytest.raises(TlsError, match=r"nowhere\.key: No such file"):
        Credentials(Tls(pair.certificate, tmp_path / "nowhere.key"))
    with pytest.raises(TlsError, match="do not fit together"):
        Credentials(served(pair, callers=pair.key))

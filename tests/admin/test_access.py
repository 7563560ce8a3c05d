"""Who may call what: every method with every role, wrong tokens, and no token."""

from __future__ import annotations

import grpc
import pytest
from euchre_arena.v1 import bot_pb2, operator_pb2, record_pb2, tournament_pb2
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from arena.admin.client import Admin, AdminError
from arena.admin.server import SERVICES, AdminConfig
from arena.store import Embedded, Store
from arena.store.types import Role
from tests.admin.rig import in_a_loop
from tests.support.servers import free_port

FILES = (tournament_pb2, bot_pb2, record_pb2, operator_pb2)
METHODS = [
    method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]
CHANGES = {
    "CreateTournament",
    "StartTournament",
    "PauseTournament",
    "CancelTournament",
    "RegisterBot",
    "RotateBotToken",
    "RevokeBot",
}
STREAMS = {"WatchTournament", "GetRecord", "WatchMatch"}


def call(address, method, metadata):
    """Call any method with an empty request; the status it ends with."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    with grpc.insecure_channel(address) as channel:
        try:
            if method.name in STREAMS:
                list(channel.unary_stream(path)(b"", metadata=metadata, timeout=60))
            else:
                channel.unary_unary(path)(b"", metadata=metadata, timeout=60)
            return "OK", ""
        except grpc.RpcError as error:
            ended = error
    info = ErrorInfo()
    status = rpc_status.from_call(ended)
    assert status is not None, ended
    assert status.details[0].Unpack(info)
    assert info.domain == "euchre-arena"
    return ended.code().name, info.reason


def bearer(token):
    return (("authorization", f"Bearer {token}"),)


everything = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


@everything
def test_without_a_token_nothing_is_done(served, method):
    assert call(served.address, method, ()) == ("UNAUTHENTICATED", "TOKEN")


@everything
@pytest.mark.parametrize("token", ["", "wrong", "x" * 1_000])
def test_a_token_that_is_not_known_opens_nothing(served, method, token):
    assert call(served.address, method, bearer(token)) == ("UNAUTHENTICATED", "TOKEN")


@everything
def test_a_bots_token_opens_nothing(served, method):
    token = served.store.bots.register("mine")
    assert call(served.address, method, bearer(token)) == ("PERMISSION_DENIED", "ROLE")


@everything
def test_an_operator_reads_and_changes_nothing(served, method):
    token = served.store.tokens.issue(Role.OPERATOR, "ops")
    code, reason = call(served.address, method, bearer(token))
    if method.name in CHANGES:
        assert (code, reason) == ("PERMISSION_DENIED", "ROLE")
    else:
        assert code in ("OK", "NOT_FOUND")
    assert served.store.bots.all() == []
    assert served.store.tournaments.all() == []


@everything
def test_an_organizer_may_call_everything(served, method):
    token = served.store.tokens.issue(Role.ORGANIZER, "me")
    code, _ = call(served.address, method, bearer(token))
    assert code in ("OK", "NOT_FOUND", "INVALID_ARGUMENT")


def test_a_token_is_void_once_replaced(served):
    token = served.store.tokens.issue(Role.ORGANIZER, "me")
    assert served.with_token(token).bots() == []
    served.store.tokens.issue(Role.ORGANIZER, "me")
    with pytest.raises(AdminError, match="not known here") as refused:
        served.with_token(token).bots()
    assert refused.value.code == "UNAUTHENTICATED"


def test_what_is_refused_says_which_role_is_needed(served):
    with pytest.raises(AdminError, match=r"needs an organizer's token; .* an operator's"):
        served.as_(Role.OPERATOR).register("mine")


def test_health_needs_no_token(served):
    with grpc.insecure_channel(served.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        for name in ("", *SERVICES):
            answer = stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=60)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_an_address_that_is_taken_is_named(served, store):
    port = int(served.address.rpartition(":")[2])
    with (
        pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}"),
        in_a_loop(AdminConfig(served.records, port=port), store),
    ):
        pass


def test_where_nobody_listens_the_error_says_what_to_start():
    with (
        Admin(f"127.0.0.1:{free_port()}", "t") as admin,
        pytest.raises(AdminError, match=r"nobody answers at .*arena up") as refused,
    ):
        admin.bots()
    assert refused.value.unreachable


def test_a_store_that_is_away_is_said_so(tmp_path):
    """The services outlive their Valkey: UNAVAILABLE, and good again when it is back."""
    with Embedded(tmp_path / "data", free_port()) as valkey:
        store = Store.connect(valkey.settings)
        token = store.tokens.issue(Role.ORGANIZER, "me")
        with (
            in_a_loop(AdminConfig(tmp_path, port=0), store) as address,
            Admin(address, token) as admin,
        ):
            assert admin.bots() == []
            valkey.stop()
            with pytest.raises(AdminError, match="the store is away") as refused:
                admin.bots()
            assert (refused.value.code, refused.value.reason) == ("UNAVAILABLE", "STORE")
            assert not refused.value.unreachable
            valkey.start()
            assert admin.bots() == []
        store.close()

from __future__ import annotations

import json

import pytest
from euchre_arena.v1 import record_pb2 as pb

from arena.admin.client import AdminError
from arena.admin.records import read_pieces
from arena.store.types import Role
from tests.support.tournaments import RESULT, FakeReferee, dispatch, start

BOTS = ["ada", "bob", "cyd"]


def code(refused):
    return refused.value.code, refused.value.reason


def test_a_bots_token_is_told_once_and_works(served):
    bot, token = served.organizer.register("mine")
    assert bot.name == "mine"
    assert bot.created_ms > 0
    assert not bot.connected
    assert served.store.tokens.check(token).name == "mine"
    assert served.organizer.bots() == [bot]
    assert token not in str(served.organizer.bots())


def test_a_name_is_taken_once(served):
    served.organizer.register("mine")
    with pytest.raises(AdminError, match="'mine'") as refused:
        served.organizer.register("mine")
    assert code(refused) == ("ALREADY_EXISTS", "BOT")


@pytest.mark.parametrize("name", ["", "My Bot", "-x", "x" * 65, "a/../b"])
def test_a_name_that_is_none_is_refused(served, name):
    with pytest.raises(AdminError) as refused:
        served.organizer.register(name)
    assert code(refused) == ("INVALID_ARGUMENT", "BOT")
    assert served.organizer.bots() == []


def test_rotating_voids_the_old_token(served):
    _, old = served.organizer.register("mine")
    _, new = served.organizer.rotate("mine")
    assert served.store.tokens.check(old) is None
    assert served.store.tokens.check(new).name == "mine"


def test_revoking_voids_it_for_good(served):
    _, token = served.organizer.register("mine")
    assert served.organizer.revoke("mine").revoked
    assert served.store.tokens.check(token) is None
    with pytest.raises(AdminError):
        served.organizer.register("mine")


@pytest.mark.parametrize("call", ["rotate", "revoke"])
def test_an_unknown_bot_is_named(served, call):
    with pytest.raises(AdminError, match="'nobody'") as refused:
        getattr(served.organizer, call)("nobody")
    assert code(refused) == ("NOT_FOUND", "BOT")


def played(served, lines=b'{"line": "match"}\n{"line": "result"}\n'):
    """A tournament of three matches, the first over and with a record."""
    start(served.store, BOTS, "cup")
    referee = FakeReferee(served.store, dict.fromkeys(BOTS, 8))
    dispatch(served.store)
    first = next(m.match_id for m in referee.orders() if m.match_id.endswith("-m0"))
    name = f"cup/{first}.jsonl"
    (served.records / "cup").mkdir(exist_ok=True)  # the server may have looked already
    (served.records / name).write_bytes(lines)
    result = {**RESULT, "faults": [{}, {"timeout": 3}]}
    assert served.store.matches.finish(referee.lease(first), result, record=name).stands
    return first


def test_matches_are_listed_with_their_outcomes(served):
    first = played(served)
    matches = list(served.as_(Role.OPERATOR).matches("cup"))
    assert [m.index for m in matches] == [0, 1, 2]
    assert matches[0].match_id == first
    assert matches[0].state == pb.MATCH_STATE_FINISHED
    assert matches[0].attempts == 1
    assert list(matches[0].outcome.won) == RESULT["won"]
    assert list(matches[0].outcome.units) == RESULT["units"]
    assert dict(matches[0].outcome.faults[1].kinds) == {"timeout": 3}
    assert matches[1].state == pb.MATCH_STATE_QUEUED
    assert not matches[1].HasField("outcome")
    assert [m.index for m in served.organizer.matches("cup", finished=True)] == [0]


def test_matches_come_page_by_page(served):
    start(served.store, BOTS, "cup", cycles=400)
    assert [m.index for m in served.organizer.matches("cup")] == list(range(1200))


def test_a_record_is_given_out_whole(served):
    lines = b"".join(json.dumps({"n": n, "x": "y" * 500}).encode() + b"\n" for n in range(2000))
    first = played(served, lines)
    pieces = list(served.as_(Role.OPERATOR).record(first))
    assert b"".join(pieces) == lines
    assert len(pieces) > 1
    assert all(piece.endswith(b"\n") for piece in pieces)


def test_a_record_of_a_match_under_way_is_not_given_out(served):
    played(served)
    with pytest.raises(AdminError, match="when the match is over") as refused:
        list(served.organizer.record("cup-m1"))
    assert code(refused) == ("FAILED_PRECONDITION", "STATE")


def test_a_cancelled_match_has_no_record_and_will_have_none(served):
    first = played(served)
    served.store.tournaments.cancel("cup")
    for match_id in ("cup-m1", "cup-m2"):
        with pytest.raises(AdminError, match=r"cancelled .* no record") as refused:
            list(served.organizer.record(match_id))
        assert code(refused) == ("FAILED_PRECONDITION", "STATE")
    assert list(served.organizer.record(first)), "what was over before stays"


def test_an_unknown_match_is_named(served):
    with pytest.raises(AdminError, match="'cup-m9'") as refused:
        list(served.organizer.record("cup-m9"))
    assert code(refused) == ("NOT_FOUND", "MATCH")


def test_a_record_that_lies_elsewhere_is_said_so(served):
    first = played(served)
    (served.records / "cup" / f"{first}.jsonl").unlink()
    with pytest.raises(AdminError, match="not on this machine") as refused:
        list(served.organizer.record(first))
    assert code(refused) == ("NOT_FOUND", "RECORD")


def test_nothing_outside_the_records_is_read(served, tmp_path):
    (tmp_path / "secret").write_text("no")
    start(served.store, BOTS, "cup")
    referee = FakeReferee(served.store, dict.fromkeys(BOTS, 8))
    dispatch(served.store)
    match_id = referee.orders()[0].match_id
    served.store.matches.finish(referee.lease(match_id), RESULT, record="../secret")
    with pytest.raises(AdminError) as refused:
        list(served.organizer.record(match_id))
    assert code(refused) == ("NOT_FOUND", "RECORD")


def test_a_line_longer_than_a_piece_stays_whole(tmp_path):
    path = tmp_path / "r"
    path.write_bytes(b"a\n" + b"b" * 50 + b"\nc\n")
    assert list(read_pieces(path, 10)) == [b"a\n" + b"b" * 50 + b"\n", b"c\n"]

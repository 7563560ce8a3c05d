"""The `arena` commands and tokens: how they are handed out, and which are good for what."""

from __future__ import annotations

import json

import pytest

from arena.store.types import Role
from tests.support.disk import full_disk
from tests.support.servers import free_port


def test_a_token_is_printed_alone(arena, served):
    result = arena("bot", "register", "mine")
    token = result.stdout.strip()
    assert served.store.tokens.check(token).name == "mine"
    assert "mine is registered" in result.stderr


def test_a_token_goes_to_a_file_that_is_not_there_yet(arena, served, tmp_path):
    file = tmp_path / "mine.token"
    result = arena("bot", "register", "mine", "-o", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    token = file.read_text().strip()
    assert served.store.tokens.check(token).name == "mine"
    assert token not in result.output


def test_nothing_is_done_where_the_token_could_not_be_written(arena, served, tmp_path):
    file = tmp_path / "mine.token"
    file.write_text("another's")
    for command in ("register", "rotate"):
        for words, cause in [
            (str(file), "is there already, so nothing was done"),
            (str(tmp_path / "no" / "mine.token"), "No such file or directory"),
        ]:
            result = arena("bot", command, "mine", "-o", words, status=1)
            assert cause in result.stderr
    assert file.read_text() == "another's"
    assert served.store.bots.names() == []
    # Nor does a refusal leave a file behind.
    arena("bot", "rotate", "mine", "-o", str(tmp_path / "new.token"), status=4)
    arena("bot", "register", "Not A Name", "-o", str(tmp_path / "new.token"), status=4)
    assert not (tmp_path / "new.token").exists()


def test_a_token_that_did_not_fit_the_disk_is_not_lost(arena, served, tmp_path):
    with full_disk(10):
        result = arena("bot", "register", "mine", "-o", str(tmp_path / "mine.token"), status=1)
    assert "the token stands above" in result.stderr
    assert any(served.store.tokens.check(line) for line in result.stderr.splitlines())


def test_bots_are_listed_and_revoked(arena):
    arena("bot", "register", "mine")
    assert "mine  away" in " ".join(arena("bot", "list").stdout.split("\n"))
    assert "no token any more" in arena("bot", "revoke", "mine").stdout
    (bot,) = json.loads(arena("bot", "list", "--json").stdout)
    assert bot["name"] == "mine"
    assert bot["revoked"] is True
    assert isinstance(bot["created_ms"], int)


def test_nobody_there_is_status_5(arena, monkeypatch):
    monkeypatch.setenv("ARENA_SERVER", f"127.0.0.1:{free_port()}")
    result = arena("bot", "list", status=5)
    assert "nobody answers at 127.0.0.1" in result.stderr
    assert "arena up" in result.stderr


def test_a_wrong_token_is_status_3(arena, tmp_path):
    wrong = tmp_path / "wrong.token"
    wrong.write_text("wrong\n")
    wrong.chmod(0o600)
    result = arena("bot", "list", "--token-file", str(wrong), status=3)
    assert "the token is not known here" in result.stderr


def test_an_operators_token_reads_only(arena, served, tmp_path):
    token = tmp_path / "operator.token"
    token.write_text(served.store.tokens.issue(Role.OPERATOR, "ops"))
    token.chmod(0o600)
    arena("bot", "list", "--token-file", str(token))
    result = arena("bot", "register", "x", "--token-file", str(token), status=3)
    assert "needs an organizer's token" in result.stderr


@pytest.mark.parametrize(("content", "words"), [(None, "no such file"), ("", "no token in it")])
def test_a_token_file_that_is_no_good_says_so(arena, tmp_path, content, words):
    file = tmp_path / "some.token"
    if content is not None:
        file.write_text(content)
    result = arena("bot", "list", "--token-file", str(file), status=3)
    assert str(file) in result.stderr
    assert words in result.stderr


def test_a_token_others_can_read_is_warned_of(arena, tmp_path):
    (tmp_path / "organizer.token").chmod(0o644)
    assert "can be read by others" in arena("bot", "list").stderr

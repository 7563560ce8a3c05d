"""The `arena` commands that call the service, against real services."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena import lifeline
from arena.admin.client import Admin, AdminError
from arena.cli import COMMANDS, cli
from arena.commands.bot import COMMANDS as BOT
from arena.commands.record import COMMANDS as RECORD
from arena.commands.token import COMMANDS as TOKEN
from arena.commands.tournament import COMMANDS as TOURNAMENT
from arena.store.types import Role
from tests.support.disk import full_disk
from tests.support.servers import free_port
from tests.support.tournaments import RESULT, FakeReferee, dispatch, spec_text
from workers.scheduling import schedule
from workers.settling import derive

BOTS = ["ada", "bob", "cyd"]
PLAYED = Path(__file__).parents[1] / "conformance" / "records" / "good-standard.jsonl"
GROUPS = {"bot": BOT, "record": RECORD, "token": TOKEN, "tournament": TOURNAMENT}
EVERY = [
    *([name] for name in COMMANDS),
    *([group, name] for group, table in GROUPS.items() for name in table),
]


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


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_command_teaches_itself(words):
    result = CliRunner().invoke(cli, [*words, "--help"])
    assert result.exit_code == 0
    help_text = result.output
    assert "Usage:" in help_text
    first = help_text.split("\n\n")[1].strip()
    assert first.endswith((".", ":")) or len(first) > 40, first


def test_the_help_leads_from_nothing_to_a_table():
    text = CliRunner().invoke(cli, ["--help"]).output
    for word in ("arena up", "bot register", "tournament create", "Exit status"):
        assert word in text
    for name in COMMANDS:
        assert f"\n  {name} " in text


@pytest.mark.parametrize(
    ("words", "meant"), [(["tournment"], "tournament"), (["bot", "regster"], "register")]
)
def test_a_slip_is_answered_with_what_was_meant(words, meant):
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    assert f"did you mean {meant}?" in result.stderr


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


def test_create_prints_the_id_alone(arena, friday):
    result = arena("tournament", "create", friday)
    assert result.stdout == "friday-night\n"
    assert "3 entrants, 3 matches, 6 games" in result.stderr
    assert "friday-night  Friday night  created" in arena("tournament", "list").stdout


def test_a_spec_can_be_checked_alone(arena, friday):
    assert arena("tournament", "create", friday, "--check").stdout.startswith("good: Friday night")
    assert json.loads(arena("tournament", "list", "--json").stdout) == []


def test_bots_that_are_not_registered_are_told_of_before_the_start(arena, friday):
    for bot in ("ada", "bob", "cyt"):
        arena("bot", "register", bot)
    arena("bot", "revoke", "bob")
    words = (
        "not registered: bob (revoked; `arena bot rotate bob` lets it play again), "
        "cyd (did you mean cyt?); `arena bot register NAME` does it"
    )
    for more in (["--check"], ["--check", "--json"], []):
        result = arena("tournament", "create", friday, *more)
        assert f"warning: {words}\n" in result.stderr
        assert "not registered" not in result.stdout
    assert words in arena("tournament", "start", "friday-night", status=4).stderr
    for bot in (["register", "cyd"], ["rotate", "bob"]):
        arena("bot", *bot)
    assert "not registered" not in arena("tournament", "create", friday, "--check").stderr


def test_what_cannot_be_started_is_not_stored(arena, friday):
    result = arena("tournament", "create", friday, "--start", status=4)
    assert "not registered: ada, bob, cyd" in result.stderr
    assert "Nothing is stored" in result.stderr
    assert json.loads(arena("tournament", "list", "--json").stdout) == []


def test_a_start_that_fails_says_what_is_stored_and_how_to_go_on(arena, friday, monkeypatch):
    for bot in BOTS:
        arena("bot", "register", bot)

    def away(admin, tournament_id):
        raise AdminError("UNAVAILABLE", "STORE", "the store is away", {})

    with monkeypatch.context() as patch:
        patch.setattr(Admin, "start", away)  # nothing real goes away between two calls
        result = arena("tournament", "create", friday, "--start", status=5)
    again = "arena tournament start friday-night"
    assert f"friday-night is stored, but not started: `{again}`" in result.stderr
    arena(*again.split()[1:])


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["tournament", "start", "friday-nigth"], "did you mean friday-night?"),
        (["tournament", "watch", "fridaynight"], "did you mean friday-night?"),
        (["tournament", "standings", "xyz"], "; there is friday-night"),
        (["record", "list", "Friday-Night"], "did you mean friday-night?"),
        (["record", "get", "friday-nigth-m2"], "did you mean friday-night-m2?"),
        (
            ["record", "get", "friday-night-m7"],
            "friday-night has friday-night-m0 to ",
        ),
        (["record", "get", "friday-night"], "as friday-night-m0"),
        (["bot", "revoke", "adda"], "did you mean ada?"),
        (["bot", "rotate", "zzz"], "; there are ada, bob, cyd"),
    ],
    ids=" ".join,
)
def test_a_name_that_is_not_there_is_answered_with_what_was_meant(arena, over, words, hint):
    result = arena(*words, status=4)
    assert result.stderr.startswith("Error: there is no ")
    assert hint in result.stderr


def test_before_there_is_anything_a_name_has_no_neighbour(arena, friday):
    assert "there is none yet" in arena("tournament", "start", "x", status=4).stderr
    arena("tournament", "create", friday)
    result = arena("record", "get", "friday-night-m0", status=4)
    assert "friday-night has no matches yet" in result.stderr


def test_a_spec_comes_from_standard_input_too(arena):
    assert arena("tournament", "create", "-", input=spec_text(BOTS)).stdout == "test\n"


def test_a_spec_that_is_no_good_is_refused_with_its_line(arena, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text(spec_text(BOTS).replace("[format]", "[formatt]"))
    result = arena("tournament", "create", str(bad), status=2)
    assert "line 6: a spec has no key formatt; did you mean format?" in result.stderr


def test_a_seeded_tournament_says_so(arena, tmp_path):
    seeded = tmp_path / "seeded.toml"
    seeded.write_text(spec_text(BOTS).replace("[match]", '[match]\nsecret_seed = "7"'))
    assert "deals are seeded" in arena("tournament", "create", str(seeded)).stderr


def test_start_pause_cancel(arena, friday):
    arena("tournament", "create", friday)
    result = arena("tournament", "start", "friday-night", status=4)
    assert "not registered: ada, bob, cyd" in result.stderr
    for bot in BOTS:
        arena("bot", "register", bot)
    assert "is scheduling" in arena("tournament", "start", "friday-night").stdout
    assert "is paused" in arena("tournament", "pause", "friday-night").stdout
    assert "is cancelled" in arena("tournament", "cancel", "friday-night", "--note", "rain").stdout
    assert "rain" in arena("tournament", "list").stdout
    result = arena("tournament", "watch", "friday-night", status=1)
    assert "friday-night is cancelled: rain" in result.stderr


def test_standings_and_crosstable(arena, over):
    text = arena("tournament", "standings", over, "--crosstable").stdout
    assert "final; ratings over duplicate pairs" in text
    rows = [line.split() for line in text.splitlines()]
    heading = next(row for row in rows if row[:2] == ["rank", "entrant"])
    assert heading == [
        *("rank", "entrant", "rating", "±95", "%", "score"),
        *("games", "won", "lost", "points", "faults"),
    ]
    assert {row[1] for row in rows if len(row) == 11 and row[0].isdigit()} >= set(BOTS)
    assert any(row[2:] == ["–", "1-1", "1-1"] for row in rows)


def test_standings_as_json_are_numbers(arena, over):
    table = json.loads(arena("tournament", "standings", over, "--json").stdout)
    assert table["final"] is True
    assert table["results"] == 3
    assert {row["entrant"] for row in table["rows"]} == set(BOTS)
    assert all(isinstance(row["points"], int) for row in table["rows"])
    assert table["crosstable"][0]["cells"][1]["points"] in (9, 10)
    assert sum(sum(row["faults"].values()) for row in table["rows"]) == 3


def test_before_a_match_is_over_there_is_nothing_to_show(arena, friday):
    arena("tournament", "create", friday)
    assert arena("tournament", "standings", "friday-night").stdout == "no match is over yet\n"
    assert json.loads(arena("tournament", "standings", "friday-night", "--json").stdout) == {}


def test_watching_what_is_over_shows_the_standings(arena, over):
    result = arena("tournament", "watch", over)
    assert "finished: 6 of 6 games, 3/3 matches" in result.stderr
    assert "rank  entrant" in result.stdout
    lines = arena("tournament", "watch", over, "--json").stdout.splitlines()
    last = json.loads(lines[-1])
    assert last["tournament"]["state"] == "TOURNAMENT_STATE_FINISHED"
    assert last["standings"]["final"] is True


def test_export_writes_everything(arena, served, over):
    assert "3 results and 3 records" in arena("tournament", "export", over).stdout
    folder = Path(over)
    assert (folder / "spec.toml").read_text().startswith('name = "Friday night"')
    assert json.loads((folder / "tournament.json").read_text())["progress"]["finished"] == 3
    with (folder / "results.csv").open() as file:
        results = list(csv.DictReader(file))
    assert [row["match"] for row in results] == [f"{over}-m{n}" for n in range(3)]
    assert {row["won_0"] for row in results} == {"1"}
    with (folder / "standings.csv").open() as file:
        standings = list(csv.DictReader(file))
    assert {row["entrant"] for row in standings} == set(BOTS)
    assert sum(int(row["faults_timeout"]) for row in standings) == 3
    with (folder / "crosstable.csv").open() as file:
        crosstable = list(csv.reader(file))
    assert crosstable[1][1] == ""
    assert crosstable[1][2] == "1"
    lines = (folder / "results.jsonl").read_text().splitlines()
    assert [json.loads(line)["outcome"]["units"] for line in lines] == [RESULT["units"]] * 3
    for record in (folder / "records").iterdir():
        assert record.read_bytes() == (served.records / over / record.name).read_bytes()
    assert len(list((folder / "records").iterdir())) == 3
    # Nothing that is there is written over.
    assert "not empty" in arena("tournament", "export", over, status=1).stderr


def test_export_without_records(arena, over, tmp_path):
    out = tmp_path / "a folder"
    arena("tournament", "export", over, "-o", str(out), "--no-records")
    assert not (out / "records").exists()


def test_matches_are_listed_and_records_had(arena, over, tmp_path):
    text = arena("record", "list", over).stdout
    assert f"{over}-m0" in text
    lines = arena("record", "list", over, "--finished", "--json").stdout.splitlines()
    assert [json.loads(line)["match_id"] for line in lines] == [f"{over}-m{n}" for n in range(3)]
    assert arena("record", "get", f"{over}-m1").stdout == f'{{"match": "{over}-m1"}}\n'
    out = tmp_path / "m1.jsonl"
    arena("record", "get", f"{over}-m1", "-o", str(out))
    assert json.loads(out.read_text()) == {"match": f"{over}-m1"}


def test_a_match_is_watched_in_words(arena, served, friday):
    for bot in BOTS:
        arena("bot", "register", bot)
    arena("tournament", "create", friday, "--start")
    schedule(served.store, "friday-night")
    referee = FakeReferee(served.store, dict.fromkeys(BOTS, 8))
    dispatch(served.store)
    match = referee.orders()[0].match_id
    lease = referee.lease(match)
    name = f"friday-night/{match}.jsonl"
    part = served.records / f"{name}.{lease.fence}.part"
    part.parent.mkdir(exist_ok=True)
    part.write_bytes(PLAYED.read_bytes())
    watching = subprocess.Popen(
        lifeline.command([sys.executable, "-m", "arena.cli", "record", "watch", match]),
        env={**os.environ, **lifeline.variables()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with watching:
        shown = [watching.stdout.readline().rstrip()]
        part.rename(served.records / name)
        served.store.matches.finish(lease, RESULT, record=name)
        shown += watching.stdout.read().splitlines()  # to its end, which comes with the match's
        err = watching.stderr.read()
    assert watching.returncode == 0, err
    one, other = (entrant.name for entrant in served.store.matches.get(match).entrants)
    seats = f"0 {one}, 1 {other}, 2 {one}, 3 {other}"  # as the record has it
    assert shown[0] == f"game 0, attempt 1: in seats {seats}"
    assert shown[1].startswith("game 0 hand 0: dealer ")
    assert any(line.startswith("  ") and "discard (1 card)" in line for line in shown)
    assert any(line.startswith("  ") and line.count(" | ") == 4 for line in shown), "five tricks"
    assert shown[-1].startswith("game 0 is over, ")
    assert f"{match} is over; `arena record get {match}` shows all of it" in err
    assert "is over; `arena record get" in arena("record", "watch", match, status=4).stderr


def test_a_record_that_cannot_be_had_leaves_no_file(arena, over, tmp_path):
    out = tmp_path / "m9.jsonl"
    assert "m9" in arena("record", "get", f"{over}-m9", "-o", str(out), status=4).stderr
    assert list(tmp_path.glob("*m9*")) == []


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

"""The `arena` commands that call the service, against real services."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from arena.admin.client import Admin, AdminError
from arena.cli import COMMANDS, cli
from arena.commands.bot import COMMANDS as BOT
from arena.commands.record import COMMANDS as RECORD
from arena.commands.token import COMMANDS as TOKEN
from arena.commands.tournament import COMMANDS as TOURNAMENT
from arena.commands.tournament.watch import NONE, UNFIT, with_referees
from tests.admin.rig import BOTS
from tests.support.tournaments import FakeReferee, spec_text

GROUPS = {"bot": BOT, "record": RECORD, "token": TOKEN, "tournament": TOURNAMENT}
EVERY = [
    *([name] for name in COMMANDS),
    *([group, name] for group, table in GROUPS.items() for name in table),
]


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


def test_create_prints_the_id_alone(arena, friday):
    result = arena("tournament", "create", friday)
    assert result.stdout == "friday-night\n"
    assert "3 entrants, 3 matches, 6 games" in result.stderr
    assert "friday-night  Friday night  created" in arena("tournament", "list").stdout


def test_a_spec_can_be_checked_alone(arena, friday):
    result = arena("tournament", "create", friday, "--check")
    assert result.stdout.startswith("good: Friday night")
    assert "its id will be friday-night, with a number" in result.stderr
    result = arena("tournament", "create", friday, "--check", "--id", "cup")
    assert "its id will be cup\n" in result.stderr
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


@pytest.mark.parametrize(
    ("draining", "said"), [(None, f"{NONE}\n"), (True, f"{UNFIT}\n"), (False, "")]
)
def test_watching_says_once_where_no_referee_plays(arena, served, friday, capsys, draining, said):
    """`draining`: whether the one referee there is takes nothing new; None: there is none."""
    for bot in BOTS:
        arena("bot", "register", bot)
    arena("tournament", "create", friday, "--start")
    if draining is not None:
        referee = FakeReferee(served.store, {})
        served.store.referees.heartbeat(referee.id, capacity=9, bots={}, draining=draining)
    admin = served.organizer
    change = next(admin.watch("friday-night"))
    assert list(with_referees(admin, iter([change, change]))) == [change, change]
    assert capsys.readouterr().err == said


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

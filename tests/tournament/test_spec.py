from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from euchre_arena.match import MatchFormat
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament import ClockSpec, Entrant, SpecError, parse
from tests.tournament.specs import FULL, line_of

LEAST = 'name = "n"\n[entrants]\nbots = ["a", "b"]\n'


def test_the_organizers_spec_reads_whole():
    spec = parse(FULL)
    assert spec.name == "Friday night"
    assert spec.preset == "standard"
    assert spec.seed == "any text"
    assert spec.options == {
        "stick_the_dealer": True,
        "on_illegal": "retry",
        "on_timeout": "default",
    }
    assert spec.match_format == {"games": 100, "duplicate": True}
    assert spec.clock == ClockSpec(1000, 60_000, 0, 15_000, 60_000)
    assert spec.entrants == (Entrant("book", ("book",)), Entrant("my-bot", ("my-bot",)))
    assert (spec.cycles, spec.no_show_grace_s, spec.secret_seed) == (1, 120, None)
    assert (spec.games, spec.duplicate, spec.scoring) == (100, True, "games")


def test_defaults_are_those_of_the_full_spec():
    spec = parse(LEAST)
    full = parse(FULL)
    assert spec.clock == full.clock
    assert spec.cycles == full.cycles
    assert spec.no_show_grace_s == full.no_show_grace_s
    assert spec.match_format == {"games": 100}
    assert spec.options == {}


def test_a_game_gives_four_graces_unless_the_spec_says_so():
    grace = LEAST + "[clock]\ndisconnect_grace_ms = 30_000\n"
    assert parse(grace).clock.disconnect_grace_per_game_ms == 120_000
    said = grace + "disconnect_grace_per_game_ms = 30_000\n"
    assert parse(said).clock.disconnect_grace_per_game_ms == 30_000


def test_teams_fill_a_side():
    spec = parse('name = "n"\n[entrants]\nbots = [["a", "b"], "c"]\n')
    assert spec.entrants[0] == Entrant("a+b", ("a", "b"))
    assert spec.bots == ("a", "b", "c")


def test_a_seeded_tournament_says_where_its_secrets_come_from():
    assert parse(LEAST + '[match]\nsecret_seed = "7"\n').secret_seed == "7"


def test_what_the_store_keeps_is_json():
    assert json.loads(json.dumps(asdict(parse(FULL))))["entrants"] == [
        {"name": "book", "bots": ["book"]},
        {"name": "my-bot", "bots": ["my-bot"]},
    ]


@pytest.mark.parametrize(
    ("kind", "scoring"), [("games", "games"), ("best_of", "matches"), ("deals", "points")]
)
def test_what_the_standings_count_follows_from_the_match(kind, scoring):
    spec = parse(LEAST + f"[match]\n{kind} = 7\n")
    assert (spec.scoring, spec.games) == (scoring, 7)


def test_a_rubber_with_stakes_and_skunks():
    spec = parse(LEAST + "[match]\nrubber = true\nstake_per_point = 5\nskunk = true\n")
    assert spec.match_format == {"rubber": True, "stake_per_point": 5, "skunk": True}
    assert (spec.scoring, spec.games) == ("matches", 3)
    assert MatchFormat.of(spec.match_format).as_dict() == spec.match_format


# (what to replace, by what, the text on the refused line, words of the message)
REFUSED = [
    ("seed =", "sed =", "sed =", ["no key sed", "did you mean seed?"]),
    ("[clock]", "[clocks]", "[clocks]", ["no key clocks", "did you mean clock?"]),
    ("bank_ms", "bank", "bank =", ["[clock] has no key bank", "bank_ms"]),
    ("cycles = 1", "rounds = 1", "rounds", ["a round robin has as many rounds as its cycles"]),
    ("games = 100", 'games = "100"', 'games = "', ["a whole number", "text in quotes"]),
    ("games = 100", "games = true", "games = true", ["a whole number", "true or false"]),
    ("games = 100", "games = 1e2", "games = 1e2", ["a whole number", "fraction"]),
    ("games = 100", "games = 1979-05-27", "games = 1979", ["a date"]),
    ("games = 100", "games = 0", "games = 0", ["from 1 to"]),
    ("games = 100", "games = 101", "games = 101", ["games", "duplicate"]),
    ("games = 100", "games = 100\ndeals = 9", "deals", ["games or deals, not both"]),
    ("games = 100", "rubber = false", "rubber", ["rubber must be true"]),
    ("games = 100", "games = 100\nrubber = true", "rubber", ["games or rubber, not both"]),
    (
        "games = 100",
        "rubber = true\nstake_per_trick = 1",
        "stake_per_trick",
        ["'rubber' and 'stake_per_trick'"],
    ),
    (
        "games = 100",
        "stake_per_point = 1\nstake_per_trick = 1",
        "stake_per_trick",
        ["'stake_per_point' and 'stake_per_trick'"],
    ),
    ("games = 100", "stake_per_point = 0", "stake_per_point", ["from 1 to 10000"]),
    ("games = 100", 'skunk = "yes"', "skunk", ["true or false"]),
    ("duplicate = true", "duplicate = 1", "duplicate = 1", ["true or false"]),
    ('name = "Friday night"', 'name = ""', "name", ["name is empty"]),
    ('preset = "standard"', 'preset = "standrad"', "preset", ["'standrad'", "'standard'"]),
    ("stick_the_dealer = true", "stick = true", "stick =", ["no option 'stick'"]),
    ("stick_the_dealer = true", "stick_the_dealer = 3", "stick_the_dealer", ["true or false"]),
    ("stick_the_dealer = true", "target = [5]", "target", ["option target"]),
    (
        "stick_the_dealer = true",
        "num_deals = 4\ntarget = 5",
        "target",
        ["'num_deals'", "'target'"],
    ),
    (
        "stick_the_dealer = true",
        'on_illegal = "retry"',
        'on_illegal = "retry"\non_timeout',
        ["[options] and in [faults]"],
    ),
    ('on_illegal = "retry"', 'on_illegal = "shoot"', "on_illegal", ["'on_illegal' is one of"]),
    ("move_time_ms = 1000", "move_time_ms = 0", "bank_ms", ["move_time_ms", "bank_ms"]),
    ("bank_ms = 60000", "bank_ms = -1", "bank_ms", ["from 0 to"]),
    (
        *("disconnect_grace_ms = 15000", "disconnect_grace_per_game_ms = 14999"),
        *("disconnect_grace_per_game_ms", ["15000 ms at once", "14999 ms"]),
    ),
    ('kind = "round-robin"', 'kind = "swiss"', "kind", ["round-robin", "'swiss'"]),
    ("cycles = 1", "cycles = 0", "cycles", ["from 1 to"]),
    ('bots = ["book", "my-bot"]', "", "[entrants]", ["needs bots, a list"]),
    ('["book", "my-bot"]', '["book"]', "bots", ["two entrants, there is 1"]),
    ('["book", "my-bot"]', "[]", "bots", ["two entrants, there is none"]),
    ('["book", "my-bot"]', '["book",\n"my bot"]', '"my bot"', ["'my bot' is no bot's name"]),
    ('["book", "my-bot"]', '["book",\n"book"]', '"book"]', ["book is entered twice"]),
    ('["book", "my-bot"]', '["book",\n7]', "7]", ["7 is no bot's name"]),
    ('["book", "my-bot"]', '["x",\n["a"]]', '["a"]', ["2 different bots, not 1"]),
    ('["book", "my-bot"]', '["x",\n["a", "a"]]', '["a", "a"]', ["2 different bots"]),
    ('["book", "my-bot"]', '"book"', "bots", ["a list, not text"]),
    ("no_show_grace_s = 120", "no_show_grace_s = -1", "no_show_grace_s", ["from 0 to"]),
    ("[clock]", "[clock", "[clock", ["not TOML"]),
    ("seed =", 'name = "again"\nseed =', 'name = "again"', ["not TOML", "overwrite"]),
]


@pytest.mark.parametrize(("old", "new", "where", "words"), REFUSED)
def test_refused_with_its_line(old, new, where, words):
    text = FULL.replace(old, new, 1)
    with pytest.raises(SpecError) as refused:
        parse(text)
    assert str(refused.value).startswith(f"line {line_of(text, where)}: ")
    for word in words:
        assert word in str(refused.value)


def test_deals_and_a_target_contradict_each_other():
    text = LEAST.replace("[entrants]", "[options]\ntarget = 5\n[match]\ndeals = 8\n[entrants]")
    with pytest.raises(SpecError, match=r"line 5: .*'deals' and option 'target'"):
        parse(text)


def test_a_missing_name_has_no_line():
    with pytest.raises(SpecError, match=r"^the spec needs name, text in quotes$"):
        parse('[entrants]\nbots = ["a", "b"]\n')


def refusal(text: str) -> SpecError | None:
    try:
        parse(text)
    except SpecError as refused:
        return refused
    return None


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    refused = refusal(text)
    assert refused is None or 0 <= refused.line <= text.count("\n") + 1


@given(st.integers(0, len(FULL)), st.integers(0, 12), st.text(max_size=3))
def test_any_damage_is_read_or_refused(start, length, put):
    text = FULL[:start] + put + FULL[start + length :]
    refused = refusal(text)
    assert refused is None or 0 <= refused.line <= text.count("\n") + 1

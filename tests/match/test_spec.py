"""What may be played, and what is refused by name."""

from __future__ import annotations

import pytest
from euchre_arena.match import Clock, Match, MatchFormat, MatchSpec, SpecError
from euchre_arena.rules import OptionError, Rules

from tests.match.driving import SECRET, a_match


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "exactly one of games, best_of, deals, rubber is needed, none is there"),
        ({"games": 2, "deals": 3}, "not games and deals"),
        ({"games": 0}, "games must be a whole number from 1, not 0"),
        ({"games": True}, "games must be a whole number from 1, not True"),
        ({"games": 1 << 32}, "games must be a whole number"),
        ({"games": "3"}, "games must be a whole number from 1, not '3'"),
        ({"games": 3, "duplicate": 1}, "duplicate must be true or false, not 1"),
        ({"game": 3}, "game is none of games, best_of, deals, rubber"),
        ({"rubber": 3}, "rubber must be true, not 3"),
        ({"rubber": False}, "rubber must be true, not False"),
        ({"games": 3, "skunk": 1}, "skunk must be true or false, not 1"),
        ({"games": 3, "stake_per_point": 0}, "stake_per_point must be a whole number from 1"),
        ({"games": 3, "stake_per_trick": 0.5}, "stake_per_trick must be a whole number from 1"),
        ({"games": 3, "stake_per_point": True}, "to 10000, not True"),
        ([1], "an object is needed"),
    ],
)
def test_a_format_that_makes_no_sense_is_refused(data: object, said: str):
    with pytest.raises(SpecError, match="match format") as error:
        MatchFormat.of(data)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "data",
    [
        {"games": 7},
        {"best_of": 3, "duplicate": True},
        {"deals": 8},
        {"rubber": True, "stake_per_point": 5, "skunk": True},
        {"games": 2, "stake_per_trick": 1},
    ],
)
def test_a_format_is_written_as_it_was_read(data: dict[str, object]):
    assert MatchFormat.of(data).as_dict() == data


@pytest.mark.parametrize(
    ("data", "preset", "options", "named"),
    [
        ({"rubber": True}, "three", {}, ["'rubber'", "'three'"]),
        ({"games": 3, "stake_per_point": 2}, "three", {}, ["'stake_per_point'", "'three'"]),
        ({"games": 3, "stake_per_trick": 2}, "five", {}, ["'stake_per_trick'", "'five'"]),
        ({"games": 3, "skunk": True}, "seven", {}, ["'skunk'", "'seven'"]),
        ({"rubber": True}, "standard", {"num_deals": 4}, ["'rubber'", "'num_deals'"]),
        ({"rubber": True, "stake_per_trick": 1}, "standard", {}, ["'rubber'", "'stake_per_trick'"]),
        (
            {"games": 1, "stake_per_point": 1, "stake_per_trick": 1},
            "standard",
            {},
            ["'stake_per_point'", "'stake_per_trick'"],
        ),
    ],
)
def test_what_two_sides_stake_must_make_sense(
    data: dict[str, object], preset: str, options: dict[str, object], named: list[str]
):
    entrants = tuple("abcdefg"[: Rules.of(preset).sides])
    with pytest.raises(SpecError) as error:
        a_match(data, preset, entrants=entrants, **options)
    for name in named:
        assert name in str(error.value)


@pytest.mark.parametrize("seating", [(0, 1, 0, 2), (0, 1, 2, 0), (0, 1, 1, 2)])
def test_a_rubber_is_between_as_many_entrants_on_either_side(seating: tuple[int, ...]):
    a_match({"games": 1}, entrants=("a", "b", "c"), seating=seating)
    with pytest.raises(SpecError, match="'rubber' and seats"):
        a_match({"rubber": True}, entrants=("a", "b", "c"), seating=seating)


@pytest.mark.parametrize("name", ["target", "num_deals"])
def test_a_match_of_deals_takes_no_length_of_a_game(name: str):
    with pytest.raises(SpecError, match=f"'deals' and option '{name}'"):
        a_match({"deals": 4}, **{name: 5})


def test_a_match_of_deals_plays_games_of_one_deal():
    assert a_match({"deals": 4}).rules.value("num_deals") == 1


@pytest.mark.parametrize(
    ("entrants", "seating", "said"),
    [
        (("ann",), (), "takes 2 to 4, not 1"),
        (("a", "b", "c", "d", "e"), (), "takes 2 to 4, not 5"),
        (("ann", ""), (), "needs a name"),
        (("ann", "ben"), (0, 1, 0), "4 are needed, not 3"),
        (("ann", "ben"), (0, 0, 0, 0), "every entrant 0 … 1 needs one"),
        (("ann", "ben"), (0, 1, 1, 0), "sits on more than one side"),
        (("ann", "ben", "cat"), (0, 1, 2, 3), "every entrant 0 … 2 needs one"),
    ],
)
def test_entrants_and_seats_must_fit(
    entrants: tuple[str, ...], seating: tuple[int, ...], said: str
):
    with pytest.raises(SpecError) as error:
        a_match(entrants=entrants, seating=seating)
    assert said in str(error.value)


def test_four_single_entrants_may_sit_at_a_table_of_two_sides():
    match = a_match({"games": 2, "duplicate": True}, entrants=tuple("abcd"), seating=(0, 1, 2, 3))
    assert match.seats(0) == (0, 1, 2, 3)
    assert match.seats(1) == (3, 0, 1, 2)


def test_options_and_presets_are_checked():
    with pytest.raises(OptionError, match="targt"):
        a_match(targt=5)
    with pytest.raises(OptionError, match="standart"):
        a_match(preset="standart")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((-1,), "move_time_ms"),
        ((1, -5), "bank_ms"),
        ((True,), "move_time_ms"),
        ((0, 0, 5), "no time to decide"),
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(given: tuple[int, ...], said: str):
    with pytest.raises(SpecError, match=said):
        Clock(*given)


def test_secret_and_nonces_have_their_length():
    spec = MatchSpec("m", "standard", entrants=("a", "b"))
    with pytest.raises(SpecError, match="32 bytes are needed, not 5"):
        Match(spec, b"short")
    with pytest.raises(SpecError, match="one a seat, 4, not 2"):
        Match(spec, SECRET, (b"", b""))
    with pytest.raises(ValueError, match="32 bytes or none, not 3"):
        Match(spec, SECRET, (b"", b"", b"abc", b""))


def test_the_secret_is_not_told_before_the_end():
    match = a_match()
    match.start(0)
    with pytest.raises(RuntimeError, match="over"):
        _ = match.secret
    match.abort(0)
    assert match.secret == SECRET

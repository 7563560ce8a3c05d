"""Rubber points, stakes and skunks in results and standings (rules.md 11)."""

from __future__ import annotations

import json

import pytest

from arena.tournament import GameScore, Table, Tally, parse, tally

SPEC = """\
name = "n"
preset = "{preset}"
[match]
{match}
[format]
kind = "{kind}"
[entrants]
bots = ["a", "b", "c", "d"]
"""


def spec(match, preset="hoyle", kind="round-robin"):
    return parse(SPEC.format(match=match, preset=preset, kind=kind))


def rubber(entrants, points, stakes, skunks):
    """A rubber the first won."""
    worth = {"rubber": points, "stakes": stakes, "skunks": skunks}
    games = [GameScore(number, (0,), (5, 3)) for number in range(2)]
    return tally(games, duplicate=False, winners=(0,), entrants=entrants, worth=worth)


def test_a_result_keeps_what_the_match_counted():
    made = rubber((0, 1), (8, 0), (80, -80), (2, 0))
    data = made.as_dict()
    assert (data["rubber"], data["stakes"], data["skunks"]) == ([8, 0], [80, -80], [2, 0])
    assert Tally.of_result(0, (0, 1), json.loads(json.dumps(data))) == made
    plain = tally([GameScore(0, (0,), (5, 3))], duplicate=False, winners=(0,))
    assert not {"rubber", "stakes", "skunks"} & set(plain.as_dict())
    assert tally([], duplicate=False, winners=(), worth={"stakes": None}).stakes == ()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"stakes": [80, -79]}, "stakes do not sum to zero"),
        ({"stakes": [0]}, "it is of 2 entrants"),
        ({"rubber": [8, 0, 0]}, "it is of 2 entrants"),
        ({"skunks": ["x", 0]}, "result of pairing 4"),
        ({"skunks": 2}, "result of pairing 4"),
    ],
)
def test_a_wrong_result_is_refused(change, told):
    data = rubber((0, 1), (8, 0), (80, -80), (2, 0)).as_dict() | change
    with pytest.raises(ValueError, match=told):
        Tally.of_result(4, (0, 1), data)


def test_the_standings_add_them_up_and_do_not_rank_by_them():
    of = spec("rubber = true\nstake_per_point = 10\nskunk = true")
    table = Table.of(
        of,
        [
            rubber((0, 1), (4, 3), (10, -10), (0, 0)),
            rubber((0, 2), (4, 0), (40, -40), (0, 0)),
            rubber((2, 1), (8, 0), (80, -80), (2, 0)),
        ],
    )
    rows = table.as_dict()["standings"]
    assert [(r["entrant"], r["rubber"], r["stakes"], r["skunks"]) for r in rows] == [
        ("a", 8, 50, 0),
        ("c", 8, 40, 2),
        ("d", 0, 0, 0),
        ("b", 3, -90, 0),
    ]


def test_only_what_is_counted_has_a_place():
    def there(match):
        row = Table.of(spec(match), []).as_dict()["standings"][0]
        return {"rubber", "stakes", "skunks"} & set(row)

    assert there("games = 2") == set()
    assert there("rubber = true") == {"rubber"}
    assert there("games = 2\nstake_per_trick = 1") == {"stakes"}
    assert there("best_of = 3\nskunk = true") == {"skunks"}


def test_partners_who_change_each_win_or_owe():
    of = spec("deals = 2\nstake_per_point = 3", "standard", "progressive")
    games = [GameScore(n, (0, 2), (2, 0, 2, 0)) for n in range(2)]
    made = tally(
        games,
        duplicate=False,
        winners=(0, 2),
        entrants=(3, 1, 0, 2),
        sides=(0, 1, 0, 1),
        faults=[{}] * 4,
        worth={"stakes": (12, -12, 12, -12)},
    )
    assert Tally.of_result(0, (3, 1, 0, 2), made.as_dict()) == made
    rows = {row.entrant: row.stakes for row in Table.of(of, [made]).standings()}
    assert rows == {"a": 12, "b": -12, "c": -12, "d": 12}

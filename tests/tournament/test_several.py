"""Tournaments of more than two sides, and progressive ones: specs, schedules, tallies, tables."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from euchre_arena.rules import PRESETS
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament import GameScore, Schedule, SpecError, Table, Tally, parse, tally
from arena.tournament.per_deal import per_deal, quantile
from arena.tournament.skill import rate_units

NAMES = [f"bot-{i}" for i in range(12)]


def spec(bots: int, preset: str = "three", match: str = "games = 3", form: str = ""):
    names = ", ".join(f'"{name}"' for name in NAMES[:bots])
    return parse(
        f'name = "t"\npreset = "{preset}"\n[match]\n{match}\n[format]\n{form}\n'
        f"[entrants]\nbots = [{names}]\n"
    )


def counted(of, pairing, games, winners=(0,)):
    """A match's tally, by way of its JSON."""
    made = tally(
        games,
        duplicate=of.duplicate,
        winners=winners,
        faults=[{}] * len(pairing.entrants),
        pairing=pairing.index,
        entrants=pairing.entrants,
        sides=of.entrant_sides,
        by_points=of.scoring == "points",
    )
    read = Tally.of_result(pairing.index, pairing.entrants, json.loads(json.dumps(made.as_dict())))
    assert read == made
    return read


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_played(preset):
    of = spec(9, preset)
    schedule = Schedule(of)
    sides = of.rules.sides
    for pairing in schedule[:50]:
        assert len(set(pairing.entrants)) == sides
        assert len(pairing.bots) == len(pairing.seating) == of.rules.seats
        for seat, place in enumerate(pairing.seating):
            assert place == of.side_of[seat]
            assert pairing.bots[seat] == of.entrants[pairing.entrants[place]].name
    assert schedule.balance.opponents.spread == 0


@settings(max_examples=30)
@given(st.integers(3, 12), st.integers(1, 4), st.data())
def test_any_pairing_is_found_by_its_index(bots, cycles, data):
    schedule = Schedule(spec(bots, form=f"cycles = {cycles}"))
    everything = list(schedule)
    index = data.draw(st.integers(0, len(schedule) - 1))
    assert schedule[index] == everything[index]
    assert everything[index].index == index
    assert len(everything) == len(schedule) == schedule.pairings_per_cycle * cycles
    played = Counter((p.round, entrant) for p in schedule for entrant in p.entrants)
    assert set(played.values()) == {1}
    assert sorted({p.round for p in schedule}) == list(range(schedule.rounds))


@settings(max_examples=30)
@given(st.integers(4, 12), st.integers(1, 30))
def test_a_progressive_tournament_of_so_many_rounds(bots, rounds):
    of = spec(bots, "standard", "deals = 4", f'kind = "progressive"\nrounds = {rounds}')
    schedule = Schedule(of)
    pairings = list(schedule)
    assert schedule.rounds == rounds == len({p.round for p in pairings})
    partners = Counter()
    for pairing in pairings:
        assert pairing.seating == (0, 1, 2, 3)
        assert pairing.bots == pairing.names
        partners.update(frozenset(pairing.entrants[s : s + 3 : 2]) for s in (0, 1))
    counts = [partners[frozenset(pair)] for pair in combinations(range(bots), 2)]
    assert schedule.balance.partners == (min(counts), max(counts))


def test_in_a_whist_tournament_of_five_everyone_partners_everyone_once():
    of = spec(5, "standard", "deals = 4", 'kind = "progressive"')
    assert str(Schedule(of).balance) == (
        "each plays 4 matches, meets each other in 2, is each other's partner in 1, "
        "has each seat once, sits out 1 round"
    )
    assert Schedule(of).balance.even


@pytest.mark.parametrize(
    ("bots", "preset", "match", "form", "words"),
    [
        (2, "three", "games = 3", "", "needs 3 entrants, as 'three' seats"),
        (3, "standard", "deals = 4", 'kind = "progressive"', "needs 4 entrants"),
        (5, "three", "deals = 3", 'kind = "progressive"', "preset 'three' has none"),
        (5, "standard", "games = 4", 'kind = "progressive"', "deals = 20, not games"),
        (5, "standard", "", 'kind = "progressive"\ncycles = 1\nrounds = 2', "drop either"),
        (5, "standard", "", "rounds = 2", "rounds is progressive's"),
        (4, "three", "games = 4\nduplicate = true", "", "must be a multiple of 3, not 4"),
    ],
)
def test_refused(bots, preset, match, form, words):
    with pytest.raises(SpecError, match=words):
        spec(bots, preset, match, form)


def test_a_field_too_large_for_a_design_is_refused():
    bots = ", ".join(f'"b{i}"' for i in range(301))
    text = f'name = "t"\npreset = "three"\n[entrants]\nbots = [{bots}]\n'
    with pytest.raises(SpecError, match="line 4: where more than two meet, 300 can enter"):
        parse(text)
    assert len(parse(text.replace("three", "two")).entrants) == 301


def test_teams_are_refused_where_partners_change():
    with pytest.raises(SpecError, match="partners change here"):
        parse(
            'name = "t"\n[match]\ndeals = 4\n[format]\nkind = "progressive"\n'
            '[entrants]\nbots = [["a", "b"], "c", "d", "e"]\n'
        )


def test_teams_of_three_meet_where_a_side_has_three_seats():
    of = parse('name = "t"\npreset = "six"\n[entrants]\nbots = [["a", "b", "c"], ["d", "e", "f"]]')
    (pairing,) = Schedule(of)
    assert {pairing.bots[0::2], pairing.bots[1::2]} == {("a", "b", "c"), ("d", "e", "f")}


def test_a_shared_game_is_a_fraction_to_each():
    of = spec(3)
    pairing = Schedule(of)[0]
    games = [
        GameScore(0, (0,), (5, 3, 4)),
        GameScore(1, (0, 1), (5, 5, 4)),
        GameScore(2, (0, 1, 2), (5, 5, 5)),
    ]
    made = counted(of, pairing, games)
    assert (made.won, made.shared) == ((1, 0, 0), (2, 2, 1))
    assert [score / 420 for score in made.score] == pytest.approx([11 / 6, 5 / 6, 1 / 3])
    # The first ahead of the second once, level twice; of the third twice.
    assert made.ahead == ((1, 2, 0), (2, 1, 0), (1, 1, 1))
    assert made.places == ("021", "002", "000")
    rows = Table.of(of, [made]).standings()
    assert [row.score for row in rows] == pytest.approx([11 / 6, 5 / 6, 1 / 3])
    assert (rows[0].won, rows[0].drawn, rows[0].lost) == (1, 2, 0)


def test_a_winner_is_ahead_of_who_is_none_whatever_the_points():
    """Where the eldest of those level wins, or the best was forfeited by a fault."""
    made = counted(spec(3), Schedule(spec(3))[0], [GameScore(0, (2,), (5, 4, 3))])
    assert made.places == ("120",)


def test_a_set_is_ordered_by_what_was_won_then_by_points():
    of = spec(3, match="games = 3\nduplicate = true")
    games = [
        GameScore(0, (0,), (5, 0, 1)),
        GameScore(1, (1,), (0, 5, 1)),
        GameScore(2, (0,), (5, 4, 4)),
    ]
    assert counted(of, Schedule(of)[0], games).places == ("012",)
    level = [games[0], games[1], GameScore(2, (2,), (4, 4, 5))]
    assert counted(of, Schedule(of)[0], level).places == ("002",)  # 9, 9 and 7 points


def test_deals_are_ordered_by_points_alone():
    of = spec(3, match="deals = 3\nduplicate = true")
    games = [
        GameScore(0, (0,), (1, 0, 0)),
        GameScore(1, (0,), (1, 0, 0)),
        GameScore(2, (2,), (0, 0, 3)),
    ]
    made = counted(of, Schedule(of)[0], games)
    assert made.places == ("120",)
    assert [row.score for row in Table.of(of, [made]).standings()] == [2, 0.5, -2.5]


def test_a_wrong_result_of_several_is_refused():
    good = counted(spec(3), Schedule(spec(3))[0], [GameScore(0, (0,), (5, 3, 4))]).as_dict()
    for change in ({"ahead": [[1, 0, 0]]}, {"shared": [0]}, {"units": [1, 0, 0, 0, 0]}):
        with pytest.raises(ValueError, match="result of pairing 4"):
            Tally.of_result(4, (0, 1, 2), {**good, **change})


def played(of, seed: int):
    """Every match of a schedule, the higher numbers the stronger."""
    random = Random(seed)
    found = []
    for pairing in Schedule(of):
        games = []
        for number in range(of.games):
            strength = Counter()
            for entrant, side in zip(pairing.entrants, of.entrant_sides, strict=True):
                strength[side] += entrant
            luck = {side: strength[side] / 2 + random.random() * 5 for side in strength}
            best = max(luck, key=luck.__getitem__)
            points = {side: 5 if side == best else random.randrange(5) for side in luck}
            sides = of.entrant_sides
            won = tuple(e for e, side in enumerate(sides) if side == best)
            games.append(GameScore(number, won, tuple(points[side] for side in sides)))
        found.append(counted(of, pairing, games))
    return found


@pytest.mark.parametrize(
    ("bots", "preset", "match", "form"),
    [
        (5, "three", "games = 6\nduplicate = true", ""),
        (6, "five", "games = 4", ""),
        (7, "standard", "deals = 8\nduplicate = true", 'kind = "progressive"'),
    ],
)
def test_any_order_of_arrival_gives_the_same_table(bots, preset, match, form):
    of = spec(bots, preset, match, form)
    tallies = played(of, 1)
    table = Table.of(of, tallies).as_dict()
    Random(2).shuffle(tallies)
    assert Table.of(of, tallies).as_dict() == table
    assert table["ratings"] == "Plackett-Luce"
    assert table["balance"]["even"] is True
    assert table["standings"][0]["entrant"] == NAMES[bots - 1]
    rows = {row["index"]: row for row in table["standings"]}
    assert rows[bots - 1]["rating"] > 1500 > rows[0]["rating"]
    assert all(row["interval"] > 0 for row in rows.values())
    for i, line in enumerate(table["crosstable"]):
        for j, cell in enumerate(line):
            if i != j:
                assert cell[:3] == table["crosstable"][j][i][2::-1]


def test_points_per_deal_and_their_interval():
    of = spec(5, "standard", "deals = 8\nduplicate = true", 'kind = "progressive"')
    table = Table.of(of, played(of, 3))
    rows = table.standings()
    for row in rows:
        assert row.games == 32
        assert row.score == row.per_deal == pytest.approx((row.points - row.conceded) / row.games)
        assert row.per_deal_interval is not None
    assert sum(row.per_deal or 0 for row in rows) == pytest.approx(0)
    assert [row.per_deal for row in rows] == sorted((r.per_deal for r in rows), reverse=True)
    assert table.cell(0, 1).won + table.cell(0, 1).lost + table.cell(0, 1).drawn == 16


def test_the_interval_is_students():
    # Units 1, 2, 3, 6: mean 3, deviation √(14/3); two games a unit halve both.
    found = per_deal(4, 12, 50, 8)
    assert found.mean == 1.5
    assert found.interval == pytest.approx(3.182 * (14 / 3 / 4) ** 0.5 / 2, rel=1e-6)
    assert per_deal(1, 3, 9, 2).interval is None
    assert per_deal(0, 0, 0, 0) == (0.0, None)
    for freedom, value in ((6, 2.447), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert quantile(freedom) == pytest.approx(value, abs=6e-4)


def test_intervals_per_deal_hold_what_they_promise():
    random = Random(9)
    held = 0
    for _ in range(1000):
        units = [random.choice((-2, -1, 1, 1, 2)) for _ in range(20)]
        found = per_deal(20, sum(units), sum(x * x for x in units), 20)
        held += abs(found.mean - 0.2) <= (found.interval or 0)
    assert held / 1000 == pytest.approx(0.95, abs=0.021)  # three deviations


def test_ratings_of_several_do_not_depend_on_the_numbers_of_the_entrants():
    units = [((0, 1, 2), (0, 1, 2), "021"), ((2, 1, 0), (0, 1, 2), "100")] * 10
    turned = [(tuple(2 - e for e in who), sides, places) for who, sides, places in units]
    one, other = rate_units(3, units), rate_units(3, turned)
    assert [r.value for r in one] == pytest.approx([r.value for r in other][::-1])
    assert sum(r.value for r in one) == pytest.approx(4500)
    assert [r.units for r in one] == [20] * 3

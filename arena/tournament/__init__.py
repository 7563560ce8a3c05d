"""Pure tournament arithmetic: data in, data out; no clock, no I/O, no randomness of its own.

    spec.py        the organizer's TOML → `Spec`, refused with the line at fault (toml_lines.py)
    pairing.py     `Schedule(spec)`: pairings by index, a pure function of spec and seed
    circle.py      round robins of two sides
    designs.py     of more sides, and where partners change: cyclic designs (starters*.py)
    balance.py     how even a schedule is
    results.py     `Tally`: what one finished match adds to every table
    standings.py   tallies → `Table`: standings and crosstable (rows.py), for any arrival order
    ratings.py     Bradley-Terry on the Elo scale with 95 % intervals (linear.py: the algebra)
    skill.py       Plackett-Luce, where more than two meet
    per_deal.py    points per deal, where partners change

A tournament's way through here: `parse(text)` → `Schedule(spec)[i]` is played → `tally(...)` →
`Table(spec).add(tally)` … → `table.standings()`, `table.crosstable()`.
"""

from arena.tournament.balance import Balance
from arena.tournament.pairing import Pairing, Schedule
from arena.tournament.ratings import Rating, Unit, rate
from arena.tournament.results import WORTH, GameScore, Tally, tally
from arena.tournament.spec import ClockSpec, Entrant, Spec, SpecError, parse
from arena.tournament.standings import Cell, Standing, Table

__all__ = [
    "WORTH",
    "Balance",
    "Cell",
    "ClockSpec",
    "Entrant",
    "GameScore",
    "Pairing",
    "Rating",
    "Schedule",
    "Spec",
    "SpecError",
    "Standing",
    "Table",
    "Tally",
    "Unit",
    "parse",
    "rate",
    "tally",
]

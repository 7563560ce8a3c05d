"""The referee of a match, without I/O: what is put in, and when, decides everything that comes out.

- `spec`: what is to be played: `MatchSpec`, `Clock`, `MatchFormat`.
- `match`: `Match`, the state machine; `live`: one game of it; `clock`: who has how long.
- `effects`: what a match says in answer: `Ask`, `Rejected`, `Record`, `GameOver`, `MatchOver` …
- `faults`: what a bot did wrong, with its evidence.
- `saving`: a match as data and made again; `inputs`: what was put into it since, as rows.
- `scoring`: who won a match, `stakes`: what its games were worth (rules.md §11).
- `record`: the lines of a record, written and read; `waiting`: hands whose lines are not due yet;
  `replay`: referees a record again, from the first card; `egn`: the same for games in Euchre Game
  Notation.

Times are integers, nanoseconds on the caller's monotonic clock. Nothing here reads a clock, draws
a random number or knows of a socket: the same calls give the same effects and, to the byte, the
same record, in whatever order concurrent games finish.
"""

from euchre_arena.match.effects import (
    Acted,
    Ask,
    Effect,
    FaultNoted,
    GameBegan,
    GameOver,
    HandBegan,
    MatchOver,
    Record,
    Rejected,
)
from euchre_arena.match.faults import Fault
from euchre_arena.match.match import Match, OpenTurn
from euchre_arena.match.scoring import MatchResult
from euchre_arena.match.spec import Clock, MatchFormat, MatchSpec, SpecError

__all__ = [
    "Acted",
    "Ask",
    "Clock",
    "Effect",
    "Fault",
    "FaultNoted",
    "GameBegan",
    "GameOver",
    "HandBegan",
    "Match",
    "MatchFormat",
    "MatchOver",
    "MatchResult",
    "MatchSpec",
    "OpenTurn",
    "Record",
    "Rejected",
    "SpecError",
]

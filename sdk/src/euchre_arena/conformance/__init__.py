"""Scenarios, records and EGN games as a test of the rules (``euchre-arena conformance``).

- `suite`: what a path holds: `find` walks files and folders and gives `Scenario`, `Question` and
  `Recorded` cases, and an `UnreadableError` for a file it cannot read.
- `reading`: one JSON object of a scenario file, checked and turned into a case.
- `position`: the game and hand a scenario starts from, and a snapshot to prove nothing changed.
- `steps`: plays a scenario and checks what it expects; `facts`: what it may ask of a hand.
- `questions`: the rules that stand alone (``winner``, ``order``, ``follow``, ``refused``).
- `records`: replays records and EGN games and compares them with ``expected.json``.
- `report`: runs the cases and says what failed.

The shape of a scenario stands in `reading`, that of expected.json in `records`.
"""

from euchre_arena.conformance.report import Report, run
from euchre_arena.conformance.suite import (
    Case,
    MismatchError,
    Question,
    Recorded,
    Scenario,
    UnreadableError,
    find,
)

__all__ = [
    "Case",
    "MismatchError",
    "Question",
    "Recorded",
    "Report",
    "Scenario",
    "UnreadableError",
    "find",
    "run",
]

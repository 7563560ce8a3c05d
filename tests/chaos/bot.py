"""A bot as a process that writes down what it is shown: `python -m tests.chaos.bot SERVER TOKEN
LOG THINK_S`.

A JSON line a decision or ending, written at once, so that what is on the disk when the process is
killed is all it was ever shown:

    ["turn", commitment, game, seat, hand, [seat << 16 | action …], [card …]]
    ["match", match id, [winner …], voided]
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from pathlib import Path

from euchre_arena.bot import Bot, MatchOutcome
from euchre_arena.client import run
from euchre_arena.rules.turn import Turn


class Witness(Bot):
    """Any legal action, a loner where it may, after a while; games are short."""

    capacity = 16

    def __init__(self, log: Path, think_s: float) -> None:
        self.think_s = think_s
        self.random = random.Random(str(log)).random
        self.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    async def act(self, turn: Turn) -> str:  # type: ignore[override]  # sync or async, as authors may
        table, view = turn.table, turn.view
        commitment = table.commitment.hex()
        at = table.game_number, turn.seat, turn.hand_number
        self.write("turn", commitment, *at, list(view.history), list(view.hand))
        await asyncio.sleep(self.random() * 2 * self.think_s)  # thought, which costs no processor
        return turn.legal[-1]

    def match_ended(self, outcome: MatchOutcome) -> None:
        self.write("match", outcome.match_id, outcome.winners, outcome.voided)

    def write(self, *facts: object) -> None:
        """One line, whole or not at all."""
        os.write(self.log, json.dumps(facts).encode() + b"\n")


if __name__ == "__main__":
    server, token, log, think_s = sys.argv[1:]
    run(Witness(Path(log), float(think_s)), server, Path(token).read_text().strip())

"""A bot that keeps a diary: what is remembered by game, and thrown away when the game ends.

euchre-arena connect diary.py:Diary --token-file my.token
"""

from __future__ import annotations

from collections import Counter

from euchre_arena import Bot, GameOutcome, MatchOutcome, Table, Turn


class Diary(Bot):
    def __init__(self) -> None:
        self.passes: dict[int, Counter[int]] = {}
        self.won = self.lost = 0

    def game_started(self, table: Table) -> None:
        # After a reconnect a game is announced again (table.resumed): keep what is known of it.
        self.passes.setdefault(table.game, Counter())

    def act(self, turn: Turn) -> str:
        said = [seat for seat, action in turn.history if action == "pass"]
        seen = self.passes.setdefault(turn.game, Counter())
        seen.update(said)
        # Opponents that pass a lot do not have much: be bolder.
        bold = sum(seen.values()) > 10
        return turn.legal[1] if bold and len(turn.legal) > 1 else turn.legal[0]

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        self.passes.pop(table.game, None)
        self.won += outcome.won
        self.lost += not outcome.won

    def match_ended(self, outcome: MatchOutcome) -> None:
        print(f"{outcome.match_id}: won by {', '.join(outcome.winners)}; {self.won}:{self.lost}")

"""`regle`: plays écarté by the *jeux de règle*, each piece of advice a function with its source.

- `position`: a hand as écarté ranks it, what is gone, how the game stands
- `proposing`: hands to play without proposing or accepting
- `exchanging`: what to put away
- `playing`: the king, the lead, what to play to a lead

Source, as in rules.md: [H] Hoyle's Games Modernized, Écarté. What does not stand there says
"common practice". Everything but écarté it plays as `book` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from euchre_arena.bot import Bot
from euchre_arena.bots.book import Book
from euchre_arena.bots.regle.exchanging import exchange
from euchre_arena.bots.regle.playing import play
from euchre_arena.bots.regle.position import Position
from euchre_arena.bots.regle.proposing import propose, respond
from euchre_arena.rules.ruleset import Rules
from euchre_arena.rules.terms import Phase
from euchre_arena.rules.turn import ACTIONS, Turn
from euchre_arena.rules.views import View

ADVICE: Final[dict[int, Callable[[Position], int]]] = {
    Phase.PROPOSE: propose,
    Phase.RESPOND: respond,
    Phase.EXCHANGE: exchange,
    Phase.PLAY: play,
}
"""By phase of écarté."""


class Regle(Bot):
    """Advice first to last; the first that speaks is followed."""

    name = "regle"

    def __init__(self) -> None:
        self._book = Book()

    def act(self, turn: Turn) -> str:
        """Decide."""
        return ACTIONS[self.decide(turn.view, turn.table.rules)]

    def decide(self, view: View, rules: Rules) -> int:
        """The code of a legal action."""
        if rules.making != "ecarte":
            return self._book.decide(view, rules)
        if len(view.legal) == 1:
            return view.legal[0]
        return ADVICE[view.phase](Position(view))

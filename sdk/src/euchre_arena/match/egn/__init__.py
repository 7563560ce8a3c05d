"""Euchre Game Notation 1.0–1.4: games recorded elsewhere, refereed again; our own, written.

- `notation`: cards and calls as the notation writes them, unknown ranks and suits included.
- `ruleset`: the game's ``ruleset`` as our options; a key we do not know is refused by name.
- `reader`: the JSON of a file turned into `EgnGame` and `EgnDeal`, checked.
- `contract`: what a deal's calls made: trumps, maker, who sits out.
- `play`: follows the tricks of a deal and notes its breaches.
- `replay`: deal after deal to the score; ``replay_egn`` is the way in.
- `writer`: a game of a record in the notation; ``write_egn``.

A game is followed from what was played, for the hands are seldom known. Where a card is not known
either, every way it may have gone is followed, and only what holds in all of them is reported.
"""

from euchre_arena.match.egn.notation import EgnError
from euchre_arena.match.egn.play import Breach
from euchre_arena.match.egn.replay import DealReport, EgnReport, replay_egn
from euchre_arena.match.egn.writer import egn_text, write_egn

__all__ = ["Breach", "DealReport", "EgnError", "EgnReport", "egn_text", "replay_egn", "write_egn"]

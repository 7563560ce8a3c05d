"""Play bots against each other in this process, on the very referee a server runs.

- `play_local`: the call for authors; `match`: entrants, deals and the record put together.
- `driver`: hands turns to bots and their answers to the referee; `waiting`: answers of
  asynchronous bots.
- `result`: what came out; `interval`: how sure one can be of it.
"""

from euchre_arena.local.driver import BotError, BotRefusal
from euchre_arena.local.interval import Estimate
from euchre_arena.local.match import BotLike, LocalMatch, play_local
from euchre_arena.local.result import LocalResult, RecordWriteError

__all__ = [
    "BotError",
    "BotRefusal",
    "BotLike",
    "Estimate",
    "LocalMatch",
    "LocalResult",
    "RecordWriteError",
    "play_local",
]

"""Write a euchre bot, play it at home on the arena's own referee, connect it to an arena.

`Bot` is what an author derives from, `Turn` what its ``act`` is given, `play_local` plays bots
against each other in this process, `connect` and `run` play one on a server. The rooms behind:
`euchre_arena.rules` the game, `euchre_arena.match` the referee, `euchre_arena.bots` the house
bots, `euchre_arena.wire` protobuf to and fro, `euchre_arena.client` the connection,
`euchre_arena.cli` the command ``euchre-arena``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from euchre_arena.bot import Bot, GameOutcome, MatchOutcome
from euchre_arena.rules.turn import Action, Table, Turn

if TYPE_CHECKING:
    from euchre_arena.client import connect, run
    from euchre_arena.local import LocalResult, play_local

try:
    __version__ = version("euchre-arena")
except PackageNotFoundError:  # the source tree on the path, not installed
    __version__ = "0"

__all__ = [
    "Action",
    "Bot",
    "GameOutcome",
    "LocalResult",
    "MatchOutcome",
    "Table",
    "Turn",
    "__version__",
    "connect",
    "play_local",
    "run",
]

# gRPC takes a quarter of a second to import, and a bot played at home needs none of it.
_LATER = {
    "connect": "euchre_arena.client",
    "run": "euchre_arena.client",
    "play_local": "euchre_arena.local",
    "LocalResult": "euchre_arena.local",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

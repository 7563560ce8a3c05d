"""The scripts: each a file of ``lua/``, run atomically by the server, ``common.lua`` before it.

They are where the store's promises are kept, so each is short and says what it promises. The
server's clock is the only clock.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from arena.store import keys

SCRIPTS = (
    "token",
    "create",
    "transition",
    "add",
    "due",
    "place",
    "lease",
    "begin",
    "renew",
    "release",
    "finish",
    "reclaim",
    "heartbeat",
    "leave",
    "claim",
    "keep",
    "put",
    "drop",
    "open",
    "append",
    "checkpoint",
    "hand_over",
    "hand_back",
    "untold",
    "succeed",
)
"""Names of the scripts."""


@cache
def source(name: str) -> str:
    """The text of a script, with what all scripts share before it."""
    folder = files("arena.store") / "lua"
    parts = [keys.lua(), (folder / "common.lua").read_text(), (folder / f"{name}.lua").read_text()]
    return "".join(parts)

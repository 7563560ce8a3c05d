"""What was meant by a name: the likeliest of those there are, or the id made of it."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the commands use what is here, too, and need no store
    from arena.store import NotFound, Store

FEW: Final = 6
"""So many names are told rather than where to find them."""
LONGEST_SLUG: Final = 48


def hint(store: Store, missing: NotFound) -> str:
    """`did you mean …?`, or what there is. Raises what the store raises."""
    if missing.kind == "match":
        return _match(store, missing.name)
    names = store.bots.names() if missing.kind == "bot" else store.tournaments.ids()
    found = near(missing.name, names)
    if found:
        return f"did you mean {found}?"
    if 0 < len(names) <= FEW:
        return f"there {'is' if len(names) == 1 else 'are'} {', '.join(names)}"
    return f"`arena {missing.kind} list` lists them" if names else "there is none yet"


def near(name: str, names: Sequence[str]) -> str:
    """The one of ``names`` most like ``name``; "" where none is."""
    found = difflib.get_close_matches(name.lower(), names, 1)
    return found[0] if found else ""


def unregistered(missing: Sequence[str], names: Sequence[str]) -> str:
    """Which bots have no token, and the cure; of those in ``names`` it was revoked."""
    said = []
    for name in missing:
        if name in names:
            said.append(f"{name} (revoked; `arena bot rotate {name}` lets it play again)")
        else:
            meant = near(name, names)
            said.append(f"{name} (did you mean {meant}?)" if meant else name)
    return f"not registered: {', '.join(said)}; `arena bot register NAME` does it"


def slug(name: str) -> str:
    """An id made of a name: "Friday night" → "friday-night", "Écarté" → "ecarte"."""
    parted = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in parted if not unicodedata.combining(letter))
    words = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")
    return words[:LONGEST_SLUG].strip("-") or "tournament"


def _match(store: Store, match_id: str) -> str:
    tournament, _, index = match_id.rpartition("-m")
    ids = store.tournaments.ids()
    if not tournament or not index.isdigit():
        example = f", as {ids[0]}-m0" if ids else ""
        return f"a match is called by its tournament and its number{example}"
    if tournament in ids:
        there = store.tournaments.cursor(tournament)
        if not there:
            return f"{tournament} has no matches yet; it begins with `arena tournament start`"
        return f"{tournament} has {tournament}-m0 to {tournament}-m{there - 1}"
    found = near(tournament, ids)
    return f"did you mean {found}-m{index}?" if found else "`arena tournament list` lists what is"

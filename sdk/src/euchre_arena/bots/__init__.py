"""The house bots: opponents to practise against, and the field of the demo.

- `simple`: `random` and `first`, which play everything
- `book`: plays by the advice of the sources, with thresholds to change
- `regle`: plays écarté by the *jeux de règle*
- `loading`: bots as written on a command line
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from euchre_arena.bot import Bot
from euchre_arena.bots.book import Book
from euchre_arena.bots.loading import LoadError, load_bot
from euchre_arena.bots.regle import Regle
from euchre_arena.bots.simple import First, Random

HOUSE: Final[Mapping[str, Callable[..., Bot]]] = {
    "random": Random,
    "first": First,
    "book": Book,
    "cautious": partial(
        Book, order=3.6, pone=3.6, assist=2.6, pickup=3.0, call=3.0, alone=4.4, solo=0.2, bid=0.4
    ),
    "bold": partial(
        Book, order=2.4, pone=2.4, assist=1.6, pickup=2.0, call=2.0, alone=3.5, solo=-0.8, bid=-0.6
    ),
    "never-alone": partial(Book, alone=9.0),
    "no-next": partial(Book, skip="next_and_crossing"),
    "old-hand": partial(Book, order=3.5, pone=3.5, assist=2.3, aces=0.6, alone=4.0, bridge=True),
    "regle": Regle,
}
"""Every house bot by the name it is called by; a name's parameters may be set over it."""

DEMO_FIELD: Final[tuple[str, ...]] = tuple(name for name in HOUSE if name != "regle")
"""The eight of `make demo`: `regle` plays its own game only, elsewhere as `book`."""

__all__ = ["DEMO_FIELD", "HOUSE", "Book", "First", "LoadError", "Random", "Regle", "load_bot"]

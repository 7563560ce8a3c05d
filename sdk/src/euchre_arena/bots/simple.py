"""`random` and `first`: opponents to begin with, which play every phase of every preset."""

from __future__ import annotations

from hashlib import blake2b

from euchre_arena.bot import Bot
from euchre_arena.rules.turn import Turn


class First(Bot):
    """The first legal action in canonical order: it passes while it may, then plays low cards."""

    name = "first"

    def act(self, turn: Turn) -> str:
        """Decide."""
        return turn.legal[0]


class Random(Bot):
    """Uniform over the legal actions, and the same again whenever a seat knows the same.

    The draw is a hash of what the seat knows (its hand, what was said and played, dealer, score,
    deal number, seat), never of handles, order of arrival or anything else of the process: so a
    seeded tournament can be repeated. ``random?salt=2`` draws otherwise.
    """

    name = "random"

    def __init__(self, salt: int = 0) -> None:
        self.salt = salt

    def act(self, turn: Turn) -> str:
        """Decide."""
        legal = turn.legal
        return legal[draw(turn, self.salt) % len(legal)]


def draw(turn: Turn, salt: int = 0) -> int:
    """A number of 64 bits from what the seat knows; the same in every process."""
    seen = turn.view
    known = (
        salt,
        seen.seat,
        seen.dealer,
        seen.phase,
        seen.up_card,
        seen.hand_number,
        *seen.score,
        *seen.hand,
        *seen.put_away,
        *seen.history,
    )
    return int.from_bytes(blake2b(repr(known).encode(), digest_size=8).digest(), "big")

"""Bots and tokens: who may play, organize or operate.

A token is 256 random bits, printed once and stored as its SHA-256; it is looked up by that hash
and the hash compared in constant time.
"""

from __future__ import annotations

from pathlib import Path

from arena.store.link import Link
from arena.store.types import BotInfo, Principal, Role


class Tokens:
    """Tokens of all roles."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def issue(self, role: Role, name: str) -> str:
        """A new token for ``name`` in ``role``; the one it had before is void from now on."""
        raise NotImplementedError

    def check(self, token: str) -> Principal | None:
        """Whom the token belongs to, or None. Safe to call with anything a stranger sent."""
        raise NotImplementedError

    def revoke(self, role: Role, name: str) -> bool:
        """Void the token of ``name``; whether there was one."""
        raise NotImplementedError

    def ensure(self, role: Role, name: str, path: Path) -> bool:
        """See that ``path`` (mode 0600) holds a good token of ``name``; whether one was written."""
        raise NotImplementedError


class Bots:
    """Registered bots; house bots are bots like any other."""

    def __init__(self, link: Link, tokens: Tokens) -> None:
        self._link = link
        self._tokens = tokens

    def register(self, name: str) -> str:
        """Register a bot and give its token, the only time it can be seen.

        Raises ValueError for a name that is none (see ``types.NAME``), AlreadyExists.
        """
        raise NotImplementedError

    def rotate(self, name: str) -> str:
        """A new token; the old one is void at once, its open streams are told (``revoked``)."""
        raise NotImplementedError

    def revoke(self, name: str) -> None:
        """Void the bot's token; its open streams are told. The name stays taken. NotFound."""
        raise NotImplementedError

    def get(self, name: str) -> BotInfo:
        """One bot. NotFound."""
        raise NotImplementedError

    def all(self) -> list[BotInfo]:
        """All bots, by name."""
        raise NotImplementedError

    def missing(self, names: list[str]) -> list[str]:
        """Those of ``names`` that are not registered (or revoked), in the order given."""
        raise NotImplementedError

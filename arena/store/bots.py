"""Bots and tokens: who may play, organize or operate.

A token is 256 random bits, printed once and stored as its SHA-256; it is looked up by that hash
and the hash compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.store import keys
from arena.store.errors import AlreadyExists, NotFound
from arena.store.link import Link
from arena.store.private import write_private
from arena.store.types import BotInfo, Principal, Role, check_name

TOKEN_BYTES = 32
LONGEST_TOKEN = 256
"""Nothing longer is even hashed: strangers send what they like."""


class Tokens:
    """Tokens of all roles."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def issue(self, role: Role, name: str) -> str:
        """A new token for ``name`` in ``role``; the one it had before is void from now on."""
        check_name(name)
        token = secrets.token_hex(TOKEN_BYTES)
        self._link.run("token", f"{role}:{name}", _digest(token))
        return token

    def check(self, token: str) -> Principal | None:
        """Whom the token belongs to, or None. Safe to call with anything a stranger sent."""
        if not token or len(token) > LONGEST_TOKEN:
            return None
        digest = _digest(token)
        owner = self._link.call("HGET", keys.single("tokens"), digest)
        if owner is None:
            return None
        # The look-up found this very hash; what its owner holds now must be it too.
        current = self._link.call("HGET", keys.single("token_of"), owner) or ""
        if not hmac.compare_digest(current, digest):
            return None
        role, _, name = owner.partition(":")
        return Principal(Role(role), name)

    def revoke(self, role: Role, name: str) -> bool:
        """Void the token of ``name``; whether there was one."""
        return bool(self._link.run("token", f"{role}:{name}", ""))

    def owners(self) -> list[Principal]:
        """Everyone who has a token, by role and name."""
        found = self._link.call("HKEYS", keys.single("token_of"))
        parts = [owner.partition(":") for owner in sorted(found)]
        return [Principal(Role(role), name) for role, _, name in parts]

    def ensure(self, role: Role, name: str, path: Path) -> bool:
        """See that ``path`` (mode 0600) holds a good token of ``name``; whether one was written.

        OSError when the file cannot be read or written.
        """
        if path.exists() and self.check(path.read_text().strip()) == Principal(role, name):
            return False
        write_private(path, self.issue(role, name) + "\n")
        return True


class Bots:
    """Registered bots; house bots are bots like any other."""

    def __init__(self, link: Link, tokens: Tokens) -> None:
        self._link = link
        self._tokens = tokens

    def register(self, name: str) -> str:
        """Register a bot and give its token, the only time it can be seen.

        Raises ValueError for a name that is none (see ``types.NAME``), AlreadyExists.
        """
        check_name(name)
        now = self._link.now()
        facts = {"created_at": now, "rotated_at": now, "revoked": False}
        if not self._link.call("HSETNX", keys.single("bots"), name, json.dumps(facts)):
            raise AlreadyExists(f"a bot named {name!r} is registered already")
        return self._tokens.issue(Role.BOT, name)

    def rotate(self, name: str) -> str:
        """A new token; the old one is void at once, its open streams are told (``revoked``).

        A revoked bot may play again. NotFound.
        """
        facts = self._facts(name)
        token = self._tokens.issue(Role.BOT, name)
        self._store(name, facts | {"rotated_at": self._link.now(), "revoked": False})
        self._tell(name)
        return token

    def revoke(self, name: str) -> None:
        """Void the bot's token; its open streams are told. The name stays taken. NotFound."""
        facts = self._facts(name)
        self._tokens.revoke(Role.BOT, name)
        self._store(name, facts | {"revoked": True})
        self._tell(name)

    def get(self, name: str) -> BotInfo:
        """One bot. NotFound."""
        return self._infos({name: self._facts(name)})[0]

    def all(self) -> list[BotInfo]:
        """All bots, by name."""
        found = self._link.call("HGETALL", keys.single("bots"))
        return self._infos({name: json.loads(found[name]) for name in sorted(found)})

    def names(self) -> list[str]:
        """The names of all bots, sorted."""
        return sorted(self._link.call("HKEYS", keys.single("bots")))

    def missing(self, names: Sequence[str]) -> list[str]:
        """Those of ``names`` that are not registered (or revoked), in the order given."""
        if not names:
            return []
        found = self._link.call("HMGET", keys.single("bots"), *names)
        return [
            name
            for name, facts in zip(names, found, strict=True)
            if facts is None or json.loads(facts)["revoked"]
        ]

    def _facts(self, name: str) -> dict[str, Any]:
        facts = self._link.call("HGET", keys.single("bots"), name)
        if facts is None:
            raise NotFound("bot", name)
        found: dict[str, Any] = json.loads(facts)
        return found

    def _store(self, name: str, facts: dict[str, Any]) -> None:
        self._link.call("HSET", keys.single("bots"), name, json.dumps(facts))

    def _infos(self, facts: dict[str, dict[str, Any]]) -> list[BotInfo]:
        if not facts:
            return []
        seen = self._link.call("HMGET", keys.single("seen"), *facts)
        connected: set[str] = set()
        for referee in self._link.live():
            connected.update(self._link.call("HKEYS", keys.of("referee_bots", referee)))
        return [
            BotInfo(name, connected=name in connected, last_seen=int(at or 0), **facts[name])
            for name, at in zip(facts, seen, strict=True)
        ]

    def _tell(self, name: str) -> None:
        """Every live referee closes the bot's streams, wherever they are by now."""
        with self._link.pipeline() as pipe:
            for referee in self._link.live():
                pipe.xadd(keys.of("inbox", referee), {"kind": "revoked", "bot": name})
            pipe.execute()


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()

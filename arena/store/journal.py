"""Journals and checkpoints: what a match goes on from when its referee dies.

Every referee writes one journal, a stream: an entry holds what took effect in one or more turns of
its loop, for all of its matches. Entries are numbered by their writer and stand there once, in
order, without a gap (``append.lua``), so one that is told again after a lost answer changes
nothing. Who takes a match from a referee seals it there in the same step: from then on the old one
can append nothing until it has left that match out.

A match's checkpoint is a hash: its secret, and a state from which its referee's journal goes on
after entry ``at``. What is older than every checkpoint is trimmed.

What the server may forget: nothing that it has acknowledged, as long as its machine has power, or
with ``appendfsync always``. Otherwise up to a second or two. A journal therefore carries the *life*
of the store it is sure of: one that was begun in another life than the present one may lack its
end, and what was shown to bots meanwhile with it; attempts that hang on it are voided.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from arena.store import keys
from arena.store.errors import StoreError, StoreMisconfigured
from arena.store.link import Link, client_for
from arena.store.pen import Pen
from arena.store.scripts import source
from arena.store.types import Lease

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""Another one after every start of this machine."""
READ_AT_ONCE: Final = 500

Value = str | int | bytes


class Durability(StrEnum):
    """What a write that was acknowledged survives, beside the death of any process."""

    ALWAYS = "always"  # everything: on the disk before it is acknowledged
    EVERYSEC = "everysec"  # a power cut too, but for the last second or two
    NEVER = "no"  # the file is written when the system likes, or there is none
    UNKNOWN = "unknown"  # the server does not tell


@dataclass(frozen=True, slots=True)
class Refused:
    """Why an entry was not appended."""

    why: str
    """``sealed``, ``behind`` or ``gone``, see ``append.lua``."""
    seals: tuple[str, ...] = ()
    """``"match fence"`` of each match taken away."""
    last: int = 0
    """The last entry there is."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A checkpoint, and what was journalled since."""

    fields: Mapping[str, bytes]
    entries: Sequence[bytes]
    whole: bool
    """No entry is missing, and the journal cannot lack its end."""


class Journals:
    """Journals by referee, checkpoints by match."""

    def __init__(self, link: Link) -> None:
        self._link = link
        # Entries and states are bytes.
        self._raw: Any = client_for(link.settings, decode=False)
        self._always = False

    @property
    def forgets_s(self) -> int:
        """How far back the server may forget what it acknowledged, with room to spare: a power cut
        takes two seconds under ``everysec``, a replica that takes over may lag."""
        return 10 if self._link.settings.scheme == "sentinel" else 3

    # --- writing ---

    def open(self, referee: str, last: int = 0) -> None:
        """Begin a referee's journal; the first entry is number ``last + 1``."""
        self._link.run("open", referee, self.life(), last)

    def append(
        self, referee: str, number: int, oldest: int, entry: bytes, seals: Sequence[str] = ()
    ) -> Refused | None:
        """Append an entry; None when it is there. ``oldest``: the first one still needed;
        ``seals``: those answered before, whose matches are not in the entry any more."""
        life = self.life()
        said = self._link.run("append", referee, life, number, oldest, entry, *seals)
        return None if said == 1 else refused(said)

    def last(self, referee: str) -> int | None:
        """The number of its last entry; None: it has no journal."""
        found = self._link.call("HGET", keys.of("pen", referee), "last")
        return None if found is None else int(found)

    def touch(self, referee: str, last: int) -> None:
        """Everything to ``last`` was found there, in whatever life the store is now."""
        if self.last(referee) == last:
            self._link.call("HSET", keys.of("pen", referee), "life", self.life())

    def pen(self, referee: str) -> Pen:
        """A connection of its own to append with from an event loop."""
        self._link.call("SCRIPT", "LOAD", source("append"))
        return Pen(self._link, referee, self.life())

    def checkpoint(self, lease: Lease, fields: Mapping[str, Value]) -> bool:
        """Write fields of a match's checkpoint; the journal of the lease's referee goes on from it.
        False: the lease is lost."""
        flat = [part for name, value in fields.items() for part in (name, value)]
        head = (lease.match_id, lease.fence, lease.referee)
        return bool(self._link.run("checkpoint", *head, *flat))

    # --- reading ---

    def load(self, match_id: str) -> Saved | None:
        """A match's checkpoint, and the entries of the journal it was continued in."""
        with self._link.errors():
            found = self._raw.hgetall(keys.of("checkpoint", match_id))
            if not found:
                return None
            fields = {name.decode(): value for name, value in found.items()}
            referee = fields["referee"].decode()
            at = int(fields.get("at", b"0"))
            # First how far it goes at least: its referee may live and go on appending to it.
            last, life = self._raw.hmget(keys.of("pen", referee), "last", "life")
            entries = self._entries(referee, at)
        whole = (
            life is not None
            and life.decode() == self.life()
            and list(entries) == list(range(at + 1, at + 1 + len(entries)))
            and at + len(entries) >= int(last)
        )
        return Saved(fields, list(entries.values()), whole)

    def needed(self, referee: str) -> set[str]:
        """The matches whose checkpoint is continued in a referee's journal."""
        found: set[str] = set(self._link.call("SMEMBERS", keys.of("journaled", referee)))
        return found

    def _entries(self, referee: str, after: int) -> dict[int, bytes]:
        """By number."""
        entries: dict[int, bytes] = {}
        start = f"{after + 1}-0"
        while True:
            found = self._raw.xrange(keys.of("journal", referee), start, "+", READ_AT_ONCE)
            entries |= {int(name.partition(b"-")[0]): fields[b"d"] for name, fields in found}
            if len(found) < READ_AT_ONCE:
                return entries
            start = "(" + found[-1][0].decode()

    # --- what the server keeps ---

    def durability(self) -> Durability:
        """What the server does with its append-only file, as far as it tells us."""
        try:
            found = self._link.call("CONFIG", "GET", "append*")
        except (StoreError, StoreMisconfigured):  # CONFIG is not for everybody
            facts = self._link.call("INFO", "persistence")
            enabled = facts.get("aof_enabled")
            return Durability.UNKNOWN if enabled else Durability.NEVER
        if isinstance(found, list):
            found = dict(zip(found[::2], found[1::2], strict=True))
        if found.get("appendonly") != "yes":
            return Durability.NEVER
        fsync = found.get("appendfsync", "")
        self._always = fsync == "always"
        return Durability(fsync) if fsync in set(Durability) else Durability.UNKNOWN

    def life(self) -> str:
        """Another one whenever the server may have forgotten what it had acknowledged.

        On this machine that takes a power cut: what a process has written outlives it. Elsewhere
        we see only that the server is another process. A replica that takes over is one too.
        """
        if self._always:
            return "always"
        if self._here():
            return BOOT_ID.read_text().strip()
        return str(self._link.call("INFO", "server")["run_id"])

    def _here(self) -> bool:
        settings = self._link.settings
        if settings.scheme == "unix":
            return BOOT_ID.exists()
        if settings.scheme == "sentinel" or not BOOT_ID.exists():
            return False
        host = settings.hosts[0][0]
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    def close(self) -> None:
        """Give the connections back."""
        self._raw.close()


def refused(said: Sequence[str | bytes]) -> Refused:
    """What ``append.lua`` says when it does not append."""
    why, *rest = [each.decode() if isinstance(each, bytes) else str(each) for each in said]
    if why == "behind":
        return Refused(why, last=int(rest[0]))
    return Refused(why, tuple(rest))

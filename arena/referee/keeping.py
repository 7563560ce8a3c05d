"""Checkpoints of matches under way, and what the journal must know of its matches.

A checkpoint is a match as data (`euchre_arena.match.saving`) at the end of an entry of the journal,
which goes on from there. One is wanted at the end of a hand when there have been `DECISIONS` since
the last, more where many games are under way, and sooner where a match that stands still would keep
the journal from being trimmed, or one that ends games without decisions piles up lines. They are
made one at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from euchre_arena.match.saving import saved

from arena.referee.calls import Calls
from arena.referee.hosted import Hosted, VoidedError
from arena.store import Store, StoreError
from arena.store.journal import Value

if TYPE_CHECKING:
    from arena.referee.loop import Engine

log: Final = logging.getLogger(__name__)

DECISIONS: Final = 500
EACH: Final = 40
"""Decisions a game under way, if that is more: a checkpoint costs what a match has of games."""
BEHIND: Final = 5_000
"""Entries a checkpoint may lie back before another is made of a match that stands still."""
LINES: Final = 2_000
"""Lines of a record that may wait for a checkpoint: games that are forfeited need no decisions."""
NUMBERS: Final = 1 << 16
SEALS: Final = 8_192
"""Attempts whose number is remembered."""


class Checkpoint:
    """A match at the end of an entry."""

    __slots__ = ("decisions", "hosted", "lines", "state")

    def __init__(self, hosted: Hosted) -> None:
        self.hosted = hosted
        self.state = saved(hosted.match)
        self.lines = hosted.match.fresh_lines()
        self.decisions = hosted.decisions

    def counted(self) -> Mapping[str, Any]:
        """What is counted of the match, when the effects before the checkpoint have been told and
        none of those after it."""
        hosted = self.hosted
        hosted.chunks += 1
        return {**hosted.counted(), "decisions": self.decisions}

    def fields(self, entry: int, counts: Mapping[str, Any]) -> dict[str, Value]:
        """Of the store's checkpoint; takes a while."""
        # Lines and games are many and never change: each stands in one part.
        part, counts = counts["chunks"], dict(counts)
        games = counts.pop("games")
        state = {"match": self.state, "counts": counts}
        return {
            "at": entry,
            "state": packed(state),
            f"waiting{part}": packed([(game, _text(line)) for game, line in self.lines]),
            f"games{part}": packed(games),
        }


def _text(line: str | bytes) -> str:
    """As JSON has it; hexadecimal of a hand that waits for its line, which begins with a brace."""
    return line if isinstance(line, str) else line.hex()


def packed(data: object) -> bytes:
    """As a field of a checkpoint; `unpacked` is the way back."""
    return zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 1)


def unpacked(data: bytes) -> Any:
    """JSON. zlib.error, ValueError."""
    return json.loads(zlib.decompress(data))


class Keeping:
    """The checkpoints of one referee, and the journal's keeper (`arena.referee.journal.Keeper`)."""

    def __init__(self, engine: Engine) -> None:
        self.wanted: dict[str, Hosted] = {}
        """Matches to make a checkpoint of at the end of this turn of the loop."""
        self.is_away = False
        """The store does not acknowledge what is journalled: clocks stand still."""
        self._engine = engine
        self._numbers: dict[str, int] = {}
        self._next = 0
        self._store: Store | None = None
        self._calls: Calls
        self._writing: set[asyncio.Task[None]] = set()
        self._owed: dict[str, int] = {}
        """Matches that left, and the entry after which whoever goes on with them reads on."""

    def begin(self, store: Store, calls: Calls) -> None:
        """There is a journal from now on."""
        self._store, self._calls = store, calls

    # -- matches

    def enrol(self, hosted: Hosted) -> None:
        """Give a match about to begin or to go on its number in the journal."""
        used = {each.number for each in self._engine.hosted.values() if each is not hosted}
        while self._next in used:
            self._next = (self._next + 1) % NUMBERS
        hosted.number, self._next = self._next, (self._next + 1) % NUMBERS
        hosted.at = self._engine.journal.position
        self._owed.pop(hosted.order.match_id, None)
        self._numbers[_seal(hosted)] = hosted.number
        if len(self._numbers) > SEALS:
            del self._numbers[next(iter(self._numbers))]

    def hand_ended(self, hosted: Hosted) -> None:
        """Make a checkpoint, if there is enough since the last."""
        if hosted.decisions - hosted.kept >= max(DECISIONS, EACH * len(hosted.games)):
            self._want(hosted)

    def left(self, hosted: Hosted) -> None:
        """A match is played here no more; another referee may still need the journal for it."""
        if hosted.at >= 0:
            self._owed[hosted.order.match_id] = hosted.at

    async def settle(self, referee: str) -> None:
        """See which of them are finished or gone on with; once a second or so."""
        if self._owed and self._store is not None and not self.is_away:
            with contextlib.suppress(StoreError):
                needed = await self._calls.once(self._store.journals.needed, referee)
                self._owed = {match: at for match, at in self._owed.items() if match in needed}

    def look(self) -> None:
        """See to those that stand still, and to those that forfeit; once a second or so."""
        before = self._engine.journal.position - BEHIND
        for hosted in self._engine.hosted.values():
            if not self.behind(hosted) and 0 <= hosted.at < before:
                self._want(hosted)

    def behind(self, hosted: Hosted) -> bool:
        """Whether more lines wait than may; then a checkpoint is made that takes them."""
        behind = hosted.match.unsaved > LINES
        if behind:
            self._want(hosted)
        return behind

    def _want(self, hosted: Hosted) -> None:
        if self._store is not None and hosted.at >= 0 and not hosted.saving:
            self.wanted[hosted.order.match_id] = hosted
            self._engine.commit_soon()

    def taken(self) -> Checkpoint | None:
        """A checkpoint that is wanted, of this moment. The others wait until it is written:
        matches that began together want theirs together, and each takes time and memory."""
        while self.wanted and not self._writing:
            hosted = self.wanted.pop(next(iter(self.wanted)))
            if not (hosted.dropped or hosted.match.over):
                hosted.saving = True
                return Checkpoint(hosted)
        return None

    def put(self, checkpoint: Checkpoint, entry: int) -> None:
        """Write a checkpoint, the entry it ends being in the store. What is counted of the match
        when its effects are told is now as of the checkpoint."""
        hosted = checkpoint.hosted
        if hosted.dropped:
            self._next_wanted()
            return
        task = asyncio.create_task(self._write(hosted, entry, checkpoint, checkpoint.counted()))
        self._writing.add(task)
        task.add_done_callback(self._written)

    def _written(self, task: asyncio.Task[None]) -> None:
        self._writing.discard(task)
        self._next_wanted()

    def _next_wanted(self) -> None:
        if self.wanted:
            self._engine.commit_soon()

    async def _write(
        self, hosted: Hosted, entry: int, checkpoint: Checkpoint, counts: Mapping[str, Any]
    ) -> None:
        try:
            fields = await self._calls.once(checkpoint.fields, entry, counts)
            if await self.write(hosted, fields):
                hosted.at, hosted.kept = entry, checkpoint.decisions
            else:
                hosted.void(VoidedError("the lease was lost", lost=True))
        finally:
            hosted.saving = False

    async def write(self, hosted: Hosted, fields: Mapping[str, Value]) -> bool:
        """Write fields of a match's checkpoint; False when its lease is lost."""
        assert self._store is not None
        journals = self._store.journals
        return await self._calls.until_done(journals.checkpoint, hosted.lease, fields)

    # -- the journal's keeper

    def oldest(self) -> int:
        """See `Keeper`."""
        ats = [hosted.at for hosted in self._engine.hosted.values() if hosted.at >= 0]
        return min((*ats, *self._owed.values()), default=self._engine.journal.position) + 1

    def away(self) -> None:
        """See `Keeper`."""
        log.warning("the store does not answer: play waits, clocks stand still")
        self.is_away = True
        self._engine.metrics.store_away.set(1)
        self._engine.pause()

    def back(self) -> None:
        """See `Keeper`."""
        log.warning("the store answers: play goes on")
        self.is_away = False
        self._engine.metrics.store_away.set(0)
        self._engine.unpause()

    def took(self, elapsed: int) -> None:
        """See `Keeper`."""
        self._engine.metrics.journal_time.observe(elapsed)

    def sealed(self, seals: Sequence[str]) -> frozenset[int]:
        """See `Keeper`."""
        for hosted in list(self._engine.hosted.values()):
            if _seal(hosted) in seals:
                self._lose(hosted, "the match was taken away")
        return frozenset(self._numbers[seal] for seal in seals if seal in self._numbers)

    def forgot(self) -> None:
        """See `Keeper`."""
        for hosted in self._engine.hosted.values():
            if hosted.at >= 0:
                # Its checkpoint may be an older one now: nothing is trimmed until it has another.
                hosted.at = 0
                self._want(hosted)

    def lost(self) -> None:
        """See `Keeper`."""
        for hosted in list(self._engine.hosted.values()):
            if hosted.at >= 0:
                self._lose(hosted, "the store has forgotten the match")

    def _lose(self, hosted: Hosted, reason: str) -> None:
        hosted.void(VoidedError(reason, lost=True))
        self._engine.drop(hosted)
        self._engine.leave_out(hosted.number)


def _seal(hosted: Hosted) -> str:
    """How the store names what it takes away (append.lua)."""
    return f"{hosted.order.match_id} {hosted.lease.fence}"

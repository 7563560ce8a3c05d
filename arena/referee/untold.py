"""How matches ended, until their bots have acknowledged it.

The store knows of it from the moment a result stands (`Matches.finish`): a referee that dies before
it has told its bots leaves that to whichever they come to next. Bots drop what they know already.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from arena.referee import frames
from arena.referee.calls import Calls
from arena.referee.hosted import Hosted
from arena.referee.loop import now_ns
from arena.referee.session import Roster, Session
from arena.store import Store
from arena.store.matches import UNTOLD_MS

Ending = tuple[Session, int, bytes]
"""Who is told, of which handle, and what."""
UNTOLD_S: Final = 2.0
"""A store that does not tell what is on its disk (Redis 7.0) has it there after so long."""
KEPT_NS: Final = UNTOLD_MS * 1_000_000


def endings_of(hosted: Hosted, winners: Sequence[str], *, voided: bool) -> list[Ending]:
    """What every seat of a match is told of its end."""
    order, found = hosted.order, []
    for (entrant, ordinal), handle in hosted.match_handles.items():
        bots = order.entrants[entrant].bots
        part = frames.match_ended(handle, order.match_id, winners, hosted.secret, voided=voided)
        shares = hosted.shares.get(bots[ordinal % len(bots)], ())
        found += [(share.session, handle, part) for share in shares]
    return found


def put_endings(endings: Iterable[Ending]) -> None:
    """Have every session told, until it has acknowledged."""
    now = now_ns()
    for session, handle, part in endings:
        session.put_ending(handle, part)
        session.poke(now)


class Owed:
    """What one bot is to be told of one match."""

    __slots__ = ("at", "ends", "ready", "told")

    def __init__(self, ends: Sequence[tuple[int, bytes]], *, ready: bool) -> None:
        self.ends = ends
        self.ready = ready
        """It may be told."""
        self.at = now_ns()
        self.told: list[tuple[Session, int]] = []
        """To whom it was told, of which handle."""

    @property
    def acknowledged(self) -> bool:
        """Nobody who was told waits for it any more."""
        return bool(self.told) and all(handle not in s.endings for s, handle in self.told)


class Untold:
    """What this referee owes bots."""

    def __init__(self, store: Store, calls: Calls, referee: str, roster: Roster) -> None:
        self.owed: dict[tuple[str, str], Owed] = {}
        """By match and bot."""
        self._store = store
        self._calls = calls
        self._referee = referee
        self._roster = roster

    def begin(self, match_id: str, endings: Sequence[Ending]) -> dict[str, list[tuple[int, bytes]]]:
        """A result is about to stand; what the store is to know, by bot. Nothing is told yet."""
        by_bot: dict[str, dict[int, bytes]] = {}
        for session, handle, part in endings:
            by_bot.setdefault(session.bot, {})[handle] = part
        found = {bot: list(parts.items()) for bot, parts in by_bot.items()}
        for bot, ends in found.items():
            self.owed[match_id, bot] = Owed(ends, ready=False)
        return found

    def forget(self, match_id: str) -> None:
        """The result does not stand."""
        for key in [key for key in self.owed if key[0] == match_id]:
            del self.owed[key]

    def tell(self, match_id: str, endings: Sequence[Ending]) -> None:
        """The result stands and is kept: tell it."""
        for session, handle, _ in endings:
            owed = self.owed.get((match_id, session.bot))
            if owed is not None:
                owed.told.append((session, handle))
        put_endings(endings)
        for key, owed in self.owed.items():
            owed.ready |= key[0] == match_id

    async def take_over(self) -> None:
        """See what dead referees had yet to tell bots that are here. StoreUnavailable."""
        bots = [bot for bot in self._roster.by_bot if self._roster.connected(bot)]
        if not bots:
            return
        found = await self._calls.once(self._store.matches.untold, self._referee, bots)
        fresh = {key: ends for key, ends in found.items() if key not in self.owed}
        if fresh and not await self._calls.once(self._store.durable):
            await asyncio.sleep(UNTOLD_S)
        for key, ends in fresh.items():
            self.owed[key] = Owed(ends, ready=True)

    async def settle(self) -> None:
        """Tell who came meanwhile, forget what is acknowledged. StoreUnavailable."""
        now = now_ns()
        done = []
        for key, owed in self.owed.items():
            if not owed.ready:
                continue
            if owed.acknowledged or now - owed.at > KEPT_NS:
                done.append(key)
            elif not any(session in self._roster for session, _ in owed.told):
                self._tell(key[1], owed)
        if done:
            await self._calls.once(self._store.matches.told, done)
            for key in done:
                del self.owed[key]

    def _tell(self, bot: str, owed: Owed) -> None:
        sessions = self._roster.connected(bot)
        owed.told += [(session, handle) for session in sessions for handle, _ in owed.ends]
        put_endings((session, *end) for session in sessions for end in owed.ends)

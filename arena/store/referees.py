"""Referees: presence, connected bots, inboxes."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence

from redis.exceptions import ResponseError

from arena.store import keys
from arena.store.errors import NotFound
from arena.store.link import Link
from arena.store.reading import Reading
from arena.store.types import Inbox, RefereeInfo

PRESENCE_MS = 6_000
"""How long a referee counts as alive after a heartbeat; beat every 2 s and at every change."""
AHEAD = 2
"""Orders a referee may have in its inbox beyond what it can play now, so that it never idles."""


class Referees:
    """Referees by id; an id lives as long as the process that joined."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._reading = Reading(link)
        self._joined: dict[str, tuple[str, int]] = {}  # referee → address, ahead
        self._reread: set[str] = set()  # referees whose last read may have been lost on its way

    def join(
        self,
        address: str,
        capacity: int,
        *,
        name: str = "",
        ahead: int = AHEAD,
        ttl_ms: int = PRESENCE_MS,
    ) -> str:
        """Announce a new referee process at ``address`` (as bots reach it); its id.

        The id is ``name`` (a host, say) and something random: a process that starts again is
        another referee, which has none of the old one's leases.
        """
        referee = f"{name or 'referee'}-{secrets.token_hex(4)}"
        self._joined[referee] = (address, ahead)
        self.heartbeat(referee, capacity=capacity, bots={}, ttl_ms=ttl_ms)
        return referee

    def succeed(self, referee: str, address: str) -> None:
        """The referee listens at ``address``: no earlier one there lives, and what they had is
        free for ``Matches.reclaim`` at once."""
        self._link.run("succeed", referee, address)

    def heartbeat(
        self,
        referee: str,
        *,
        capacity: int,
        bots: Mapping[str, int],
        draining: bool = False,
        ttl_ms: int = PRESENCE_MS,
    ) -> bool:
        """Say that the referee lives and who is connected: bot → *matches* it takes at once here.

        A bot that takes 0 is connected but counts as absent: its no-show grace runs.
        The whole truth every time; call it at once when a bot comes or goes. True: something
        changed that lets matches be placed (``store.tasks.dispatch_due()`` then saves a second).
        A referee whose presence had lapsed is simply there again; its leases tell what it lost.
        """
        address, ahead = self._joined[referee]
        flat = [part for bot, matches in bots.items() for part in (bot, matches)]
        head = (referee, ttl_ms, address, capacity, ahead, int(draining))
        return bool(self._link.run("heartbeat", *head, *flat))

    def hand_back(self, referee: str) -> list[str]:
        """The referee takes nothing for now: what is queued there, leased by nobody, waits again;
        these matches. It counts as draining until a heartbeat says otherwise."""
        freed: list[str] = self._link.run("hand_back", referee)
        return freed

    def leave(self, referee: str) -> list[str]:
        """The process ends: what is queued or leased there waits again; these matches."""
        self._joined.pop(referee, None)
        freed: list[str] = self._link.run("leave", referee)
        return freed

    def all(self) -> list[RefereeInfo]:
        """Referees alive now, by id."""
        ids = self._link.live()
        with self._link.pipeline() as pipe:
            for referee in ids:
                pipe.hgetall(keys.of("referee", referee))
                pipe.hgetall(keys.of("referee_bots", referee))
                pipe.scard(keys.of("referee_matches", referee))
                pipe.xlen(keys.of("inbox", referee))
                pipe.zscore(keys.single("referees"), referee)
            found = pipe.execute()
        rows = [found[i : i + 5] for i in range(0, len(found), 5)]
        return [
            RefereeInfo(
                referee=referee,
                address=facts["address"],
                capacity=int(facts["capacity"]),
                load=load,
                queued=queued,
                draining=facts["draining"] == "1",
                bots={bot: int(matches) for bot, matches in bots.items()},
                since=int(facts["since"]),
                expires=int(expires),
            )
            for referee, (facts, bots, load, queued, expires) in zip(ids, rows, strict=True)
            if facts and expires  # it may have left meanwhile
        ]

    def homes(self, bot: str) -> dict[str, int]:
        """Referees where the bot is connected → matches it takes at once there."""
        ids = self._link.live()
        with self._link.pipeline() as pipe:
            for referee in ids:
                pipe.hget(keys.of("referee_bots", referee), bot)
            found = pipe.execute()
        return {r: int(matches) for r, matches in zip(ids, found, strict=True) if matches}

    def inbox(self, referee: str, count: int = 10, block_ms: int = 1000) -> list[Inbox]:
        """The next messages, waiting up to ``block_ms`` (at most 5,000) for the first.

        Each comes at least once. An order comes again after a lost connection unless it has been
        leased meanwhile. Call from a thread of its own: it blocks.
        """
        again = referee in self._reread
        self._reread.add(referee)
        messages = self._read(referee, "0", count, None) if again else []
        if not messages:
            messages = self._read(referee, ">", count, block_ms)
        fresh = [self._message(entry, fields) for entry, fields in messages]
        self.done(referee, [entry for (entry, _), m in zip(messages, fresh, strict=True) if not m])
        if not again or len(messages) < count:  # else there may be more of the old ones
            self._reread.discard(referee)
        return [message for message in fresh if message]

    def done(self, referee: str, entries: Sequence[str]) -> None:
        """Messages were dealt with (an order: leased, or found stale)."""
        if not entries:
            return
        with self._link.pipeline() as pipe:
            pipe.xack(keys.of("inbox", referee), keys.INBOX_GROUP, *entries)
            pipe.xdel(keys.of("inbox", referee), *entries)
            pipe.execute()

    def summon(self, bot: str, address: str, ticket: str, match_id: str) -> list[str]:
        """Have the bot told, on its home streams, to open one to ``address``; who tells it."""
        homes = sorted(self.homes(bot))
        message = {
            "kind": "summons",
            "bot": bot,
            "address": address,
            "ticket": ticket,
            "match": match_id,
        }
        with self._link.pipeline() as pipe:
            for referee in homes:
                pipe.xadd(keys.of("inbox", referee), message)
            pipe.execute()
        return homes

    def drain(self, referee: str) -> None:
        """Have a referee end in good order. NotFound unless it is alive."""
        if referee not in self._link.live():
            raise NotFound("referee", referee)
        self._link.call("XADD", keys.of("inbox", referee), "*", "kind", "drain")

    def _read(
        self, referee: str, after: str, count: int, block_ms: int | None
    ) -> list[tuple[str, dict[str, str]]]:
        inbox = keys.of("inbox", referee)
        with self._link.errors():
            try:
                found = self._link.reader.xreadgroup(
                    keys.INBOX_GROUP,
                    referee,
                    {inbox: after},
                    count=count,
                    block=min(block_ms, 5000) if block_ms else None,
                )
            except ResponseError as error:
                if "NOGROUP" not in str(error):
                    raise
                # Nobody heard of this referee for long and its inbox was cleared away. The next
                # heartbeat makes it anew; until then there is nothing to read.
                time.sleep(min(block_ms or 0, 5000) / 1000)
                return []
        entries: list[tuple[str, dict[str, str]]] = found[0][1] if found else []
        return [(entry, fields) for entry, fields in entries if fields]

    def _message(self, entry: str, fields: Mapping[str, str]) -> Inbox | None:
        match_id = fields.get("match", "")
        order = None
        if fields["kind"] == "order":
            # Read again after a lost connection it may be in play by now, or be another's.
            order = self._reading.queued(match_id, entry)
            if order is None:
                return None
        return Inbox(
            kind=fields["kind"],
            entry=entry,
            match_id=match_id,
            order=order,
            bot=fields.get("bot", ""),
            address=fields.get("address", ""),
            ticket=fields.get("ticket", ""),
        )

"""Small tournaments in a store, and referees that finish matches without playing them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.store import Store
from arena.store.types import Entrant, Inbox, Lease, Tournament
from arena.tournament import Schedule, parse

RESULT = {
    "games": 2,
    "won": [1, 1],
    "points": [10, 9],
    "units": [0, 0, 1, 0, 0],
    "winners": [0],
    "faults": [{}, {}],
}
"""A result as ``arena.tournament.Tally.as_dict`` gives it."""


def wait_for(what: Callable[[], Any], deadline_s: float = 60.0, *, about: str = "") -> Any:
    """The first truthy answer of ``what``; AssertionError when there is none in time."""
    end = time.monotonic() + deadline_s
    while True:
        found = what()
        if found:
            return found
        assert time.monotonic() < end, about or f"waited {deadline_s} s in vain"
        time.sleep(0.01)  # the one wait of the tests that is no condition itself: any may be asked


PATIENT = "[clock]\nmove_time_ms = 0\ndisconnect_grace_ms = 60000\n"


def spec_text(
    bots: Sequence[str],
    *,
    cycles: int = 1,
    games: int = 2,
    grace_s: int = 120,
    patient: bool = False,
) -> str:
    """A round robin of bots; ``patient``: who answers late is not charged, and away for a minute
    neither."""
    names = ", ".join(f'"{bot}"' for bot in bots)
    return (
        f'name = "test"\nseed = "s"\n[match]\ngames = {games}\nduplicate = true\n'
        f'[format]\nkind = "round-robin"\ncycles = {cycles}\n'
        f"[entrants]\nbots = [{names}]\nno_show_grace_s = {grace_s}\n{PATIENT * patient}"
    )


def create(store: Store, bots: Sequence[str], tournament_id: str = "t", **spec: Any) -> Tournament:
    """A tournament of these bots, registered where they are not, not yet started."""
    for bot in store.bots.missing(list(bots)):
        store.bots.register(bot)
    text = spec_text(bots, **spec)
    parsed = parse(text)
    return store.tournaments.create(
        tournament_id,
        name=parsed.name,
        spec_text=text,
        spec=asdict(parsed),
        entrants=[Entrant(entrant.name, entrant.bots) for entrant in parsed.entrants],
        total=len(Schedule(parsed)),
    )


def start(store: Store, bots: Sequence[str], tournament_id: str = "t", **spec: Any) -> list[str]:
    """The same started and scheduled whole, without a worker; its match ids."""
    tournament = create(store, bots, tournament_id, **spec)
    store.tournaments.start(tournament_id)
    pairings = Schedule(parse(tournament.spec_text))
    store.tournaments.add(tournament_id, 0, pairings[:])
    return [f"{tournament_id}-m{i}" for i in range(len(pairings))]


@dataclass
class FakeReferee:
    """A referee as the store sees one: takes orders, finishes them when told to."""

    store: Store
    bots: Mapping[str, int]
    capacity: int = 100
    ttl_ms: int = 60_000
    address: str = "127.0.0.1:7600"
    ahead: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        self.id = self.store.referees.join(
            self.address, self.capacity, name=self.name, ahead=self.ahead, ttl_ms=self.ttl_ms
        )
        self.beat()

    def beat(self, **changes: Any) -> bool:
        """A heartbeat."""
        for name, value in changes.items():
            setattr(self, name, value)
        return self.store.referees.heartbeat(
            self.id, capacity=self.capacity, bots=self.bots, ttl_ms=self.ttl_ms
        )

    def orders(self, count: int = 100, block_ms: int = 0) -> list[Inbox]:
        """What lies in its inbox, acknowledged."""
        found = self.store.referees.inbox(self.id, count, block_ms)
        self.store.referees.done(self.id, [message.entry for message in found])
        return found

    def lease(self, match_id: str, ttl_ms: int = 60_000) -> Lease:
        """A lease that must be had."""
        lease = self.store.matches.lease(self.id, match_id, ttl_ms)
        assert lease is not None
        assert self.store.matches.begin(lease, "c0ffee")
        return lease

    def play(self, count: int = 100, block_ms: int = 0) -> list[str]:
        """Finish everything in the inbox; the ids."""
        ids = []
        for message in self.orders(count, block_ms):
            if message.kind == "order":
                finished = self.store.matches.finish(self.lease(message.match_id), RESULT)
                assert finished.stands
                ids.append(message.match_id)
        return ids


def dispatch(store: Store, limit: int = 100) -> list[str]:
    """What the dispatch tasks do, without a worker; the ids placed."""
    return [
        match_id
        for match_id in store.matches.due(limit)
        if store.matches.place(match_id).placement == "placed"
    ]

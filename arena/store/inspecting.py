"""Journals and checkpoints looked at from outside, for an audit: nothing here is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.store import keys
from arena.store.link import Link, client_for

READ_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a match would go on from."""

    referee: str
    """In whose journal it is continued."""
    at: int
    """After which entry."""
    secret: str
    """Hex."""
    journaled: bool
    """The referee's journal knows of it."""
    last: int | None
    """The last entry of that journal; None: there is none."""


class Inspecting:
    """Reads what only referees use."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def checkpoints(self, match_ids: Sequence[str]) -> dict[str, Checkpoint]:
        """The checkpoints there are among these matches."""
        with self._link.pipeline() as pipe:
            for match_id in match_ids:
                pipe.hmget(keys.of("checkpoint", match_id), "referee", "at", "secret")
            found = pipe.execute()
        known = {
            match_id: (referee, int(at or 0), secret or "")
            for match_id, (referee, at, secret) in zip(match_ids, found, strict=True)
            if referee is not None
        }
        with self._link.pipeline() as pipe:
            for match_id, (referee, _, _) in known.items():
                pipe.sismember(keys.of("journaled", referee), match_id)
                pipe.hget(keys.of("pen", referee), "last")
            more = pipe.execute()
        found = {}
        for place, (match_id, facts) in enumerate(known.items()):
            journaled, last = more[2 * place : 2 * place + 2]
            found[match_id] = Checkpoint(
                *facts, bool(journaled), None if last is None else int(last)
            )
        return found

    def gaps(self) -> dict[str, str]:
        """Journals that are not whole, by referee, with what is wrong."""
        wrong = {}
        with self._link.errors():
            raw: Any = client_for(self._link.settings, decode=False)  # entries are bytes
            try:
                prefix, _, suffix = keys.of("pen", "*").partition("*")
                for key in raw.scan_iter(f"{prefix}*{suffix}"):
                    referee = key.decode()[len(prefix) : -len(suffix)]
                    fault = _gap(raw, referee)
                    if fault:
                        wrong[referee] = fault
            finally:
                raw.close()
        return wrong


def _gap(raw: Any, referee: str) -> str:
    """What is wrong with a journal; empty for nothing."""
    start, before = "-", None
    while True:
        found = raw.xrange(keys.of("journal", referee), start, "+", READ_AT_ONCE)
        for entry, _ in found:
            number = int(entry.partition(b"-")[0])
            if before is not None and number != before + 1:
                return f"entry {before + 1} is missing"
            before = number
        if len(found) < READ_AT_ONCE:
            break
        start = f"({found[-1][0].decode()}"
    # Read last, and it only grows; the entry and its number are written in one step.
    last = int(raw.hget(keys.of("pen", referee), "last") or 0)
    if before is not None and last < before:
        return f"its last entry is {before}, and {last} is noted"
    return ""

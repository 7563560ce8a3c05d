"""A store made anew from the files: tournaments, matches, results, standings and ratings.

Everything is taken from the records' sums and the tournaments' files; standings and ratings are
derived again. A tournament that was under way comes back paused, its unfinished matches waiting to
be played again from their first card. A torn record is cut and counts as unfinished; a damaged one
is named and left alone. Tokens stand in no file: bots are registered anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.archive import cups, sums
from arena.archive.cups import CupError, Facts
from arena.store import AlreadyExists, Store
from arena.store.restoring import Restored
from arena.store.types import TournamentState
from arena.tournament import Pairing, Schedule, Table, Tally, parse

BATCH: Final = 500
NOTE: Final = "restored from records; `arena tournament start` goes on"
OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


@dataclass(slots=True)
class Outcome:
    """What became of one tournament."""

    tournament: str
    state: str = ""
    """As it is in the store now; empty when it was not restored."""
    results: int = 0
    total: int = 0
    unregistered: list[str] = field(default_factory=list)
    """Bots to be registered before it can go on; none where it is over."""
    problems: list[str] = field(default_factory=list)
    """What could not be restored, each with its cause."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def restore(
    store: Store, records: Path, say: Callable[[Outcome], None] = lambda outcome: None
) -> list[Outcome]:
    """Restore every tournament below ``records``; one that the store has is left as it is."""
    outcomes = []
    for path in cups.all_of(records):
        outcome = Outcome(path.parent.name)
        try:
            _restore(store, records, cups.read(path), outcome)
        except AlreadyExists as error:
            outcome.problems.append(f"{error}; left as it is")
        except CupError as error:
            outcome.problems.append(str(error))
        outcomes.append(outcome)
        say(outcome)
    for folder in sorted({record.parent for record in records.glob("*/*.jsonl")}):
        if not (folder / cups.NAME).exists():
            outcome = Outcome(
                folder.name, problems=[f"{folder}: there are records and no {cups.NAME}"]
            )
            outcomes.append(outcome)
            say(outcome)
    return outcomes


def _restore(store: Store, records: Path, facts: Facts, outcome: Outcome) -> None:
    name = facts["tournament"]
    schedule = Schedule(parse(facts["text"]))
    store.restoring.begin(facts)
    found = dict(_closings(records / name, outcome))
    cursor = max([facts["cursor"], *(index + 1 for index in found)])
    table = Table(schedule.spec)
    for start in range(0, cursor, BATCH):
        batch = []
        for index in range(start, min(start + BATCH, cursor)):
            closing = found.get(index)
            if closing is None:
                batch.append(_waiting(schedule[index]))
                continue
            batch.append(
                Restored(index, closing["entrants"], closing["seating"], closing["bots"], closing)
            )
            table.add(Tally.of_result(index, closing["entrants"], closing["result"]))
        store.restoring.add(name, batch)
    closings = list(found.values())
    ended = _ended(facts, cursor, closings, table)
    store.restoring.end(ended)
    outcome.state, outcome.results, outcome.total = ended["state"], len(found), facts["total"]
    if ended["state"] not in OVER:
        bots = dict.fromkeys(bot for entrant in schedule.spec.entrants for bot in entrant.bots)
        outcome.unregistered = sorted(store.bots.missing(list(bots)))
        if not closings:
            return
    before = facts["standings"]
    if (
        before
        and before["results"] == len(found)
        and before["table"] != ended["standings"]["table"]
    ):
        outcome.problems.append("the standings derived from its records are others than before")


def _closings(folder: Path, outcome: Outcome) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The closing facts of each good record, by index; what is not good is named."""
    for record in sorted(folder.glob("*.jsonl")):
        found = sums.cut(record)
        if found.torn:
            outcome.problems.append(
                f"{record.name}: {found.fault}; cut after line {found.lines}, to be played again"
            )
        elif not found.whole or found.closing is None:
            outcome.problems.append(f"{record.name}: {found.fault}; left as it is, not restored")
        elif found.closing.get("match") != record.stem:
            outcome.problems.append(f"{record.name}: it is the record of {found.closing['match']}")
        else:
            yield found.closing["index"], found.closing


def _waiting(pairing: Pairing) -> Restored:
    teams: list[list[str]] = [[] for _ in pairing.entrants]
    for entrant, bot in zip(pairing.seating, pairing.bots, strict=True):
        if bot not in teams[entrant]:
            teams[entrant].append(bot)
    bots = teams if any(len(team) > 1 for team in teams) else None
    return Restored(pairing.index, pairing.entrants, pairing.seating, bots)


def _ended(
    facts: Facts, cursor: int, closings: Sequence[Mapping[str, Any]], table: Table
) -> dict[str, Any]:
    """The tournament's facts as its records have them."""
    results = len(closings)
    counts = {
        name: sum(closing["counts"][name] for closing in closings)
        for name in ("games", "hands", "decisions")
    }
    voided = sum(len(closing["attempts"]) for closing in closings)
    last = max((closing["finished"] for closing in closings), default=0)
    state, note, finished = facts["state"], facts["note"], facts["finished"]
    if results >= facts["total"]:
        if state not in OVER:
            state, note, finished = TournamentState.FINISHED, "", last
    elif state != TournamentState.CANCELLED and (facts["started"] or results):
        state, note, finished = TournamentState.PAUSED, NOTE, 0
    before = facts["standings"]
    derived = before["derived"] if before and before["results"] == results else last
    standings = None
    if results:
        standings = {
            "results": results,
            "derived": derived,
            "final": results >= facts["total"],
            "table": json.loads(json.dumps(table.as_dict())),
        }
    return {
        **facts,
        **counts,
        "state": str(state),
        "note": note,
        "finished": finished,
        "cursor": cursor,
        "results": results,
        # Attempts voided in matches that were not over are in no file before a tournament ends.
        "voided": facts["voided"] if state in OVER else voided,
        "standings": standings,
    }

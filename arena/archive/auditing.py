"""The store against the files, and each against itself: every difference named.

Of each tournament: its file, each result against the sums and the record it names, each record
refereed again and counted, the counters against the results, the standings derived again, the
checkpoints of matches under way against their journals. The other way round: files nothing in the
store knows. What is under way is no difference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from euchre_arena.rules.dealing import commitment

from arena.archive import cups, sums
from arena.archive.cups import CupError
from arena.archive.retelling import RetellingError, retell
from arena.store import NotFound, Store
from arena.store.inspecting import Checkpoint
from arena.store.types import MatchInfo, MatchResult, MatchState, Tournament, TournamentState
from arena.tournament import Table, Tally, parse

UNCHANGING: Final = ("name", "text", "entrants", "total", "created")
ENDED: Final = ("state", "started", "finished")
PAGE: Final = 500


class Difference(NamedTuple):
    """Two places that should agree and do not, or one that is not whole."""

    tournament: str
    match: str
    """Empty where it is about the tournament."""
    what: str
    """In words."""


SETTLES_S: Final = 3.0
"""A tournament's file is written so long after a change at the latest."""
AGAIN_S: Final = 0.2


class Audit:
    """One look at everything; `run` yields what it finds."""

    def __init__(self, store: Store, records: Path, *, replay: bool = True) -> None:
        self._store = store
        self._records = records
        self._replay = replay
        self.tournaments = 0
        self.results = 0
        self.replayed = 0

    def run(self, begun: Callable[[str], None] = lambda tournament: None) -> Iterator[Difference]:
        """All differences; ``begun`` is told of each tournament looked at."""
        known = {each.tournament_id: each for each in self._store.tournaments.all()}
        for name, tournament in sorted(known.items()):
            begun(name)
            self.tournaments += 1
            yield from self._tournament(tournament)
        for referee, what in self._lasting(self._store.inspecting.gaps):
            yield Difference("", "", f"the journal of {referee}: {what}")
        for folder in sorted(path for path in self._records.glob("*") if path.is_dir()):
            if folder.name not in known and any(folder.iterdir()):
                yield Difference(folder.name, "", f"{folder} belongs to no tournament of the store")

    # -- a tournament

    def _tournament(self, tournament: Tournament) -> Iterator[Difference]:
        name = tournament.tournament_id
        folder = self._records / name
        for what in self._settled(lambda: self._cup(tournament)):
            yield Difference(name, "", what)
        table = Table(parse(tournament.spec_text))
        results, unfinished, seen = 0, set[str](), set[str]()
        for info in self._matches(tournament):
            result = self._store.matches.result(info.match_id)
            if result is None:
                if info.state is MatchState.FINISHED:
                    yield Difference(name, info.match_id, "it is finished and has no result")
                unfinished.add(info.match_id)
                continue
            results += 1
            seen.add(Path(result.record).stem)
            for what in self._result(tournament, info, result, table):
                yield Difference(name, info.match_id, what)
        self.results += results
        for match_id, what in self._lasting(lambda: self._journaled(tournament)):
            yield Difference(name, match_id, what)
        yield from self._strangers(name, folder, seen, unfinished)
        for what in self._sums(tournament, results, table):
            yield Difference(name, "", what)

    def _matches(self, tournament: Tournament) -> Iterator[MatchInfo]:
        cursor = tournament.progress.scheduled
        for start in range(0, cursor, PAGE):
            yield from self._store.matches.page(
                tournament.tournament_id, start, min(PAGE, cursor - start)
            )

    def _cup(self, tournament: Tournament) -> Iterator[str]:
        """The tournament's own file."""
        path = cups.path_of(self._records, tournament.tournament_id)
        try:
            kept = cups.read(path)
        except FileNotFoundError:
            yield f"{path} is missing"
            return
        except CupError as error:
            yield str(error)
            return
        facts = self._store.restoring.facts(tournament.tournament_id)
        over = tournament.state in (TournamentState.FINISHED, TournamentState.CANCELLED)
        for field in (*UNCHANGING, *(ENDED if over else ())):
            if kept.get(field) != facts[field]:
                yield (
                    f"{path.name} has another {field} than the store: "
                    f"{_short(kept.get(field))}, not {_short(facts[field])}"
                )

    # -- a result

    def _result(
        self, tournament: Tournament, info: MatchInfo, result: MatchResult, table: Table
    ) -> Iterator[str]:
        if info.state is not MatchState.FINISHED:
            # It may have ended between the two looks at it; both are written together.
            (info,) = self._store.matches.page(tournament.tournament_id, result.index, 1)
        if info.state is not MatchState.FINISHED:
            yield f"it has a result and is {info.state}"
        try:
            table.add(Tally.of_result(result.index, result.entrants, result.result))
        except (ValueError, IndexError) as error:
            yield f"its result in the store cannot be counted: {error}"
        record = (self._records / result.record).resolve()
        if not result.record or not record.is_relative_to(self._records.resolve()):
            yield f"its result names no record: {result.record!r}"
            return
        found = sums.check(record)
        if found.fault:
            yield f"{record.name}: {found.fault}"
        if found.sha256 and result.sha256 and found.sha256 != result.sha256:
            yield f"{record.name}: its SHA-256 is not the one in the store's result"
        if found.closing is not None:
            yield from _told(found.closing, info, result)
        if self._replay and found.sha256:
            yield from self._retold(record, result)

    def _retold(self, record: Path, result: MatchResult) -> Iterator[str]:
        self.replayed += 1
        try:
            retold = retell(record)
        except (RetellingError, OSError) as error:
            yield f"{record.name}: {error}"
            return
        for field, value in retold.items():
            if result.result.get(field) != value:
                yield (
                    f"{record.name} tells of {field} {_short(value)}, the store's result of "
                    f"{_short(result.result.get(field))}"
                )

    # -- the journal

    def _lasting(self, look: Callable[[], Mapping[str, str]]) -> list[tuple[str, str]]:
        """What two looks find: a match may begin or end between two reads of one."""
        found = look()
        again = look() if found else {}
        return sorted((where, what) for where, what in found.items() if again.get(where) == what)

    def _settled(self, look: Callable[[], Iterator[str]]) -> list[str]:
        """What is still found when the service has had the time to write its files."""
        until = time.monotonic() + SETTLES_S
        while (found := list(look())) and time.monotonic() < until:
            time.sleep(AGAIN_S)  # who writes the file tells nobody
        return found

    def _journaled(self, tournament: Tournament) -> dict[str, str]:
        """Checkpoints that fit neither their match nor a journal."""
        wrong = {}
        for start in range(0, tournament.progress.scheduled, PAGE):
            infos = self._store.matches.page(tournament.tournament_id, start, PAGE)
            saved = self._store.inspecting.checkpoints([info.match_id for info in infos])
            for info in infos:
                checkpoint = saved.get(info.match_id)
                if checkpoint is not None and (what := _unfit(info, checkpoint)):
                    wrong[info.match_id] = what
        return wrong

    # -- files, counters, standings

    def _strangers(
        self, name: str, folder: Path, seen: set[str], unfinished: set[str]
    ) -> Iterator[Difference]:
        """Files that belong to no result. One of a match under way is about to be its record's."""
        for path in sorted(folder.glob("*")):
            stem, _, kind = path.name.rpartition(".")
            if kind not in ("jsonl", "sums") or stem in seen:
                continue
            if stem in unfinished:
                state = self._store.matches.get(stem).state
                if state not in (MatchState.SCHEDULED, MatchState.CANCELLED):
                    continue
                if self._store.matches.result(stem) is not None:
                    continue
                yield Difference(name, stem, f"{path.name} is there, and the store has no result")
            elif path.name != cups.NAME:
                yield Difference(name, stem, f"{path.name} is there, and the store has no match")

    def _sums(self, tournament: Tournament, results: int, table: Table) -> Iterator[str]:
        """Counters and standings against the results."""
        name = tournament.tournament_id
        # What has finished since the results were read makes no difference.
        now = self._store.tournaments.get(name).progress.finished
        if not tournament.progress.finished <= results <= now:
            yield f"the store counts {now} results and has {results}"
        try:
            snapshot = self._store.standings.get(name)
        except NotFound:
            snapshot = None
        finished = tournament.state is TournamentState.FINISHED
        if finished and results != tournament.progress.total:
            yield f"it is finished with {results} of {tournament.progress.total} results"
        if finished and snapshot is None:
            yield "it is finished and has no standings"
        if snapshot is not None and snapshot.results == results:
            derived = table.as_dict()
            for field, value in derived.items():
                if snapshot.table.get(field) != _plain(value):
                    yield f"standings: {field} is not what its results give"
        elif snapshot is not None and snapshot.results > results:
            yield f"standings of {snapshot.results} results, and there are {results}"


def _unfit(info: MatchInfo, checkpoint: Checkpoint) -> str:
    """What is wrong with a match's checkpoint; empty for nothing."""
    if info.state in (MatchState.FINISHED, MatchState.CANCELLED):
        return f"it is {info.state}, and its checkpoint is still there"
    if checkpoint.last is None or not checkpoint.journaled:
        return f"its checkpoint is continued in a journal of {checkpoint.referee} that is not there"
    if checkpoint.at > checkpoint.last:
        return (
            f"its checkpoint is of entry {checkpoint.at}, the journal of {checkpoint.referee} "
            f"ends with {checkpoint.last}"
        )
    if info.commitment and commitment(bytes.fromhex(checkpoint.secret)).hex() != info.commitment:
        return "the secret in its checkpoint is not the one it is committed to"
    return ""


def _told(closing: Mapping[str, Any], info: MatchInfo, result: MatchResult) -> Iterator[str]:
    """The closing facts beside a record against the store."""
    pairs = {
        "match": info.match_id,
        "index": info.index,
        "entrants": list(result.entrants),
        "seating": list(info.seating),
        "attempt": result.attempt,
        "fence": result.fence,
        "commitment": info.commitment,
        "started": info.started_at,
        "finished": result.finished_at,
        "record": result.record,
        "secret": result.secret,
        "result": result.result,
    }
    for field, value in pairs.items():
        if closing.get(field) != value:
            yield (
                f"its {field} is {_short(value)} in the store and {_short(closing.get(field))} "
                "beside the record"
            )


def _plain(value: Any) -> Any:
    """As JSON has it: tuples are lists there."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"

"""The store's words → protobuf."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from euchre_arena.v1 import bot_pb2, record_pb2, tournament_pb2

from arena.store import types
from arena.tournament import WORTH, Schedule, Spec, SpecError, Tally, parse

TOURNAMENT_STATES = {
    state: tournament_pb2.TournamentState.Value(f"TOURNAMENT_STATE_{state.name}")
    for state in types.TournamentState
}
MATCH_STATES = {
    state: record_pb2.MatchState.Value(f"MATCH_STATE_{state.name}") for state in types.MatchState
}


SECRET_SEED = re.compile(r"^(\s*secret_seed\s*=\s*).*$", re.MULTILINE)
HIDDEN = "hidden until the tournament is over"


def tournament(found: types.Tournament, spec: Spec) -> tournament_pb2.Tournament:
    """A tournament with its progress."""
    progress = found.progress
    return tournament_pb2.Tournament(
        tournament_id=found.tournament_id,
        name=found.name,
        state=TOURNAMENT_STATES[found.state],
        spec=shown_spec(found, spec),
        entrants=[tournament_pb2.Entrant(name=e.name, bots=e.bots) for e in found.entrants],
        progress=tournament_pb2.Progress(
            total=progress.total,
            scheduled=progress.scheduled,
            queued=progress.queued,
            playing=progress.playing,
            finished=progress.finished,
            voided=progress.voided,
            games=progress.games,
            hands=progress.hands,
            decisions=progress.decisions,
            games_total=progress.total * spec.games,
        ),
        created_ms=found.created_at,
        started_ms=found.started_at,
        finished_ms=found.finished_at,
        note=found.note,
        seeded=found.seeded,
        balance=balance(Schedule(spec).balance.as_dict()),
    )


def shown_spec(found: types.Tournament, spec: Spec) -> str:
    """The spec as it was written, without the seed of its deals before it is over: whoever knows
    that knows every card of the matches under way."""
    over = found.state in (types.TournamentState.FINISHED, types.TournamentState.CANCELLED)
    if over or spec.secret_seed is None:
        return found.spec_text
    text = SECRET_SEED.sub(rf'\1"{HIDDEN}"', found.spec_text)
    # TOML has many ways to write a key. Where this one was not met, nothing is shown.
    try:
        safe = parse(text).secret_seed == HIDDEN
    except SpecError:
        safe = False
    return text if safe else f"# {HIDDEN}\n"


def balance(counts: Mapping[str, Any]) -> tournament_pb2.Balance:
    """How even a schedule is (`arena.tournament.Balance.as_dict`)."""
    made = tournament_pb2.Balance(even=counts["even"], text=counts["text"])
    for name in ("matches", "opponents", "partners", "seats", "byes"):
        if name in counts:
            least, most = counts[name]
            getattr(made, name).CopyFrom(tournament_pb2.Range(least=least, most=most))
    return made


def standings(found: types.Snapshot, total: int) -> tournament_pb2.Standings:
    """The table of a snapshot (`arena.tournament.Table.as_dict`)."""
    table = found.table
    return tournament_pb2.Standings(
        results=found.results,
        total=total,
        final=found.final,
        derived_ms=found.derived_at,
        scoring=table["scoring"],
        unit=table["unit"],
        # A table that an earlier release derived has none of these.
        kind=table.get("kind", "round-robin"),
        sides=table.get("sides", 2),
        ratings=table.get("ratings", "Bradley-Terry"),
        balance=balance(table["balance"]) if "balance" in table else None,
        beside=table.get("beside", ""),
        rows=[_row(row) for row in table["standings"]],
        crosstable=[
            tournament_pb2.CrosstableRow(cells=[_cell(cell) for cell in row])
            for row in table["crosstable"]
        ],
    )


def _row(row: Mapping[str, Any]) -> tournament_pb2.Standing:
    names = tournament_pb2.Standing.DESCRIPTOR.fields_by_name
    return tournament_pb2.Standing(**{name: row[name] for name in names if name in row})


def _cell(cell: list[int] | None) -> tournament_pb2.CrosstableCell:
    if cell is None:
        return tournament_pb2.CrosstableCell()
    won, drawn, lost, points, conceded = cell
    return tournament_pb2.CrosstableCell(
        won=won, drawn=drawn, lost=lost, points=points, conceded=conceded
    )


def bot(found: types.BotInfo) -> bot_pb2.Bot:
    """A bot, without its token."""
    return bot_pb2.Bot(
        name=found.name,
        created_ms=found.created_at,
        rotated_ms=found.rotated_at,
        connected=found.connected,
        last_seen_ms=found.last_seen,
        revoked=found.revoked,
    )


def match(found: types.MatchInfo, result: types.MatchResult | None) -> record_pb2.Match:
    """A match, with its outcome when it is over."""
    outcome = None
    if result is not None:
        tally = Tally.of_result(result.index, result.entrants, result.result)
        outcome = record_pb2.MatchOutcome(
            winners=tally.winners,
            games=tally.games,
            won=tally.won,
            points=tally.points,
            units=tally.units,
            faults=[record_pb2.FaultCounts(kinds=kinds) for kinds in tally.faults],
            shared=tally.level,
            sides=tally.sides,
            **{name: getattr(tally, name) for name in WORTH},
        )
    return record_pb2.Match(
        match_id=found.match_id,
        tournament_id=found.tournament_id,
        index=found.index,
        entrants=[entrant.name for entrant in found.entrants],
        state=MATCH_STATES[found.state],
        attempts=found.attempts,
        referee=found.referee,
        commitment=found.commitment,
        started_ms=found.started_at,
        finished_ms=found.finished_at,
        outcome=outcome,
    )

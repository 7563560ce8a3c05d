"""What `play` prints of a match: a table of the entrants, what went wrong, where the record is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from euchre_arena.cli.words import counted
from euchre_arena.local import BotError, Estimate, LocalResult
from euchre_arena.match import MatchResult

SHOWN_ERRORS = 3
AHEAD = "ahead a game, 95 %"


def result_lines(result: LocalResult, record: Path | None) -> Iterator[str]:
    """The result as a person reads it."""
    played = result.result.played
    what = "deal" if "deals" in result.spec.match_format else "game"
    stopped = "stopped: " if result.interrupted else ""
    yield f"{stopped}{result.spec.preset}, {counted(played, what)}{_sets(result, what)}"
    yield from _table(result)
    if result.winners:
        yield f"{'winner' if len(result.winners) == 1 else 'level'}: {', '.join(result.winners)}"
    if result.level:
        yield _level(result)
    yield from stake_lines(result.entrants, result.result)
    yield from _faults(result)
    rate = result.decisions / result.seconds if result.seconds else 0
    yield (
        f"{counted(result.hands, 'hand')}, {counted(result.decisions, 'decision')} "
        f"in {result.seconds:.1f} s ({rate:,.0f}/s)"
    )
    if record is not None:
        yield f"record: {record} (verify it with: euchre-arena replay {record})"


def _sets(result: LocalResult, what: str) -> str:
    """How many duplicate sets that was. Only whole ones are compared (`interval`)."""
    if "duplicate" not in result.spec.match_format:
        return ""
    left = result.result.played - result.units * result.spec.plan().rules.sides
    rest = f", and {counted(left, what)} left over, which the percentages leave out" if left else ""
    return f", in {counted(result.units, 'whole duplicate set' if left else 'duplicate set')}{rest}"


def error_lines(result: LocalResult) -> Iterator[str]:
    """Exceptions of bots and answers refused, for their authors."""
    for error in result.errors[:SHOWN_ERRORS]:
        yield from _error(error)
    if len(result.errors) > SHOWN_ERRORS:
        more = counted(len(result.errors) - SHOWN_ERRORS, "more exception")
        yield f"… and {more}, or more"
    for refusal in result.refusals:
        yield (
            f"{refusal.name} answered {refusal.said!r} in game {refusal.game} and was refused "
            f"({refusal.detail}), on this turn:"
        )
        yield from (f"  {line}" for line in refusal.turn.splitlines())
        yield ""


def stake_lines(entrants: Sequence[str], result: MatchResult) -> Iterator[str]:
    """What the games of a match were worth beyond themselves, where that was asked for."""
    for what, numbers, sign in (
        ("rubber points", result.rubber, ""),
        ("stakes", result.stakes, "+"),
        ("skunks", result.skunks, ""),
    ):
        if numbers is not None:
            shown = (
                f"{name} {value:{sign}}" for name, value in zip(entrants, numbers, strict=True)
            )
            yield f"{what}: {', '.join(shown)}"


def _table(result: LocalResult) -> Iterator[str]:
    # Games won by several are in the first number of each, as records have it; here it is told.
    rows = [("", "won", *_if_level(result, "shared"), "of games, 95 %", "points", AHEAD)]
    for number, name in enumerate(result.entrants):
        rows.append(
            (
                name,
                str(result.games[number]),
                *_if_level(result, str(result.shared[number])),
                _share(result.won[number]),
                str(result.points[number]),
                _ahead(result.ahead[number]),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for name, *cells in rows:
        right = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        yield f"  {name.ljust(widths[0])}  {right}"


def _if_level(result: LocalResult, cell: str) -> tuple[str, ...]:
    """A cell of the column that stands there where games were shared."""
    return (cell,) if result.level else ()


def _level(result: LocalResult) -> str:
    """Why several have won a game, in words."""
    rules = result.spec.plan().rules
    deals = "deals" in result.spec.match_format
    games = counted(result.level, "deal" if deals else "game")
    if rules.sides > 2:
        return f"shared: {games} won by several sides at once"
    if deals:
        return f"shared: {games} level, and so won by both sides"
    limits = {
        name: rules.number(name) for name in ("num_deals", "max_deals") if name in rules.values
    }
    name = min(limits, key=lambda name: limits[name])
    return f"shared: {games} level after {limits[name]} deals ({name}), and so won by both sides"


def _share(share: Estimate | None) -> str:
    if share is None:
        return "-"
    return f"{share.mean:.1%} ({share.low:.1%} to {share.high:.1%})"


def _ahead(ahead: Estimate | None) -> str:
    if ahead is None:
        return "-"
    return f"{ahead.mean:+.2f} ± {ahead.high - ahead.mean:.2f}"


def _faults(result: LocalResult) -> Iterator[str]:
    firsts = {(fault.entrant, fault.kind): fault for fault in result.faults}
    for (entrant, kind), count in sorted(result.fault_counts.items()):
        first = firsts[entrant, kind]
        yield (
            f"fault: {result.entrants[entrant]}: {kind}, {count} in all; the first in game "
            f"{first.game}, hand {first.hand}, action {first.action}, seat {first.seat}: "
            f"{first.detail}"
        )


def _error(error: BotError) -> Iterator[str]:
    yield f"{error.name} failed in game {error.game}, on this turn:"
    yield from (f"  {line}" for line in error.turn.splitlines())
    yield from error.text.rstrip().splitlines()
    yield ""

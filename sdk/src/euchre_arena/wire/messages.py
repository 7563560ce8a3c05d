"""Messages of which a game has one or a few, made and read field by field."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from euchre_arena.rules import Rules
from euchre_arena.rules.turn import Table
from euchre_arena.v1 import referee_pb2 as pb
from euchre_arena.wire.actions import action_message, split_legal

if TYPE_CHECKING:
    from euchre_arena.match import Clock, OpenTurn

_REASONS = {
    "malformed": pb.REJECT_REASON_MALFORMED,
    "stale": pb.REJECT_REASON_STALE,
    "unknown-game": pb.REJECT_REASON_UNKNOWN_GAME,
    "illegal": pb.REJECT_REASON_ILLEGAL,
    "late": pb.REJECT_REASON_LATE,
}
REASON_NAMES = {int(number): name for name, number in _REASONS.items()}
"""Name of each reason for a refusal."""


def turn_message(handle: int, turn: OpenTurn) -> pb.Turn:
    """An open turn, field by field: what `GameWriter.turn` writes, readable and slow."""
    view = turn.view
    short, more, omitted = split_legal(turn.legal)
    message = pb.Turn(
        game=handle,
        turn=turn.turn,
        seat=view.seat,
        dealer=view.dealer,
        phase=view.phase,  # type: ignore[arg-type]  # the numbers are those of the enum
        up_card=view.up_card,
        up_card_state=view.up_card_state,  # type: ignore[arg-type]  # likewise
        trump=view.trump,  # type: ignore[arg-type]  # likewise
        alone=view.alone,
        hand=view.hand,
        legal=short,
        legal_more=[action_message(code) for code in more],
        legal_omitted=omitted,
        history=view.history,
        trick=view.trick,
        tricks_won=view.tricks_won,
        score=view.score,
        target=view.target,
        hand_number=view.hand_number,
        move_time_ms=turn.move_time_ms,
        bank_ms=turn.bank_ms,
        sitting_out=view.sitting_out,
        bid=view.bid,
        stock=view.stock,
        tokens=view.tokens,
        put_away=view.put_away,
        makers=view.makers,
        lead_suit=view.lead_suit,  # type: ignore[arg-type]  # likewise
    )
    if view.maker >= 0:
        message.maker = view.maker
    if view.leader >= 0:
        message.leader = view.leader
    return message


def game_started_message(
    handle: int,
    match: int,
    game_number: int,
    seat: int,
    rules: Rules,
    players: Sequence[str],
    clock: Clock | None = None,
    commitment: bytes = b"",
    resumed: bool = False,
) -> pb.GameStarted:
    """A game as one of its seats is told of it; ``players`` are names by seat."""
    return pb.GameStarted(
        game=handle,
        match=match,
        game_number=game_number,
        seat=seat,
        preset=rules.preset,
        options={name: json.dumps(value) for name, value in rules.options.items()},
        target=rules.target,
        players=players,
        move_time_ms=clock.move_time_ms if clock else 0,
        bank_ms=clock.bank_ms if clock else 0,
        increment_ms=clock.increment_ms if clock else 0,
        commitment=commitment,
        resumed=resumed,
    )


@lru_cache(maxsize=256)
def _rules(preset: str, options: tuple[tuple[str, str], ...]) -> Rules:
    return Rules.of(preset, {name: json.loads(text) for name, text in options})


def read_table(message: pb.GameStarted) -> Table:
    """The same as a bot sees it. OptionError for rules this library does not know."""
    return Table(
        rules=_rules(message.preset, tuple(message.options.items())),
        seat=message.seat,
        game=message.game,
        match=message.match,
        game_number=message.game_number,
        players=tuple(message.players),
        move_time_ms=message.move_time_ms,
        bank_ms=message.bank_ms,
        increment_ms=message.increment_ms,
        commitment=message.commitment,
        resumed=message.resumed,
    )


def game_ended_message(
    handle: int, score: Sequence[int], winners: Sequence[int], won: bool, fault: str = ""
) -> pb.GameEnded:
    """How a game ended, to one of its seats; sides are told of by number."""
    return pb.GameEnded(game=handle, score=score, winners=winners, won=won, fault=fault)


def match_ended_message(
    match: int, match_id: str, winners: Sequence[str], secret: bytes, voided: bool = False
) -> pb.MatchEnded:
    """How a match ended, to one of its seats; winners by name."""
    return pb.MatchEnded(
        match=match, match_id=match_id, winners=winners, secret=secret, voided=voided
    )


def rejection_message(
    handle: int, turn: int, reason: str, detail: str, current_turn: int = 0
) -> pb.TurnRejected:
    """A refusal; ``reason`` is a word of `euchre_arena.match.effects` or ``unknown-game``."""
    return pb.TurnRejected(
        game=handle,
        turn=turn,
        reason=_REASONS[reason],
        detail=detail,
        current_turn=current_turn,
    )

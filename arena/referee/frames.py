"""Frames out, put together from parts that are encoded already.

A part is a `PlayResponse` of its own with one thing in it; parts that follow each other are one
message to protobuf, so a frame is its parts joined and its size is known while it grows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Final

from euchre_arena import wire
from euchre_arena.match import GameOver, Rejected
from euchre_arena.wire import SEVERAL_PHASES, pb

from arena.referee.hosted import Hosted, ordinals
from arena.referee.session import Outbox, Seat, Session

if TYPE_CHECKING:
    from arena.referee.config import RefereeConfig

_by_handle: Final = attrgetter("handle")
_first: Final = itemgetter(0)


# -- parts


def welcome(session: Session, config: RefereeConfig, time_ms: int) -> bytes:
    """The first frame's."""
    limits = pb.Limits(
        games=session.capacity,
        streams=config.streams_per_bot,
        frame_bytes=config.frame_bytes_in,
        disconnect_grace_ms=config.disconnect_grace_ms,
        disconnect_grace_per_game_ms=config.disconnect_grace_per_game_ms,
    )
    message = pb.Welcome(
        session_id=session.id,
        resume_token=session.resume_token,
        bot=session.bot,
        limits=limits,
        server_time_ms=time_ms,
    )
    return pb.PlayResponse(welcome=message).SerializeToString()


def entropy_wanted(handle: int, commitment: bytes, wait_ms: int) -> bytes:
    """A nonce is asked for."""
    message = pb.EntropyWanted(game=handle, commitment=commitment, wait_ms=wait_ms)
    return pb.PlayResponse(entropy_wanted=[message]).SerializeToString()


def game_started(hosted: Hosted, seat: Seat, *, resumed: bool = False) -> bytes:
    """A game begins for a seat, or goes on after a reconnect."""
    entrants = hosted.entrants_in(seat.game)
    message = wire.game_started_message(
        seat.handle,
        hosted.handle_of(entrants[seat.number], ordinals(entrants)[seat.number]),
        seat.game,
        seat.number,
        hosted.match.rules,
        [hosted.order.entrants[entrant].name for entrant in entrants],
        hosted.match.spec.clock,
        hosted.match.commitment,
        resumed,
    )
    return pb.PlayResponse(games_started=[message]).SerializeToString()


def game_ended(handle: int, side: int, effect: GameOver) -> bytes:
    """A game is over for a seat, which is of that side."""
    won = side in effect.winners
    message = wire.game_ended_message(handle, effect.score, effect.winners, won, effect.fault)
    return pb.PlayResponse(games_ended=[message]).SerializeToString()


def match_ended(
    handle: int, match_id: str, winners: Sequence[str], secret: bytes, *, voided: bool
) -> bytes:
    """A match is over for a seat of one of its entrants."""
    message = wire.match_ended_message(handle, match_id, winners, secret, voided)
    return pb.PlayResponse(matches_ended=[message]).SerializeToString()


def rejected(handle: int, effect: Rejected) -> bytes:
    """An answer changed nothing."""
    message = wire.rejection_message(
        handle, effect.turn, effect.reason, effect.detail, effect.current_turn
    )
    return pb.PlayResponse(rejections=[message]).SerializeToString()


def unknown_game(handle: int, turn: int) -> bytes:
    """An answer to a game this session does not have."""
    message = wire.rejection_message(
        handle, turn, "unknown-game", f"no game {handle:#x} is under way in this session"
    )
    return pb.PlayResponse(rejections=[message]).SerializeToString()


def updated(seat: Seat) -> bytes:
    """What happened in a seat's game since it was last told."""
    hand, score = seat.hosted.scores[seat.game]
    message = pb.GameUpdated(game=seat.handle, hand_number=hand, actions=seat.actions, score=score)
    seat.actions = ()
    return pb.PlayResponse(updates=[message]).SerializeToString()


def warning(text: str) -> bytes:
    """Something for the bot's author."""
    return pb.PlayResponse(notice=pb.Notice(warning=text)).SerializeToString()


def draining() -> bytes:
    """No new games here."""
    return pb.PlayResponse(notice=pb.Notice(draining=True)).SerializeToString()


def summons(address: str, ticket: str) -> bytes:
    """Another referee hosts a match of this bot."""
    message = pb.Summons(address=address, ticket=ticket)
    return pb.PlayResponse(notice=pb.Notice(summons=message)).SerializeToString()


def ping(number: int) -> bytes:
    """A number to send back at once."""
    return pb.PlayResponse(ping=number).SerializeToString()


# -- frames


def frame(number: int, parts: Sequence[bytes]) -> bytes:
    """Parts as one message."""
    return wire.response_bytes(number, parts)


def fill(
    parts: list[bytes], outbox: Outbox, turns: int, size: int, clock: Callable[[], int]
) -> tuple[int, list[int]]:
    """Move what waits into a frame, up to so many turns and bytes.

    Everything stands in the order of its handles, which are random: the order in which it came up
    would tell which two seats belong to one game. Clocks of the turns start last, when the frame
    is ready for the transport. Returns how many turns there are, and the handles of other parts.
    """
    told: list[int] = []
    for seat in outbox.updated.values():
        outbox.parts.append((seat.handle, updated(seat)))
    outbox.updated.clear()
    if outbox.parts:
        size = _take_parts(parts, outbox, size, told)
        if outbox.parts:
            return 0, told
    waiting = outbox.turns
    taken = [waiting.popleft() for _ in range(min(turns, len(waiting)))]
    taken.sort(key=_by_handle)
    ready = []
    now = clock()
    for seat in taken:
        seat.queued = False
        turn, number, live, clocks = seat.turn, seat.number, seat.live, seat.match.clocks
        if live is None or live.turn != turn or live.seat != number:
            continue  # the game is over, or the referee has decided meanwhile
        move_ms, bank_ms = clocks.left(live, now)
        hand, legal = live.hand, live.legal
        part = seat.writer.asked(seat.handle, turn, hand, number, legal, move_ms, bank_ms)
        if live.refused is not None and (refused := live.refused_now())[0]:
            part = wire.with_refusal(part, *refused)
        size -= len(part)
        if size < 0:
            # The rest of this frame's turns goes with the next one.
            seat.queued = True
            waiting.appendleft(seat)
            continue
        seat.spelled = hand.phase_number in SEVERAL_PHASES and any(code >> 16 for code in legal)
        parts.append(part)
        ready.append((seat, live, clocks))
    now = clock()
    for seat, live, clocks in ready:
        seat.sent = seat.turn
        if live.started < 0:
            clocks.begin(live, now)
    return len(ready), told


def _take_parts(parts: list[bytes], outbox: Outbox, size: int, told: list[int]) -> int:
    """Move parts other than turns; what is left of ``size``."""
    outbox.parts.sort(key=_first)
    for taken, (handle, part) in enumerate(outbox.parts):
        size -= len(part)
        if size < 0 and taken:
            del outbox.parts[:taken]
            return size
        parts.append(part)
        told.append(handle)
    outbox.parts.clear()
    return size

"""The hot paths out: a turn as bytes (server), answers as bytes (client), whole frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from euchre_arena.rules import View
from euchre_arena.rules.actions import ActionCode
from euchre_arena.v1 import cards_pb2
from euchre_arena.v1 import referee_pb2 as pb
from euchre_arena.wire.actions import action_message, split_legal
from euchre_arena.wire.packing import VARINT, Memo, bytes_field, number_field, zigzag

_varint = VARINT.__getitem__
_join = b"".join


def _head(key: tuple[int, int, int, int, int, int, int, int]) -> bytes:
    """Fields 3 to 10, seat to alone."""
    seat, dealer, phase, up_card, state, trump, maker, alone = key
    return _join(
        (
            number_field(3, seat),
            number_field(4, dealer),
            number_field(5, phase),
            number_field(6, up_card),
            number_field(7, state),
            number_field(8, trump),
            b"\x48" + _varint(maker) if maker >= 0 else b"",
            number_field(10, alone),
        )
    )


def _listed(legal: tuple[ActionCode, ...]) -> bytes:
    """Fields 12 to 14, the legal actions."""
    short, more, omitted = split_legal(legal)
    return (
        bytes_field(12, _join(map(_varint, short)))
        + _join(bytes_field(13, action_message(code).SerializeToString()) for code in more)
        + number_field(14, omitted)
    )


def _trick(key: tuple[int, tuple[int, ...], tuple[int, ...]]) -> bytes:
    """Fields 16 to 18: who leads, the trick, the tricks won."""
    leader, trick, tricks_won = key
    led = b"\x80\x01" + _varint(leader) if leader >= 0 else b""
    return led + bytes_field(17, bytes(trick)) + bytes_field(18, bytes(tricks_won))


def _score(key: tuple[tuple[int, ...], int, int]) -> bytes:
    """Fields 19 to 21: score, target, number of the hand."""
    score, target, hand_number = key
    points = _join(_varint(zigzag(number)) for number in score)
    return bytes_field(19, points) + number_field(20, target) + number_field(21, hand_number)


def _rare(key: tuple[tuple[int, ...], int, int, tuple[int, ...], tuple[int, ...], int]) -> bytes:
    """Fields 24 to 28 and 30."""
    sitting_out, bid, stock, tokens, put_away, lead_suit = key
    return _join(
        (
            bytes_field(24, bytes(sitting_out)),
            number_field(25, bid),
            number_field(26, stock),
            bytes_field(27, _join(map(_varint, tokens))),
            bytes_field(28, bytes(put_away)),
            number_field(30, lead_suit),
        )
    )


_HEAD: Final = Memo(_head)
_HAND: Final[Memo[tuple[int, ...], bytes]] = Memo(lambda hand: bytes_field(11, bytes(hand)))
_LEGAL: Final = Memo(_listed)
_TRICK: Final = Memo(_trick)
_SCORE: Final = Memo(_score)
_RARE: Final = Memo(_rare)
_MAKERS: Final[Memo[tuple[int, ...], bytes]] = Memo(lambda seats: bytes_field(29, bytes(seats)))
_CLOCKED: Final[Memo[int, bytes]] = Memo(lambda ms: number_field(22, ms))
_NOTHING_RARE: Final = ((), 0, 0, (), (), 0)


def handle_bytes(handle: int) -> bytes:
    """Field 1 of a ``Turn`` or an ``Answer``, to be made once a game and kept."""
    return b"\x09" + handle.to_bytes(8, "little")


class GameWriter:
    """Writes the turns of one game, all seats: the public history is encoded once, as it grows."""

    __slots__ = ("_count", "_hand", "_history")

    def __init__(self) -> None:
        self._hand = -1
        self._count = 0
        self._history = b""

    def turn(
        self, handle: bytes, turn: int, view: View, move_time_ms: int = 0, bank_ms: int = 0
    ) -> bytes:
        """A turn as an entry of ``PlayResponse.turns``, tag and length included.

        ``handle`` is from `handle_bytes`; ``view`` that of the seat to act.
        """
        (
            seat,
            dealer,
            phase,
            up_card,
            state,
            trump,
            maker,
            alone,
            hand,
            legal,
            history,
            leader,
            trick,
            tricks_won,
            score,
            target,
            hand_number,
            sitting_out,
            bid,
            stock,
            tokens,
            put_away,
            makers,
            lead_suit,
        ) = view
        count = len(history)
        if hand_number != self._hand or count < self._count:
            self._hand = hand_number
            self._history = _join(map(_varint, history))
            self._count = count
        elif count != self._count:
            self._history += _join(map(_varint, history[self._count :]))
            self._count = count
        rare = (sitting_out, bid, stock, tokens, put_away, lead_suit)
        body = _join(
            (
                handle,
                b"\x10",
                VARINT[turn],
                _HEAD[seat, dealer, phase, up_card, state, trump, maker, alone],
                _HAND[hand],
                _LEGAL[legal],
                b"\x7a" + VARINT[len(self._history)] + self._history if count else b"",
                _TRICK[leader, trick, tricks_won],
                _SCORE[score, target, hand_number],
                _CLOCKED[move_time_ms],
                b"\xb8\x01" + VARINT[bank_ms] if bank_ms else b"",
                b"" if rare == _NOTHING_RARE else _RARE[rare],
                _MAKERS[makers] if makers else b"",
            )
        )
        return b"\x2a" + VARINT[len(body)] + body


def answer_bytes(handle: bytes, turn: int, choice: int, action: ActionCode | None = None) -> bytes:
    """An entry of ``PlayRequest.answers``, tag and length included.

    With ``action`` the choice is left out; a code of -1 is an action that says nothing, for text
    that does not parse: the server calls it malformed.
    """
    if action is None:
        body = handle + b"\x10" + VARINT[turn] + (b"\x18" + VARINT[choice] if choice else b"")
    else:
        spelled = action_message(action) if action >= 0 else cards_pb2.Action()
        payload = spelled.SerializeToString()
        body = handle + b"\x10" + VARINT[turn] + b"\x22" + VARINT[len(payload)] + payload
    return b"\x22" + VARINT[len(body)] + body


def request_bytes(
    frame: int, ack: int, answers: Iterable[bytes] = (), rest: pb.PlayRequest | None = None
) -> bytes:
    """A ``PlayRequest``: entries of `answer_bytes`, and whatever else it carries in ``rest``."""
    head = number_field(1, frame) + number_field(2, ack)
    tail = b"" if rest is None else rest.SerializeToString()
    return head + _join(answers) + tail


def response_bytes(
    frame: int, turns: Iterable[bytes] = (), rest: pb.PlayResponse | None = None
) -> bytes:
    """A ``PlayResponse``: entries of `GameWriter.turn`, and whatever else it carries in ``rest``.

    Parts of one message may simply follow each other: a reader merges them.
    """
    tail = b"" if rest is None else rest.SerializeToString()
    return number_field(1, frame) + _join(turns) + tail

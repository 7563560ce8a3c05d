"""The hot paths out: a turn as bytes (server), answers as bytes (client), whole frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from euchre_arena.rules import View
from euchre_arena.rules.actions import ActionCode
from euchre_arena.rules.terms import Phase
from euchre_arena.v1 import cards_pb2
from euchre_arena.v1 import referee_pb2 as pb
from euchre_arena.wire.actions import action_message, split_legal
from euchre_arena.wire.packing import VARINT, Memo, bytes_field, number_field, zigzag

_varint = VARINT.__getitem__
_join = b"".join


def _asked(key: tuple[int, int, int]) -> bytes:
    """Fields 3 to 5: seat, dealer, phase."""
    seat, dealer, phase = key
    return number_field(3, seat) + number_field(4, dealer) + number_field(5, phase)


def _listed(legal: tuple[ActionCode, ...]) -> bytes:
    """Fields 12 to 14, the legal actions."""
    short, more, omitted = split_legal(legal)
    return (
        bytes_field(12, _join(map(_varint, short)))
        + _join(bytes_field(13, action_message(code).SerializeToString()) for code in more)
        + number_field(14, omitted)
    )


def _made(key: tuple[int, int, int, int, int]) -> bytes:
    """Fields 6 to 10: the up-card and what was made of it."""
    up_card, state, trump, maker, alone = key
    return _join(
        (
            number_field(6, up_card),
            number_field(7, state),
            number_field(8, trump),
            b"\x48" + _varint(maker) if maker >= 0 else b"",
            number_field(10, alone),
        )
    )


def _score(key: tuple[tuple[int, ...], int, int]) -> bytes:
    """Fields 19 to 21: score, target, number of the hand."""
    score, target, hand_number = key
    points = _join(_varint(zigzag(number)) for number in score)
    return bytes_field(19, points) + number_field(20, target) + number_field(21, hand_number)


def _rare(key: tuple[tuple[int, ...], int, int, tuple[int, ...]]) -> bytes:
    """Fields 24 to 27: seats sitting out, bid, stock, tokens."""
    sitting_out, bid, stock, tokens = key
    return _join(
        (
            bytes_field(24, bytes(sitting_out)),
            number_field(25, bid),
            number_field(26, stock),
            bytes_field(27, _join(map(_varint, tokens))),
        )
    )


def _ends(key: tuple[tuple[int, ...], int]) -> bytes:
    """Fields 29 and 30: the makers, and the suit of a joker led."""
    makers, lead_suit = key
    return bytes_field(29, bytes(makers)) + number_field(30, lead_suit)


_ASKED: Final = Memo(_asked)
_MADE: Final = Memo(_made)
_SCORE: Final = Memo(_score)
_RARE: Final = Memo(_rare)
_ENDS: Final = Memo(_ends)
_LED: Final = (b"", *(b"\x80\x01" + _varint(seat) for seat in range(8)))
"""Field 16 by leader + 1."""
_WON: Final[Memo[tuple[int, ...], bytes]] = Memo(lambda won: bytes_field(18, bytes(won)))
_CLOCKED: Final[Memo[int, bytes]] = Memo(lambda ms: number_field(22, ms))
_PLAY: Final = int(Phase.PLAY)


def handle_bytes(handle: int) -> bytes:
    """Field 1 of a ``Turn`` or an ``Answer``, to be made once a game and kept."""
    return b"\x09" + handle.to_bytes(8, "little")


class GameWriter:
    """Writes the turns of one game, all seats.

    What the seats have in common is encoded when it changes: the public history as it grows, the
    rest a few times a hand. What is left is encoded each time. Remembering that by its value loses:
    hands and tricks do not repeat often enough.
    """

    __slots__ = ("_count", "_hand", "_history", "_seen", "_standing")

    def __init__(self) -> None:
        self._hand = -1
        self._count = 0
        self._history = b""
        self._seen: tuple[object, ...] = ()
        self._standing = b""

    def turn(
        self, handle: bytes, turn: int, view: View, move_time_ms: int = 0, bank_ms: int = 0
    ) -> bytes:
        """A turn as an entry of ``PlayResponse.turns``, tag and length included.

        ``handle`` is from `handle_bytes`; ``view`` that of the seat to act.
        """
        _, _, phase, _, _, _, _, _, hand, legal, history, leader, trick, won = view[:14]
        seen = view[3:8] + view[14:21] + view[22:]
        if seen != self._seen:
            self._seen = seen
            self._standing = _join(
                (_MADE[view[3:8]], _SCORE[view[14:17]], _RARE[view[17:21]], _ENDS[view[22:]])
            )
        count = len(history)
        if view[16] != self._hand or count < self._count:
            self._hand = view[16]
            self._history = _join(map(_varint, history))
            self._count = count
        elif count != self._count:
            self._history += _join(map(_varint, history[self._count :]))
            self._count = count
        if phase == _PLAY:
            listed = _join([VARINT[code] for code in legal])
            listed = b"\x62" + VARINT[len(listed)] + listed
        else:
            listed = _listed(legal)
        put_away = view[21]
        body = _join(
            (
                handle,
                b"\x10",
                VARINT[turn],
                _ASKED[view[:3]],
                self._standing,
                b"\x5a" + VARINT[len(hand)] + bytes(hand) if hand else b"",
                listed,
                b"\x7a" + VARINT[len(self._history)] + self._history if count else b"",
                _LED[leader + 1],
                b"\x8a\x01" + VARINT[len(trick)] + bytes(trick) if trick else b"",
                _WON[won],
                _CLOCKED[move_time_ms],
                b"\xb8\x01" + VARINT[bank_ms] if bank_ms else b"",
                bytes_field(28, bytes(put_away)) if put_away else b"",
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

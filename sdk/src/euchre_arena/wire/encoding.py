"""The hot paths out: a turn as bytes (server), answers as bytes (client), whole frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from euchre_arena.rules import Hand, View, done, laid_away, playing, steady, view_with
from euchre_arena.rules.actions import PLAY, ActionCode
from euchre_arena.rules.cards import Card
from euchre_arena.rules.tables import LOW_BITS, LOW_SIZE
from euchre_arena.rules.terms import Phase
from euchre_arena.v1 import cards_pb2
from euchre_arena.v1 import referee_pb2 as pb
from euchre_arena.wire.actions import SEVERAL_PHASES, action_message, split_legal
from euchre_arena.wire.by_mask import Pieces, packed
from euchre_arena.wire.packing import (
    SHORT,
    VARINT,
    Memo,
    bytes_field,
    number_field,
    split_varints,
    zigzag,
)

_varint = VARINT.__getitem__


def _heads(field: int) -> list[bytes]:
    """What stands before a field of so many bytes; nothing before none."""
    return [b"", *(VARINT[field << 3 | 2] + size for size in SHORT[1:])]


_TURN: Final = _heads(5)
"""Of a turn in a ``PlayResponse``."""
_CARDS: Final = _heads(11)
_LEGAL: Final = _heads(12)
_HISTORY: Final = _heads(15)
_TRICK: Final = _heads(17)
_TRICKS: Final = _heads(18)
_PLAYS: Final = [VARINT[PLAY | card] for card in range(64)]
"""By card number: the varint of playing it."""


def _asked(key: tuple[int, int, int]) -> bytes:
    """Fields 3 to 5: seat, dealer, phase."""
    seat, dealer, phase = key
    return number_field(3, seat) + number_field(4, dealer) + number_field(5, phase)


def _listed(legal: tuple[ActionCode, ...]) -> bytes:
    """Fields 12 to 14, the legal actions."""
    short, more, omitted = split_legal(legal)
    return (
        bytes_field(12, b"".join(map(_varint, short)))
        + b"".join(bytes_field(13, action_message(code).SerializeToString()) for code in more)
        + number_field(14, omitted)
    )


def _made(key: tuple[int, int, int, int, int]) -> bytes:
    """Fields 6 to 10: the up-card and what was made of it."""
    up_card, state, trump, maker, alone = key
    return b"".join(
        (
            number_field(6, up_card),
            number_field(7, state),
            number_field(8, trump),
            b"\x48" + _varint(maker) if maker >= 0 else b"",
            number_field(10, alone),
        )
    )


_Numbers: TypeAlias = tuple[int, ...]


def _score(key: tuple[_Numbers, int, int, _Numbers, int, int, _Numbers]) -> bytes:
    """Fields 19 to 21 and 24 to 27: score, target, number of the hand, seats sitting out, bid,
    stock, tokens."""
    score, target, hand_number, sitting_out, bid, stock, tokens = key
    return b"".join(
        (
            bytes_field(19, b"".join([_varint(zigzag(number)) for number in score])),
            number_field(20, target),
            number_field(21, hand_number),
            bytes_field(24, bytes(sitting_out)),
            number_field(25, bid),
            number_field(26, stock),
            bytes_field(27, b"".join(map(_varint, tokens))),
        )
    )


def _ends(key: tuple[tuple[int, ...], int]) -> bytes:
    """Fields 29 and 30: the makers, and the suit of a joker led."""
    makers, lead_suit = key
    return bytes_field(29, bytes(makers)) + number_field(30, lead_suit)


_ASKED: Final = Memo(_asked)
_MADE: Final = Memo(_made)
_SCORE: Final = Memo(_score)
_ENDS: Final = Memo(_ends)


def _standing(view: View) -> bytes:
    """What all seats see and few actions change."""
    fields: tuple[Any, ...] = view
    return _MADE[fields[3:8]] + _SCORE[fields[14:21]] + _ENDS[fields[22:]]


_LED: Final = (b"", *(b"\x80\x01" + _varint(seat) for seat in range(8)))
"""Field 16 by leader + 1."""
_NUMBERED: Final[Memo[int, bytes]] = Memo(lambda turn: number_field(2, turn))
_CLOCKED: Final[Memo[tuple[int, int], bytes]] = Memo(
    lambda clock: number_field(22, clock[0]) + number_field(23, clock[1])
)
_AWAY: Final[Memo[tuple[Card, ...], bytes]] = Memo(lambda cards: bytes_field(28, bytes(cards)))
_LISTED: Final[Memo[tuple[ActionCode, ...], bytes]] = Memo(_listed)
_PLAY: Final = int(Phase.PLAY)


def handle_bytes(handle: int) -> bytes:
    """Field 1 of a ``Turn`` or an ``Answer``."""
    return b"\x09" + handle.to_bytes(8, "little")


class GameWriter:
    """Writes the turns of one game, all seats.

    While cards are played most of a turn stands still: that is encoded once a hand and seat, the
    public history, which all seats share, as it grows. What is left is encoded each time:
    remembering it by its value loses, hands and tricks do not repeat often enough.
    """

    __slots__ = ("_cards", "_common", "_dealt", "_done", "_history", "_still")

    def __init__(self) -> None:
        self._dealt: Hand | None = None
        """The hand whose cards are played; all that follows is about it."""
        self._done = 0
        self._history = b""
        """Encoded up to `_done`."""
        self._common = b""
        """What stands still for all seats, encoded."""
        self._still: list[bytes] = []
        """By seat: all that stands still; nothing before it is first asked."""
        self._cards: Pieces
        """Of the hand's pack."""

    def asked(
        self,
        handle: int,
        turn: int,
        hand: Hand,
        seat: int,
        legal: tuple[ActionCode, ...],
        move_time_ms: int = 0,
        bank_ms: int = 0,
    ) -> bytes:
        """As `turn`, of a hand whose seat to act has these legal actions; faster in the play."""
        if hand is not self._dealt:
            view = view_with(hand, seat, legal)
            if not steady(hand):
                return self.turn(handle, turn, view, move_time_ms, bank_ms)
            self._begin(hand, view)
        still = self._still[seat] or self._stand_still(handle, hand, seat)
        held, news, leader, trick, tricks = playing(hand, self._done)
        if news:
            self._done += len(news)
            self._history += b"".join([VARINT[code] for code in news])
        history, of = self._history, self._cards
        cards = of.low[held & LOW_BITS] + of.high[held >> LOW_SIZE]
        listed = b"".join([_PLAYS[code & 63] for code in legal])
        body = b"".join(
            (
                _CLOCKED[move_time_ms, bank_ms],
                still,
                bytes(tricks),
                _NUMBERED[turn],
                _CARDS[len(cards)],
                cards,
                _LEGAL[len(listed)],
                listed,
                _HISTORY[len(history)],
                history,
                _LED[leader + 1],
                _TRICK[len(trick)],
                bytes(trick),
            )
        )
        return _TURN[len(body)] + body

    def turn(
        self, handle: int, turn: int, view: View, move_time_ms: int = 0, bank_ms: int = 0
    ) -> bytes:
        """A turn as an entry of ``PlayResponse.turns``, tag and length included.

        ``view`` is that of the seat to act.
        """
        fields: tuple[Any, ...] = view  # as a tuple of numbers it would be taken apart, compiled
        seat, dealer, phase, _, _, _, _, _, cards, legal, history, leader, trick, won = fields[:14]
        told = b"".join([VARINT[code] for code in history])
        if phase != _PLAY and phase not in SEVERAL_PHASES:
            listed = _LISTED[legal]
        elif max(legal, default=0) >> 16:
            listed = _listed(legal)
        else:  # of cards: there are too many such lists to remember
            listed = b"".join([VARINT[code] for code in legal])
            listed = _LEGAL[len(listed)] + listed
        body = b"".join(
            (
                handle_bytes(handle),
                _NUMBERED[turn],
                _ASKED[seat, dealer, phase],
                _standing(view),
                _CARDS[len(cards)],
                bytes(cards),
                listed,
                _HISTORY[len(told)],
                told,
                _LED[leader + 1],
                _TRICK[len(trick)],
                bytes(trick),
                _TRICKS[len(won)],
                bytes(won),
                _CLOCKED[move_time_ms, bank_ms],
                _AWAY[fields[21]],
            )
        )
        return b"\x2a" + VARINT[len(body)] + body

    def _begin(self, hand: Hand, view: View) -> None:
        """The play of a hand's cards begins, or it is the first that is seen of it."""
        self._dealt = hand
        self._done = done(hand)
        self._history = b"".join([VARINT[code] for code in view.history])
        self._common = _standing(view)
        self._still = [b""] * hand.rules.seats
        self._cards = packed(hand.rules.pack.name)

    def _stand_still(self, handle: int, hand: Hand, seat: int) -> bytes:
        away = _AWAY[laid_away(hand, seat)]
        asked = _ASKED[seat, hand.dealer, _PLAY]
        # Last the head of `tricks_won`, which comes behind it.
        head = _TRICKS[hand.rules.sides]
        still = b"".join((handle_bytes(handle), asked, self._common, away, head))
        self._still[seat] = still
        return still


def with_refusal(entry: bytes, count: int, why: str) -> bytes:
    """An entry of `GameWriter.turn` that says, too, how often its turn's answer was refused."""
    length = split_varints(entry[1:11])[0]
    body = entry[1 + len(length) :] + number_field(31, count) + bytes_field(32, why.encode())
    return b"\x2a" + VARINT[len(body)] + body


def _choose(key: int) -> bytes:
    """Fields 2 and 3 of an ``Answer``: turn << 16 | choice."""
    return number_field(2, key >> 16) + number_field(3, key & 0xFFFF)


_chosen: Final = Memo(_choose).__getitem__
_ANSWER: Final = tuple(b"\x22" + VARINT[9 + size] for size in range(16))
"""What stands before an ``Answer`` of a handle and so many bytes."""


def answer_bytes(handle: bytes, turn: int, choice: int, action: ActionCode | None = None) -> bytes:
    """An entry of ``PlayRequest.answers``, tag and length included.

    With ``action`` the choice is left out; a code of -1 is an action that says nothing, for text
    that does not parse: the server calls it malformed.
    """
    if action is None:
        chosen = _chosen(turn << 16 | choice)
        return _ANSWER[len(chosen)] + handle + chosen
    spelled = action_message(action) if action >= 0 else cards_pb2.Action()
    payload = spelled.SerializeToString()  # stands there when empty, too
    body = handle + number_field(2, turn) + b"\x22" + VARINT[len(payload)] + payload
    return b"\x22" + VARINT[len(body)] + body


def request_bytes(
    frame: int, ack: int, answers: Iterable[bytes] = (), rest: pb.PlayRequest | None = None
) -> bytes:
    """A ``PlayRequest``: entries of `answer_bytes`, and whatever else it carries in ``rest``."""
    head = number_field(1, frame) + number_field(2, ack)
    tail = b"" if rest is None else rest.SerializeToString()
    return head + b"".join(answers) + tail


def response_bytes(
    frame: int, turns: Iterable[bytes] = (), rest: pb.PlayResponse | None = None
) -> bytes:
    """A ``PlayResponse``: entries of `GameWriter.turn`, and whatever else it carries in ``rest``.

    Parts of one message may simply follow each other: a reader merges them.
    """
    tail = b"" if rest is None else rest.SerializeToString()
    return number_field(1, frame) + b"".join(turns) + tail

"""The hot path in: a frame of the server as `Turn` objects that read themselves when asked.

The generated classes hand out a packed field as a container that costs a microsecond to walk
through. Frames are therefore parsed by a second description of the same messages, made here from
the first, in which every packed field of ``Turn`` is plain bytes: the same bytes on the wire.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from itertools import combinations
from typing import Any, Final, Protocol, cast

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from euchre_arena.rules import View
from euchre_arena.rules.actions import ActionCode, Kind, canonical_key, several
from euchre_arena.rules.cards import mask_of
from euchre_arena.rules.named_action import ACTIONS, Action
from euchre_arena.rules.terms import Phase
from euchre_arena.rules.turn import Table, Turn, lazy
from euchre_arena.v1 import cards_pb2
from euchre_arena.v1 import referee_pb2 as pb
from euchre_arena.wire.actions import SEVERAL_PHASES, action_code
from euchre_arena.wire.packing import NUMBER, Memo, read_varint, split_varints


class PackedTurn(Protocol):
    """A ``Turn`` whose packed fields are bytes."""

    game: int
    turn: int
    seat: int
    dealer: int
    phase: int
    up_card: int
    up_card_state: int
    trump: int
    maker: int
    alone: bool
    hand: bytes
    legal: bytes
    legal_more: Iterable[cards_pb2.Action]
    legal_omitted: bool
    history: bytes
    leader: int
    trick: bytes
    tricks_won: bytes
    score: bytes
    target: int
    hand_number: int
    move_time_ms: int
    bank_ms: int
    sitting_out: bytes
    bid: int
    stock: int
    tokens: bytes
    put_away: bytes
    makers: bytes
    lead_suit: int
    refusals: int
    refusal: str

    def HasField(self, field_name: str) -> bool: ...  # noqa: N802 - protobuf's name


class Frame(Protocol):
    """A ``PlayResponse`` whose turns are packed; the other fields as generated."""

    frame: int
    welcome: pb.Welcome
    entropy_wanted: Iterable[pb.EntropyWanted]
    games_started: Iterable[pb.GameStarted]
    turns: Iterable[PackedTurn]
    rejections: Iterable[pb.TurnRejected]
    updates: Iterable[pb.GameUpdated]
    games_ended: Iterable[pb.GameEnded]
    matches_ended: Iterable[pb.MatchEnded]
    notice: pb.Notice
    ping: int

    def HasField(self, field_name: str) -> bool: ...  # noqa: N802 - protobuf's name


def _packed_class() -> Any:
    """The class of `Frame`, from the description of the generated one."""
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto()
    pb.DESCRIPTOR.CopyToProto(file)
    del file.service[:]
    turn = next(message for message in file.message_type if message.name == "Turn")
    for field in turn.field:
        if field.label == kinds.LABEL_REPEATED and field.type != kinds.TYPE_MESSAGE:
            field.label = kinds.LABEL_OPTIONAL
            field.type = kinds.TYPE_BYTES
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(cards_pb2.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(
        pool.FindMessageTypeByName(f"{file.package}.PlayResponse")
    )


_FRAME: Final = _packed_class()


def read_frame(raw: bytes) -> Frame:
    """Parse a ``PlayResponse``. google.protobuf.message.DecodeError when it is none."""
    return cast(Frame, _FRAME.FromString(raw))


def _read_score(packed: bytes) -> tuple[int, ...]:
    numbers = map(read_varint, split_varints(packed))
    return tuple([number >> 1 ^ -(number & 1) for number in numbers])


def _read_entry(chunk: bytes) -> tuple[int, Action]:
    entry = read_varint(chunk)
    return entry >> 16, ACTIONS[entry & 0xFFFF]


def _read_codes(packed: bytes) -> tuple[ActionCode, ...]:
    return tuple(map(NUMBER.__getitem__, split_varints(packed)))


_action: Final = Memo[bytes, Action](lambda chunk: ACTIONS[read_varint(chunk)]).__getitem__
_score = Memo(_read_score).__getitem__
_entry = Memo(_read_entry).__getitem__


def _read_pair(pair: int) -> Action:
    """The action of a varint of two bytes, these read as one number, lowest first."""
    if pair & 0x8080 != 0x80:
        raise ValueError(f"{pair:#x} is no varint of two bytes")
    return ACTIONS[pair & 0x7F | pair >> 8 << 7]


_pair: Final = Memo(_read_pair).__getitem__
_PAIRS: Final = tuple(struct.Struct(f"<{count}H").unpack for count in range(64))
"""Bytes as so many pairs."""
_new: Final = object.__new__


class WireTurn(Turn):
    """A turn off the wire, made by `turn_of`: the same to a bot as one made from a view."""

    _raw: PackedTurn

    rearranged = False
    """The list on the wire is not the canonical one: it has actions of several cards. Known when
    `legal` was read."""

    @lazy
    def move_time_ms(self) -> int:
        """Left for this decision before the bank is drawn on, milliseconds; 0 for no clock."""
        return self._raw.move_time_ms

    @lazy
    def bank_ms(self) -> int:
        """Bank left, milliseconds."""
        return self._raw.bank_ms

    @lazy
    def refusals(self) -> int:
        """Answers to this very turn that were refused."""
        return self._raw.refusals

    @lazy
    def refusal(self) -> str | None:
        """Why the last of them was; None when first asked."""
        return self._raw.refusal if self.refusals else None

    @lazy
    def legal(self) -> tuple[Action, ...]:
        """The legal actions in canonical order, never empty."""
        raw = self._raw
        if raw.phase not in SEVERAL_PHASES or not (raw.legal_omitted or any(raw.legal_more)):
            return tuple(map(_action, split_varints(raw.legal)))
        self.rearranged = True
        codes = self.listed
        if raw.legal_omitted:
            codes += tuple(_omitted_discards(raw, self.table))
        return tuple([ACTIONS[code] for code in sorted(codes, key=canonical_key)])

    @property
    def listed(self) -> tuple[ActionCode, ...]:
        """The legal actions as ``Answer.choice`` counts them."""
        more = [action_code(message) for message in self._raw.legal_more]
        return _read_codes(self._raw.legal) + tuple(more)

    @lazy
    def history(self) -> tuple[tuple[int, Action], ...]:
        """Public actions of this hand in order, as (seat, action)."""
        return tuple(map(_entry, split_varints(self._raw.history)))

    @lazy
    def score(self) -> tuple[int, ...]:
        """Points in this game before this hand, by side."""
        return _score(self._raw.score)

    @lazy
    def tokens(self) -> tuple[int, ...]:
        """Tokens by side, where played."""
        return _read_codes(self._raw.tokens)

    @lazy
    def maker(self) -> int | None:
        """The seat that made trumps; None before."""
        return self._raw.maker if self._raw.HasField("maker") else None

    @lazy
    def leader(self) -> int | None:
        """The seat that led the current trick or is to lead it; None before play."""
        return self._raw.leader if self._raw.HasField("leader") else None

    @lazy
    def view(self) -> View:
        """The same as numbers."""
        raw = self._raw
        return View(
            seat=raw.seat,
            dealer=raw.dealer,
            phase=raw.phase,
            up_card=raw.up_card,
            up_card_state=raw.up_card_state,
            trump=raw.trump,
            maker=-1 if self.maker is None else self.maker,
            alone=raw.alone,
            hand=tuple(raw.hand),
            legal=tuple([action.code for action in self.legal]),
            history=_read_codes(raw.history),
            leader=-1 if self.leader is None else self.leader,
            trick=tuple(raw.trick),
            tricks_won=tuple(raw.tricks_won),
            score=self.score,
            target=raw.target,
            hand_number=raw.hand_number,
            sitting_out=tuple(raw.sitting_out),
            bid=raw.bid,
            stock=raw.stock,
            tokens=self.tokens,
            put_away=tuple(raw.put_away),
            makers=tuple(raw.makers),
            lead_suit=raw.lead_suit,
        )

    def refused(self, why: str) -> WireTurn:
        """The same turn after another answer to it was refused."""
        turn = turn_of(self._raw, self.table)
        turn.refusals, turn.refusal = self.refusals + 1, why
        return turn

    def answer(self, text: str) -> tuple[int, ActionCode | None]:
        """What to send for an answer: a choice, or an action spelled out; -1 for no action at all.

        An action that is not legal is sent all the same: the referee decides what it costs.
        """
        choice = self.choice(text)
        if choice >= 0 and not self.rearranged:
            return choice, None
        try:
            code = self.legal[choice].code if choice >= 0 else Action.parse(text).code
        except ValueError:
            return 0, -1
        if choice >= 0 and code in self.listed:
            return self.listed.index(code), None
        return 0, code


def turn_of(raw: PackedTurn, table: Table) -> WireTurn:
    """The turn of a message, with as little as a bot needs that reads `WireTurn.legal` alone."""
    turn: WireTurn = _new(WireTurn)
    turn._raw = raw
    turn.table = table
    turn.turn = raw.turn
    if raw.phase not in SEVERAL_PHASES:
        # All codes of one list, or nearly, are varints of two bytes. Where one is not, the bytes
        # fall into pairs that are none, and the list is read when it is asked for.
        packed = raw.legal
        try:
            turn.legal = tuple(map(_pair, _PAIRS[len(packed) >> 1](packed)))
        except (ValueError, IndexError, struct.error):
            return turn
    return turn


def _omitted_discards(raw: PackedTurn, table: Table) -> Iterable[ActionCode]:
    """Every discard of several cards that is legal: how many is a matter of the rules.

    After the widow down to the size of a hand; in Écarté up to five, and no more than the stock.
    """
    hand = raw.hand
    if raw.phase == Phase.EXCHANGE:
        counts = range(2, min(5, raw.stock) + 1)
    else:
        counts = range(len(hand) - table.rules.hand_size, len(hand) - table.rules.hand_size + 1)
    for count in counts:
        for cards in combinations(hand, count):
            yield several(Kind.DISCARD, mask_of(cards))

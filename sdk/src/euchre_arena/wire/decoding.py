"""The hot path in: a frame of the server as `Turn` objects that read themselves when asked.

The generated classes make an object of every turn, a container of every packed field, a look-up by
name of every field read. Frames are therefore parsed by a second description of the same messages,
made here from the first, in which a turn is plain bytes, and so is every packed field of a turn:
the same bytes on the wire. A turn is parsed when more of it is asked for than what is legal.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, Final, Protocol, TypeVar, cast

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
from euchre_arena.wire.encoding import choice_bytes, handle_bytes, spelled_bytes
from euchre_arena.wire.packing import NUMBER, Memo, number_field, read_varint, split_varints

T = TypeVar("T")


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
    """A ``PlayResponse`` whose turns are bytes; the other fields as generated."""

    frame: int
    welcome: pb.Welcome
    entropy_wanted: Iterable[pb.EntropyWanted]
    games_started: Iterable[pb.GameStarted]
    turns: Sequence[bytes]
    rejections: Iterable[pb.TurnRejected]
    updates: Iterable[pb.GameUpdated]
    games_ended: Iterable[pb.GameEnded]
    matches_ended: Iterable[pb.MatchEnded]
    notice: pb.Notice
    ping: int

    def HasField(self, field_name: str) -> bool: ...  # noqa: N802 - protobuf's name


def _packed_classes() -> tuple[Any, Any]:
    """The classes of `Frame` and `PackedTurn`, from the description of the generated ones."""
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto()
    pb.DESCRIPTOR.CopyToProto(file)
    del file.service[:]
    messages = {message.name: message for message in file.message_type}
    for field in messages["Turn"].field:
        if field.label == kinds.LABEL_REPEATED and field.type != kinds.TYPE_MESSAGE:
            field.label = kinds.LABEL_OPTIONAL
            field.type = kinds.TYPE_BYTES
    turns = next(field for field in messages["PlayResponse"].field if field.name == "turns")
    turns.type = kinds.TYPE_BYTES
    turns.ClearField("type_name")
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(cards_pb2.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    frame, turn = (
        message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.{name}"))
        for name in ("PlayResponse", "Turn")
    )
    return frame, turn


_FRAME, _TURN = _packed_classes()


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
_several = bytes(sorted(SEVERAL_PHASES))
_asked: Final = re.compile(
    rb"[\x00-\x20]*\x28(?:[^%b]|([%b]))\x62(.)" % (_several, _several), re.DOTALL
).match
"""Seat, dealer and phase, each a byte behind its own, then tag and length of the legal list."""


def _read_place(start: bytes) -> Place:
    found = _asked(start)
    if found is None:
        return 0, None, False
    several, size = found.groups()
    pairs = struct.Struct(f"<{size[0] >> 1}H").unpack_from
    return found.end(), pairs if size[0] < 128 and not size[0] & 1 else None, several is not None


Place = tuple[int, Callable[[bytes, int], tuple[int, ...]] | None, bool]
_place: Final = Memo(_read_place).__getitem__
"""Where in a turn its legal list begins, what reads it as pairs of bytes, and whether it may not be
all, by the eight bytes behind the turn's head; None where it does not stand there."""
_new: Final = object.__new__


def _as_written(cls: type[T]) -> type[T]:
    """Marks a class whose attributes come and go: decorated, it is left alone by mypyc, which else
    makes a struct of it."""
    return cls


@_as_written
class WireTurn(Turn):
    """A turn off the wire, made by `turns_of`: the same to a bot as one made from a view."""

    handle: bytes
    """Of the game, as `handle_bytes` makes it."""
    head: bytes
    """The bytes of ``game`` and ``turn``, which are the same in an answer."""
    _packed: bytes

    @lazy
    def _raw(self) -> Any:  # a PackedTurn
        return _TURN.FromString(self._packed)

    @lazy
    def turn(self) -> int:
        """Counts the decisions asked of this seat in the game, from 1."""
        return read_varint(self.head[len(self.handle) + 1 :])

    @property
    def game(self) -> int:
        """Opaque handle of this seat in this game."""
        return int.from_bytes(self.handle[1:], "little")

    @lazy
    def move_time_ms(self) -> int:
        """Left for this decision before the bank is drawn on, milliseconds; 0 for no clock."""
        return int(self._raw.move_time_ms)

    @lazy
    def bank_ms(self) -> int:
        """Bank left, milliseconds."""
        return int(self._raw.bank_ms)

    @lazy
    def refusals(self) -> int:
        """Answers to this very turn that were refused."""
        return int(self._raw.refusals)

    @lazy
    def refusal(self) -> str | None:
        """Why the last of them was; None when first asked."""
        return self._raw.refusal if self.refusals else None

    @lazy
    def legal(self) -> tuple[Action, ...]:
        """The legal actions in canonical order, never empty."""
        return tuple(map(_action, split_varints(self._raw.legal)))

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
        raw: PackedTurn = self._raw
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
        turn: WireTurn = _new(type(self))
        turn._packed, turn.handle, turn.head = self._packed, self.handle, self.head
        turn.table = self.table
        turn.refusals, turn.refusal = self.refusals + 1, why
        return turn

    def reply(self, text: str) -> bytes:
        """An answer as an entry of ``PlayRequest.answers``.

        An action that is not legal is sent all the same: the referee decides what it costs.
        """
        try:
            choice = self.legal.index(text)
        except ValueError:
            return self._spelled(text)
        return choice_bytes(self.head, choice)

    def _spelled(self, text: str) -> bytes:
        """An action that is not in the list; one that says nothing for what is none."""
        try:
            return spelled_bytes(self.head, Action.parse(text).code)
        except ValueError:
            return spelled_bytes(self.head, -1)


@_as_written
class SeveralTurn(WireTurn):
    """One with actions of several cards: the list on the wire is another than the canonical one,
    and perhaps not all of it."""

    @lazy
    def legal(self) -> tuple[Action, ...]:
        """The legal actions in canonical order, never empty."""
        codes = self._listed
        if self._raw.legal_omitted:
            codes += tuple(_omitted_discards(self._raw, self.table))
        return tuple([ACTIONS[code] for code in sorted(codes, key=canonical_key)])

    @lazy
    def _listed(self) -> tuple[ActionCode, ...]:
        """The legal actions as ``Answer.choice`` counts them."""
        more = [action_code(message) for message in self._raw.legal_more]
        return _read_codes(self._raw.legal) + tuple(more)

    def reply(self, text: str) -> bytes:
        """An answer as an entry of ``PlayRequest.answers``."""
        choice = self.choice(text)
        if choice >= 0 and self.legal[choice].code in self._listed:
            return choice_bytes(self.head, self._listed.index(self.legal[choice].code))
        return self._spelled(text)


def turns_of(frame: Frame) -> list[WireTurn]:
    """The turns of a frame with as little as a bot needs that reads `WireTurn.legal` alone.

    `WireTurn.table` is for the caller to set, who knows it by `WireTurn.handle`. DecodeError when
    one is no turn.
    """
    turns = []
    for packed in frame.turns:
        # Its head is a tag and eight bytes, a tag and a number of one or two.
        end = 11 if len(packed) < 12 or packed[10] < 128 else 12
        place, pairs, several = _place(packed[end : end + 8])
        if (
            pairs is None
            or packed[0] != 9
            or packed[9] != 16
            or (several and (b"\x6a" in packed or b"\x70" in packed))  # perhaps tags of more
        ):
            turns.append(_parsed(packed))
            continue
        turn: WireTurn = _new(WireTurn)
        turns.append(turn)
        turn._packed = packed
        turn.handle = packed[:9]
        turn.head = packed[:end]
        # All codes of one list, or nearly, are varints of two bytes. Where one is not, the bytes
        # fall into pairs that are none, and the list is read when it is asked for.
        try:
            turn.legal = tuple(map(_pair, pairs(packed, end + place)))
        except (ValueError, struct.error):
            continue
    return turns


def _parsed(packed: bytes) -> WireTurn:
    """A turn that is parsed to see what it is."""
    raw: PackedTurn = _TURN.FromString(packed)
    more = raw.phase in SEVERAL_PHASES and (raw.legal_omitted or any(raw.legal_more))
    turn: WireTurn = _new(SeveralTurn if more else WireTurn)
    turn._packed = packed
    turn._raw = raw
    turn.handle = handle_bytes(raw.game)
    turn.head = turn.handle + number_field(2, raw.turn)
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

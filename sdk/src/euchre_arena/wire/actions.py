"""Actions on the wire: codes to and from messages, and the order of a turn's legal list there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from euchre_arena.rules.actions import (
    CARD_KINDS,
    HIDDEN,
    ActionCode,
    Kind,
    bid,
    call,
    card_mask,
    kind_of,
    several,
)
from euchre_arena.rules.cards import JOKER, NO_TRUMP, cards_of, mask_of
from euchre_arena.rules.terms import Phase
from euchre_arena.v1 import cards_pb2

SEVERAL_PHASES: Final = frozenset(
    int(phase) for phase in (Phase.FARMERS, Phase.WIDOW, Phase.DISCARD, Phase.EXCHANGE)
)
"""Phases in which an action may name several cards. In all others ``Answer.choice`` is the index
into the canonical legal list as it stands; in these `chosen_code` finds what was meant."""
LISTED: Final = 64
"""Actions of several cards that a turn lists; of more it says ``legal_omitted`` instead."""
_SHORT: Final = 1 << 16

Listed = tuple[tuple[ActionCode, ...], tuple[ActionCode, ...], bool]


def split_legal(legal: Sequence[ActionCode]) -> Listed:
    """A canonical legal list as a turn carries it: ``legal``, ``legal_more``, ``legal_omitted``."""
    short = tuple([code for code in legal if code < _SHORT])
    if len(short) == len(legal):
        return short, (), False
    more = tuple([code for code in legal if code >= _SHORT])
    return (short, more, False) if len(more) <= LISTED else (short, (), True)


def chosen_code(legal: Sequence[ActionCode], choice: int) -> ActionCode | None:
    """The action that ``Answer.choice`` means where a turn was sent for this canonical list.

    None when it is no index.
    """
    short, more, _ = split_legal(legal)
    listed = short + more
    return listed[choice] if 0 <= choice < len(listed) else None


def action_message(code: ActionCode) -> cards_pb2.Action:
    """An action spelled out. What hides its cards has only a number: ``amount`` of them."""
    kind = kind_of(code)
    operand = code & 1023
    message = cards_pb2.Action(kind=_KINDS(int(kind)))
    if kind in CARD_KINDS or kind is Kind.PLAY:
        message.cards.extend(cards_of(card_mask(code)))
        if kind is not Kind.PLAY and operand & HIDDEN and not code >> 16:
            message.amount = operand & 511
    elif kind is Kind.CALL:
        message.suit = _SUITS(operand & 7)
        message.alone = bool(operand & 8)
    elif kind is Kind.BID:
        message.amount = operand >> 3 & 31
        message.suit = _SUITS(operand & 7)
        message.alone = bool(operand & 512)
    elif kind in (Kind.NAME, Kind.LEAD_SUIT):
        message.suit = _SUITS(operand)
    elif kind is Kind.PICK:
        message.seats.extend(cards_of(operand))
    elif kind is Kind.SCORE:
        message.amount = operand
    else:
        message.alone = kind in (Kind.DEFEND, Kind.BLIND) or bool(operand)
    return message


def action_code(message: cards_pb2.Action) -> ActionCode:
    """Read an action. ValueError says what is wrong with it (reason ``malformed``)."""
    reader = _READERS.get(message.kind)
    if reader is None:
        raise ValueError(f"kind {message.kind} is no verb: they are 1 to {max(_READERS)}")
    code = reader(message)
    # Whatever has no meaning for the verb must not be set: reading it back would lose it.
    if action_message(code) != _ordered(message):
        raise ValueError(f"{Kind(message.kind).name.lower()} does not take all of these fields")
    return code


_KINDS: Final = cards_pb2.ActionKind.ValueType
_SUITS: Final = cards_pb2.Suit.ValueType


def _ordered(message: cards_pb2.Action) -> cards_pb2.Action:
    """The same action with its cards and seats ascending, whatever class it was read with."""
    ordered = cards_pb2.Action.FromString(message.SerializeToString())
    ordered.cards[:] = sorted(message.cards)
    ordered.seats[:] = sorted(message.seats)
    return ordered


def _plain(message: cards_pb2.Action) -> ActionCode:
    return message.kind << 10


def _order(message: cards_pb2.Action) -> ActionCode:
    return message.kind << 10 | message.alone


def _suit(message: cards_pb2.Action, highest: int = NO_TRUMP) -> int:
    if not 1 <= message.suit <= highest:
        raise ValueError(f"suit {message.suit} is none of 1 to {highest}")
    return message.suit


def _call(message: cards_pb2.Action) -> ActionCode:
    return call(_suit(message), message.alone)


def _bid(message: cards_pb2.Action) -> ActionCode:
    if message.amount > 31:
        raise ValueError("no bid goes beyond 31")
    return bid(message.amount, _suit(message) if message.suit else 0, message.alone)


def _suited(message: cards_pb2.Action) -> ActionCode:
    return message.kind << 10 | _suit(message)


def _mask(message: cards_pb2.Action) -> int:
    for card in message.cards:
        if not 1 <= card <= JOKER:
            raise ValueError(f"card {card} is none of 1 to {JOKER}")
    if len(set(message.cards)) != len(message.cards):
        raise ValueError("a card stands in it twice")
    return mask_of(message.cards)


def _cards(message: cards_pb2.Action) -> ActionCode:
    kind = Kind(message.kind)
    if not message.cards and kind is not Kind.DISCARD:
        raise ValueError(f"{kind.name.lower()} names no card")
    return several(kind, _mask(message))


def _play(message: cards_pb2.Action) -> ActionCode:
    if len(message.cards) != 1:
        raise ValueError("one card is played at a time")
    _mask(message)
    return message.kind << 10 | message.cards[0]


def _pick(message: cards_pb2.Action) -> ActionCode:
    if not message.seats or any(seat > 6 for seat in message.seats):
        raise ValueError("pick names seats 0 to 6")
    if len(set(message.seats)) != len(message.seats):
        raise ValueError("a seat stands in it twice")
    return message.kind << 10 | mask_of(message.seats)


def _score(message: cards_pb2.Action) -> ActionCode:
    if message.amount > 1:
        raise ValueError("score takes amount 0 (add) or 1 (subtract)")
    return message.kind << 10 | message.amount


_READERS: Final[dict[int, Callable[[cards_pb2.Action], ActionCode]]] = {
    **{int(kind): _plain for kind in Kind},
    Kind.ORDER: _order,
    Kind.CALL: _call,
    Kind.DISCARD: _cards,
    Kind.SWAP: _cards,
    Kind.GIVE: _cards,
    Kind.BID: _bid,
    Kind.NAME: _suited,
    Kind.LEAD_SUIT: _suited,
    Kind.PICK: _pick,
    Kind.PLAY: _play,
    Kind.SCORE: _score,
}

"""Actions: canonical text, codes and order (rules.md §12).

An action is an integer, its *code*: ``kind << 10 | operand`` (the table stands in
``proto/euchre_arena/v1/cards.proto``). An action of several cards carries one bit a card above bit
16, ``mask << 16 | kind << 10 | 512 | count``; its low 16 bits are what other seats may see.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Final

from .cards import NAMES, SUIT_LETTERS, Card, cards_of, mask_of, parse_card, parse_suit

ActionCode = int


class Kind(IntEnum):
    """The verb of an action; the numbers are the canonical order."""

    PASS = 1
    ORDER = 2
    CALL = 3
    DEFEND = 4
    DISCARD = 5
    SWAP = 6
    REDEAL = 7
    GIVE = 8
    BLIND = 9
    BID = 10
    NAME = 11
    PICK = 12
    PLAY = 13
    LEAD_SUIT = 14
    CLAIM = 15
    SCORE = 16
    PROPOSE = 17
    STAND = 18
    ACCEPT = 19
    REFUSE = 20
    MARK = 21
    CONCEDE = 22


VERBS: Final[dict[str, Kind]] = {k.name.lower().replace("_", "-"): k for k in Kind}
_WORDS: Final[dict[Kind, str]] = {kind: verb for verb, kind in VERBS.items()}

HIDDEN: Final = 512
"""Operand bit of discard, swap and give: the rest counts cards that are not shown."""
CARD_KINDS: Final = frozenset((Kind.DISCARD, Kind.SWAP, Kind.GIVE))

PASS: Final = Kind.PASS << 10
ORDER: Final = Kind.ORDER << 10
ORDER_ALONE: Final = ORDER | 1
DEFEND_ALONE: Final = Kind.DEFEND << 10
REDEAL: Final = Kind.REDEAL << 10
BLIND_ALONE: Final = Kind.BLIND << 10
PLAY: Final = Kind.PLAY << 10
CLAIM: Final = Kind.CLAIM << 10
PROPOSE: Final = Kind.PROPOSE << 10
STAND: Final = Kind.STAND << 10
MARK: Final = Kind.MARK << 10
CONCEDE: Final = Kind.CONCEDE << 10
SCORE_ADD: Final = Kind.SCORE << 10
SCORE_SUBTRACT: Final = SCORE_ADD | 1


def call(suit: int, alone: bool = False) -> ActionCode:
    """``call h``, ``call n alone``."""
    return Kind.CALL << 10 | suit | (8 if alone else 0)


def bid(amount: int, suit: int = 0, alone: bool = False) -> ActionCode:
    """``bid 4``, ``bid 6 n alone``; suit 0 when it is named later."""
    return Kind.BID << 10 | (512 if alone else 0) | amount << 3 | suit


def several(kind: Kind, mask: int) -> ActionCode:
    """An action of the cards in ``mask`` (one bit a card number).

    One discarded or given card has the short form, so that an action has one code only.
    """
    count = mask.bit_count()
    if count == 1 and kind is not Kind.SWAP:
        return kind << 10 | (mask.bit_length() - 1)
    return mask << 16 | kind << 10 | HIDDEN | count


def kind_of(code: ActionCode) -> Kind:
    """The verb of an action."""
    return Kind(code >> 10 & 63)


def card_mask(code: ActionCode) -> int:
    """The cards an action names, one bit a card number; 0 where they are not shown."""
    kind = code >> 10 & 63
    if kind == Kind.PLAY or (kind in (Kind.DISCARD, Kind.GIVE) and not code & HIDDEN):
        return 1 << (code & 63)
    return code >> 16


def public(code: ActionCode) -> ActionCode:
    """What the other seats see of an action: of hidden cards only their number (rules.md §10)."""
    kind = code >> 10 & 63
    if kind in CARD_KINDS:
        return kind << 10 | HIDDEN | (code & 15 if code & HIDDEN else 1)
    return code


def canonical_key(code: ActionCode) -> tuple[int, int, int, int, int, tuple[Card, ...], int]:
    """Sort key of the canonical order (rules.md §12)."""
    kind = code >> 10 & 63
    operand = code & 1023
    cards = cards_of(card_mask(code))
    if kind == Kind.CALL:
        suit = operand & 7
        return (kind, suit == 5, operand >> 3, 0, 0, (), suit)
    if kind == Kind.BID:
        return (kind, 0, operand >> 9, operand >> 3 & 31, 0, (), operand & 7)
    if kind in CARD_KINDS or kind == Kind.PLAY:
        return (kind, 0, 0, 0, len(cards), cards, 0)
    if kind == Kind.PICK:
        return (kind, 0, 0, 0, 0, cards_of(operand), 0)
    return (kind, 0, operand if kind == Kind.ORDER else 0, 0, 0, (), operand)


@lru_cache(maxsize=65536)
def action_text(code: ActionCode) -> str:
    """Canonical text; hidden cards read ``discard (1 card)``."""
    kind = kind_of(code)
    word = _WORDS[kind]
    operand = code & 1023
    if kind in CARD_KINDS:
        cards = cards_of(card_mask(code))
        if not cards and operand & 511:
            count = operand & 511
            return f"{word} ({count} card{'s' if count > 1 else ''})"
        return " ".join((word, *(NAMES[number] for number in cards)))
    if kind == Kind.PLAY:
        return f"{word} {NAMES[operand]}"
    if kind == Kind.CALL:
        return f"{word} {SUIT_LETTERS[operand & 7]}{' alone' if operand & 8 else ''}"
    if kind == Kind.BID:
        suit = f" {SUIT_LETTERS[operand & 7]}" if operand & 7 else ""
        return f"{word} {operand >> 3 & 31}{suit}{' alone' if operand & 512 else ''}"
    if kind in (Kind.NAME, Kind.LEAD_SUIT):
        return f"{word} {SUIT_LETTERS[operand]}"
    if kind == Kind.PICK:
        return " ".join((word, *(str(seat) for seat in cards_of(operand))))
    if kind == Kind.SCORE:
        return f"{word} {'subtract' if operand else 'add'}"
    if kind in (Kind.DEFEND, Kind.BLIND) or operand & 1:
        return f"{word} alone"
    return word


def parse_action(text: str) -> ActionCode:
    """Read an action, cards and seats in any order. ValueError says what does not parse."""
    words = text.split()
    kind = VERBS.get(words[0].lower()) if words else None
    if kind is None:
        raise ValueError(f"{text!r} is no action: it starts with none of {', '.join(VERBS)}")
    try:
        code = _parse(kind, [word.lower() for word in words[1:]])
    except ValueError as error:
        raise ValueError(f"{text!r} is no action: {error}") from None
    if code is None:
        raise ValueError(f"{text!r} is no action")
    return code


def _parse(kind: Kind, rest: list[str]) -> ActionCode | None:
    if kind in CARD_KINDS:
        cards = [parse_card(word) for word in rest]
        if len(set(cards)) != len(cards):  # parses, but is no action of any hand
            return mask_of(cards) << 16 | kind << 10 | HIDDEN | len(cards)
        if kind is not Kind.DISCARD and not cards:
            return None
        return several(kind, mask_of(cards))
    alone = bool(rest) and rest[-1] == "alone"
    if alone:
        rest = rest[:-1]
    if kind in (Kind.DEFEND, Kind.BLIND):
        return kind << 10 if alone and not rest else None
    if kind is Kind.ORDER:
        return None if rest else ORDER | alone
    if kind is Kind.CALL:
        return call(parse_suit(rest[0]), alone) if len(rest) == 1 else None
    if kind is Kind.BID:
        return _parse_bid(rest, alone)
    if alone:
        return None
    if kind is Kind.PLAY:
        return PLAY | parse_card(rest[0]) if len(rest) == 1 else None
    if kind in (Kind.NAME, Kind.LEAD_SUIT):
        return kind << 10 | parse_suit(rest[0]) if len(rest) == 1 else None
    if kind is Kind.PICK:
        return _parse_pick(rest)
    if kind is Kind.SCORE:
        return {"add": SCORE_ADD, "subtract": SCORE_SUBTRACT}.get(" ".join(rest))
    return None if rest else kind << 10


def _parse_bid(rest: list[str], alone: bool) -> ActionCode | None:
    if not 1 <= len(rest) <= 2 or not (rest[0].isascii() and rest[0].isdigit()):
        return None
    amount = int(rest[0])
    if amount > 31:
        raise ValueError("no bid goes beyond 31")
    return bid(amount, parse_suit(rest[1]) if len(rest) == 2 else 0, alone)


def _parse_pick(rest: list[str]) -> ActionCode | None:
    if not rest or any(not (word.isascii() and word.isdigit()) for word in rest):
        return None
    seats = [int(word) for word in rest]
    if len(set(seats)) != len(seats) or max(seats) > 6:  # parses, but is no action of any hand
        return Kind.PICK << 10 | HIDDEN
    return Kind.PICK << 10 | mask_of(seats)

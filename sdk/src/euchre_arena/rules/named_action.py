"""An action as a bot meets it: its canonical text, which also knows its parts (rules.md §12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from euchre_arena.rules.actions import (
    CARD_KINDS,
    HIDDEN,
    ActionCode,
    Kind,
    action_text,
    card_mask,
    kind_of,
    parse_action,
)
from euchre_arena.rules.cards import NAMES, SUIT_LETTERS, cards_of

_SUITED: Final = frozenset((Kind.CALL, Kind.BID, Kind.NAME, Kind.LEAD_SUIT))
_KIND_NAMES: Final = ("", *(kind.name.lower().replace("_", "-") for kind in Kind))
_INTERNED: Final = 65_536
"""Actions kept for good; discards of many cards beyond that are made anew."""


class Action(str):
    """An action by its canonical text, ``"play Jh"``, with its parts as attributes.

    ``Action.of(code)`` and `Action.parse` make one; actions compare and hash as their text.
    """

    code: ActionCode
    """The number of the action (cards.proto)."""
    kind: str
    """The verb: ``"pass"``, ``"order"``, ``"call"``, ``"play"``, ``"lead-suit"`` …"""
    cards: tuple[str, ...]
    """Names of the cards it names, in pack order; empty where they are not shown."""
    card_count: int
    """How many cards it is about, shown or not: 1 for another seat's ``discard (1 card)``."""
    suit: str | None
    """The suit named: ``"c"``, ``"d"``, ``"h"``, ``"s"``, ``"n"`` for no trump; else None."""
    amount: int | None
    """The number bid; else None."""
    alone: bool
    """Declared alone."""
    seats: tuple[int, ...]
    """The seats picked, ascending."""
    __slots__ = ("alone", "amount", "card_count", "cards", "code", "kind", "seats", "suit")

    @staticmethod
    def of(code: ActionCode) -> Action:
        """The action of a code, always the same object for the usual ones."""
        return ACTIONS[code]

    @staticmethod
    def parse(text: str) -> Action:
        """Read canonical text. ValueError says what does not parse."""
        return ACTIONS[parse_action(text)]

    @property
    def card(self) -> str | None:
        """The first card named, None without one."""
        return self.cards[0] if self.cards else None

    def __reduce__(self) -> tuple[Callable[[ActionCode], Action], tuple[ActionCode]]:
        return (Action.of, (self.code,))


def _make_action(code: ActionCode) -> Action:
    kind = kind_of(code)
    operand = code & 1023
    action = Action(action_text(code))
    action.code = code
    action.kind = _KIND_NAMES[kind]
    action.cards = tuple(NAMES[card] for card in cards_of(card_mask(code)))
    hidden = kind in CARD_KINDS and operand & HIDDEN
    action.card_count = operand & 511 if hidden else len(action.cards)
    action.suit = SUIT_LETTERS[operand & 7].strip() or None if kind in _SUITED else None
    action.amount = operand >> 3 & 31 if kind is Kind.BID else None
    action.alone = action.endswith(" alone")
    action.seats = cards_of(operand) if kind is Kind.PICK else ()
    return action


class _Actions(dict[ActionCode, Action]):
    """Every action met so far by its code."""

    def __missing__(self, code: ActionCode) -> Action:
        action = _make_action(code)
        if len(self) < _INTERNED:
            self[code] = action
        return action


ACTIONS: Final = _Actions()

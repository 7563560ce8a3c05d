"""The JSON of an EGN file turned into deals, with every part that a replay needs checked.

Keys a replay does not need (annotations, views, timings, alternative lines, the kitty) are ignored,
whatever they hold. Versions before 1.1 wrote ``player_cards`` for ``playerCards`` and
``card_exchanges`` for ``cardExchanges``; both are read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from euchre_arena.match.egn.notation import EgnCard, EgnError, read_call, read_card
from euchre_arena.match.egn.ruleset import read_ruleset
from euchre_arena.rules import Rules

FILE_TYPE: Final = "Euchre Game Notation"
SEATS: Final = 4
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cards that went from one seat to another before the play."""

    sender: int | None
    """None: from the kitty."""
    receiver: int
    cards: tuple[EgnCard, ...]


@dataclass(frozen=True, slots=True)
class EgnDeal:
    """One deal as recorded."""

    dealer: int
    up_card: EgnCard | None
    hands: tuple[tuple[EgnCard, ...], ...]
    """By seat the cards dealt, as far as recorded; empty for a seat of which nothing is."""
    calls: tuple[str, ...]
    """From the dealer's left: ``pass``, ``order``, a letter of ``cdhsn`` or ``x``."""
    alone: bool
    lone_defender: int
    """-1: nobody defends alone."""
    discard: EgnCard | None
    exchanges: tuple[Exchange, ...]
    tricks: tuple[tuple[EgnCard, ...], ...]
    """The cards in the order they fell."""


@dataclass(frozen=True, slots=True)
class EgnGame:
    """A game as recorded; sides are seats 0 and 2, seats 1 and 3."""

    rules: Rules
    score: tuple[int, int]
    """Before the first deal recorded."""
    deals: tuple[EgnDeal, ...]


class _Node:
    """A JSON object whose members are read one by one; errors name the place."""

    def __init__(self, place: str, value: object) -> None:
        if not isinstance(value, dict):
            raise EgnError(f"{place or 'the file'} is no object")
        self.place = place
        self.members: dict[str, Any] = value

    def where(self, name: str) -> str:
        return f"{self.place}: {name}" if self.place else name

    def entries(self, name: str) -> list[Any]:
        """A member that is a list; absent: an empty one."""
        nothing: list[Any] = []
        return self.read(name, _list, nothing)

    def read(self, name: str, read: Callable[[str, Any], _T], default: _T) -> _T:
        """A member by its name (or its older ``snake_case`` name); absent or null: the default."""
        value = self.members.get(name, self.members.get(_OLD.get(name, name)))
        return default if value is None else read(self.where(name), value)


_OLD: Final = {"playerCards": "player_cards", "cardExchanges": "card_exchanges"}


def read_egn(source: bytes | str | Mapping[str, Any]) -> EgnGame:
    """Read a game from its text or its parsed JSON. EgnError says what cannot be read."""
    file = _Node("", _parsed(source))
    kind = file.members.get("fileType")
    if kind != FILE_TYPE:
        raise EgnError(f"fileType is {kind!r}, not {FILE_TYPE!r}")
    version = file.read("version", _text, "1.0")
    if version.split(".")[0] != "1":
        raise EgnError(f"version {version!r} is not read; 1.0 to 1.4 are")
    metadata = _Node("metadata", file.members.get("metadata") or {})
    rules = read_ruleset(metadata.read("ruleset", _object, {}))
    return EgnGame(
        rules=rules,
        score=metadata.read("initialScore", _score, (0, 0)),
        deals=tuple(
            _deal(f"deal {number}", deal) for number, deal in enumerate(file.entries("deals"))
        ),
    )


def _parsed(source: bytes | str | Mapping[str, Any]) -> object:
    if isinstance(source, Mapping):
        return dict(source)
    try:
        return json.loads(source.decode("utf-8-sig") if isinstance(source, bytes) else source)
    except UnicodeDecodeError:
        raise EgnError("it is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise EgnError(
            f"it is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise EgnError("it is nested too deep") from None


def _deal(place: str, value: object) -> EgnDeal:
    if isinstance(value, str):
        raise EgnError(f"{place} is packed into one text; unpack it with the notation's own tools")
    deal = _Node(place, value)
    state = _Node(place, deal.members.get("initialState") or {})
    phases = [_Node(place, phase) for phase in deal.entries("phases")]
    bidding = _phase(phases, place, "EUCHRE_BIDDING")
    play = _phase(phases, place, "TRICK_PLAY")
    if state.members.get("dealer") is None:
        raise EgnError(f"{place}: dealer is missing")
    return EgnDeal(
        dealer=state.read("dealer", _seat, 0),
        up_card=state.read("upCard", _card, None),
        hands=state.read("playerCards", _hands, ((),) * SEATS),
        calls=bidding.read("calls", _calls, ()),
        alone=bidding.read("isAlone", _flag, False),
        lone_defender=bidding.read("aloneDefender", _seat_or_none, -1),
        discard=bidding.read("discard", _card, None),
        exchanges=bidding.read("cardExchanges", _exchanges, ()),
        tricks=play.read("tricks", _tricks, ()),
    )


def _phase(phases: list[_Node], place: str, kind: str) -> _Node:
    found = [phase for phase in phases if phase.members.get("type") == kind]
    if len(found) > 1:
        raise EgnError(f"{place}: the phase {kind} stands there twice")
    return found[0] if found else _Node(place, {})


def _text(place: str, value: object) -> str:
    if not isinstance(value, str):
        raise EgnError(f"{place} is {value!r}, not text")
    return value


def _flag(place: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise EgnError(f"{place} is {value!r}, not true or false")
    return value


def _list(place: str, value: object) -> list[Any]:
    if not isinstance(value, list):
        raise EgnError(f"{place} is {value!r}, not a list")
    return value


def _object(place: str, value: object) -> dict[str, Any]:
    return _Node(place, value).members


def _score(place: str, value: object) -> tuple[int, int]:
    scores = _list(place, value)
    if len(scores) != 2 or not all(type(points) is int for points in scores):
        raise EgnError(f"{place} is {value!r}, not two whole numbers")
    return scores[0], scores[1]


def _seat(place: str, value: object) -> int:
    if type(value) is not int or not 0 <= value < SEATS:
        raise EgnError(f"{place} is {value!r}, not a seat from 0 to {SEATS - 1}")
    return value


def _seat_or_none(place: str, value: object) -> int:
    return -1 if value == -1 else _seat(place, value)


def _card(place: str, value: object) -> EgnCard | None:
    """A card; an empty text is one that was not written down."""
    text = _text(place, value)
    if not text.strip():
        return None
    try:
        return read_card(text)
    except EgnError as error:
        raise EgnError(f"{place}: {error}") from None


def _cards(place: str, value: object) -> tuple[EgnCard, ...]:
    """Cards in order; empty texts at the end are cards not written down."""
    cards = [_card(place, text) for text in _list(place, value)]
    while cards and cards[-1] is None:
        cards.pop()
    if None in cards:
        raise EgnError(f"{place}: a card is missing")
    return tuple(card for card in cards if card is not None)


def _hands(place: str, value: object) -> tuple[tuple[EgnCard, ...], ...]:
    hands = tuple(
        tuple(card for card in (_card(place, text) for text in _list(place, hand)) if card)
        for hand in _list(place, value)
    )
    if len(hands) > SEATS:
        raise EgnError(f"{place} holds {len(hands)} hands; {SEATS} play")
    return hands + ((),) * (SEATS - len(hands))


def _calls(place: str, value: object) -> tuple[str, ...]:
    try:
        return tuple(read_call(_text(place, call)) for call in _list(place, value))
    except EgnError as error:
        raise EgnError(f"{place}: {error}") from None


def _exchanges(place: str, value: object) -> tuple[Exchange, ...]:
    found = []
    for entry in _list(place, value):
        node = _Node(place, entry)
        if node.members.get("receiver") is None:
            raise EgnError(f"{place}: receiver is missing")
        found.append(
            Exchange(
                sender=node.read("sender", _sender, None),
                receiver=node.read("receiver", _seat, 0),
                cards=node.read("cards", _cards, ()),
            )
        )
    return tuple(found)


def _sender(place: str, value: object) -> int | None:
    return None if value == -1 else _seat(place, value)


def _tricks(place: str, value: object) -> tuple[tuple[EgnCard, ...], ...]:
    tricks = [
        _cards(f"{place} {number}", trick) for number, trick in enumerate(_list(place, value))
    ]
    while tricks and not tricks[-1]:
        tricks.pop()
    return tuple(tricks)

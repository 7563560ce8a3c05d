"""The lines of a record, read: JSON junk of any kind becomes a `RecordError` that names it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from euchre_arena.match.faults import KINDS
from euchre_arena.match.record import RECORD_VERSION
from euchre_arena.rules.actions import ActionCode, parse_action
from euchre_arena.rules.cards import Card, parse_cards

_LARGEST: Final = (1 << 32) - 1
"""Of every number in a record: games, deals and actions are counted in 32 bits (rules.md §9)."""
_CACHED: Final = 4096
_SHOWN: Final = 60


class RecordError(ValueError):
    """A line that breaks the rules; the message says how, without the number of the line."""


class MatchLine(NamedTuple):
    """The first line."""

    match: str
    preset: str
    options: dict[str, Any]
    match_format: dict[str, Any]
    entrants: tuple[str, ...]
    commitment: bytes
    nonces: tuple[bytes, ...]
    seeded: bool


class GameLine(NamedTuple):
    """A game begins."""

    game: int
    seats: tuple[int, ...]
    first_dealer: int
    score: tuple[int, ...]


class HandLine(NamedTuple):
    """A hand that ended."""

    hand: int
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    up_card: Card
    """0 without one."""
    kitty: tuple[Card, ...]
    actions: tuple[ActionCode, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    score: tuple[int, ...]


class FaultLine(NamedTuple):
    """A fault in the hand before it."""

    fault: str
    game: int
    hand: int
    action: int
    seat: int
    detail: str
    points: tuple[int, ...] | None
    winners: tuple[int, ...] | None


class GameResultLine(NamedTuple):
    """A game ended."""

    game: int
    score: tuple[int, ...]
    winners: tuple[int, ...]
    skunk: bool


class ResultLine(NamedTuple):
    """The match ended."""

    winners: tuple[int, ...]
    games: tuple[int, ...]
    points: tuple[int, ...]
    rubber: tuple[int, ...] | None
    stakes: tuple[int, ...] | None
    secret: bytes


Line = MatchLine | GameLine | HandLine | FaultLine | GameResultLine | ResultLine


def read_line(text: str | bytes) -> Line:
    """Read one line. RecordError says what is wrong with it."""
    data = _object(text)
    kind = data.pop("line", None)
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise RecordError(f'"line" must be one of {", ".join(_READERS)}, not {_show(kind)}')
    fields = _Fields(data)
    line = reader(fields)
    fields.finish()
    return line


def _object(text: str | bytes) -> dict[str, Any]:
    try:
        if isinstance(text, bytes):
            text = text.decode()
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecordError:
        raise
    except RecursionError:
        raise RecordError("not a JSON object: nested too deep") from None
    except UnicodeDecodeError:
        raise RecordError("not UTF-8") from None
    except ValueError as error:
        raise RecordError(f"not JSON: {error}") from None
    if not isinstance(data, dict):
        raise RecordError(f"not a JSON object but {_show(data)}")
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise RecordError(f"{_show(twice)} stands in it twice")
    return data


def _no_constant(name: str) -> None:
    raise RecordError(f"not JSON: {name} is no number")


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _show(value: object) -> str:
    """A value as it may stand in a message: short, on one line."""
    return _cut(json.dumps(value, ensure_ascii=True))


class _Fields:
    """Takes fields out of an object, checking each; what is left over is refused."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def take(self, name: str) -> Any:
        if name not in self.data:
            raise RecordError(f'"{name}" is missing')
        return self.data.pop(name)

    def finish(self) -> None:
        for name in self.data:
            raise RecordError(f"{_show(name)} does not belong in this line")

    def text(self, name: str) -> str:
        value = self.take(name)
        if not isinstance(value, str):
            raise RecordError(f'"{name}" must be text, not {_show(value)}')
        return value

    def word(self, name: str) -> str:
        value = self.text(name)
        if not value:
            raise RecordError(f'"{name}" must not be empty')
        return value

    def number(self, name: str) -> int:
        value = self.take(name)
        if not _is_count(value):
            raise RecordError(f'"{name}" must be a whole number from 0, not {_show(value)}')
        return int(value)

    def mark(self, name: str) -> bool:
        """A field that is true or not there."""
        if name not in self.data:
            return False
        if self.data[name] is not True:
            raise RecordError(f'"{name}" must be true or left out, not {_show(self.data[name])}')
        return bool(self.take(name))

    def numbers(self, name: str, negative: bool = False) -> tuple[int, ...]:
        values = self.take(name)
        if not isinstance(values, list) or not all(
            _is_count(abs(v) if negative and type(v) is int else v) for v in values
        ):
            raise RecordError(f'"{name}" must be a list of whole numbers, not {_show(values)}')
        return tuple(values)

    def texts(self, name: str) -> Sequence[str]:
        values = self.take(name)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise RecordError(f'"{name}" must be a list of texts, not {_show(values)}')
        return values

    def mapping(self, name: str) -> dict[str, Any]:
        value = self.take(name)
        if not isinstance(value, dict):
            raise RecordError(f'"{name}" must be an object, not {_show(value)}')
        return value

    def fields(self, name: str) -> _Fields:
        return _Fields(self.mapping(name))


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST


def _bytes(name: str, text: str, length: int = 32) -> bytes:
    """Hexadecimal of exactly ``length`` bytes."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != length or value.hex() != text.lower():
        raise RecordError(f'"{name}" must be {length} bytes in hexadecimal, not {_show(text)}')
    return value


@lru_cache(_CACHED)
def _action(text: str) -> ActionCode:
    try:
        return parse_action(text)
    except ValueError:
        raise RecordError(f"{_show(text)} is no action") from None


def _cards(name: str, text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except ValueError:
        raise RecordError(f'"{name}": {_show(text)} are no cards') from None


def _match(fields: _Fields) -> MatchLine:
    version = fields.number("record")
    if version != RECORD_VERSION:
        raise RecordError(f'"record": version {version} is not known, only {RECORD_VERSION}')
    line = MatchLine(
        fields.word("match"),
        fields.word("preset"),
        fields.mapping("options"),
        fields.mapping("match_format"),
        tuple(fields.texts("entrants")),
        _bytes("commitment", fields.text("commitment")),
        tuple(_bytes("nonces", text) if text else b"" for text in fields.texts("nonces")),
        fields.data.pop("seeded", False),
    )
    if not isinstance(line.seeded, bool):
        raise RecordError(f'"seeded" must be true or false, not {_show(line.seeded)}')
    return line


def _game(fields: _Fields) -> GameLine:
    return GameLine(
        fields.number("game"),
        fields.numbers("seats"),
        fields.number("first_dealer"),
        fields.numbers("score"),
    )


def _hand(fields: _Fields) -> HandLine:
    number, dealer = fields.number("hand"), fields.number("dealer")
    hands = tuple(_cards("hands", text) for text in fields.texts("hands"))
    up_card: tuple[Card, ...] = (0,)
    if "up_card" in fields.data:
        up_card = _cards("up_card", fields.text("up_card"))
    if len(up_card) != 1:
        raise RecordError(f'"up_card" must be one card, not {len(up_card)}')
    return HandLine(
        number,
        dealer,
        hands,
        up_card[0],
        _cards("kitty", fields.text("kitty")),
        tuple(map(_action, fields.texts("actions"))),
        fields.numbers("tricks"),
        fields.numbers("points", negative=True),
        fields.numbers("score", negative=True),
    )


def _fault(fields: _Fields) -> FaultLine:
    kind = fields.text("fault")
    if kind not in KINDS:
        raise RecordError(f'"fault" must be one of {", ".join(KINDS)}, not {_show(kind)}')
    return FaultLine(
        kind,
        fields.number("game"),
        fields.number("hand"),
        fields.number("action"),
        fields.number("seat"),
        fields.text("detail"),
        fields.numbers("points") if "points" in fields.data else None,
        fields.numbers("winners") if "winners" in fields.data else None,
    )


def _game_result(fields: _Fields) -> GameResultLine:
    return GameResultLine(
        fields.number("game_result"),
        fields.numbers("score", negative=True),
        fields.numbers("winners"),
        fields.mark("skunk"),
    )


def _result(fields: _Fields) -> ResultLine:
    result = fields.fields("result")
    line = ResultLine(
        result.numbers("winners"),
        result.numbers("games"),
        result.numbers("points", negative=True),
        result.numbers("rubber") if "rubber" in result.data else None,
        result.numbers("stakes", negative=True) if "stakes" in result.data else None,
        _bytes("secret", fields.text("secret")),
    )
    result.finish()
    return line


_READERS: Final[dict[str, Callable[[_Fields], Line]]] = {
    "match": _match,
    "game": _game,
    "hand": _hand,
    "fault": _fault,
    "game_result": _game_result,
    "result": _result,
}

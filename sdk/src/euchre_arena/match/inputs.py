"""What was put into a match and took effect, as rows of bytes, and put into it again.

A match is deterministic, so these rows are all a journal needs to hold. A row names no seat: the
match knows whose turn it was. It keeps the split of the time as charged (`Clocks.taken`), not when
things happened: made again on another machine a match charges the same banks and writes the same
evidence into its record, to the byte.

``number`` tells the matches of one journal apart.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from euchre_arena.match.effects import Effect, Rejected
from euchre_arena.match.match import Match

CHOSE: Final = 1
"""An answer by index."""
CHOSE_WIDE: Final = 2
"""The same where a number is too large for the narrow row."""
SAID: Final = 3
"""An action spelled out, legal or not."""
TIMED_OUT: Final = 4
"""The referee decided: time was up."""
CRASHED: Final = 5
"""A bot's own code failed; ``value`` is its seat."""
GONE: Final = 6
"""An entrant, ``value``, is gone beyond its grace."""
LIMITED: Final = 7
"""From now on ``value`` games at once: a bot takes more or fewer."""
AWAY: Final = 8
"""A bot was away for longer than one game gives it; ``value`` is its seat."""

_narrow: Final = struct.Struct("<BHIBHIII").pack
_NARROW: Final = struct.Struct("<BHIBHIII")
_WIDE: Final = struct.Struct("<BHIBqqqq")
_TEXT: Final = struct.Struct("<BHIBI")


class InputError(ValueError):
    """Rows that are no rows, or do not fit the match they are put into."""


class Input(NamedTuple):
    """One row, read."""

    number: int
    """Of the match in its journal, 0 … 65,535."""
    kind: int
    game: int
    turn: int
    """Of the open turn, modulo 256: a check that nothing is missing before it."""
    value: int
    """Choice, action code (-1: malformed), seat or entrant, by kind."""
    referee: int = 0
    network: int = 0
    thinking: int = 0
    """The time as charged, nanoseconds."""
    detail: str = ""


def took_effect(effects: Sequence[Effect]) -> bool:
    """Whether an answer changed anything; a refusal that counts as a fault does."""
    return len(effects) != 1 or type(effects[0]) is not Rejected


def chose(
    number: int, game: int, turn: int, choice: int, referee: int, network: int, thinking: int
) -> bytes:
    """The row of an answer by index. Called for every decision."""
    try:
        return _narrow(CHOSE, number, game, turn & 255, choice, referee, network, thinking)
    except struct.error:  # a bot that thinks for over four seconds, or a choice of nonsense
        return row(Input(number, CHOSE_WIDE, game, turn, choice, referee, network, thinking))


def row(given: Input) -> bytes:
    """The row of any other input."""
    number, kind, game, turn, value, referee, network, thinking, detail = given
    if kind in (CHOSE_WIDE, TIMED_OUT):
        return _WIDE.pack(kind, number, game, turn & 255, value, referee, network, thinking)
    text = f"{value} {referee} {network} {thinking} {detail}".encode()
    return _TEXT.pack(kind, number, game, turn & 255, len(text)) + text


def rows(data: bytes) -> Iterator[Input]:
    """Read rows put one behind the other. InputError."""
    at, end = 0, len(data)
    try:
        while at < end:
            kind = data[at]
            if kind == CHOSE:
                _, number, game, turn, *rest = _NARROW.unpack_from(data, at)
                at += _NARROW.size
                yield Input(number, CHOSE, game, turn, *rest)
            elif kind in (CHOSE_WIDE, TIMED_OUT):
                _, number, game, turn, *rest = _WIDE.unpack_from(data, at)
                at += _WIDE.size
                yield Input(number, kind, game, turn, *rest)
            elif kind in (SAID, CRASHED, GONE, LIMITED, AWAY):
                _, number, game, turn, size = _TEXT.unpack_from(data, at)
                at += _TEXT.size
                if at + size > end:
                    raise InputError(f"a row of {size} bytes ends after {end - at}")
                value, referee, network, thinking, detail = (
                    data[at : at + size].decode().split(" ", 4)
                )
                at += size
                times = (int(referee), int(network), int(thinking))
                yield Input(number, kind, game, turn, int(value), *times, detail)
            else:
                raise InputError(f"byte {at}: there is no row of kind {kind}")
    except (struct.error, ValueError) as error:
        raise InputError(f"byte {at}: {error}") from None


def without(data: bytes, numbers: frozenset[int]) -> bytes:
    """The same rows but those of some matches."""
    kept = [given for given in rows(data) if given.number not in numbers]
    return b"".join(chose_again(given) if given.kind == CHOSE else row(given) for given in kept)


def chose_again(given: Input) -> bytes:
    """The row of a `CHOSE` that was read."""
    number, _, game, turn, choice, referee, network, thinking, _ = given
    return chose(number, game, turn, choice, referee, network, thinking)


def put(match: Match, given: Input) -> list[Effect]:
    """Put an input into a match that stands where it stood then. InputError: it does not."""
    kind, game = given.kind, given.game
    if kind == GONE:
        return match.disconnected(given.value, 0, given.detail)
    if kind == LIMITED:
        match.limit(given.value)
        return match.refill(0)
    live = match.live_game(game)
    if live is None or live.turn & 255 != given.turn & 255:
        stands = "not under way" if live is None else f"at turn {live.turn}"
        raise InputError(f"turn {given.turn} of game {game}: the game is {stands}")
    if kind == CRASHED:
        return match.crashed(game, given.value, given.detail, live.asked_at)
    if kind == AWAY:
        return match.away(game, given.value, given.detail, live.asked_at)
    live.started = live.asked_at + given.referee
    now = live.started + given.network + given.thinking
    if kind == TIMED_OUT:
        return match.run_out(live, now)
    if kind == SAID:
        return match.receive(game, live.seat, live.turn, given.value, now, given.network)
    return match.choose(game, live.seat, live.turn, given.value, now, given.network)

"""The lines of a record, written (conformance.md, Record). `reading` is the other way round.

Keys stand in the order of conformance.md, blanks after ``:`` and ``,`` as there: a record is a text
people read, and two records of the same match are the same to the byte.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from euchre_arena.match.faults import Fault
from euchre_arena.match.scoring import MatchResult
from euchre_arena.match.spec import MatchFormat, MatchSpec
from euchre_arena.rules.cards import NAMES
from euchre_arena.rules.dealing import Deal
from euchre_arena.rules.named_action import ACTIONS

RECORD_VERSION = 1
WINDOW_BITS: Final = -12
"""As zlib counts: 4 KB, and no header."""


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def _numbers(values: Iterable[int]) -> str:
    return _list(tuple(values))


@lru_cache(1 << 12)  # scores and tricks are much the same in every hand
def _list(values: tuple[int, ...]) -> str:
    return str(list(values))  # as json writes it


def _cards(cards: Iterable[int]) -> str:
    return " ".join([NAMES[card] for card in cards])


def match_line(
    spec: MatchSpec,
    match_format: MatchFormat,
    options: Mapping[str, Any],
    commitment: bytes,
    nonces: Sequence[bytes],
) -> str:
    """The first line. ``options``: as set over the preset; they are written in order of name."""
    data: dict[str, Any] = {
        "line": "match",
        "record": RECORD_VERSION,
        "match": spec.match_id,
        "preset": spec.preset,
        "options": dict(sorted(options.items())),
        "match_format": match_format.as_dict(),
        "entrants": list(spec.entrants),
        "commitment": commitment.hex(),
        "nonces": [nonce.hex() for nonce in nonces],
    }
    if spec.seeded:
        data["seeded"] = True
    return _json(data)


def game_line(game: int, seats: Sequence[int], first_dealer: int, sides: int) -> str:
    """A game begins at nothing all."""
    return (
        f'{{"line": "game", "game": {game}, "seats": {_numbers(seats)}, '
        f'"first_dealer": {first_dealer}, "score": {[0] * sides}}}'
    )


def hand_line(
    number: int,
    dealer: int,
    deal: Deal,
    actions: Sequence[int],
    tricks: Sequence[int],
    points: Sequence[int],
    score: Sequence[int],
) -> str:
    """A hand that ended. Written by hand, not by json: it is a tenth of the cost of a hand."""
    up_card = f'"up_card": "{NAMES[deal.up_card]}", ' if deal.up_card else ""
    hands = '", "'.join([_cards(cards) for cards in deal.hands])
    said = '"' + '", "'.join([ACTIONS[code] for code in actions]) + '"' if actions else ""
    return (
        f'{{"line": "hand", "hand": {number}, "dealer": {dealer}, "hands": ["{hands}"], '
        f'{up_card}"kitty": "{_cards(deal.kitty)}", "actions": [{said}], '
        f'"tricks": {_numbers(tricks)}, "points": {_numbers(points)}, '
        f'"score": {_numbers(score)}}}'
    )


def fault_line(fault: Fault) -> str:
    """A fault; it follows the line of its hand."""
    data: dict[str, Any] = {
        "line": "fault",
        "fault": fault.kind,
        "game": fault.game,
        "hand": fault.hand,
        "action": fault.action,
        "seat": fault.seat,
        "detail": fault.detail,
    }
    if fault.points is not None:
        data["points"] = list(fault.points)
    if fault.winners is not None:
        data["winners"] = list(fault.winners)
    return _json(data)


def game_result_line(
    game: int, score: Sequence[int], winners: Sequence[int], skunk: bool = False
) -> str:
    """A game ended."""
    marked = ', "skunk": true' if skunk else ""
    return (
        f'{{"line": "game_result", "game_result": {game}, "score": {_numbers(score)}, '
        f'"winners": {_numbers(winners)}{marked}}}'
    )


def result_line(result: MatchResult, secret: bytes) -> str:
    """The last line: with the secret anyone can check the deals."""
    return _json({"line": "result", "result": result.as_dict(), "secret": secret.hex()})


_ALIKE: Final = "\n".join(
    (
        '", "play '.join(NAMES),
        game_line(1, (0, 1, 0, 1), 2, 2),
        hand_line(1, 2, Deal(((1, 2, 3, 4, 5),) * 4, 6, (7, 8, 9)), (), (3, 2), (1, 0), (4, 3)),
        game_result_line(1, (10, 6), (0,)),
    )
).encode()
"""What zlib is told of beforehand: what such lines have in common."""


def put_away(lines: Sequence[str]) -> bytes:
    """The lines of a game that ended before an earlier one, for the time until they are released:
    very many may wait, each a few hundred bytes long and much like the others."""
    # The window and its tables are small: with zlib's own a game costs twice the time.
    packer = zlib.compressobj(1, zlib.DEFLATED, WINDOW_BITS, 4, zdict=_ALIKE)
    return packer.compress("\n".join(lines).encode()) + packer.flush()


def taken_out(packed: bytes) -> list[str]:
    """The lines that were `put_away`."""
    unpacker = zlib.decompressobj(WINDOW_BITS, _ALIKE)
    return (unpacker.decompress(packed) + unpacker.flush()).decode().split("\n")

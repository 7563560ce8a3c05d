"""A match as data, and made again from it: what a journal starts from (`inputs` is the rest).

The cards need no saving, they come from the secret. The lines of the record are kept apart: they
are many, never change, and are handed out once each (`Match.fresh_lines`), so that whoever saves a
match again and again stores each of them once.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from euchre_arena.match.clock import FAR
from euchre_arena.match.faults import Fault
from euchre_arena.match.live import LiveGame
from euchre_arena.match.match import Match
from euchre_arena.match.record import put_away
from euchre_arena.match.spec import MatchSpec
from euchre_arena.match.waiting import Waiting
from euchre_arena.rules import Game

_TALLY: Final = ("games", "points", "rubber", "skunks", "_net")
_SEATS: Final = ("lag", "tricks", "turns")
_SHARED: Final = ("bank", "overdue", "refusals")
"""Tuples: few games change them."""
_FAULT: Final = (
    *("kind", "game", "hand", "action", "seat", "entrant", "detail"),
    *("points", "winners"),
)

State = Mapping[str, Any]
"""What `saved` gives, as JSON reads it."""


class SavedError(ValueError):
    """Data no match can be made from."""


@dataclass(frozen=True, slots=True)
class Restored:
    """A match made again."""

    match: Match
    released: list[str]
    """The lines of its record handed out (`Record`) until it was saved, in their order."""


def saved(match: Match) -> dict[str, Any]:
    """A match under way, between two calls of it; JSON can write it.

    Not in it: spec, secret and nonces, its lines, and whether clocks were running.
    """
    tally = match._tally
    return {
        "parallel": match._parallel,
        "next": match._next,
        "head": match._head,
        "leaving": match.leaving,
        "played": tally.played,
        **{name: list(getattr(tally, name)) for name in _TALLY},
        "written": sorted(match._written),
        "live": [_game(live) for live in match._live.values()],
    }


def _game(live: LiveGame) -> dict[str, Any]:
    game = live.game
    return {
        "number": live.number,
        "dealer": game.dealer,
        "deals": [game.deal_number, game.deals_counted],
        "score": list(game.score),
        "tokens": list(game.tokens),
        "actions": live.hand.actions,
        **{name: list(getattr(live, name)) for name in (*_SEATS, *_SHARED)},
        "refused": live.refused,
        "kept": len(live.lines),
        "faults": [[getattr(fault, name) for name in _FAULT] for fault in live.faults],
    }


def restored(
    spec: MatchSpec,
    secret: bytes,
    nonces: Sequence[bytes],
    parallel: int,
    updates: bool,
    state: State,
    lines: Iterable[tuple[int, Waiting]],
) -> Restored:
    """The match that was saved. ``lines``: all that `Match.fresh_lines` ever gave, in order.

    Its clocks stand still; `reopen` has them begin anew. It keeps lines. SavedError, SpecError.
    """
    match = Match(spec, secret, nonces, parallel, updates)
    match.keep_lines()
    by_game: dict[int, list[Waiting]] = {}
    for number, line in lines:
        by_game.setdefault(number, []).append(line)
    try:
        match.limit(state["parallel"])
        match._next, match._head = state["next"], state["head"]
        if state.get("leaving"):  # checkpoints of an earlier release do not know of it
            entrant, detail = state["leaving"]
            match.leaving = entrant, detail
        tally = match._tally
        tally.played = state["played"]
        for name in _TALLY:
            setattr(tally, name, list(state[name]))
        match._written = {
            number: put_away(match.written(number, by_game[number])) for number in state["written"]
        }
        for each in state["live"]:
            live = _live(match, each)
            kept = each["kept"]
            all_lines = by_game.get(live.number, [])
            if kept > len(all_lines):
                raise SavedError(f"game {live.number}: {kept} lines wait, {len(all_lines)} found")
            live.lines = all_lines[len(all_lines) - kept :]
            match._live[live.number] = live
            if live.number == match._head:
                by_game[live.number] = all_lines[: len(all_lines) - kept]
        released = [
            line for game in range(match._head) for line in match.written(game, by_game[game])
        ]
        if match._head in match._live:
            released += match.written(match._head, by_game.get(match._head, ()))
    except (KeyError, IndexError, TypeError, struct.error) as error:
        raise SavedError(f"no match can be made from what was saved: {error!r}") from error
    match.fresh_lines()  # those that games begin with are among ``lines``
    return Restored(match, [match.first_line, *released])


def _live(match: Match, data: Mapping[str, Any]) -> LiveGame:
    live = match.new_game(data["number"])
    game = live.game = Game(match.rules, data["dealer"], data["score"], data["tokens"])
    game.deal_number, game.deals_counted = data["deals"]
    hand = live.deal(0)
    for action in data["actions"]:
        hand.apply(action)
    for name in _SEATS:
        setattr(live, name, list(data[name]))
    for name in _SHARED:
        setattr(live, name, tuple(data[name]))
    live.faults = tuple([_fault(values) for values in data["faults"]])
    if data.get("refused"):  # checkpoints of an earlier release do not know of it
        live.refused = tuple(data["refused"])
    live.seat = hand.to_act
    live.turn = live.turns[live.seat]
    live.legal = hand.legal()
    return live


def _fault(values: Sequence[Any]) -> Fault:
    *plain, points, winners = values
    pair = [None if each is None else tuple(each) for each in (points, winners)]
    return Fault(*plain, *pair)


def reopen(match: Match, now: int) -> None:
    """Every open turn is asked anew at ``now``: no clock runs until it is `sent`."""
    for live in match._live.values():
        live.started = -1
        live.asked_at = now
    match.clocks.bound = FAR

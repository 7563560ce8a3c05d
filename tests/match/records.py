"""Records to be broken, and how a replay must find it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from euchre_arena.match.replay import replay_record
from euchre_arena.rules import action_text, card_name

from tests.match.driving import Play, a_match

Change = Callable[[dict[str, Any]], object]


def a_record(**options: Any) -> list[str]:
    match_format = options.pop("match_format", {"games": 2, "duplicate": True})
    return Play(a_match(match_format, **options)).start().finish(11).lines


def broken(lines: list[str], number: int, change: Change) -> list[str]:
    """The record with one line, counted from 0, changed."""
    data = json.loads(lines[number])
    change(data)
    return [*lines[:number], json.dumps(data), *lines[number + 1 :]]


def fails(lines: list[str], line: int, said: str) -> None:
    """A replay stops at a line, counted from 1, for a reason."""
    report = replay_record(lines)
    assert not report.ok
    assert (report.line, said in str(report.error)) == (line, True), report.message
    assert not report.deals_verified
    assert not report.finished


def to_a_refusable_card(play: Play) -> str:
    """Play on until a seat holds a card it may not play; that card's action."""
    match = play.match
    while True:
        (ask,) = play.open
        legal = match.open_turn(0).legal
        hand = match._live[0].hand
        if hand.phase.word == "play":
            held = [f"play {card_name(card)}" for card in hand.cards(ask.seat)]
            illegal = sorted(set(held) - set(map(action_text, legal)))
            if illegal:
                return illegal[0]
        orders = [i for i, action in enumerate(legal) if action_text(action).startswith("order")]
        play.choose(ask, orders[0] if orders else 0)


def forfeited(**options: Any) -> list[str]:
    """Refused until the game was lost."""
    play = Play(a_match(**options)).start()
    for _ in range(4):
        if not play.match.over:
            play.say("play B")
    return play.lines


def revoked() -> list[str]:
    play = Play(a_match(on_illegal="revoke", target=2)).start()
    play.say(to_a_refusable_card(play))
    return play.lines


def aborted() -> list[str]:
    """Two games of three, and the third broken off."""
    play = Play(a_match({"games": 3}, parallel=1, target=1)).start()
    while len(play.games_over) < 2:
        play.choose(play.open[0], 1)
    play.take(play.match.abort(0))
    return play.lines


GOOD = a_record(target=3)

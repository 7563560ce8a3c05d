"""Answers that do not count: stale, repeated, unknown, malformed (protocol.md, Play)."""

from __future__ import annotations

import json

import pytest
from euchre_arena.match import Match, Rejected
from euchre_arena.match.effects import ILLEGAL, MALFORMED, REPEATED, STALE
from euchre_arena.match.saving import _game, _live
from euchre_arena.rules import action_text, parse_action

from tests.match.driving import Play, a_match


def only(effects: list[object]) -> Rejected:
    (effect,) = effects
    assert isinstance(effect, Rejected)
    return effect


@pytest.fixture
def play() -> Play:
    return Play(a_match({"games": 2}, parallel=1)).start()


def test_the_first_answer_counts_and_its_repeat_is_told_apart(play: Play):
    ask = play.open[0]
    play.choose(ask, 0)
    again = only(play.match.choose(ask.game, ask.seat, ask.turn, 1, 0))
    assert (again.reason, again.turn, again.current_turn) == (REPEATED, 1, 0)


def test_an_answer_to_another_turn_is_stale_and_says_which_is_open(play: Play):
    ask = play.open[0]
    for turn in (0, ask.turn + 1, 99, -1):
        stale = only(play.match.choose(ask.game, ask.seat, turn, 0, 0))
        assert (stale.reason, stale.current_turn) == (STALE, ask.turn)


def test_another_seat_has_no_turn_to_answer(play: Play):
    ask = play.open[0]
    other = (ask.seat + 1) % 4
    stale = only(play.match.choose(ask.game, other, 1, 0, 0))
    assert (stale.reason, stale.current_turn) == (STALE, 0)


@pytest.mark.parametrize("game", [-1, 1, 7])
def test_games_that_are_not_running_are_told(play: Play, game: int):
    stale = only(play.match.choose(game, 0, 1, 0, 0))
    assert (stale.reason, stale.detail) == (STALE, "no such game")


def test_a_game_that_is_over_takes_no_answer(play: Play):
    ask = play.open[0]
    while not play.games_over:
        play.choose(play.open[0], 0)
    stale = only(play.match.choose(0, ask.seat, ask.turn, 0, 0))
    assert (stale.reason, stale.detail) == (STALE, "game over")


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_seats_that_do_not_exist_are_told(play: Play, seat: int):
    assert only(play.match.choose(0, seat, 1, 0, 0)).reason == STALE


@pytest.mark.parametrize("choice", [-1, 2, 10**9])
def test_a_choice_off_the_list_is_malformed_and_the_turn_stays_open(play: Play, choice: int):
    ask = play.open[0]
    legal = play.match.open_turn(0).legal
    choice = len(legal) if choice == 2 else choice
    fault, rejected = play.match.choose(0, ask.seat, ask.turn, choice, 0)
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.current_turn) == (MALFORMED, ask.turn)
    assert "malformed" in repr(fault)
    assert play.match.open_turn(0).legal == legal


@pytest.mark.parametrize(
    "code", [-1, 0, 1 << 62, 13 << 10 | 600, 3 << 10 | 7, 63 << 10, 4097 << 10]
)
def test_a_code_that_is_no_action_is_malformed(play: Play, code: int):
    ask = play.open[0]
    rejected = play.match.receive(0, ask.seat, ask.turn, code, 0)[1]
    assert isinstance(rejected, Rejected)
    assert rejected.reason == MALFORMED


def test_an_illegal_action_is_refused_with_its_reason(play: Play):
    ask = play.open[0]
    rejected = play.match.receive(0, ask.seat, ask.turn, parse_action("play Jh"), 0)[1]
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.detail) == (ILLEGAL, "wrong-phase")


def test_an_action_by_code_counts_like_its_choice():
    by_choice, by_code = a_match(), a_match()
    one, other = Play(by_choice).start(), Play(by_code).start()
    while one.open:
        ask = one.open[0]
        legal = by_code.open_turn(0).legal
        one.choose(ask, len(legal) - 1)
        other.say(action_text(legal[-1]))
    assert one.lines == other.lines


def test_nothing_raises_after_the_end(play: Play):
    play.finish()
    match: Match = play.match
    assert only(match.choose(0, 0, 1, 0, 0)).reason == STALE
    assert only(match.receive(1, 0, 1, -1, 0)).reason == STALE
    assert match.expire(10**18) == match.crashed(0, 0, "late", 0) == []
    assert match.disconnected(0, 0) == match.abort(0) == []
    match.sent(0, 0, 1, 0)
    match.pause(0)
    match.unpause(5)
    assert match.next_deadline() is None
    with pytest.raises(KeyError):
        match.open_turn(0)


def test_refusals_of_the_open_turn_are_counted_and_saved(play: Play):
    match, ask = play.match, play.open[0]
    live = match.live_game(0)
    assert live is not None
    assert live.refused_now() == (0, "")
    match.choose(0, ask.seat, ask.turn, 99, 0)
    match.receive(0, ask.seat, ask.turn, parse_action("play Jh"), 0)
    assert live.refused_now() == (2, "wrong-phase")
    again = _live(match, json.loads(json.dumps(_game(live))))
    assert again.refused_now() == (2, "wrong-phase")
    play.choose(ask, 0)
    assert live.refused_now() == (0, "")

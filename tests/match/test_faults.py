"""Every kind of fault, what it costs, and its evidence in the record (rules.md §10)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from euchre_arena.match import Clock, FaultNoted, Match
from euchre_arena.match.course import FORFEITED_AT_ONCE
from euchre_arena.match.replay import replay_record
from euchre_arena.match.saving import restored, saved
from euchre_arena.rules import action_text

from tests.match.driving import MS, SECRET, Play, a_match
from tests.match.records import to_a_refusable_card


def recorded(play: Play) -> list[dict[str, Any]]:
    return [data for line in play.lines if (data := json.loads(line))["line"] == "fault"]


def holds(play: Play) -> None:
    """The match is over and its record, faults included, is accepted by a replay."""
    assert play.over
    report = replay_record(play.lines)
    assert report.ok, report.message
    assert report.faults == [
        {key: tuple(v) if isinstance(v, list) else v for key, v in fault.items() if key != "line"}
        for fault in recorded(play)
    ]


def test_three_refusals_are_borne_and_the_fourth_forfeits():
    play = Play(a_match()).start()
    seat = play.open[0].seat
    for _ in range(3):
        play.say("play B")
    assert play.faults == ["illegal"] * 3
    assert not play.over
    play.say("play B")
    assert play.faults == ["illegal"] * 4 + ["forfeit"]
    assert play.games_over[0].winners == (1 - seat % 2,)
    assert play.games_over[0].fault == "forfeit"
    holds(play)


def test_refusals_are_counted_a_seat_and_a_hand():
    play = Play(a_match(target=1)).start()
    first = play.open[0].seat
    for _ in range(3):
        play.say("play B")
    play.choose(play.open[0], 0)
    for _ in range(3):
        play.say("play B")
    while play.match._live[0].game.deal_number == 0 or play.open[0].seat != first:
        play.choose(play.open[0], 0)
    for _ in range(3):
        play.say("play B")
    assert play.faults == ["illegal"] * 9
    play.finish()
    holds(play)


def test_on_illegal_forfeit_loses_at_once():
    play = Play(a_match(on_illegal="forfeit")).start()
    play.say("play B")
    assert play.faults == ["illegal", "forfeit"]
    assert recorded(play)[0]["detail"] == "play B: wrong-phase"
    holds(play)


@pytest.mark.parametrize("alone", [False, True])
def test_a_revoke_ends_the_hand_and_gives_points(alone: bool):
    """[W] Reneging: 2 points to the opponents, 4 while a lone hand is played."""
    play = Play(a_match(on_illegal="revoke")).start()
    while alone and not play.match._live[0].hand.alone:
        legal = [action_text(action) for action in play.match.open_turn(0).legal]
        play.say("order alone" if "order alone" in legal else legal[0])
    illegal = to_a_refusable_card(play)
    while alone and not play.match._live[0].hand.alone:
        illegal = to_a_refusable_card(play)
    seat = play.open[0].seat
    play.say(illegal)
    assert play.faults == ["revoke"]
    score = play.match._live[0].game.score
    assert score[1 - seat % 2] == (4 if alone else 2)
    assert score[seat % 2] == 0
    play.finish()
    (fault,) = recorded(play)
    assert fault["points"] == score_of(seat, 4 if alone else 2)
    holds(play)


def score_of(seat: int, points: int) -> list[int]:
    return [points, 0] if seat % 2 else [0, points]


def test_revoke_lone_is_an_option():
    play = Play(a_match(on_illegal="revoke", revoke_lone=7)).start()
    play.say("order alone")
    illegal = to_a_refusable_card(play)
    play.say(illegal)
    assert max(play.match._live[0].game.score) == 7


def test_other_illegal_actions_are_refused_where_revokes_are_played():
    play = Play(a_match(on_illegal="revoke")).start()
    play.say("call h")
    assert play.faults == ["illegal"]
    for _ in range(3):
        play.say("play Jh")
    assert play.faults == ["illegal"] * 4 + ["forfeit"], "a card, but not in the play"
    holds(play)


def test_a_revoke_may_end_the_game():
    play = Play(a_match(on_illegal="revoke", target=2)).start()
    play.say(to_a_refusable_card(play))
    assert play.games_over[0].fault == "", "won by points"
    holds(play)


def test_a_crash_forfeits_that_game_only():
    play = Play(a_match({"games": 3}, target=1, parallel=2)).start()
    play.take(play.match.crashed(0, 2, "ZeroDivisionError: division by zero", 0))
    play.open = [ask for ask in play.open if ask.game != 0]
    play.finish()
    faults = {over.game: over.fault for over in play.games_over}
    assert faults == {0: "crashed", 1: "", 2: ""}
    assert play.games_over[0].winners == (1,)
    assert recorded(play)[0]["detail"] == "ZeroDivisionError: division by zero"
    holds(play)


def test_a_crash_is_anybody_s_whose_turn_it_is_not_too():
    play = Play(a_match()).start()
    other = (play.open[0].seat + 2) % 4
    play.take(play.match.crashed(0, other, "in a hook", 0))
    holds(play)


def test_who_is_gone_forfeits_every_game_left():
    play = Play(a_match({"games": 6, "duplicate": True}, target=1, parallel=2)).start()
    while len(play.games_over) < 2:
        play.choose(play.open[-1], 0 if len(play.lines) < 5 else 1)
    won = sum(
        0 in [seat_entrant(play.match, over.game, side) for side in over.winners]
        for over in play.games_over
    )
    play.take(play.match.disconnected(0, 0, "no pong"))
    result = play.match.result
    assert result is not None
    assert result.played == 6
    assert result.games[0] == won
    assert [over.fault for over in play.games_over[2:]] == ["disconnected"] * 4
    assert {fault["detail"] for fault in recorded(play)} == {"no pong"}
    holds(play)


def test_very_many_games_are_forfeited_some_at_a_time():
    """Other matches are played between, at whichever referee."""
    play = Play(a_match({"games": 1000, "duplicate": True}, target=1, parallel=2))
    play.match.keep_lines()
    play.start()
    play.take(play.match.disconnected(0, 0, "no pong"))
    over = len(play.games_over)
    assert FORFEITED_AT_ONCE <= over < 1000
    assert not play.match.over
    # None begins meanwhile, and nobody else is charged.
    assert play.take(play.match.refill(0)) == []
    state = json.loads(json.dumps(saved(play.match)))
    lines = play.match.fresh_lines()
    again = restored(play.match.spec, SECRET, (), 2, False, state, lines).match
    assert again.leaving == play.match.leaving == (0, "no pong")
    assert again.refill(0) == []
    while not play.match.over:
        play.take(play.match.disconnected(1, 0, "another"))
    while not again.over:
        again.disconnected(*again.leaving[:1], 0, again.leaving[1])
    assert again.result == play.match.result
    assert {over.winners for over in play.games_over} == {(0,), (1,)}
    assert play.match.result is not None
    assert play.match.result.games == (0, 1000)
    assert {fault["detail"] for fault in recorded(play)} == {"no pong"}
    assert len(recorded(play)) == 1000
    holds(play)


def seat_entrant(match: Match, game: int, side: int) -> int:
    return match.seats(game)[side]


def test_who_is_gone_loses_a_best_of_no_sooner_than_need_be():
    play = Play(a_match({"best_of": 5}, target=1, parallel=1)).start()
    play.take(play.match.disconnected(1, 0))
    result = play.match.result
    assert result is not None
    assert (result.winners, result.games, result.played) == ((0,), (3, 0), 3)
    holds(play)


def test_of_three_who_stay_all_win_what_the_third_forfeits():
    play = Play(a_match({"games": 2}, "three", entrants=("a", "b", "c"))).start()
    play.take(play.match.disconnected(1, 0))
    result = play.match.result
    assert result is not None
    assert (result.winners, result.games) == ((0, 2), (2, 0, 2))
    holds(play)


def test_a_timeout_is_in_the_record_with_the_referee_s_action():
    play = Play(a_match(target=1, clock=Clock(10))).start()
    (ask,) = play.open
    play.match.sent(ask.game, ask.seat, ask.turn, 0)
    play.open.clear()
    play.take(play.match.expire(play.match.next_deadline() or 0))
    play.finish()
    (fault,) = recorded(play)
    hand = next(data for line in play.lines if (data := json.loads(line))["line"] == "hand")
    assert (fault["fault"], fault["action"], fault["seat"]) == ("timeout", 0, ask.seat)
    assert hand["actions"][0] == "pass"
    holds(play)


def test_faults_of_a_hand_follow_its_line_in_the_order_in_which_they_happened():
    play = Play(a_match(target=1, on_illegal="revoke", clock=Clock(10))).start()
    play.say("play B")
    ask = play.open[0]
    play.match.sent(ask.game, ask.seat, ask.turn, 0)
    play.open.clear()
    play.take(play.match.expire(600 * MS))
    play.say("play B", 600 * MS)
    play.now = 600 * MS
    play.say(to_a_refusable_card(play), 600 * MS)
    kinds = [fault["fault"] for fault in recorded(play)]
    assert kinds == ["illegal", "timeout", "illegal", "revoke"]
    order = [json.loads(line)["line"] for line in play.lines]
    assert order[:7] == ["match", "game", "hand", *["fault"] * 4]


def test_the_effect_and_the_record_tell_the_same_fault():
    play = Play(a_match()).start()
    play.say("play B")
    (effect,) = [effect for effect in play.effects if isinstance(effect, FaultNoted)]
    for _ in range(3):
        play.say("play B")
    first = recorded(play)[0]
    assert {
        key: getattr(effect.fault, "kind" if key == "fault" else key)
        for key in first
        if key != "line"
    } == {k: v for k, v in first.items() if k != "line"}
    assert effect.fault.entrant == play.match.seats(0)[effect.fault.seat]


def test_an_action_given_up_by_claim_is_refused_with_its_evidence():
    play = Play(a_match(claims=True, target=1)).start()
    play.say("claim")
    play.finish()
    assert recorded(play)[0]["detail"] == "claim: wrong-phase"
    holds(play)

"""Games, duplicates and what ends a match (rules.md §9 and §11)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from euchre_arena.match import GameBegan, GameOver
from euchre_arena.match.replay import replay_record
from euchre_arena.rules.dealing import first_dealer, match_key

from tests.match.driving import SECRET, Play, a_match

KEY = match_key(SECRET, (b"",) * 4)


def lines_of(play: Play, kind: str) -> list[dict[str, Any]]:
    return [data for line in play.lines if (data := json.loads(line))["line"] == kind]


def test_all_games_of_a_match_are_played_and_its_record_holds():
    play = Play(a_match({"games": 5})).start().finish()
    assert play.over
    report = replay_record(play.lines)
    assert (report.ok, report.games, report.finished, report.deals_verified) == (
        True,
        5,
        True,
        True,
    )
    assert play.match.result is not None
    assert report.result == play.match.result.as_dict()


def test_the_first_dealer_is_drawn_for_every_game():
    play = Play(a_match({"games": 8})).start().finish()
    drawn = [first_dealer(KEY, game, 4) for game in range(8)]
    assert [line["first_dealer"] for line in lines_of(play, "game")] == drawn
    assert len(set(drawn)) > 1


def test_duplicate_games_have_the_same_deals_with_the_sides_exchanged():
    """[rules.md §9] The index of game g is g div k."""
    play = Play(a_match({"games": 4, "duplicate": True})).start().finish()
    games = lines_of(play, "game")
    assert [line["seats"] for line in games] == [[0, 1, 0, 1], [1, 0, 1, 0]] * 2
    assert games[0]["first_dealer"] == games[1]["first_dealer"]
    firsts = [line for line in lines_of(play, "hand") if line["hand"] == 0]
    assert firsts[0]["hands"] == firsts[1]["hands"]
    assert firsts[2]["hands"] == firsts[3]["hands"]
    assert firsts[0]["hands"] != firsts[2]["hands"]


def test_three_sides_rotate_one_on_in_duplicates():
    match = a_match({"games": 4, "duplicate": True}, "three", entrants=("a", "b", "c"))
    assert [match.seats(game) for game in range(4)] == [
        (0, 1, 2),
        (2, 0, 1),
        (1, 2, 0),
        (0, 1, 2),
    ]
    assert replay_record(Play(match).start().finish().lines).ok


def test_without_duplicate_nobody_moves():
    play = Play(a_match({"games": 3})).start().finish()
    assert [line["seats"] for line in lines_of(play, "game")] == [[0, 1, 0, 1]] * 3


def test_players_move_with_their_entrants():
    match = a_match({"games": 2, "duplicate": True})
    assert match.places(0) == (0, 1, 2, 3)
    assert match.places(1) == (3, 0, 1, 2)


def test_a_match_of_deals_is_won_by_points():
    play = Play(a_match({"deals": 12, "duplicate": True})).start().finish(seed=3)
    assert len(lines_of(play, "hand")) == 12
    result = play.match.result
    assert result is not None
    best = max(result.points)
    assert result.winners == tuple(i for i, p in enumerate(result.points) if p == best)
    assert replay_record(play.lines).ok


@pytest.mark.parametrize("parallel", [1, 2, 32])
def test_a_best_of_stops_at_a_majority_and_plays_no_game_in_vain(parallel: int):
    play = Play(a_match({"best_of": 9}, parallel=parallel)).start().finish(seed=5)
    result = play.match.result
    assert result is not None
    assert max(result.games) == 5
    won = [0, 0]
    for over in sorted(play.games_over, key=lambda over: over.game):
        assert max(won) < 5, "a game after the match was decided"
        won[over.winners[0]] += 1
    assert replay_record(play.lines).ok


def test_no_more_games_are_in_progress_than_allowed():
    play = Play(a_match({"games": 20}, parallel=3)).start()
    most = 0
    while play.open:
        most = max(most, len(play.match.open_turns()))
        play.choose(play.open[0], 0)
    assert most == 3


def test_games_begin_in_order_and_a_turn_is_open_after_each():
    play = Play(a_match({"games": 6}, parallel=6)).start()
    assert [e.game for e in play.effects if isinstance(e, GameBegan)] == list(range(6))
    assert [game for game, _, _ in play.match.open_turns()] == list(range(6))


def test_bots_that_always_pass_do_not_play_for_ever():
    """[rules.md §6] max_deals ends the game, level sides all win."""
    play = Play(a_match({"games": 1}, max_deals=7)).start()
    play.finish(choice=lambda ask, count: 0)
    assert [(over.score, over.winners) for over in play.games_over] == [((0, 0), (0, 1))]
    assert len(lines_of(play, "hand")) == 7
    assert replay_record(play.lines).ok


def test_a_turn_with_one_legal_action_is_the_referee_s():
    """[rules.md §10] The record has it all the same."""
    asked = Play(a_match({"games": 1}, ask_forced=True)).start()
    played = Play(a_match({"games": 1})).start()
    assert min(open_choices(asked)) == 1
    assert min(open_choices(played)) > 1


def open_choices(play: Play) -> list[int]:
    counts = []
    while play.open:
        ask = play.open[0]
        counts.append(len(play.match.open_turn(ask.game).legal))
        play.choose(ask, 0 if counts[-1] == 1 else 1)
    return counts


def test_turns_are_counted_for_each_seat_by_itself():
    """A count shared by the seats would tell of another's forced card."""
    play = Play(a_match({"games": 2})).start().finish()
    for game in range(2):
        for seat in range(4):
            turns = [
                ask.turn
                for ask in play.effects
                if type(ask).__name__ == "Ask" and (ask.game, ask.seat) == (game, seat)
            ]
            assert turns == list(range(1, len(turns) + 1))


def test_updates_tell_public_actions_only_when_wanted():
    silent = Play(a_match()).start().finish()
    loud = Play(a_match(updates=True)).start().finish()
    acted = [effect for effect in loud.effects if type(effect).__name__ == "Acted"]
    recorded = [action for line in lines_of(loud, "hand") for action in line["actions"]]
    assert len(acted) == len(recorded)
    assert not any(effect.code >> 16 for effect in acted)
    assert silent.lines == loud.lines
    assert not [effect for effect in silent.effects if type(effect).__name__ == "Acted"]


def test_a_weak_hand_that_says_nothing_is_not_told_of():
    """rules.md §10: the question, a pass on it and its time are private."""
    play = Play(a_match({"games": 6}, updates=True, farmers_hand="swap")).start().finish()
    acted = [effect for effect in play.effects if type(effect).__name__ == "Acted"]
    recorded = [action for line in lines_of(play, "hand") for action in line["actions"]]
    private = len(recorded) - len(acted)
    asked = Play(a_match({"games": 6}, updates=True)).start().finish()
    assert private > 0
    assert len([e for e in asked.effects if type(e).__name__ == "Acted"]) == sum(
        len(line["actions"]) for line in lines_of(asked, "hand")
    )


def test_an_aborted_match_closes_its_record_without_winners():
    match = a_match({"games": 10}, parallel=4)
    play = Play(match).start()
    while len(play.games_over) < 2:
        play.choose(play.open[-1], 1 if len(play.open) % 2 else 0)
    play.take(match.abort(0))
    assert play.over
    assert match.result is not None
    assert match.result.winners == ()
    assert match.result.played == 2
    report = replay_record(play.lines)
    assert report.ok, report.message
    assert (report.finished, report.games, report.deals_verified) == (False, 2, True)
    assert match.abort(0) == []


def test_a_match_aborted_before_its_first_hand_still_has_a_record():
    match = a_match()
    play = Play(match).start()
    play.take(match.abort(0))
    report = replay_record(play.lines)
    assert report.ok, report.message
    assert report.games == report.hands == 0


def test_every_game_over_comes_after_the_lines_of_the_games_before():
    play = Play(a_match({"games": 12}, parallel=12)).start()
    play.finish(order=lambda count: 0)
    assert sorted(over.game for over in play.games_over) == list(range(12))
    assert [line["game"] for line in lines_of(play, "game")] == list(range(12))
    assert all(isinstance(over, GameOver) and over.fault == "" for over in play.games_over)

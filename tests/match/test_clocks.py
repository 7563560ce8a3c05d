"""Move time, bank, increment, lag quota: to the nanosecond (protocol.md, Clocks)."""

from __future__ import annotations

import pytest
from euchre_arena.match import Ask, Clock, Match, Rejected
from euchre_arena.match.effects import LATE
from euchre_arena.match.replay import replay_record

from tests.match.driving import MS, Play, a_match

START = 1_000 * MS


def timed(clock: Clock, **options: object) -> Play:
    """A match whose first turn was handed to the transport at START."""
    play = Play(a_match(clock=clock, **options))
    play.now = START - 7 * MS
    play.start()
    send(play, START)
    return play


def send(play: Play, now: int) -> Ask:
    (ask,) = play.open
    play.match.sent(ask.game, ask.seat, ask.turn, now)
    return ask


def answer(play: Play, now: int, network: int = 0) -> list[object]:
    ask = play.open.pop()
    return play.take(play.match.choose(ask.game, ask.seat, ask.turn, 0, now, network))


def bank_of(match: Match, seat: int) -> int:
    return match._live[0].bank[seat]


def test_the_move_time_is_a_decision_s_own():
    play = timed(Clock(1000))
    answer(play, START + 1000 * MS)
    assert play.faults == []
    send(play, START + 5000 * MS)
    answer(play, START + 6000 * MS)
    assert play.faults == []


def test_a_nanosecond_more_is_too_late_and_the_referee_decides():
    play = timed(Clock(1000))
    ask = play.open[0]
    first = answer(play, START + 1000 * MS + 1)[0]
    assert isinstance(first, Rejected)
    assert (first.reason, first.turn) == (LATE, ask.turn)
    assert play.faults == ["timeout"]
    assert play.match._live[0].hand.actions[0] == 1 << 10, "the first legal action is pass"


def test_what_goes_beyond_the_move_time_is_drawn_from_the_bank():
    play = timed(Clock(1000, 500))
    seat = play.open[0].seat
    answer(play, START + 1300 * MS + 7)
    assert bank_of(play.match, seat) == 200 * MS - 7
    assert play.faults == []


def test_the_bank_empty_to_the_nanosecond_is_in_time():
    play = timed(Clock(1000, 500))
    seat = play.open[0].seat
    answer(play, START + 1500 * MS)
    assert bank_of(play.match, seat) == 0
    assert play.faults == []


def test_the_bank_is_one_a_seat():
    play = timed(Clock(1000, 500))
    first = play.open[0].seat
    answer(play, START + 1400 * MS)
    second = send(play, START + 2000 * MS).seat
    answer(play, START + 3400 * MS)
    assert first != second
    assert bank_of(play.match, first) == bank_of(play.match, second) == 100 * MS


def test_a_timeout_takes_the_whole_bank():
    play = timed(Clock(1000, 500))
    seat = play.open[0].seat
    answer(play, START + 9000 * MS)
    assert bank_of(play.match, seat) == 0


def test_the_increment_is_added_at_every_deal():
    play = Play(a_match(clock=Clock(1000, 500, 100))).start()
    assert [bank_of(play.match, seat) for seat in range(4)] == [600 * MS] * 4
    while play.match._live[0].game.deal_number == 0:
        play.choose(play.open[0], 0)
    assert [bank_of(play.match, seat) for seat in range(4)] == [700 * MS] * 4


def test_the_network_is_forgiven_up_to_a_cap_a_move_and_a_game():
    clock = Clock(1000, 0, 0, lag_per_move_ms=50, lag_per_game_ms=80)
    play = timed(clock)
    live = play.match._live[0]
    seat = play.open[0].seat
    answer(play, START + 1050 * MS, network=60 * MS)
    assert play.faults == []
    assert live.lag[seat] == 30 * MS
    assert play.match.clocks.taken == (7 * MS, 50 * MS, 1000 * MS)


def test_beyond_the_cap_the_network_is_the_bot_s_own():
    clock = Clock(1000, 0, 0, lag_per_move_ms=50)
    play = timed(clock)
    answer(play, START + 1050 * MS + 1, network=60 * MS)
    assert play.faults == ["timeout"]


def test_only_the_measured_network_is_forgiven():
    play = timed(Clock(1000, 0, 0, lag_per_move_ms=50))
    answer(play, START + 1020 * MS, network=10 * MS)
    assert play.faults == ["timeout"]


def test_the_quota_of_a_game_runs_out():
    clock = Clock(1000, 0, 0, lag_per_move_ms=50, lag_per_game_ms=30)
    play = timed(clock)
    answer(play, START + 1040 * MS, network=50 * MS)
    assert play.faults == ["timeout"]


def test_queueing_in_the_referee_is_charged_to_nobody():
    """The clock starts when the frame is handed over, however late that is."""
    play = Play(a_match(clock=Clock(1000))).start()
    send(play, 60_000 * MS)
    answer(play, 61_000 * MS)
    assert play.faults == []
    assert play.match.clocks.taken[0] == 60_000 * MS


def test_an_answer_before_its_frame_was_handed_over_took_no_time():
    play = Play(a_match(clock=Clock(1000))).start()
    answer(play, 99_000 * MS)
    assert play.faults == []
    assert play.match.clocks.taken[2] == 0


def test_sent_again_after_a_reconnect_the_clock_runs_on():
    play = timed(Clock(1000))
    send(play, START + 900 * MS)
    answer(play, START + 1001 * MS)
    assert play.faults == ["timeout"]


def test_expire_decides_when_no_answer_can_be_in_time_any_more():
    play = timed(Clock(1000, 500, 0, lag_per_move_ms=50))
    due = play.match.next_deadline()
    assert due == START + 1550 * MS + 1
    assert play.match.expire(due - 1) == []
    play.open.clear()
    play.take(play.match.expire(due))
    assert play.faults == ["timeout"]
    assert len(play.open) == 1, "the next seat is asked"


def test_an_answer_after_the_referee_decided_is_late_and_changes_nothing():
    play = timed(Clock(1000))
    ask = play.open.pop()
    due = play.match.next_deadline()
    assert due is not None
    play.take(play.match.expire(due))
    actions = list(play.match._live[0].hand.actions)
    (late,) = play.match.choose(ask.game, ask.seat, ask.turn, 1, due + 1)
    assert isinstance(late, Rejected)
    assert late.reason == LATE
    assert play.match._live[0].hand.actions == actions


def test_there_is_no_deadline_before_a_frame_is_out_and_none_without_a_clock():
    play = Play(a_match(clock=Clock(1000))).start()
    assert play.match.next_deadline() is None
    play = Play(a_match()).start()
    send(play, START)
    assert play.match.next_deadline() is None
    answer(play, START + 10**15)
    assert play.faults == []
    assert play.match.clocks.taken[2] == 10**15


def test_the_deadline_is_never_too_late():
    """It may be too early once a turn is answered: `expire` then finds nothing and moves it."""
    play = Play(a_match({"games": 2}, clock=Clock(1000, 0, 0, 0), parallel=2)).start()
    one, other = play.open
    play.match.sent(one.game, one.seat, one.turn, 0)
    play.match.sent(other.game, other.seat, other.turn, 400 * MS)
    play.match.choose(one.game, one.seat, one.turn, 0, 10 * MS)
    assert play.match.next_deadline() == 1000 * MS + 1
    assert play.match.expire(1000 * MS + 1) == []
    assert play.match.next_deadline() == 1400 * MS + 1


def test_paused_clocks_stand_still():
    play = timed(Clock(1000))
    play.match.pause(START + 900 * MS)
    assert play.match.next_deadline() is None
    assert play.match.expire(START + 90_000 * MS) == []
    play.match.unpause(START + 90_000 * MS)
    answer(play, START + 90_100 * MS)
    assert play.faults == []
    assert play.match.clocks.taken[2] == 1000 * MS


def test_an_answer_while_paused_took_the_time_before_the_pause():
    play = timed(Clock(1000))
    play.match.pause(START + 300 * MS)
    play.match.pause(START + 500 * MS)
    answer(play, START + 60_000 * MS)
    assert play.faults == []
    assert play.match.clocks.taken[2] == 300 * MS


def test_a_frame_handed_over_while_paused_starts_when_the_clocks_do():
    play = Play(a_match(clock=Clock(1000))).start()
    play.match.pause(START)
    send(play, START + 5 * MS)
    play.match.unpause(START + 70 * MS)
    answer(play, START + 1070 * MS)
    assert play.faults == []
    assert play.match.clocks.taken[2] == 1000 * MS


def test_unpausing_what_runs_changes_nothing():
    play = timed(Clock(1000))
    play.match.unpause(START + 500 * MS)
    answer(play, START + 1001 * MS)
    assert play.faults == ["timeout"]


def test_a_refused_answer_costs_nothing_and_the_clock_runs_on():
    play = timed(Clock(1000, 500))
    seat = play.open[0].seat
    play.say("play Jh", START + 1200 * MS)
    assert bank_of(play.match, seat) == 500 * MS
    answer(play, START + 1300 * MS)
    assert bank_of(play.match, seat) == 200 * MS


def test_the_times_stand_in_the_turn():
    play = timed(Clock(1000, 5000))
    turn = play.match.open_turn(0)
    assert (turn.move_time_ms, turn.bank_ms) == (1000, 5000)
    turn = play.match.open_turn(0, START + 400 * MS)
    assert (turn.move_time_ms, turn.bank_ms) == (600, 5000)
    turn = play.match.open_turn(0, START + 1400 * MS)
    assert (turn.move_time_ms, turn.bank_ms) == (0, 4600)
    assert a_match_turn_without_clock() == (0, 0)


def a_match_turn_without_clock() -> tuple[int, int]:
    play = Play(a_match()).start()
    turn = play.match.open_turn(0)
    return turn.move_time_ms, turn.bank_ms


def test_the_evidence_splits_the_time():
    play = timed(Clock(1000, 20, 0, lag_per_move_ms=50))
    answer(play, START + 1100 * MS, network=30 * MS)
    (fault,) = [
        effect.fault
        for effect in play.effects
        if hasattr(effect, "fault") and type(effect).__name__ == "FaultNoted"
    ]
    assert fault.detail == (
        "too late: thinking 1070.000 ms of 1000.000 ms and 20.000 ms bank, "
        "network 30.000 ms, referee 7.000 ms"
    )


@pytest.mark.parametrize("on_timeout", ["default", "forfeit"])
def test_a_match_of_bots_that_never_answer_ends_and_its_record_holds(on_timeout: str):
    match = a_match({"games": 2}, clock=Clock(10), on_timeout=on_timeout, max_deals=4)
    play = Play(match).start()
    now = 0
    for _ in range(100_000):
        if match.over:
            break
        for ask in play.open:
            match.sent(ask.game, ask.seat, ask.turn, now)
        play.open.clear()
        now = match.next_deadline() or now
        play.take(match.expire(now))
    assert play.over
    report = replay_record(play.lines)
    assert report.ok, report.message
    if on_timeout == "forfeit":
        assert [over.fault for over in play.games_over] == ["forfeit"] * 2
        assert play.faults == ["timeout", "forfeit"] * 2
    else:
        assert set(play.faults) == {"timeout"}


def test_of_many_turns_none_is_decided_too_late():
    """`Clocks.begin` works no deadline out: `expire` is called too early once, never too late."""
    play = Play(a_match(clock=Clock(1000, 500, 0, lag_per_move_ms=50))).start()
    live = play.match.live_game(0)
    assert live is not None
    play.match.clocks.begin(live, START)
    early = play.match.next_deadline()
    assert early is not None
    assert early <= START + 1550 * MS + 1
    assert play.match.expire(early) == []
    due = play.match.next_deadline()
    assert due == START + 1550 * MS + 1
    assert play.match.expire(due - 1) == []
    play.take(play.match.expire(due))
    assert play.faults == ["timeout"]


def test_where_the_bank_is_nearly_all_the_time_the_deadline_is_exact():
    play = Play(a_match(clock=Clock(1, 5000, 0, 0))).start()
    live = play.match.live_game(0)
    assert live is not None
    play.match.clocks.begin(live, START)
    assert play.match.next_deadline() == START + 5001 * MS + 1

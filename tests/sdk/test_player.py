"""The games of a session when its stream breaks: what was thought of is said once, in time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

from euchre_arena import Turn, wire
from euchre_arena.client.player import Player
from euchre_arena.rules import Rules
from euchre_arena.wire import pb

from tests.sdk.playing import First, Log, until
from tests.sdk.stub import StubGame

GAME = StubGame(0, Rules.of("standard"), random.Random(7))
HANDLE = GAME.handles[GAME.seat]


class Pondering(First):
    """Thinks until it is let go; fails where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.fails = False

    async def act(self, turn: Turn) -> str:  # type: ignore[override]  # async is allowed
        said = super().act(turn)
        await self.go.wait()
        if self.fails:
            raise LookupError("no advice")
        return said


def player(bot: First, log: Log, others: Sequence[Player] = ()) -> Player:
    made = Player(bot, log, lambda: None, others)
    made.new_session()
    return made


def say(
    to: Player, *, resumed: bool = False, ask: bool = True, refusals: int = 0, **more: object
) -> None:
    """The frame with which a session begins, or goes on; ``more``: what it carries besides."""
    started = wire.game_started_message(
        HANDLE, 1, 0, GAME.seat, GAME.rules, ["tester"] * 4, resumed=resumed
    )
    rest = pb.PlayResponse(games_started=[started], **more)  # type: ignore[arg-type]  # by name
    turn = wire.with_refusal(GAME.turn(), refusals, "wrong-phase" if refusals else "")
    raw = wire.response_bytes(1, [turn] if ask else [], rest)
    for _ in to.receive(wire.read_frame(raw)):
        pass


async def test_what_was_thought_of_while_the_line_was_broken_is_said_when_asked_again() -> None:
    bot, log = Pondering(), Log()
    there = player(bot, log)
    say(there)
    there.new_session()
    bot.go.set()
    await until(lambda: not there.thinking)
    # A server that was started again does not know the game yet: it would refuse the answer.
    assert there.answers == []
    say(there, resumed=True)
    assert len(there.answers) == 1
    assert set(bot.asked.values()) == {1}
    assert len(bot.started) == log.stats.games_started == 1


async def test_a_thought_that_ends_after_the_game_was_announced_again_is_said_at_once() -> None:
    bot = Pondering()
    there = player(bot, Log())
    say(there)
    there.new_session()
    say(there, resumed=True)
    assert there.answers == []
    bot.go.set()
    await until(lambda: bool(there.answers))
    assert len(there.answers) == 1
    assert set(bot.asked.values()) == {1}


async def test_a_failure_the_server_did_not_hear_of_is_told_again() -> None:
    bot, log = Pondering(), Log()
    bot.fails = True
    there = player(bot, log)
    say(there)
    bot.go.set()
    await until(lambda: bool(there.crashes))
    there.new_session()
    assert there.crashes == []
    say(there, resumed=True)
    (crash,) = there.crashes
    assert crash.game == HANDLE
    assert "no advice" in crash.detail
    assert log.stats.crashes == 1


async def test_a_match_that_moved_to_another_referee_goes_on_there() -> None:
    """Its home stream is still up: the bot is not asked again, and told of no new game."""
    bot, log = Pondering(), Log()
    home = player(bot, log)
    say(home)
    away = player(bot, log, [home])
    say(away, resumed=True)
    bot.go.set()
    await until(lambda: bool(away.answers))
    assert home.answers == []
    assert home.thinking == away.thinking == 0
    assert set(bot.asked.values()) == {1}
    assert len(bot.started) == 1
    assert home.seats == {}


class Stubborn(First):
    """Says what may not be said until it is told so; remembers what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str | None] = []

    def act(self, turn: Turn) -> str:
        super().act(turn)
        self.told.append(turn.refusal)
        return turn.legal[0] if turn.refusal else "claim"


async def test_an_answer_whose_refusal_was_lost_is_not_given_again() -> None:
    """It would be a second fault."""
    bot, log = Stubborn(), Log()
    there = player(bot, log)
    say(there)
    (claimed,) = there.answers
    there.new_session()
    say(there, resumed=True)
    assert there.answers == [claimed], "it may not have come: nothing says that it was refused"
    there.new_session()
    say(there, resumed=True, refusals=1)
    (answer,) = there.answers
    assert answer != claimed
    assert bot.told == [None, "wrong-phase"]
    assert log.stats.rejections == 1
    # That answer may not have come; another refusal there was not.
    there.new_session()
    say(there, resumed=True, refusals=1)
    assert there.answers == [answer]
    assert bot.told == [None, "wrong-phase"]


async def test_a_refusal_told_beside_the_turn_that_says_so_counts_once() -> None:
    bot, log = Stubborn(), Log()
    there = player(bot, log)
    say(there)
    there.new_session()
    refusal = wire.rejection_message(HANDLE, 1, "illegal", "wrong-phase", 1)
    say(there, resumed=True, refusals=1, rejections=[refusal])
    assert len(there.answers) == 1
    assert bot.told == [None, "wrong-phase"]
    assert log.stats.rejections == 1


async def test_a_new_process_is_told_what_the_one_before_it_was_refused() -> None:
    bot = Stubborn()
    say(player(bot, Log()), resumed=True, refusals=2)
    assert bot.told == ["wrong-phase"]


async def test_the_end_of_a_match_told_again_is_told_the_author_once() -> None:
    bot, log = First(), Log()
    there = player(bot, log)
    end = pb.MatchEnded(match=1, match_id="m-1", winners=["tester"], secret=b"s" * 32)
    over = pb.GameEnded(game=HANDLE, score=[2, 0], winners=[0], won=True)
    say(there, matches_ended=[end], games_ended=[over])
    there.new_session()
    again = pb.PlayResponse(matches_ended=[end], games_ended=[over])
    for _ in there.receive(wire.read_frame(wire.response_bytes(1, [], again))):
        pass
    assert len(bot.matches) == log.stats.matches_ended == 1
    assert len(bot.ended) == log.stats.games_ended == 1


async def test_the_end_of_a_match_told_by_another_referee_too_is_told_the_author_once() -> None:
    bot, log = First(), Log()
    there = player(bot, log)
    other = player(bot, log, [there])
    end = pb.MatchEnded(match=1, match_id="m-1", winners=["tester"], secret=b"s" * 32)
    say(there, matches_ended=[end])
    say(other, resumed=True, matches_ended=[end])
    assert len(bot.matches) == log.stats.matches_ended == 1


async def test_a_bot_that_came_in_the_middle_is_told_of_the_game() -> None:
    bot, log = First(), Log()
    there = player(bot, log)
    say(there, resumed=True)
    assert [table.resumed for table in bot.started] == [True]
    assert len(there.answers) == log.stats.games_started == 1


async def test_a_game_counts_once_however_many_seats_of_it_the_bot_plays() -> None:
    log = Log()
    there = player(First(), log)
    rules = GAME.rules

    def play(secret: bytes, first_handle: int, voided: bool) -> None:
        # As a referee does it: nothing but the commitment joins the seats of a match.
        seats = [(first_handle + seat, seat) for seat in (0, 2)]
        begun = [
            wire.game_started_message(
                *(handle, 100 + handle, 0, seat, rules, ["tester"] * 4), commitment=secret[::-1]
            )
            for handle, seat in seats
        ]
        ended = [pb.GameEnded(game=h, score=[2, 0], winners=[0], won=True) for h, _ in seats]
        over = [
            pb.MatchEnded(
                match=100 + handle,
                match_id="m-1",
                winners=[] if voided else ["tester"],
                secret=secret,
                voided=voided,
            )
            for handle, _ in seats
        ]
        rest = pb.PlayResponse(games_started=begun, games_ended=ended, matches_ended=over)
        for _ in there.receive(wire.read_frame(wire.response_bytes(1, [], rest))):
            pass

    play(b"s" * 31 + b"1", 10, voided=True)
    assert (log.stats.games_started, log.stats.games_ended, log.stats.games_won) == (1, 1, 1)
    assert log.stats.matches_ended == 1
    play(b"s" * 31 + b"2", 20, voided=False)  # the match that was voided, again
    play(b"s" * 31 + b"2", 30, voided=False)  # and a seeded one, on the same cards
    assert (log.stats.games_started, log.stats.games_ended, log.stats.games_won) == (3, 3, 3)
    assert log.text.count("match m-1 is over, voided") == 1
    assert log.text.count("match m-1 is over") == 2

"""Bots through the SDK on a real referee."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import pairwise

import pytest
from euchre_arena import Action, Bot, Turn
from euchre_arena.bots import HOUSE
from euchre_arena.client import AuthError, connect

from tests.referee.conftest import rig  # noqa: F401 - a fixture, by name
from tests.referee.rig import Rig, until
from tests.sdk.playing import DEADLINE_S, Log
from tests.sdk.proxy import Proxy
from tests.support.valkey import store, valkey  # noqa: F401 - fixtures, by name


class Aside(Bot):
    """Thinks aside, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[int, int]] = Counter()

    async def act(self, turn: Turn) -> str:
        self.asked[turn.game, turn.turn] += 1
        await asyncio.sleep(0.001)
        return turn.legal[-1]


@pytest.mark.parametrize("preset", ["standard", "british"])
async def test_house_bots_play(rig: Rig, preset: str) -> None:  # noqa: F811 - fixture
    await rig.start()
    seen = [rig.play(name, HOUSE[name]()) for name in ("book", "random")]
    (match,) = rig.order("book", "random", preset=preset, match_format={"games": 6})
    await rig.place(match)
    await rig.finished(match)
    assert rig.result(match)["faults"] == [{}, {}]
    assert all(s.stats.games_ended == 6 for s in seen)
    assert all(s.stats.rejections == 0 for s in seen)


class Wrong(Bot):
    """Names a card nobody has in the games of its choice; passes in the others."""

    def act(self, turn: Turn) -> str:
        return "play B" if turn.table.game_number == 1 else turn.legal[0]


@pytest.mark.parametrize(
    ("faults", "cause"),
    [
        ({}, "the fourth refusal of a seat in one hand forfeits the game"),
        ({"on_illegal": "forfeit"}, "an illegal answer forfeits the game here"),
    ],
)
async def test_a_game_forfeited_by_refused_answers_is_told_in_words(
    rig: Rig,  # noqa: F811 - fixture
    faults: dict[str, str],
    cause: str,
) -> None:
    await rig.start()
    log = Log()
    at, token = rig.referee.address, rig.token("ada")
    playing = asyncio.create_task(connect(Wrong(), at, token, reporter=log, stop=rig.stop))
    rig.players.append(playing)
    rig.play("bob", HOUSE["first"]())
    (match,) = rig.order(
        "ada", "bob", match_format={"games": 3}, options={"max_deals": 2}, faults=faults
    )
    await rig.place(match)
    await until(lambda: log.text.count(" is lost for seat ") == 2, "both seats heard of the end")
    lost = sorted(line for line in log.text.splitlines() if "is lost" in line)
    assert len(lost) == 2, log.text
    refused = "(forfeit): answer 'play B' (illegal: wrong-phase) was refused; " + cause
    assert sum(line.endswith(refused) for line in lost) == 1
    assert sum(line.endswith("(forfeit): this seat's partner forfeited it") for line in lost) == 1
    assert all(line.startswith("game 1 is lost for seat ") for line in lost)


async def test_a_bot_that_fails_forfeits_that_game_alone(rig: Rig) -> None:  # noqa: F811 - fixture
    class Fragile(Bot):
        def act(self, turn: Turn) -> str:
            if turn.table.game_number == 2:
                raise LookupError("no advice")
            return turn.legal[0]

    await rig.start()
    seen, other = rig.play("ada", Fragile()), rig.play("bob", HOUSE["first"]())
    (match,) = rig.order("ada", "bob", match_format={"games": 6}, options={"max_deals": 3})
    await rig.place(match)
    await rig.finished(match)
    assert rig.result(match)["faults"] == [{"crashed": 1}, {}]
    assert seen.stats.crashes >= 1
    await until(lambda: other.stats.matches_ended, "bob is told of all of it")
    assert Counter(o.fault for o in other.outcomes) == {None: 10, "crashed": 2}


async def test_an_illegal_answer_is_asked_again_and_costs_nothing_yet(
    rig: Rig,  # noqa: F811 - fixture
) -> None:
    class Hasty(Bot):
        refusals: Counter[str]

        def act(self, turn: Turn) -> str:
            if turn.refusal is not None:
                self.refusals[turn.refusal] += 1
                return turn.legal[0]
            return "play the jack" if turn.hand_number % 2 else "pick 3"

    bot = Hasty()
    bot.refusals = Counter()
    await rig.start()
    rig.play("ada", bot), rig.play("bob", HOUSE["first"]())
    (match,) = rig.order("ada", "bob", match_format={"games": 1}, options={"max_deals": 2})
    await rig.place(match)
    await rig.finished(match)
    assert bot.refusals["wrong-phase"] > 0
    assert sum(bot.refusals.values()) > bot.refusals["wrong-phase"]


async def test_goes_on_through_a_line_that_is_cut(rig: Rig) -> None:  # noqa: F811 - fixture
    await rig.start()
    bot = Aside()
    rig.play("bob", HOUSE["random"]())
    async with Proxy(rig.referee.address) as proxy:
        stop = asyncio.Event()
        playing = asyncio.create_task(connect(bot, proxy.address, rig.token("ada"), stop=stop))
        (match,) = rig.order("ada", "bob", match_format={"games": 30})
        await rig.place(match)
        for cut in (200, 400):
            await until(lambda cut=cut: len(bot.asked) > cut, f"{cut} decisions")
            proxy.cut()
        await rig.finished(match)
        stop.set()
        stats = await asyncio.wait_for(playing, DEADLINE_S)
    assert stats.connections == 3
    assert rig.result(match)["faults"] == [{}, {}]
    assert set(bot.asked.values()) == {1}


async def test_a_token_nobody_knows(rig: Rig) -> None:  # noqa: F811 - fixture
    await rig.start()
    with pytest.raises(AuthError, match="--token-file"):
        await connect(Aside(), rig.referee.address, "no such token")


async def test_what_a_seat_is_told_is_what_happened(rig: Rig) -> None:  # noqa: F811 - fixture
    """Each turn's history is the last one's and what was done since: nothing lost, nothing new."""

    class Listener(Bot):
        def __init__(self) -> None:
            self.turns: dict[int, list[tuple[int, tuple[tuple[int, Action], ...]]]] = {}

        def act(self, turn: Turn) -> str:
            self.turns.setdefault(turn.game, []).append((turn.hand_number, turn.history))
            return turn.legal[-1]

    await rig.start()
    bot = Listener()
    rig.play("ada", bot), rig.play("bob", HOUSE["random"]())
    (match,) = rig.order("ada", "bob", match_format={"games": 5})
    await rig.place(match)
    await rig.finished(match)
    assert len(bot.turns) == 10
    for turns in bot.turns.values():
        for (hand, history), (then_hand, then) in pairwise(turns):
            if hand == then_hand:
                assert then[: len(history)] == history
                assert len(then) > len(history)

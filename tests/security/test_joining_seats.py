"""Which two seats of a bot belong to one game? Handles, order, framing and timing do not tell.

Two seats of one bot can always be joined by what is public: games that begin together differ in
up-card and dealer, and a game asks one seat at a time. All of that is taken away here: the joiner
sees no content, and is compared with itself on pairings drawn at random among games that began in
the same moment, in which the same seats are asked at the same times. What is left to it is what the
service adds: how handles are made, where in a frame a seat stands, which frame it comes with, and
when. Each figure it could join by must be no better for the true pairing than for those drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from statistics import mean, stdev
from typing import NamedTuple

import pytest
from euchre_arena.wire import pb

from arena.referee import frames
from arena.referee.hosted import Hosted
from tests.referee.rig import Bold, Rig, until
from tests.security.wire_parts import Listener, parts

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SEED = 20261130
GAMES = 24
"""At once."""
MATCHES = 4
DRAWN = 200
"""Pairings the true one is compared with."""
BOUND = 6.0
"""Standard deviations. A figure that tells nothing passes it once in 500 million runs."""


class Sight(NamedTuple):
    """A seat in a frame: all the joiner has."""

    frame: int
    place: float
    """Within the frame, 0 to 1, among the parts of its kind."""
    among: int
    """How many of its kind the frame has."""
    at: float
    """Arrival, seconds."""


class Seen:
    """What a bot was sent in a match, without any content but handles."""

    def __init__(self, raws: list[tuple[float, bytes]]) -> None:
        self.starts: dict[int, Sight] = {}
        self.turns: dict[int, list[Sight]] = {}
        self.games: dict[int, int] = {}
        """Handle → number of its game: the truth, which the joiner does not look at."""
        for frame, (at, raw) in enumerate(raws):
            by_kind: dict[str, list[bytes]] = {}
            for part in parts(raw):
                by_kind.setdefault(part.kind, []).append(part.content)
            for place, content in enumerate(by_kind.get("games_started", [])):
                started = pb.GameStarted.FromString(content)
                self.starts[started.game] = _sight(frame, place, by_kind["games_started"], at)
                self.games[started.game] = started.game_number
            for place, content in enumerate(by_kind.get("turns", [])):
                handle = pb.Turn.FromString(content).game
                self.turns.setdefault(handle, []).append(_sight(frame, place, by_kind["turns"], at))

    def pairs(self) -> list[tuple[int, int]]:
        """The true pairing, each pair in the order of its handles."""
        by_game: dict[int, list[int]] = {}
        for handle, game in self.games.items():
            by_game.setdefault(game, []).append(handle)
        return [tuple(sorted(seats)) for seats in by_game.values()]  # type: ignore[misc]  # two each


def _sight(frame: int, place: int, among: list[bytes], at: float) -> Sight:
    return Sight(frame, (place + 0.5) / len(among), len(among), at)


Figure = Callable[[Seen, int, int], float | int | None]


@cache
def distance(one: int, other: int) -> float:
    """Between places drawn in frames of so many: how many are asked at once is public."""
    return mean(abs((i + 0.5) / one - (j + 0.5) / other) for i in range(one) for j in range(other))


def next_places(seen: Seen, one: int, other: int) -> float | None:
    """How near a seat stands in a frame to where the other stood in the frame before, beside what
    would be expected of any two."""
    before = {sight.frame: sight for sight in seen.turns.get(one, [])}
    found = [
        abs(sight.place - last.place) - distance(last.among, sight.among)
        for sight in seen.turns.get(other, [])
        if (last := before.get(sight.frame - 1)) is not None
    ]
    return mean(found) if found else None


FIGURES: Mapping[str, Figure] = {
    "handles near each other": lambda seen, a, b: float(abs(a - b)) / 2**64,
    "handles alike in their first bits": lambda seen, a, b: 64.0 - (a ^ b).bit_length(),
    "handles alike in their last bits": lambda seen, a, b: float(((a ^ b) & -(a ^ b)).bit_length()),
    "handles alike in many bits": lambda seen, a, b: float((a ^ b).bit_count()),
    "handles both odd or even": lambda seen, a, b: float((a ^ b) & 1),
    "begun side by side": lambda seen, a, b: abs(seen.starts[a].place - seen.starts[b].place),
    "begun in the same frame": lambda seen, a, b: float(
        seen.starts[a].frame == seen.starts[b].frame
    ),
    "begun at nearly the same time": lambda seen, a, b: abs(seen.starts[a].at - seen.starts[b].at),
    "asked at like places": next_places,
    "asked at like places, the other way": lambda seen, a, b: next_places(seen, b, a),
}


def figure_of(figure: Figure, seen: Seen, pairs: list[tuple[int, int]]) -> float:
    found = [value for a, b in pairs if (value := figure(seen, a, b)) is not None]
    return mean(found) if found else 0.0


def drawn(pairs: list[tuple[int, int]], rng: random.Random) -> list[tuple[int, int]]:
    """The same first seats, each with another's second."""
    seconds = [other for _, other in pairs]
    rng.shuffle(seconds)
    return [(one, other) for (one, _), other in zip(pairs, seconds, strict=True)]


def deviations(matches: list[Seen]) -> dict[str, float]:
    """How far the true pairing stands out among drawn ones, in standard deviations, by figure."""
    rng = random.Random(SEED)
    true = [seen.pairs() for seen in matches]
    # Which of its two seats comes first in a pair says nothing: it is drawn too.
    true = [[pair if rng.random() < 0.5 else pair[::-1] for pair in pairs] for pairs in true]
    others = [[drawn(pairs, rng) for pairs in true] for _ in range(DRAWN)]
    found = {}
    for name, figure in FIGURES.items():
        value = mean(map(figure_of, [figure] * len(matches), matches, true))
        null = [mean(map(figure_of, [figure] * len(matches), matches, o)) for o in others]
        spread = stdev(null)
        found[name] = (value - mean(null)) / spread if spread else 0.0
    return found


async def watched(rig: Rig, **settings: int) -> list[Seen]:
    """Matches of many games begun at once, played by a bot that keeps what it is sent."""
    await rig.start(parallel=GAMES, **settings)
    rig.play("ned", Bold())
    bot = Listener(rig.referee.address, rig.token("mia"))
    rig.raw.append(bot)
    await bot.hello(capacity=4 * GAMES)
    await bot.frame()
    found = []
    for match in rig.order("mia", "ned", matches=MATCHES, match_format={"games": GAMES}):
        ended = None
        while ended is None or ended.matches_ended[0].voided:  # a slow host gives matches back
            bot.raws.clear()
            await rig.place(match)
            ended = await bot.play_on(lambda frame: frame.matches_ended)
        await rig.finished(match)
        found.append(Seen(bot.raws))
        bot.raws = []
    assert all(len(seen.pairs()) == GAMES for seen in found)
    await until(lambda: not rig.referee.engine.hosted, "all is over")
    return found


@pytest.mark.parametrize(
    "settings",
    [{}, {"frame_bytes_out": 4_096, "turns_per_frame": 8}],
    ids=["whole frames", "frames split into many"],
)
async def test_a_joiner_does_no_better_than_chance(rig: Rig, settings: dict[str, int]) -> None:
    found = deviations(await watched(rig, **settings))
    assert {name: z for name, z in found.items() if abs(z) > BOUND} == {}


async def test_the_joiner_finds_frames_in_the_order_in_which_things_came_up(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frames not put into the order of their handles give seats away, and the joiner sees it."""
    monkeypatch.setattr(frames, "_by_handle", lambda seat: 0)
    monkeypatch.setattr(frames, "_first", lambda part: 0)
    found = deviations(await watched(rig))
    assert abs(found["begun side by side"]) > BOUND, found


async def test_the_joiner_finds_handles_that_are_counted(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hosted, "handle", lambda self, what, one, other: 1 + 8 * one + other)
    found = deviations(await watched(rig))
    assert abs(found["handles near each other"]) > BOUND, found
    assert abs(found["handles alike in their first bits"]) > BOUND, found

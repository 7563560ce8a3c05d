"""Which two seats of a bot belong to one game? Handles, order, framing and timing do not tell.

Two seats of one bot can always be joined by what is public: games that begin together differ in
up-card and dealer, and a game asks one seat at a time. All of that is taken away here: the joiner
sees no content, and is compared with itself on pairings drawn at random among games that began in
the same moment, in which the same seats are asked at the same times. What is left to it is what the
service adds: how handles are made, where in a frame a seat stands, which frame it comes with, and
when. Each figure it could join by must be no better for the true pairing than for those drawn.
Where a seat stands when asked is compared with the same frames ordered by dice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
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
MATCHES = 8
DRAWN = 200
"""Pairings the true one is compared with."""
NEAR = 3
"""Frames: partners asked at most so far apart are looked at."""
BOUND = 8.0
"""Standard deviations, which are themselves drawn. How many first bits two handles have in common
has the heaviest tail; that passes it once in 100 million runs."""


class Sight(NamedTuple):
    """A seat in a frame: all the joiner has."""

    frame: int
    place: float
    """Within the frame, 0 to 1, among the parts of its kind."""
    at: float
    """Arrival, seconds."""


class Seen:
    """What a bot was sent in a match, without any content but handles."""

    def __init__(self, raws: list[tuple[float, bytes]]) -> None:
        self.starts: dict[int, Sight] = {}
        self.asked: dict[int, list[int]] = {}
        """Frame → the handles it asks, in its order."""
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
            if "turns" in by_kind:
                self.asked[frame] = [pb.Turn.FromString(turn).game for turn in by_kind["turns"]]

    def pairs(self) -> list[tuple[int, int]]:
        """The true pairing, each pair in the order of its handles."""
        by_game: dict[int, list[int]] = {}
        for handle, game in self.games.items():
            by_game.setdefault(game, []).append(handle)
        return [tuple(sorted(seats)) for seats in by_game.values()]  # type: ignore[misc]  # two each


def _sight(frame: int, place: int, among: list[bytes], at: float) -> Sight:
    return Sight(frame, (place + 0.5) / len(among), at)


Figure = Callable[[Seen, int, int], float | int | None]


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
}


def figure_of(figure: Figure, seen: Seen, pairs: list[tuple[int, int]]) -> float:
    found = [value for a, b in pairs if (value := figure(seen, a, b)) is not None]
    return mean(found) if found else 0.0


def drawn(pairs: list[tuple[int, int]], rng: random.Random) -> list[tuple[int, int]]:
    """The same first seats, each with another's second."""
    seconds = [other for _, other in pairs]
    rng.shuffle(seconds)
    return [(one, other) for (one, _), other in zip(pairs, seconds, strict=True)]


def like_places(seen: Seen, pairs: list[tuple[int, int]], rng: random.Random) -> list[float]:
    """How near a seat stands in a frame to where its partner stood a few frames before, in all:
    first as it was, then in frames of the same seats ordered by dice.

    Not beside other pairings: partners are never asked at once, and no drawn pairing is like that.
    """
    frames = seen.asked
    partner = {one: other for a, b in pairs for one, other in ((a, b), (b, a))}
    met = [
        (seat, number, before)
        for number, seats in frames.items()
        for seat in seats
        for before in range(number - 1, number - 1 - NEAR, -1)
        if partner[seat] in frames.get(before, ())
    ]
    found = []
    for _ in range(1 + DRAWN):
        place = {
            (number, seat): (index + 0.5) / len(seats)
            for number, seats in frames.items()
            for index, seat in enumerate(seats)
        }
        found.append(sum(abs(place[f, s] - place[before, partner[s]]) for s, f, before in met))
        dice = {seat: rng.random() for seat in partner}
        frames = {number: sorted(seats, key=dice.__getitem__) for number, seats in frames.items()}
    return found


def deviations(matches: list[Seen]) -> dict[str, float]:
    """How far the true pairing stands out from chance, in standard deviations, by figure."""
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
    drawn_places = map(like_places, matches, true, [rng] * len(matches))
    value, *null = map(sum, zip(*drawn_places, strict=True))
    found["asked at like places"] = (value - mean(null)) / stdev(null)
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
    assert found["asked at like places"] < -2, found


async def test_the_joiner_finds_handles_that_are_counted(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hosted, "handle", lambda self, what, one, other: 1 + 8 * one + other)
    found = deviations(await watched(rig))
    assert abs(found["handles near each other"]) > BOUND, found
    assert abs(found["handles alike in their first bits"]) > BOUND, found

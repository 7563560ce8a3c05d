"""The house bots against `random`, on a fixed seed: what docs/house-bots.md claims, with room."""

from __future__ import annotations

import pytest
from euchre_arena.local import LocalResult, play_local


def played(bots: list[str], preset: str, games: int, **options: int) -> LocalResult:
    return play_local(
        bots,
        preset=preset,
        options=options,
        match_format={"games": games, "duplicate": True},
        seed="strength",
    )


@pytest.mark.parametrize("preset", ["standard", "stick", "hoyle", "british", "canadian"])
def test_book_beats_random(preset):
    result = played(["book", "random"], preset, 100)
    # To five points a lone hand by luck decides more.
    assert result.games[0] >= (90 if preset == "hoyle" else 95)


@pytest.mark.parametrize("preset", ["two", "six", "robson"])
def test_book_beats_random_at_other_games_of_two_sides(preset):
    assert played(["book", "random"], preset, 60).games[0] >= 45


@pytest.mark.parametrize("preset", ["auction", "bid-four", "bid-six"])
def test_book_outbids_random(preset):
    assert played(["book", "random"], preset, 20).games[0] >= 18


@pytest.mark.parametrize("preset", ["three", "three-setback", "three-modern", "three-seven"])
def test_book_beats_two_randoms(preset):
    """By chance a third of the games, a little more where wins are shared."""
    assert played(["book", "random", "random"], preset, 30, max_deals=100).games[0] >= 20


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), [("five", 5), ("seven", 7)])
def test_book_beats_many_randoms(preset, seats):
    """By chance a fifth and a seventh of the games."""
    bots = ["book", *["random"] * (seats - 1)]
    assert played(bots, preset, 2 * seats, max_deals=60).games[0] > seats


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), [("five", 5), ("seven", 7)])
def test_book_makes_its_bids(preset, seats):
    """Against players as good with cards who never bid, it is bids that win."""
    bots = ["book", *["book?bid=9&all_alone=9"] * (seats - 1)]
    result = played(bots, preset, 2 * seats)
    assert result.games[0] > seats
    assert result.points[0] > 0


def test_regle_beats_random_at_ecarte():
    assert played(["regle", "random"], "ecarte", 100).games[0] >= 90


def test_regle_beats_a_bot_that_always_proposes():
    """Against a bot that plays low cards and proposes to the end it wins likewise."""
    assert played(["regle", "first"], "ecarte", 40).games[0] >= 32

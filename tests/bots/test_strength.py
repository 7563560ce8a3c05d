"""`book` against `random`, on a fixed seed and in duplicate: at least 95 of 100 games."""

from __future__ import annotations

import pytest
from euchre_arena.local import play_local


@pytest.mark.parametrize("preset", ["standard", "stick", "hoyle", "british", "canadian"])
def test_book_beats_random(preset):
    result = play_local(
        ["book", "random"],
        preset=preset,
        match_format={"games": 100, "duplicate": True},
        seed="strength",
    )
    # To five points a lone hand by luck decides more.
    assert result.games[0] >= (90 if preset == "hoyle" else 95)

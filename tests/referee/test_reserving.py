"""Room for matches: never more than granted, whole matches rather than crumbs."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from arena.referee.reserving import reserve, seats_by_bot, takes_at_once
from arena.referee.session import Roster, Session
from arena.store.types import Entrant, MatchOrder


class Open:
    """A stream that is there."""

    def poke(self, now: int) -> None: ...
    def end(self, code: str, reason: str, detail: str) -> None: ...
    def notice(self, part: bytes) -> None: ...


def order(*teams: tuple[str, ...]) -> MatchOrder:
    return MatchOrder(
        match_id="cup-m0",
        tournament_id="cup",
        index=0,
        entrants=tuple(Entrant("+".join(team), team) for team in teams),
        seating=(0, 1, 0, 1),
        preset="standard",
        options={},
        match_format={"games": 100},
        clock=None,
        faults={},
        seeded=False,
        seed="",
    )


def roster(**capacities: Sequence[int]) -> Roster:
    """Bots with a stream of each capacity."""
    made = Roster()
    for bot, streams in capacities.items():
        for capacity in streams:
            session = Session(bot, capacity)
            session.stream = Open()
            made.add(session)
    return made


def test_a_bot_alone_has_both_seats_of_its_side_a_team_one_each() -> None:
    assert seats_by_bot(order(("ada",), ("bob", "ben"))) == {"ada": 2, "bob": 1, "ben": 1}


def test_one_stream_holds_both_seats_of_a_game_as_one_game() -> None:
    there = roster(ada=[10], bob=[10])
    found = reserve(there, order(("ada",), ("bob",)), 32)
    assert found is not None
    shares, games = found
    assert games == 10
    assert [share.games for share in shares["ada"]] == [10]
    assert there.of("ada")[0].free == 0


def test_two_streams_hold_a_seat_each() -> None:
    there = roster(ada=[10, 6], bob=[100])
    found = reserve(there, order(("ada",), ("bob",)), 32)
    assert found is not None
    shares, games = found
    assert games == 6
    assert sorted(share.games for share in shares["ada"]) == [6, 6]


def test_the_smaller_bot_decides() -> None:
    found = reserve(roster(ada=[1000], bob=[3]), order(("ada",), ("bob",)), 32)
    assert found is not None
    assert found[1] == 3


def test_a_match_waits_rather_than_crawl() -> None:
    there = roster(ada=[40], bob=[40])
    assert reserve(there, order(("ada",), ("bob",)), 32) is not None
    assert reserve(there, order(("ada",), ("bob",)), 32) is None
    assert [session.reserved for session in there.all()] == [32, 32]


def test_a_match_waits_for_a_bot_that_is_away_or_does_not_play_the_preset() -> None:
    there = roster(ada=[40], bob=[40])
    there.of("bob")[0].presets = frozenset({"hoyle"})
    assert reserve(there, order(("ada",), ("bob",)), 32) is None
    there.of("bob")[0].presets = frozenset()
    there.of("bob")[0].stream = None
    assert reserve(there, order(("ada",), ("bob",)), 32) is None
    assert all(session.reserved == 0 for session in there.all())


def test_matches_a_bot_takes_at_once() -> None:
    assert takes_at_once(roster(ada=[1024]).of("ada"), 32) == 32
    assert takes_at_once(roster(ada=[1]).of("ada"), 32) == 1
    assert takes_at_once(roster(ada=[64, 64]).of("ada"), 32) == 2
    there = roster(ada=[64])
    there.of("ada")[0].paused = True
    assert takes_at_once(there.of("ada"), 32) == 0


@given(
    ada=st.lists(st.integers(1, 50), min_size=1, max_size=4),
    bob=st.lists(st.integers(1, 50), min_size=1, max_size=4),
    parallel=st.integers(1, 64),
)
def test_no_session_is_promised_more_than_it_takes(
    ada: list[int], bob: list[int], parallel: int
) -> None:
    there = roster(ada=ada, bob=bob)
    matches = 0
    while (found := reserve(there, order(("ada",), ("bob",)), parallel)) is not None:
        shares, games = found
        matches += 1
        assert 1 <= games <= parallel
        for bot, streams in (("ada", ada), ("bob", bob)):
            spread = min(2, len(streams))
            assert sum(share.games for share in shares[bot]) == games * spread
            assert all(share.games <= games for share in shares[bot])
    assert matches >= 1
    assert all(session.reserved <= session.capacity for session in there.all())

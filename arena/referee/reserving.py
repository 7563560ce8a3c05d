"""Room for a match: how many games at once all its bots' streams can take, and reserving them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from arena.referee.hosted import Hosted, Share, ordinals
from arena.referee.session import Roster, Session
from arena.store.types import MatchOrder

Room = Callable[[Session], int]


def _free(session: Session) -> int:
    return session.free


def _granted(session: Session) -> int:
    return 0 if session.paused else session.capacity


def seats_by_bot(order: MatchOrder) -> Counter[str]:
    """How many seats of a game each bot of the match has."""
    return Counter(
        order.entrants[entrant].bots[ordinal % len(order.entrants[entrant].bots)]
        for entrant, ordinal in zip(order.seating, ordinals(order.seating), strict=True)
    )


def reserve(
    roster: Roster, order: MatchOrder, parallel: int
) -> tuple[dict[str, list[Share]], int] | None:
    """Reserve room for a match at all its bots: shares by bot, and how many games at once.

    None when a bot is not here, or has less room now than it would have were it idle: then the
    match waits, rather than crawl with the one game that is left. A match some of whose bots did
    not come is played by nobody and needs no room.
    """
    if order.no_show:
        return {}, 1
    seats = seats_by_bot(order)
    games = parallel
    found: dict[str, tuple[list[Session], int]] = {}
    for bot, count in seats.items():
        sessions = [s for s in roster.connected(bot) if s.plays(order.preset) and not s.paused]
        if not sessions:
            return None
        # A game occupies so many streams of the bot's.
        spread = min(count, len(sessions))
        games = min(games, _fit(sessions, spread, _granted))
        found[bot] = (sessions, spread)
    if any(_fit(sessions, spread, _free) < games for sessions, spread in found.values()):
        return None
    shares = {
        bot: _share_out(sessions, games * spread, games)
        for bot, (sessions, spread) in found.items()
    }
    return shares, games


def allowed(hosted: Hosted) -> int:
    """Games at once that a match may have now: never more than were reserved for it, fewer when a
    bot has paused or takes fewer than it has promised; what is left is shared out in proportion."""
    games = hosted.parallel
    for bot, count in seats_by_bot(hosted.order).items():
        rooms = [room for share in hosted.shares.get(bot, ()) if (room := _room(share))]
        games = min(games, _most(rooms, min(count, len(rooms))) if rooms else 0)
    return games


def _room(share: Share) -> int:
    session = share.session
    if session.paused or session.capacity >= session.reserved:
        return 0 if session.paused else share.games
    return min(share.games, max(1, share.games * session.capacity // session.reserved))


def takes_at_once(sessions: Sequence[Session], parallel: int, seats: int = 2) -> int:
    """Matches of ``parallel`` games a bot with these sessions takes at once."""
    if not any(map(_granted, sessions)):
        return 0
    return max(1, _fit(sessions, min(seats, len(sessions)), _granted) // parallel)


def _fit(sessions: Sequence[Session], spread: int, room: Room) -> int:
    """Most games at once when each occupies ``spread`` different sessions."""
    return _most([room(session) for session in sessions], spread)


def _most(rooms: Sequence[int], spread: int) -> int:
    low, high = 0, sum(rooms)
    while low < high:
        games = (low + high + 1) // 2
        if sum(min(places, games) for places in rooms) >= games * spread:
            low = games
        else:
            high = games - 1
    return low


def _share_out(sessions: Sequence[Session], total: int, most: int) -> list[Share]:
    """Reserve ``total`` places, evenly where there is room, at most ``most`` on one session."""
    shares = []
    ordered = sorted(sessions, key=_free)
    for done, session in enumerate(ordered):
        places = min(session.free, most, -(-total // (len(ordered) - done)))
        total -= places
        shares.append(Share(session, places))
    return shares

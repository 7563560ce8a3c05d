"""A match under way: its state machine, its record, and who of its entrants sits where.

Which stream plays which seat: an entrant of several bots fills its seats with them in turn; a bot
with several streams has the seats of one game on different streams where it can, each stream never
holding more games than were reserved on it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from euchre_arena.match import Clock, GameOver, Match, MatchFormat, MatchResult, MatchSpec

from arena.referee.config import RefereeConfig
from arena.referee.records import Recording
from arena.referee.session import Seat, Session
from arena.store.types import Lease, MatchOrder
from arena.tournament import WORTH, GameScore, tally

COMPETITION: Final = ("on_illegal", "on_timeout", "revoke_lone", "ask_forced")
"""Options of rules.md §10 an order carries as faults."""


def spec_of(order: MatchOrder) -> MatchSpec:
    """What the order asks to be played. Raises SpecError."""
    options = {**order.options, **{k: v for k, v in order.faults.items() if k in COMPETITION}}
    clock = None
    if order.clock and (order.clock.get("move_time_ms") or order.clock.get("bank_ms")):
        names = Clock.__dataclass_fields__
        clock = Clock(**{name: value for name, value in order.clock.items() if name in names})
    return MatchSpec(
        match_id=order.match_id,
        preset=order.preset,
        options=options,
        match_format=order.match_format,
        entrants=tuple(entrant.name for entrant in order.entrants),
        seating=order.seating,
        clock=clock,
        seeded=order.seeded,
    )


def graces(order: MatchOrder, config: RefereeConfig) -> tuple[int, int]:
    """How long a bot may be away at once, and in one game all together, milliseconds."""
    clock = order.clock or {}
    at_once = int(clock.get("disconnect_grace_ms", 0)) or config.disconnect_grace_ms
    per_game = int(clock.get("disconnect_grace_per_game_ms", 0))
    return at_once, max(at_once, per_game or config.disconnect_grace_per_game_ms)


class VoidedError(Exception):
    """An attempt ends here without a result, through no bot's fault."""

    def __init__(self, reason: str, *, handed_back: bool = False, lost: bool = False) -> None:
        super().__init__(reason)
        self.handed_back = handed_back
        """The referee gives it up, sound, to be gone on with."""
        self.lost = lost
        """The lease is another's already, or the match is not to be played any more."""


class Share:
    """Games reserved on one session for one match, and how many of them are under way."""

    __slots__ = ("games", "playing", "session")

    def __init__(self, session: Session, games: int) -> None:
        self.session = session
        self.games = games
        self.playing = 0
        session.reserved += games

    def give_back(self) -> None:
        """The match is over."""
        self.session.reserved -= self.games
        self.games = 0


class Hosted:
    """One attempt at a match."""

    def __init__(
        self,
        order: MatchOrder,
        lease: Lease,
        secret: bytes,
        shares: dict[str, list[Share]],
        parallel: int,
        grace_ms: int,
        away_ms: int,
        salt: bytes,
    ) -> None:
        self.order = order
        self.format = MatchFormat.of(order.match_format)
        self.lease = lease
        self.secret = secret
        self.shares = shares
        """By bot."""
        self.parallel = parallel
        """Games at once, as reserved."""
        self.limit = parallel
        """Games at once, as the bots take them now."""
        self.match: Match
        """Made when the nonces are in."""
        self.recording: Recording
        self.grace_ms = grace_ms
        """How long a disconnected bot may stay away."""
        self.away_ms = away_ms
        """How long it may be away in one game, all together."""
        self.salt = salt
        """What the attempt's handles are made of: the same at another referee."""
        self.number = 0
        """In the journal."""
        self.at = -1
        """The journal's entry after which it goes on from the checkpoint; -1: it has none."""
        self.kept = 0
        """Decisions until then."""
        self.saving = False
        """A checkpoint is being written."""
        self.chunks = 0
        """Parts in which the record's lines stand beside the checkpoint."""
        self.started = False
        """Games have begun."""
        self.games: dict[int, list[Seat]] = {}
        """The seats of games under way."""
        self.scores: dict[int, tuple[int, tuple[int, ...]]] = {}
        """Number of the hand being played and the score before it, by game; for updates."""
        self.match_handles: dict[tuple[int, int], int] = {}
        """(entrant, which of its seats) → the handle its GameStarted and MatchEnded carry."""
        self.halted: set[int] = set()
        """Games that finished their hand while draining: nothing more is asked in them."""
        self.quiet = False
        """Not every decision is asked: `draining`, `silent` or `dropped`."""
        self.draining = False
        self.dropped = False
        """Over or voided: what its games still say reaches nobody."""
        self.silent = False
        """Nobody plays: a match forfeited by bots that did not come."""
        self.gone_early: list[tuple[str, str]] = []
        """Bots gone beyond their grace before play began, and what to say of it."""
        self.decisions = 0
        """Answers that took effect: the progress the lease is renewed with."""
        self.waits = 0
        """Renewals at which a bot was waited for: progress too."""
        self.hands = 0
        self.games_over: list[GameScore] = []
        """Every game that ended."""
        self._alike: dict[tuple[int, ...], tuple[int, ...]] = {}
        """Their winners and points, each kept once: a match may have a hundred thousand games."""
        self._counted = 0
        """How many of `games_over` checkpoints have."""
        self._was_away: dict[tuple[int, int], tuple[int, int]] = {}
        """How often and for how long, nanoseconds, the bots of a match that goes on here were away
        in its games, by game and seat."""
        self.faults: list[Counter[str]] = [Counter() for _ in order.entrants]
        """Faults charged, by entrant."""
        self.ended: asyncio.Future[MatchResult] = asyncio.get_running_loop().create_future()
        """The result, or why there is none."""
        for session in self.sessions:
            session.matches[order.match_id] = self

    def void(self, why: Exception) -> None:
        """Give the attempt up; whoever waits for the result is told."""
        if not self.ended.done():
            self.ended.set_exception(why)

    def deal_in(self, game: int, entrants: tuple[int, ...]) -> list[Seat]:
        """Find a session for every seat of a game; ``entrants[i]`` sits in seat i."""
        if game in self.games:
            return self.games[game]
        used: dict[str, list[Share]] = {}
        seats: list[Seat] = []
        for number, (entrant, ordinal) in enumerate(zip(entrants, ordinals(entrants), strict=True)):
            bot = self._bot(entrant, ordinal)
            share = self._pick(bot, used.setdefault(bot, []))
            seat = Seat(share.session, self, game, number, seats)
            absences, away_ns = self._was_away.pop((game, number), (0, 0))
            seat.absences += absences
            seat.away_ns += away_ns
            seats.append(seat)
        self.games[game] = seats
        return seats

    def _bot(self, entrant: int, ordinal: int) -> str:
        bots = self.order.entrants[entrant].bots
        return bots[ordinal % len(bots)]

    def bot_at(self, game: int, seat: int) -> str:
        """The bot in a seat of a game."""
        entrants = self.entrants_in(game)
        return self._bot(entrants[seat], ordinals(entrants)[seat])

    def _pick(self, bot: str, used: list[Share]) -> Share:
        """The emptiest share that has room, not yet in this game if there is one."""
        fresh = [s for s in self.shares[bot] if s not in used and s.playing < s.games]
        if not fresh:
            # A second seat of a game on the same stream is no further game there. (A match that
            # goes on may have begun more games than its bots take now.)
            fresh = used or self.shares[bot]
        share = min(fresh, key=lambda s: s.playing)
        if share in used:
            return share
        share.playing += 1
        used.append(share)
        return share

    def clear_table(self, game: int) -> list[Seat]:
        """A game is over: its seats, which belong to nobody any more."""
        table = self.games.pop(game, [])
        seats = table.copy()
        # Seats know their table and it them: Python would keep both until it next looks for such
        # circles, which it seldom does, thousands of games later.
        table.clear()
        self.halted.discard(game)
        self.scores.pop(game, None)
        for session in {id(seat.session): seat.session for seat in seats}.values():
            for share in self.shares.get(session.bot, ()):
                if share.session is session:
                    share.playing -= 1
        for seat in seats:
            seat.session.seats.pop(seat.handle, None)
            seat.session.outbox.updated.pop(seat.handle, None)
        return seats

    def entrants_in(self, game: int) -> tuple[int, ...]:
        """The entrant of each seat in a game."""
        return self.format.seats(self.order.seating, game, self.match.rules.sides)

    def game_ended(self, effect: GameOver) -> None:
        """Keep what the tournament counts of a game."""
        entrants = self.entrants_in(effect.game)
        sides = set(zip(entrants, self.match.rules.side_of, strict=True))
        points = [0] * len(self.order.entrants)
        for entrant, side in sides:
            points[entrant] += effect.score[side]
        winners = sorted({entrant for entrant, side in sides if side in effect.winners})
        self._over(effect.game, winners, points)

    def _over(self, game: int, winners: Iterable[int], points: Iterable[int]) -> None:
        won, made = (self._alike.setdefault(each, each) for each in map(tuple, (winners, points)))
        self.games_over.append(GameScore(game, won, made))

    def counted(self) -> dict[str, Any]:
        """What is counted beside the match itself, for its checkpoint; `count_on` reads it. Of
        games those since the last call: each checkpoint has its own."""
        return {
            "hands": self.hands,
            "games": self._uncounted(),
            "faults": [dict(kinds) for kinds in self.faults],
            "chunks": self.chunks,
            "away": [
                (seat.game, seat.number, seat.absences, seat.away_ns)
                for seats in self.games.values()
                for seat in seats
                if seat.absences
            ],
            "endings": [
                (session.bot, handle, part.hex())
                for session in self.sessions
                for handle, (part, of) in session.endings.items()
                if of is self
            ],
        }

    def _uncounted(self) -> list[GameScore]:
        """The games that ended since this was asked last."""
        games = self.games_over[self._counted :]
        self._counted = len(self.games_over)
        return games

    def count_on(self, counts: Mapping[str, Any]) -> None:
        """Go on from what was counted at another referee."""
        self.hands, self.decisions = counts["hands"], counts["decisions"]
        self.games_over.clear()
        for game, won, points in counts["games"]:
            self._over(game, won, points)
        self.faults = [Counter(kinds) for kinds in counts["faults"]]
        # Checkpoints of an earlier release do not know of it.
        for game, seat, absences, away_ns in counts.get("away", ()):
            self._was_away[game, seat] = absences, away_ns
        self.chunks, self._counted = counts["chunks"], counts["counted"]

    @property
    def at_rest(self) -> bool:
        """Draining: every game has finished its hand, or waits for a bot that is away."""
        return self.draining and all(
            game in self.halted or any(seat.session.stream is None for seat in seats)
            for game, seats in self.games.items()
        )

    def closing(self, facts: Mapping[str, Any], result: MatchResult) -> dict[str, Any]:
        """What stands beside the record when it is closed; ``facts``: `Matches.closing`."""
        counts = {"games": len(self.games_over), "hands": self.hands, "decisions": self.decisions}
        return {
            "match": self.order.match_id,
            **facts,
            "record": self.recording.name,
            "secret": self.secret.hex(),
            "counts": counts,
            "result": self.outcome(result),
        }

    def outcome(self, result: MatchResult) -> dict[str, Any]:
        """The result as a JSON object: what `arena.tournament.Tally.of_result` reads.

        Entrants are numbered as in the order.
        """
        side = dict(zip(self.order.seating, self.match.rules.side_of, strict=True))
        return tally(
            self.games_over,
            duplicate=self.format.duplicate,
            winners=result.winners,
            faults=[dict(sorted(kinds.items())) for kinds in self.faults],
            entrants=range(len(self.order.entrants)),
            sides=[side[entrant] for entrant in range(len(self.order.entrants))],
            by_points=self.format.kind == "deals",
            worth={name: getattr(result, name) for name in WORTH},
        ).as_dict()

    def handle_of(self, entrant: int, ordinal: int) -> int:
        """The handle of the match for one of an entrant's seats."""
        handle = self.match_handles.get((entrant, ordinal))
        if handle is None:
            handle = self.match_handles[entrant, ordinal] = self.handle("match", entrant, ordinal)
        return handle

    def handle(self, what: str, one: int, other: int) -> int:
        """A 64-bit name that says nothing to who does not know the salt: of a seat in a game, or
        of an entrant's seat in the match."""
        name = f"{what} {one} {other}".encode()
        return int.from_bytes(blake2b(name, key=self.salt, digest_size=8).digest(), "big") or 1

    @property
    def sessions(self) -> list[Session]:
        """The sessions that play in it."""
        return [share.session for shares in self.shares.values() for share in shares]

    def give_back(self) -> None:
        """Nothing is reserved for this match any more."""
        for session in self.sessions:
            session.matches.pop(self.order.match_id, None)
        for shares in self.shares.values():
            for share in shares:
                share.give_back()

    def forget(self) -> None:
        """It is over, and told to the store; timers and sessions hold on to it for a while."""
        self.games_over = []

    def move(self, old: Session, new: Session) -> list[Seat]:
        """Another session of the bot takes over what one had in this match; the seats."""
        for share in self.shares.get(old.bot, ()):
            if share.session is old:
                old.reserved -= share.games
                new.reserved += share.games
                share.session = new
        old.matches.pop(self.order.match_id, None)
        new.matches[self.order.match_id] = self
        seats = [seat for seat in old.seats.values() if seat.hosted is self]
        for seat in seats:
            del old.seats[seat.handle]
            new.seats[seat.handle] = seat
            seat.session = new
            seat.queued = False
        for handle, (part, of) in list(old.endings.items()):
            if of is self:
                del old.endings[handle]
                new.put_ending(handle, part, self)
        return seats

    def entrants_of(self, bot: str) -> list[int]:
        """The entrants a bot plays for."""
        return [i for i, entrant in enumerate(self.order.entrants) if bot in entrant.bots]


@lru_cache(maxsize=1024)
def ordinals(entrants: tuple[int, ...]) -> tuple[int, ...]:
    """For every seat, which of its entrant's seats it is."""
    return tuple(entrants[:seat].count(entrant) for seat, entrant in enumerate(entrants))

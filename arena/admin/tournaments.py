"""`TournamentService`: specs in, states and tables out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from functools import lru_cache

from euchre_arena.v1 import tournament_pb2 as pb
from euchre_arena.v1 import tournament_pb2_grpc as stubs

from arena.admin import messages
from arena.admin.desk import ORGANIZE, READ, Context, Desk, Refusal
from arena.admin.guarding import guarded
from arena.admin.keeping import Keeper
from arena.admin.meant import slug, unregistered
from arena.admin.watching import Watchers
from arena.store import AlreadyExists, Store, types
from arena.tournament import Schedule, Spec, SpecError, parse

LONGEST_SPEC = 1_000_000
PAGE = 100
LARGEST_PAGE = 1_000
STATES = {number: state for state, number in messages.TOURNAMENT_STATES.items()}


class TournamentService(stubs.TournamentServiceServicer):
    """The servicer; what each call is for and may raise stands in tournament.proto."""

    def __init__(self, desk: Desk, keeper: Keeper) -> None:
        self._desk = desk
        self._store = desk.store
        self._keeper = keeper
        self._watchers = Watchers(desk)

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Context
    ) -> pb.CreateTournamentResponse:
        """Check a spec and store it."""

        def call() -> pb.CreateTournamentResponse:
            spec = read_spec(request.spec)
            if request.check_only:
                return pb.CreateTournamentResponse(tournament=_unstored(spec, request.spec))
            made = create(
                self._store, spec, request.spec, request.tournament_id, self._keeper.check_free
            )
            self._keeper.keep(made.tournament_id)
            return pb.CreateTournamentResponse(tournament=messages.tournament(made, spec))

        return await self._desk.serve(context, ORGANIZE, call, "ID")

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Context
    ) -> pb.GetTournamentResponse:
        """One tournament."""

        def call() -> pb.GetTournamentResponse:
            return pb.GetTournamentResponse(tournament=self._get(request.tournament_id))

        return await self._desk.serve(context, READ, call, "TOURNAMENT")

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Context
    ) -> pb.ListTournamentsResponse:
        """All tournaments."""

        def call() -> pb.ListTournamentsResponse:
            found = self._store.tournaments.all(STATES.get(request.state))
            return pb.ListTournamentsResponse(
                tournaments=[messages.tournament(t, spec_of(t.spec_text)) for t in found]
            )

        return await self._desk.serve(context, READ, call)

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Context
    ) -> pb.StartTournamentResponse:
        """Start, or go on after a pause."""

        def call() -> pb.StartTournamentResponse:
            start(self._store, request.tournament_id)
            return pb.StartTournamentResponse(tournament=self._get(request.tournament_id))

        return await self._desk.serve(context, ORGANIZE, call, "TOURNAMENT")

    async def PauseTournament(
        self, request: pb.PauseTournamentRequest, context: Context
    ) -> pb.PauseTournamentResponse:
        """Begin no new match."""

        def call() -> pb.PauseTournamentResponse:
            self._store.tournaments.pause(request.tournament_id)
            return pb.PauseTournamentResponse(tournament=self._get(request.tournament_id))

        return await self._desk.serve(context, ORGANIZE, call, "TOURNAMENT")

    async def CancelTournament(
        self, request: pb.CancelTournamentRequest, context: Context
    ) -> pb.CancelTournamentResponse:
        """End it for good."""

        def call() -> pb.CancelTournamentResponse:
            self._store.tournaments.cancel(request.tournament_id, request.note)
            return pb.CancelTournamentResponse(tournament=self._get(request.tournament_id))

        return await self._desk.serve(context, ORGANIZE, call, "TOURNAMENT")

    async def GetStandings(
        self, request: pb.GetStandingsRequest, context: Context
    ) -> pb.GetStandingsResponse:
        """The latest table."""

        def call() -> pb.GetStandingsResponse:
            tournament = self._store.tournaments.get(request.tournament_id)
            found = self._store.standings.get(request.tournament_id)
            if found is None:
                return pb.GetStandingsResponse()
            table = messages.standings(found, tournament.progress.total)
            return pb.GetStandingsResponse(standings=table)

        return await self._desk.serve(context, READ, call, "TOURNAMENT")

    async def ListPairings(
        self, request: pb.ListPairingsRequest, context: Context
    ) -> pb.ListPairingsResponse:
        """A stretch of the schedule, computed."""

        def call() -> pb.ListPairingsResponse:
            tournament = self._store.tournaments.get(request.tournament_id)
            schedule = Schedule(spec_of(tournament.spec_text))
            indices = page(request.start, request.count, len(schedule))
            return pb.ListPairingsResponse(
                pairings=[
                    pb.Pairing(
                        index=pairing.index,
                        round=pairing.round,
                        match_id=pairing.match_id(tournament.tournament_id),
                        entrants=pairing.names,
                        bots=pairing.bots,
                        scheduled=pairing.index < tournament.progress.scheduled,
                    )
                    for pairing in map(schedule.__getitem__, indices)
                ],
                total=len(schedule),
            )

        return await self._desk.serve(context, READ, call, "TOURNAMENT")

    async def WatchTournament(
        self, request: pb.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        """The tournament now and after every change."""
        try:
            changes = self._watchers.watch(request.tournament_id, request.standings)
            async for change in guarded(self._desk, context, READ, changes):
                yield change
        except Exception as error:
            await self._desk.refuse(context, error, "TOURNAMENT")

    def _get(self, tournament_id: str) -> pb.Tournament:
        found = self._store.tournaments.get(tournament_id)
        return messages.tournament(found, spec_of(found.spec_text))


def read_spec(text: str) -> Spec:
    """Read an organizer's spec. Raises Refusal with the line."""
    if len(text) > LONGEST_SPEC:
        raise Refusal(
            "INVALID_ARGUMENT", "SPEC", f"the spec is longer than {LONGEST_SPEC} characters"
        )
    try:
        return parse(text)
    except SpecError as error:
        raise Refusal("INVALID_ARGUMENT", "SPEC", str(error), line=str(error.line)) from None


@lru_cache(maxsize=64)
def spec_of(text: str) -> Spec:
    """The spec of a stored tournament, read once."""
    return parse(text)


def create(
    store: Store,
    spec: Spec,
    text: str,
    tournament_id: str,
    check_free: Callable[[str], None],
) -> types.Tournament:
    """Store a tournament under the id asked for, or one made of its name that is free."""

    def stored(wanted: str) -> types.Tournament:
        types.check_name(wanted)
        check_free(wanted)
        return store.tournaments.create(
            wanted,
            name=spec.name,
            spec_text=text,
            spec=asdict(spec),
            entrants=[types.Entrant(entrant.name, entrant.bots) for entrant in spec.entrants],
            total=len(Schedule(spec)),
        )

    if tournament_id:
        return stored(tournament_id)
    name = slug(spec.name)
    number = 1
    while True:
        try:
            return stored(name if number == 1 else f"{name}-{number}")
        except AlreadyExists:
            number += 1


def start(store: Store, tournament_id: str) -> None:
    """Start a tournament or take it up again. Raises Refusal naming bots that do not exist."""
    tournament = store.tournaments.get(tournament_id)
    bots = list(dict.fromkeys(bot for e in tournament.entrants for bot in e.bots))
    missing = store.bots.missing(bots)
    if missing:
        raise Refusal(
            "FAILED_PRECONDITION",
            "BOTS",
            unregistered(missing, store.bots.names()),
            bots=",".join(missing),
        )
    if tournament.state is types.TournamentState.PAUSED:
        store.tournaments.resume(tournament_id)
    else:
        store.tournaments.start(tournament_id)
    store.tasks.schedule(tournament_id)


def page(start: int, count: int, total: int) -> range:
    """The indices of a page. Raises Refusal for one that is too large."""
    if count > LARGEST_PAGE:
        raise Refusal(
            "INVALID_ARGUMENT", "PAGE", f"count goes to {LARGEST_PAGE}, {count} were asked for"
        )
    return range(min(start, total), min(start + (count or PAGE), total))


def _unstored(spec: Spec, text: str) -> pb.Tournament:
    schedule = Schedule(spec)
    total = len(schedule)
    return pb.Tournament(
        name=spec.name,
        spec=text,
        entrants=[pb.Entrant(name=entrant.name, bots=entrant.bots) for entrant in spec.entrants],
        progress=pb.Progress(total=total, games_total=total * spec.games),
        seeded=spec.secret_seed is not None,
        balance=messages.balance(schedule.balance.as_dict()),
    )

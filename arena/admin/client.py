"""What the `arena` commands call: the services from the other side, errors in words.

with Admin("127.0.0.1:7601", token) as admin:
    made = admin.create(text)
    for change in admin.watch(made.tournament_id):
        …
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Final, TypeVar

import grpc
from euchre_arena.client.address import parse_server
from euchre_arena.client.errors import AddressError
from euchre_arena.v1 import bot_pb2, operator_pb2, record_pb2, tournament_pb2
from euchre_arena.v1.bot_pb2_grpc import BotServiceStub
from euchre_arena.v1.operator_pb2_grpc import OperatorServiceStub
from euchre_arena.v1.record_pb2_grpc import RecordServiceStub
from euchre_arena.v1.tournament_pb2_grpc import TournamentServiceStub
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status

Bot = bot_pb2.Bot
Match = record_pb2.Match
Pairing = tournament_pb2.Pairing
Referee = operator_pb2.Referee
Told = record_pb2.WatchMatchResponse
Standing = tournament_pb2.Standing
Standings = tournament_pb2.Standings
Tournament = tournament_pb2.Tournament
Change = tournament_pb2.WatchTournamentResponse

T = TypeVar("T")

TIMEOUT_S: Final = 30.0
CONNECT_S: Final = 5.0
LARGEST_ANSWER: Final = 256 * 1024 * 1024
OPTIONS: Final = [
    ("grpc.max_receive_message_length", LARGEST_ANSWER),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.enable_http_proxy", 0),
    # A service that is started again is found again at once.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
]
AGAIN_S: Final = 0.2
WATCH_PATIENCE_S: Final = 60.0
"""How long a watcher waits for a service that was there to be there again."""


class AdminError(Exception):
    """A call that was not answered as asked; the text says why and what to do."""

    def __init__(self, code: str, reason: str, message: str, metadata: dict[str, str]) -> None:
        super().__init__(message)
        self.code = code
        """Name of the gRPC status."""
        self.reason = reason
        """The ErrorInfo's; empty where the transport failed."""
        self.metadata = metadata

    @property
    def unreachable(self) -> bool:
        """Nobody answered there."""
        return self.code == "UNAVAILABLE" and not self.reason


class Admin:
    """A channel to the admin services, with a token."""

    def __init__(
        self,
        address: str,
        token: str,
        timeout_s: float = TIMEOUT_S,
        patience_s: float = 0.0,
        *,
        ca: str | None = None,
        cert: str | None = None,
        key: str | None = None,
        insecure: bool = False,
    ) -> None:
        """`patience_s`: how long to ask again where nobody answers.

        Off this machine with TLS unless `insecure`; on it with TLS where `ca` is given (a file of
        the certificates to trust). `cert`, `key`: files of a certificate to show. AdminError for
        an address or files that are no good.
        """
        self.address = address
        try:
            self._server = parse_server(address, ca, insecure, cert, key)
        except AddressError as error:
            raise AdminError("INVALID_ARGUMENT", "ADDRESS", str(error), {}) from None
        self._patience_s = patience_s
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._timeout_s = timeout_s
        credentials = self._server.credentials()
        self._channel = (
            grpc.insecure_channel(self._server.target, OPTIONS)
            if credentials is None
            else grpc.secure_channel(self._server.target, credentials, OPTIONS)
        )
        self._tournaments = TournamentServiceStub(self._channel)
        self._bots = BotServiceStub(self._channel)
        self._records = RecordServiceStub(self._channel)
        self._operator = OperatorServiceStub(self._channel)

    def __enter__(self) -> Admin:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._channel.close()

    # -- tournaments

    def create(self, spec: str, tournament_id: str = "", *, check_only: bool = False) -> Tournament:
        """Store a tournament, or only check its spec."""
        request = tournament_pb2.CreateTournamentRequest(
            spec=spec, tournament_id=tournament_id, check_only=check_only
        )
        return self._call(self._tournaments.CreateTournament, request).tournament

    def get(self, tournament_id: str) -> Tournament:
        """One tournament."""
        request = tournament_pb2.GetTournamentRequest(tournament_id=tournament_id)
        return self._call(self._tournaments.GetTournament, request).tournament

    def tournaments(self) -> list[Tournament]:
        """All of them, the newest first."""
        request = tournament_pb2.ListTournamentsRequest()
        return list(self._call(self._tournaments.ListTournaments, request).tournaments)

    def start(self, tournament_id: str) -> Tournament:
        """Begin to play, or go on after a pause."""
        request = tournament_pb2.StartTournamentRequest(tournament_id=tournament_id)
        return self._call(self._tournaments.StartTournament, request).tournament

    def pause(self, tournament_id: str) -> Tournament:
        """Begin no new match."""
        request = tournament_pb2.PauseTournamentRequest(tournament_id=tournament_id)
        return self._call(self._tournaments.PauseTournament, request).tournament

    def cancel(self, tournament_id: str, note: str = "") -> Tournament:
        """End it for good."""
        request = tournament_pb2.CancelTournamentRequest(tournament_id=tournament_id, note=note)
        return self._call(self._tournaments.CancelTournament, request).tournament

    def standings(self, tournament_id: str) -> Standings | None:
        """The latest table; None before the first match is over."""
        request = tournament_pb2.GetStandingsRequest(tournament_id=tournament_id)
        answer = self._call(self._tournaments.GetStandings, request)
        return answer.standings if answer.HasField("standings") else None

    def pairings(self, tournament_id: str) -> Iterator[Pairing]:
        """The whole schedule, page by page."""
        start = 0
        while True:
            request = tournament_pb2.ListPairingsRequest(
                tournament_id=tournament_id, start=start, count=1000
            )
            answer = self._call(self._tournaments.ListPairings, request)
            yield from answer.pairings
            start += len(answer.pairings)
            if not answer.pairings or start >= answer.total:
                return

    def watch(self, tournament_id: str, *, standings: bool = False) -> Iterator[Change]:
        """The tournament now, after every change and every few seconds, until it is over.

        Outlives a restart of the service: it is asked again for a minute.
        """
        request = tournament_pb2.WatchTournamentRequest(
            tournament_id=tournament_id, standings=standings
        )
        patience_s = self._patience_s
        last = time.monotonic()
        while True:
            try:
                for change in self._stream(self._tournaments.WatchTournament, request):
                    patience_s, last = WATCH_PATIENCE_S, time.monotonic()
                    yield change
                return
            except AdminError as error:
                if (
                    error.code not in ("UNAVAILABLE", "CANCELLED")
                    or time.monotonic() - last > patience_s
                ):
                    raise
            time.sleep(AGAIN_S)  # a service that is being started tells nobody when it is there

    # -- bots

    def register(self, name: str) -> tuple[Bot, str]:
        """A new bot and its token."""
        answer = self._call(self._bots.RegisterBot, bot_pb2.RegisterBotRequest(name=name))
        return answer.bot, answer.token

    def rotate(self, name: str) -> tuple[Bot, str]:
        """A bot and its new token."""
        answer = self._call(self._bots.RotateBotToken, bot_pb2.RotateBotTokenRequest(name=name))
        return answer.bot, answer.token

    def revoke(self, name: str) -> Bot:
        """No token for a bot any more."""
        return self._call(self._bots.RevokeBot, bot_pb2.RevokeBotRequest(name=name)).bot

    def bots(self) -> list[Bot]:
        """All bots, by name."""
        return list(self._call(self._bots.ListBots, bot_pb2.ListBotsRequest()).bots)

    # -- matches and records

    def matches(self, tournament_id: str, *, finished: bool = False) -> Iterator[Match]:
        """A tournament's matches in schedule order, page by page; only those that are over."""
        state = record_pb2.MATCH_STATE_FINISHED if finished else record_pb2.MATCH_STATE_UNSPECIFIED
        start = 0
        while True:
            request = record_pb2.ListMatchesRequest(
                tournament_id=tournament_id, start=start, count=500, state=state
            )
            answer = self._call(self._records.ListMatches, request)
            yield from answer.matches
            start = answer.next_start
            if not start:
                return

    def match(self, match_id: str) -> Match | None:
        """One match; None where its tournament has none of that number."""
        tournament_id, _, index = match_id.rpartition("-m")
        request = record_pb2.ListMatchesRequest(
            tournament_id=tournament_id, start=int(index) if index.isdecimal() else 0, count=1
        )
        found = self._call(self._records.ListMatches, request).matches
        return next((match for match in found if match.match_id == match_id), None)

    def watch_match(self, match_id: str, *, from_start: bool = False) -> Iterator[Told]:
        """A match as it is played, until it is over: hands, and ends of games."""
        request = record_pb2.WatchMatchRequest(match_id=match_id, from_start=from_start)
        yield from self._stream(self._records.WatchMatch, request)

    def record(self, match_id: str) -> Iterator[bytes]:
        """A record in pieces of whole lines."""
        request = record_pb2.GetRecordRequest(match_id=match_id)
        for piece in self._stream(self._records.GetRecord, request):
            yield piece.lines

    # -- referees

    def referees(self) -> list[Referee]:
        """Those alive, by name."""
        request = operator_pb2.ListRefereesRequest()
        return list(self._call(self._operator.ListReferees, request).referees)

    def drain(self, name: str) -> Referee:
        """Have one end in good order."""
        request = operator_pb2.DrainRefereeRequest(name=name)
        return self._call(self._operator.DrainReferee, request).referee

    # -- calling

    def _call(self, method: Callable[..., T], request: object) -> T:
        deadline = time.monotonic() + self._patience_s
        while True:
            try:
                return method(request, metadata=self._metadata, timeout=self._timeout_s)
            except grpc.RpcError as error:
                found = self._in_words(error)
                if not found.unreachable or time.monotonic() > deadline:
                    raise found from None
            time.sleep(AGAIN_S)  # likewise: nothing tells when it listens again

    def _stream(self, method: Callable[..., Iterator[T]], request: object) -> Iterator[T]:
        stream: Any = method(request, metadata=self._metadata)
        try:
            yield from stream
        except grpc.RpcError as error:
            raise self._in_words(error) from None
        finally:
            stream.cancel()

    def _in_words(self, error: Any) -> AdminError:
        code = error.code().name
        status = rpc_status.from_call(error)
        info = ErrorInfo()
        if status is not None:
            for detail in status.details:
                if detail.Unpack(info):
                    return AdminError(code, info.reason, status.message, dict(info.metadata))
        if code == "UNAVAILABLE" and self._server.tls:
            text = f"{self.address}: {_tls_in_words(error.details() or '')}"
        elif code == "UNAVAILABLE":
            text = f"nobody answers at {self.address}; is `arena up` (or `arena referee`) running?"
            if "Socket closed" in (error.details() or ""):
                text += " Where it serves with TLS, --ca FILE names its certificate; no --insecure"
        elif code == "UNIMPLEMENTED":
            text = f"{self.address} is no admin address (a referee's? that is another port)"
        elif code == "DEADLINE_EXCEEDED":
            text = f"{self.address} did not answer within {self._timeout_s:g} s"
        else:
            text = f"{self.address}: {error.details() or code}"
        return AdminError(code, "", text, {})


def _tls_in_words(details: str) -> str:
    """What may be the matter where no connection with TLS comes about."""
    if "CERTIFICATE_VERIFY_FAILED" in details:
        return (
            "its certificate is not trusted: name the file of the certificate, or of who issued "
            "it, with --ca FILE"
        )
    return (
        "no connection with TLS: is it running; is it served without (--insecure says so); does it "
        f"ask for a certificate of yours (--cert, --key)? ({details})"
    )


def tournament_state(tournament: Tournament) -> str:
    """Its state as a word: "running"."""
    name = tournament_pb2.TournamentState.Name(tournament.state)
    return name.removeprefix("TOURNAMENT_STATE_").lower()


def match_state(match: Match) -> str:
    """Its state as a word: "playing"."""
    return record_pb2.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower()

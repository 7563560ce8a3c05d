"""`RecordService`: matches and the records of those that are over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from euchre_arena.v1 import record_pb2 as pb
from euchre_arena.v1 import record_pb2_grpc as stubs

from arena.admin import messages
from arena.admin.desk import READ, Context, Desk, Refusal
from arena.admin.guarding import guarded
from arena.admin.live import LiveMatches
from arena.admin.tournaments import page
from arena.store.types import MatchInfo, MatchState

PIECE = 256 * 1024
STATES = {number: state for state, number in messages.MATCH_STATES.items()}


class RecordService(stubs.RecordServiceServicer):
    """The servicer; what each call is for and may raise stands in record.proto."""

    def __init__(self, desk: Desk, records: Path) -> None:
        self._desk = desk
        self._matches = desk.store.matches
        self._tournaments = desk.store.tournaments
        self._records = records
        self._live = LiveMatches(desk, records)

    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        """A stretch of a tournament's matches."""

        def call() -> pb.ListMatchesResponse:
            cursor = self._tournaments.cursor(request.tournament_id)
            indices = page(request.start, request.count, cursor)
            state = STATES.get(request.state)
            found = self._matches.page(request.tournament_id, indices.start, len(indices), state)
            return pb.ListMatchesResponse(
                matches=[self._match(info) for info in found],
                next_start=indices.stop if indices.stop < cursor else 0,
            )

        return await self._desk.serve(context, READ, call, "TOURNAMENT")

    async def GetRecord(
        self, request: pb.GetRecordRequest, context: Context
    ) -> AsyncIterator[pb.GetRecordResponse]:
        """A record in pieces."""
        try:
            await self._desk.admit(context, READ)
            path = await self._desk.run(lambda: self._path(request.match_id))
            async for piece in guarded(self._desk, context, READ, self._pieces(path)):
                yield pb.GetRecordResponse(lines=piece)
        except FileNotFoundError:
            gone = Refusal(
                "NOT_FOUND",
                "RECORD",
                f"the record of {request.match_id} is not on this machine; it lies with the "
                "referee that played it",
            )
            await self._desk.refuse(context, gone)
        except Exception as error:
            await self._desk.refuse(context, error, "MATCH")

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """A match as it is played."""
        try:
            live = self._live.watch(request.match_id, request.from_start)
            async for told in guarded(self._desk, context, READ, live):
                yield told
        except Exception as error:
            await self._desk.refuse(context, error, "MATCH")

    async def _pieces(self, path: Path) -> AsyncIterator[bytes]:
        pieces = read_pieces(path)
        while piece := await self._desk.run(lambda: next(pieces, b"")):
            yield piece

    def _match(self, info: MatchInfo) -> pb.Match:
        over = info.state is MatchState.FINISHED
        return messages.match(info, self._matches.result(info.match_id) if over else None)

    def _path(self, match_id: str) -> Path:
        """The file of a match that is over. NotFound, Refusal; FileNotFoundError."""
        info = self._matches.get(match_id)
        if info.state is MatchState.CANCELLED:
            raise Refusal(
                "FAILED_PRECONDITION",
                "STATE",
                f"{match_id} was cancelled with its tournament before it was over: it has no "
                "result and no record",
            )
        if info.state is not MatchState.FINISHED:
            raise Refusal(
                "FAILED_PRECONDITION",
                "STATE",
                f"{match_id} is {info.state}: its record shows every hand and can be read when "
                "the match is over",
            )
        # The name is our referee's, but what is outside the records is not for reading.
        path = (self._records / info.record).resolve()
        if not info.record or not path.is_relative_to(self._records.resolve()):
            raise FileNotFoundError(info.record)
        return path


def read_pieces(path: Path, size: int = PIECE) -> Iterator[bytes]:
    """A file in pieces of whole lines, each at most `size` bytes unless one line is longer."""
    with path.open("rb") as file:
        while lines := file.read(size):
            yield lines + (b"" if lines.endswith(b"\n") else file.readline())

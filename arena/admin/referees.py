"""`OperatorService`: the referees there are, and draining one."""

from __future__ import annotations

from euchre_arena.v1 import operator_pb2 as pb
from euchre_arena.v1 import operator_pb2_grpc as stubs

from arena.admin.desk import READ, Context, Desk
from arena.store import NotFound
from arena.store.types import RefereeInfo


class OperatorService(stubs.OperatorServiceServicer):
    """The servicer; what each call is for and may raise stands in operator.proto."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._referees = desk.store.referees

    async def ListReferees(
        self, request: pb.ListRefereesRequest, context: Context
    ) -> pb.ListRefereesResponse:
        """All that are alive."""

        def call() -> pb.ListRefereesResponse:
            found = self._referees.all()
            return pb.ListRefereesResponse(referees=[_referee(each) for each in found])

        return await self._desk.serve(context, READ, call)

    async def DrainReferee(
        self, request: pb.DrainRefereeRequest, context: Context
    ) -> pb.DrainRefereeResponse:
        """End one in good order."""

        def call() -> pb.DrainRefereeResponse:
            found = [each for each in self._referees.all() if each.referee == request.name]
            if not found:
                raise NotFound("referee", request.name)
            self._referees.drain(request.name)
            return pb.DrainRefereeResponse(referee=_referee(found[0]))

        # Draining loses nothing and charges nobody: it is the operator's own part.
        return await self._desk.serve(context, READ, call, "REFEREE")


def _referee(found: RefereeInfo) -> pb.Referee:
    return pb.Referee(
        name=found.referee,
        address=found.address,
        capacity=found.capacity,
        matches=found.load,
        draining=found.draining,
        since_ms=found.since,
        bots=len(found.bots),
    )

"""`BotService`: names and tokens."""

from __future__ import annotations

from euchre_arena.v1 import bot_pb2 as pb
from euchre_arena.v1 import bot_pb2_grpc as stubs

from arena.admin import messages
from arena.admin.desk import ORGANIZE, READ, Context, Desk


class BotService(stubs.BotServiceServicer):
    """The servicer; what each call is for and may raise stands in bot.proto."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._bots = desk.store.bots

    async def RegisterBot(
        self, request: pb.RegisterBotRequest, context: Context
    ) -> pb.RegisterBotResponse:
        """A new bot and its token."""

        def call() -> pb.RegisterBotResponse:
            token = self._bots.register(request.name)
            return pb.RegisterBotResponse(bot=self._get(request.name), token=token)

        return await self._desk.serve(context, ORGANIZE, call, "BOT")

    async def RotateBotToken(
        self, request: pb.RotateBotTokenRequest, context: Context
    ) -> pb.RotateBotTokenResponse:
        """A new token for a bot."""

        def call() -> pb.RotateBotTokenResponse:
            token = self._bots.rotate(request.name)
            return pb.RotateBotTokenResponse(bot=self._get(request.name), token=token)

        return await self._desk.serve(context, ORGANIZE, call, "BOT")

    async def RevokeBot(
        self, request: pb.RevokeBotRequest, context: Context
    ) -> pb.RevokeBotResponse:
        """No token for a bot any more."""

        def call() -> pb.RevokeBotResponse:
            self._bots.revoke(request.name)
            return pb.RevokeBotResponse(bot=self._get(request.name))

        return await self._desk.serve(context, ORGANIZE, call, "BOT")

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """All bots."""

        def call() -> pb.ListBotsResponse:
            return pb.ListBotsResponse(bots=[messages.bot(bot) for bot in self._bots.all()])

        return await self._desk.serve(context, READ, call)

    def _get(self, name: str) -> pb.Bot:
        return messages.bot(self._bots.get(name))

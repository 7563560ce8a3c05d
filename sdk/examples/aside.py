"""A bot that waits for somebody else's advice: ``async def act``.

While one decision waits, all others go on. A plain ``def act`` that waited as long would hold up
every game of the process, and their clocks run.

    euchre-arena connect aside.py:Aside --token-file my.token
"""

from __future__ import annotations

import asyncio

from euchre_arena import Bot, Turn


class Aside(Bot):
    capacity = 200  # as many questions at once as the adviser can bear

    async def act(self, turn: Turn) -> str:
        if len(turn.legal) == 2 and turn.phase == "play":
            return turn.legal[1]  # not worth asking
        try:
            async with asyncio.timeout(0.5):
                return await self.ask_adviser(turn)
        except TimeoutError:
            return turn.legal[0]

    async def ask_adviser(self, turn: Turn) -> str:
        """Here a model, a database or a program of another language would be asked."""
        await asyncio.sleep(0.001)
        return turn.legal[-1]

"""The tournaments' files beside their records (`arena.archive.cups`), kept as the store has them.

A tournament made here has its file before its maker is answered; what workers do to it (it is
scheduled, it ends) is seen within a second. Every process that serves organizers keeps them: the
same facts, each time whole.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Final

from arena.admin.desk import Desk
from arena.archive import cups
from arena.store import AlreadyExists, NotFound, StoreError

log: Final = logging.getLogger(__name__)

LOOK_S: Final = 1.0


class Keeper:
    """Writes the files. `keep` may be called from any thread, `run` is a task."""

    def __init__(self, desk: Desk, records: Path) -> None:
        self._desk = desk
        self._store = desk.store
        self._records = records
        self._kept: dict[str, tuple[str, ...]] = {}
        """By tournament, its state when it was last written (`Restoring.states`)."""
        self._failing = False

    def keep(self, tournament_id: str) -> bool:
        """Write a tournament's file now; False when that failed, which `run` tries again."""
        try:
            cups.write(self._records, self._store.restoring.facts(tournament_id))
        except NotFound:
            return True
        except OSError as error:
            if not self._failing:
                log.error("the file of tournament %s is not written: %s", tournament_id, error)
            self._failing = True
            return False
        self._failing = False
        return True

    def check_free(self, tournament_id: str) -> None:
        """Raises AlreadyExists where records of that name stand that the store has forgotten: they
        would be written over."""
        folder = self._records / tournament_id
        if folder.is_dir() and any(folder.iterdir()):
            try:
                self._store.tournaments.cursor(tournament_id)
            except NotFound:
                raise AlreadyExists(
                    f"{folder} holds records of an earlier tournament {tournament_id!r}: `arena "
                    "restore` brings it back; another id leaves it alone"
                ) from None

    def look(self) -> None:
        """Write what has changed since the last look. StoreError."""
        over = [name for name, words in self._kept.items() if words[0] == "over"]
        for name, words in self._store.restoring.states(over).items():
            if self._kept.get(name) != words and self.keep(name):
                self._kept[name] = words

    async def run(self) -> None:
        """Look every second, until cancelled."""
        while True:
            try:
                await self._desk.run(self.look)
            except StoreError as error:
                log.warning("tournaments' files: %s", error)
            await asyncio.sleep(LOOK_S)

"""`WatchMatch`: a match as it is played, hand by hand, from the record that is being written.

The referee is not asked and does nothing for it. A record has every card, so what goes out is made
anew: each hand is played again by the rules, and told as all of its seats saw it.
"""

from __future__ import annotations

import asyncio
import contextlib
import glob
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from os.path import samestat
from pathlib import Path
from typing import BinaryIO, Final

from euchre_arena.match import MatchFormat
from euchre_arena.match.reading import (
    GameLine,
    GameResultLine,
    HandLine,
    Line,
    MatchLine,
    ResultLine,
    read_line,
)
from euchre_arena.match.spec import playing_rules
from euchre_arena.rules import Hand, Rules
from euchre_arena.rules.dealing import Deal
from euchre_arena.v1 import record_pb2 as pb

from arena.admin.desk import Desk, Places, Refusal
from arena.store.types import MatchInfo, MatchState

LOOK_S: Final = 0.25
PIECE: Final = 256 * 1024
SUFFIX: Final = ".jsonl"
GAME: Final = b'{"line": "game",'
WATCHERS: Final = 64
ELSEWHERE_S: Final = 10.0
"""A match played for so long without a record here is played on another machine."""
END: Final = 1 << 32
"""After every hand of a game."""


class LiveMatches:
    """All who watch matches."""

    def __init__(self, desk: Desk, records: Path) -> None:
        self._desk = desk
        self._records = records
        self._places = Places("match watchers")

    async def watch(self, match_id: str, from_start: bool) -> AsyncIterator[pb.WatchMatchResponse]:
        """What happens in a match until it is over. NotFound, Refusal."""
        with self._places.taken(WATCHERS):
            info = await self._look(match_id)
            if info.state is MatchState.FINISHED:
                raise _closed(f"{match_id} is over; `arena record get {match_id}` shows all of it")
            tail = Tail(self._records / info.tournament_id, match_id, from_start)
            try:
                async for told in self._follow(info, tail):
                    yield told
            finally:
                tail.close()

    async def _follow(self, info: MatchInfo, tail: Tail) -> AsyncIterator[pb.WatchMatchResponse]:
        loop = asyncio.get_running_loop()
        telling = Telling()
        seen = loop.time()

        def step(info: MatchInfo) -> list[pb.WatchMatchResponse]:
            before = tail.files
            lines = tail.lines(over=info.state is MatchState.FINISHED)
            if tail.files != before:  # it may be of an attempt that began since
                telling.attempt = self._desk.store.matches.get(info.match_id).attempts
            return list(telling.tell(lines))

        while True:
            # The state was asked first: when it says that the match is over, its lines are there.
            for told in await self._desk.run(partial(step, info)):
                yield told
            if tail.more:
                continue
            if info.state is MatchState.FINISHED:
                return
            if info.state is MatchState.CANCELLED:
                raise _closed(f"{info.match_id} was cancelled with its tournament")
            if tail.path is not None or info.state is not MatchState.PLAYING:
                seen = loop.time()
            elif loop.time() - seen > ELSEWHERE_S:
                raise Refusal(
                    "NOT_FOUND",
                    "RECORD",
                    f"{info.match_id} is played on another machine; ask the admin address there",
                )
            await asyncio.sleep(LOOK_S)
            info = await self._look(info.match_id)

    async def _look(self, match_id: str) -> MatchInfo:
        return await self._desk.run(lambda: self._desk.store.matches.get(match_id))


class Tail:
    """The end of a record that is being written; of the newest attempt, when there are several."""

    def __init__(self, folder: Path, match_id: str, from_start: bool) -> None:
        """``from_start``: all of it; else what belongs to the last game of the first file found."""
        self.path: Path | None = None
        """The file being read; None before there is one."""
        self.files = 0
        """How many were begun to be read."""
        self.more = False
        """There is more to be read at once."""
        self._folder = folder
        self._match_id = match_id
        self._skip = not from_start
        self._file: BinaryIO | None = None
        self._rest = b""

    def lines(self, *, over: bool) -> list[bytes]:
        """The whole lines that have come since, a piece of a long file at a time. OSError.

        ``over``: the match is, so its record stands in its place.
        """
        with contextlib.suppress(FileNotFoundError):  # put in its place at this moment, or voided
            self._open_newest(over)
        if self._file is None:
            return []
        piece = self._file.read(PIECE)
        self.more = len(piece) == PIECE
        *lines, self._rest = (self._rest + piece).split(b"\n")
        return lines

    def close(self) -> None:
        """Read no more."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open_newest(self, over: bool) -> None:
        newest = self._folder / f"{self._match_id}{SUFFIX}" if over else self._newest_part()
        if newest is None or self.more:
            return
        # A record in its place is most often the very file that was read as a part.
        if self._file is None or not samestat(os.fstat(self._file.fileno()), newest.stat()):
            file = newest.open("rb")
            self.close()
            self._file, self._rest = file, b""
            self.files += 1
            if self._skip:
                self._rest = _to_last_game(file)
                self._skip = False
        self.path = newest

    def _newest_part(self) -> Path | None:
        parts = {
            int(fence): part
            for part in self._folder.glob(f"{glob.escape(self._match_id)}{SUFFIX}.*.part")
            if (fence := part.name.split(".")[-2]).isdigit()
        }
        return parts[max(parts)] if parts else None


def _to_last_game(file: BinaryIO) -> bytes:
    """Go to where the last game of a record begins; its first line, which is needed in any case."""
    first = file.readline()
    at = last = file.tell()
    for line in file:
        if line.startswith(GAME):
            last = at
        at += len(line)
    file.seek(last if first.endswith(b"\n") else 0)
    return first if first.endswith(b"\n") else b""


class Telling:
    """Lines of a record → what everybody may know of them."""

    def __init__(self) -> None:
        self.attempt = 0
        """Whose lines they are."""
        self._game = 0
        self._seats: Sequence[int] = ()
        self._rules: Rules | None = None
        self._commitment = b""
        self._unit = 1
        """Games on the same deals."""
        self._held: list[pb.WatchMatchResponse] = []
        self._told = (-1, -1)
        """Game and hand told last: an attempt that another referee goes on with is written anew."""

    def tell(self, lines: Sequence[bytes]) -> Iterator[pb.WatchMatchResponse]:
        """Messages for these lines, which follow those before.

        Games on the same deals are told when the last of them is over: what was played in one
        shows the cards of the others, which may be under way.
        """
        for text in lines:
            line = read_line(text)
            self._held.extend(self._read(line))
            last = isinstance(line, GameResultLine) and (self._game + 1) % self._unit == 0
            if self._unit == 1 or last or isinstance(line, ResultLine):
                yield from self._held
                self._held.clear()

    def _read(self, line: Line) -> Iterator[pb.WatchMatchResponse]:
        match line:
            case MatchLine() as line:
                form = MatchFormat.of(line.match_format)
                self._rules = playing_rules(line.preset, line.options, form)
                self._unit = self._rules.sides if form.duplicate else 1
                if line.commitment != self._commitment:
                    self._commitment, self._told = line.commitment, (-1, -1)
                    self._held.clear()
            case GameLine() as line:
                self._game, self._seats = line.game, line.seats
            case HandLine() as line if self._rules and self._is_new(line.hand):
                yield self._hand(line, self._rules)
            case GameResultLine() as line if self._is_new(END):
                yield pb.WatchMatchResponse(
                    game_number=self._game,
                    score=line.score,
                    seats=self._seats,
                    game_over=True,
                    winners=line.winners,
                    attempt=self.attempt,
                )

    def _is_new(self, hand: int) -> bool:
        if (self._game, hand) <= self._told:
            return False
        self._told = (self._game, hand)
        return True

    def _hand(self, line: HandLine, rules: Rules) -> pb.WatchMatchResponse:
        before = [score - won for score, won in zip(line.score, line.points, strict=True)]
        deal = Deal(line.hands, line.up_card, line.kitty)
        hand = Hand(rules, line.dealer, deal, before)
        for action in line.actions:
            hand.apply(action)
        return pb.WatchMatchResponse(
            game_number=self._game,
            hand_number=line.hand,
            actions=hand.history,
            score=line.score,
            dealer=line.dealer,
            up_card=line.up_card,
            tricks=line.tricks,
            points=line.points,
            seats=self._seats,
            attempt=self.attempt,
        )


def _closed(text: str) -> Refusal:
    return Refusal("FAILED_PRECONDITION", "STATE", text)

"""``euchre-arena play``: bots against each other in this process."""

from __future__ import annotations

import json
import random
import signal
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from euchre_arena.bots.loading import LoadError
from euchre_arena.rules import OptionError, parse_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from euchre_arena.local import LocalMatch
    from euchre_arena.match import Clock

INTERRUPTED = 130
GAMES = 100


@click.command()
@click.argument("bots", nargs=-1, required=True)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Play N games.  [default: {GAMES}]",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    metavar="N",
    help="Play N games of one deal each, scored by points.",
)
@click.option(
    "--best-of",
    type=click.IntRange(min=1),
    metavar="N",
    help="Play until somebody has won most of N games.",
)
@click.option(
    "--duplicate/--no-duplicate",
    default=None,
    help="Play every deal again with the sides exchanged.  [default: yes, but for --best-of]",
)
@click.option("--preset", default="standard", show_default=True, help="The game played.")
@click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option over the preset; may be given several times.",
)
@click.option("--seed", metavar="TEXT", help="The same deals every time.")
@click.option(
    "--clock",
    metavar="MOVE[+BANK[+INCREMENT]]",
    help="Milliseconds a decision, in the bank of a game, and added to it each hand.  "
    "[default: no clock]",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the record to FILE (replaced if there is one).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def play(
    bots: tuple[str, ...],
    games: int | None,
    deals: int | None,
    best_of: int | None,
    duplicate: bool | None,
    preset: str,
    options: tuple[str, ...],
    seed: str | None,
    clock: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Play BOTS against each other, refereed as on a server.

    A bot is a house bot (random, first, book), module:Class or file.py:Class. There is one for each
    side, and those given are repeated in turn until every side has one; given one for each seat,
    the bots of a side are a team.

    Examples:

    \b
      euchre-arena play mybot.py:MyBot book --games 1000
      euchre-arena play mybot.py:MyBot book --seed 1 --record match.jsonl
      euchre-arena play book random --preset british --option target=5 --json

    Intervals are 95 %, over duplicate pairs (or games, without them).

    The exit status is 0 when the match was played, 1 when a bot failed or lost a game by a fault,
    or the record could not be written, 2 when something asked for makes no sense, 130 when it was
    stopped (the record is closed all the same).
    """
    from euchre_arena.local import LocalMatch, RecordWriteError
    from euchre_arena.match import SpecError

    match_format = _format(games, deals, best_of, duplicate)
    chosen = _options(options)
    if seed is not None:
        random.seed(seed)  # for bots that draw from it; the deals come from the match's secret
    try:
        with _Progress(next(iter(match_format.values())), not as_json) as progress:
            match = LocalMatch(
                bots,
                preset,
                chosen,
                match_format,
                seed=seed,
                clock=_clock(clock),
                record=record,
                progress=progress,
            )
            with _interruptible(match):
                result = match.run()
    except (LoadError, OptionError, SpecError) as error:
        raise click.UsageError(str(error)) from None
    except RecordWriteError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)

    from euchre_arena.cli.table import error_lines, result_lines

    for line in error_lines(result):
        click.echo(line, err=True)
    if as_json:
        click.echo(json.dumps(result.to_json(), ensure_ascii=False))
    else:
        for line in result_lines(result, record):
            click.echo(line)
    if result.interrupted:
        sys.exit(INTERRUPTED)
    sys.exit(1 if result.errors or result.lost_by_fault else 0)


def _format(
    games: int | None, deals: int | None, best_of: int | None, duplicate: bool | None
) -> dict[str, Any]:
    named = {
        name: count
        for name, count in (("games", games), ("deals", deals), ("best_of", best_of))
        if count is not None
    }
    if len(named) > 1:
        flags = " and ".join("--" + name.replace("_", "-") for name in named)
        raise click.UsageError(f"{flags} exclude each other: a match has one length")
    match_format: dict[str, Any] = dict(named) or {"games": GAMES}
    if duplicate if duplicate is not None else best_of is None:
        match_format["duplicate"] = True
    return match_format


def _options(texts: tuple[str, ...]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for text in texts:
        try:
            name, value = parse_option(text)
        except OptionError as error:
            raise click.UsageError(str(error)) from None
        if name in chosen:
            raise click.UsageError(f"option {name!r} is given twice")
        chosen[name] = value
    return chosen


def _clock(text: str | None) -> Clock | None:
    from euchre_arena.match import Clock, SpecError

    if text is None:
        return None
    parts = text.split("+")
    if not 1 <= len(parts) <= 3 or not all(part.isascii() and part.isdigit() for part in parts):
        raise click.BadParameter(
            f"{text!r} is not MOVE[+BANK[+INCREMENT]] in milliseconds, as 1000+60000",
            param_hint="--clock",
        )
    try:
        return Clock(*map(int, parts))
    except SpecError as error:
        raise click.BadParameter(str(error), param_hint="--clock") from None


@contextmanager
def _interruptible(match: LocalMatch) -> Iterator[None]:
    """Ctrl-C ends the match between two decisions, or in a bot; a second one at once."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        again = match.driver.stop
        if match.interrupt() or again:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Progress:
    """A bar on a terminal, nothing elsewhere. It goes to stderr, the result to stdout."""

    def __init__(self, games: int, wanted: bool) -> None:
        self.games = games
        self.wanted = wanted and sys.stderr.isatty()
        self.bar: Any = None
        self.ended = 0

    def __enter__(self) -> Callable[[int], None]:
        if self.wanted:
            self.bar = click.progressbar(
                length=self.games, label="games", file=sys.stderr, show_pos=True
            )
            self.bar.__enter__()
        return self._ended

    def _ended(self, games: int) -> None:
        """A redraw costs more than a game: two hundred of them are enough."""
        step = max(1, self.games // 200)
        if self.bar is not None and (games - self.ended >= step or games == self.games):
            self.bar.update(games - self.ended)
            self.ended = games

    def __exit__(self, *exc: object) -> None:
        if self.bar is not None:
            self.bar.__exit__(None, None, None)

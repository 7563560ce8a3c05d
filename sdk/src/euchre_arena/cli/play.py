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
RUBBER_GAMES = 3


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
@click.option("--rubber", is_flag=True, help="Play a rubber, the best of three games.")
@click.option(
    "--duplicate/--no-duplicate",
    default=None,
    help="Play every deal again with the sides exchanged.  [default: yes, but for --best-of and "
    "--rubber]",
)
@click.option(
    "--stake-per-point",
    type=int,
    metavar="V",
    help="The losers of a game owe V for each point they are behind; in a rubber, for each rubber "
    "point.",
)
@click.option(
    "--stake-per-trick",
    type=int,
    metavar="V",
    help="The losers of a game owe V for each trick they are behind in all its hands.",
)
@click.option("--skunk", is_flag=True, help="Mark games won with the losers at nothing or less.")
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
    rubber: bool,
    duplicate: bool | None,
    stake_per_point: int | None,
    stake_per_trick: int | None,
    skunk: bool,
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
      euchre-arena play book random --preset hoyle --rubber --stake-per-point 5

    Intervals are 95 %, over duplicate sets: as many games on the same cards as there are sides (or
    over games, without them). Games left over after the last whole set are in "won" and "points"
    and not in the percentages.

    The exit status is 0 when the match was played, 1 when a bot failed or lost a game by a fault,
    or the record could not be written, 2 when something asked for makes no sense, 130 when it was
    stopped (the record is closed all the same).
    """
    from euchre_arena.local import LocalMatch, RecordWriteError
    from euchre_arena.match import SpecError

    lengths = {"games": games, "deals": deals, "best_of": best_of, "rubber": rubber or None}
    match_format = _format(lengths, duplicate)
    stakes = {"stake_per_point": stake_per_point, "stake_per_trick": stake_per_trick}
    match_format |= {name: value for name, value in stakes.items() if value is not None}
    if skunk:
        match_format["skunk"] = True
    chosen = _options(options)
    if seed is not None:
        random.seed(seed)  # for bots that draw from it; the deals come from the match's secret
    try:
        with _Progress(_most_games(match_format), not as_json) as progress:
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


def _format(lengths: dict[str, int | None], duplicate: bool | None) -> dict[str, Any]:
    """By the one length given: a number of games or deals, or a rubber."""
    named = {name: count for name, count in lengths.items() if count is not None}
    if len(named) > 1:
        flags = " and ".join("--" + name.replace("_", "-") for name in named)
        raise click.UsageError(f"{flags} exclude each other: a match has one length")
    match_format: dict[str, Any] = dict(named) or {"games": GAMES}
    if duplicate if duplicate is not None else not named.keys() & {"best_of", "rubber"}:
        match_format["duplicate"] = True
    return match_format


def _most_games(match_format: dict[str, Any]) -> int:
    count = next(iter(match_format.values()))
    return RUBBER_GAMES if count is True else int(count)


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

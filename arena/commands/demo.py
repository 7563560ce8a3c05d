"""`arena demo`: eight bots play a tournament."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import Final

import click
from euchre_arena.bots import DEMO_FIELD

from arena.admin.client import AdminError
from arena.commands.calling import INTERRUPTED, fail, status_of
from arena.config import DEFAULT_DATA, Data
from arena.demo.folder import DemoError
from arena.demo.show import Programme, play

DEMO: Final = "demo"


@click.command()
@click.option("--seed", metavar="TEXT", help="Repeatable: the same text, the same standings.")
@click.option(
    "--bots",
    metavar="BOT,BOT…",
    default=",".join(DEMO_FIELD),
    show_default=True,
    help="Who plays, as `euchre-arena connect` takes them: book?order=3, my.py:Bot.",
)
@click.option(
    "--games",
    default=50,
    show_default=True,
    type=click.IntRange(2, 100_000),
    help="Games a match; every deal is played from both sides, so an even number.",
)
@click.option(
    "--cycles",
    default=2,
    show_default=True,
    type=click.IntRange(1, 100),
    help="How often each meets each.",
)
@click.option(
    "--data",
    "folder",
    metavar="DIR",
    help=f"The demo's own data directory.  [default: {DEMO} of ./{DEFAULT_DATA}]",
)
def demo(seed: str | None, bots: str, games: int, cycles: int, folder: str | None) -> None:
    """Watch bots of the house play an all-play-all of standard euchre.

    Each bot is a process of its own connected over gRPC; Celery schedules the matches on an
    embedded Valkey. Shows the standings with ratings and their uncertainty, the crosstable, where
    the records are, and referees all of them again.

    The data directory is emptied at each run. Nothing is left running.
    """
    if games % 2:
        raise click.BadParameter("every deal is played from both sides: an even number, please")
    field = tuple(bot.strip() for bot in bots.split(",") if bot.strip())
    if len(field) < 2:
        raise click.BadParameter("it takes two bots to play", param_hint="--bots")
    data = Data.find(folder) if folder else Data(Data.find().path / DEMO)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        play(Programme(field, games, cycles, seed), data, lambda text: click.echo(text, err=True))
    except KeyboardInterrupt:
        click.echo("interrupted; everything is stopped", err=True)
        sys.exit(INTERRUPTED)
    except AdminError as error:
        fail(str(error), status_of(error))
    except DemoError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

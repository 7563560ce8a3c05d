"""``euchre-arena connect``: a bot on a server, with a line that says how it fares."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

import click

# gRPC logs to the terminal when a server goes away; it is set before gRPC is imported below.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from euchre_arena.bots.loading import LoadError, load_bot
from euchre_arena.cli.words import counted
from euchre_arena.client import ClientError, ConsoleReporter, Reporter, Stats, read_token, run
from euchre_arena.client.address import CA_VARIABLE, DEFAULT_PORT, TOKEN_VARIABLE
from euchre_arena.client.reporting import Connected, crash_text

if TYPE_CHECKING:
    from euchre_arena.bot import GameOutcome, MatchOutcome
    from euchre_arena.rules.turn import Table, Turn

INTERRUPTED = 130


@click.command()
@click.argument("bot")
@click.option(
    "--server",
    default=f"127.0.0.1:{DEFAULT_PORT}",
    show_default=True,
    metavar="HOST:PORT",
    help="The referee's address.",
)
@click.option(
    "--token-file",
    metavar="FILE",
    help="File that holds the bot's token, as `arena bot register NAME` printed it.  "
    f"[default: the environment variable {TOKEN_VARIABLE}]",
)
@click.option(
    "--capacity",
    type=click.IntRange(min=1),
    metavar="N",
    help="Games at once.  [default: the bot's own, 1024]",
)
@click.option(
    "--ca",
    metavar="FILE",
    help="Use TLS and trust the certificates in FILE.  [default: the environment variable "
    f"{CA_VARIABLE}, unless --insecure is given; else those of the system]",
)
@click.option(
    "--insecure", is_flag=True, help="No TLS to another machine: anyone between reads the token."
)
@click.option(
    "--cert", metavar="FILE", help="A certificate of the bot's own, for a server that asks for one."
)
@click.option("--key", metavar="FILE", help="The private key of --cert.")
@click.option(
    "--give-up",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="End with status 5 when no server was there for so long.  [default: never]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each event.")
def connect(
    bot: str,
    server: str,
    token_file: str | None,
    capacity: int | None,
    ca: str | None,
    insecure: bool,
    cert: str | None,
    key: str | None,
    give_up: float | None,
    as_json: bool,
) -> None:
    """Play BOT on a server until Ctrl-C; a broken connection is mended by itself.

    BOT is a house bot (random, first, book), module:Class or file.py:Class.

    Examples:

    \b
      euchre-arena connect mybot.py:MyBot --token-file mybot.token
      euchre-arena connect mybot:MyBot --server arena.example.org:7600 --ca arena.pem \\
                           --token-file mybot.token --capacity 200
      EUCHRE_ARENA_TOKEN=… euchre-arena connect book --json | jq .

    An exception in the bot is shown with the turn that caused it and costs that game alone. The
    exit status is 0 after Ctrl-C or SIGTERM, 2 for a bot, address, certificate or file that is no
    good, 3 for a token the server does not know, 4 when it refuses the session, 5 when it could not
    be reached.
    """
    reporter: Reporter = JsonReporter(sys.stdout) if as_json else LiveReporter(sys.stderr)
    if ca is None and not insecure:
        ca = os.environ.get(CA_VARIABLE) or None
    try:
        token = os.environ.get(TOKEN_VARIABLE)
        if token_file is not None:
            token, warning = read_token(token_file)
            if warning is not None:
                reporter.warning(warning)
        stats = run(
            load_bot(bot),
            server,
            token,
            capacity=capacity,
            ca=ca,
            insecure=insecure,
            cert=cert,
            key=key,
            give_up_s=give_up,
            reporter=reporter,
        )
    except LoadError as error:
        raise click.UsageError(str(error)) from None
    except ClientError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read the events is gone; what is left in the buffer has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    finally:
        reporter.close()
    _farewell(stats, reporter)


def _farewell(stats: Stats, reporter: Reporter) -> None:
    if isinstance(reporter, JsonReporter):
        reporter.event("summary", **asdict(stats))
        return
    click.echo(
        f"{counted(stats.games_ended, 'game')}, {stats.games_won:,} won; "
        f"{counted(stats.matches_ended, 'match', 'matches')}; "
        f"{counted(stats.decisions, 'decision')}; "
        f"{counted(stats.crashes, 'crash', 'crashes')}, "
        f"{counted(stats.rejections, 'answer')} refused",
        err=True,
    )


class LiveReporter(ConsoleReporter):
    """Words, and on a terminal a last line that is kept up to date."""

    def __init__(self, out: TextIO) -> None:
        super().__init__(out)
        self._bot = ""
        self._shown = False
        self._lock = threading.Lock()
        self._over = threading.Event()
        if out.isatty():
            threading.Thread(target=self._keep, args=(out,), daemon=True).start()

    def say(self, text: str) -> None:
        with self._lock:
            self._clear()
            super().say(text)

    def connected(self, event: Connected) -> None:
        super().connected(event)
        self._bot = f"{event.bot} at {event.server}"

    def lost(self, server: str, cause: str, retry_s: float) -> None:
        super().lost(server, cause, retry_s)
        self._bot = ""

    def close(self) -> None:
        self._over.set()
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=self.out, flush=True)
            self._shown = False

    def _keep(self, out: TextIO) -> None:
        decisions, then = 0, time.monotonic()
        while not self._over.wait(0.5):
            stats, now = self.stats, time.monotonic()
            rate = (stats.decisions - decisions) / (now - then)
            decisions, then = stats.decisions, now
            if not self._bot:
                continue
            playing = max(0, stats.games_started - stats.games_ended)
            with self._lock:
                self._clear()
                line = (
                    f"{self._bot}  {counted(playing, 'game')} under way, {rate:,.0f} decisions/s, "
                    f"{stats.games_won:,} of {stats.games_ended:,} won"
                )
                print(line, end="", file=out, flush=True)
                self._shown = True


class JsonReporter(Reporter):
    """One JSON object a line for everything that happens."""

    def __init__(self, out: TextIO) -> None:
        super().__init__()
        self._out = out

    def event(self, name: str, **values: Any) -> None:
        """Write a line."""
        print(json.dumps({"event": name, **values}), file=self._out, flush=True)

    def connected(self, event: Connected) -> None:
        super().connected(event)
        self.event("connected", **asdict(event))

    def lost(self, server: str, cause: str, retry_s: float) -> None:
        super().lost(server, cause, retry_s)
        self.event("lost", server=server, cause=cause, retry_s=round(retry_s, 3))

    def game_started(self, table: Table) -> None:
        super().game_started(table)
        self.event(
            "game_started",
            game=f"{table.game:016x}",
            match=f"{table.match:016x}",
            number=table.game_number,
            seat=table.seat,
            preset=table.preset,
            options=dict(table.options),
            players=table.players,
            resumed=table.resumed,
        )

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        super().game_ended(table, outcome)
        self.event("game_ended", game=f"{table.game:016x}", **asdict(outcome))

    def match_ended(self, outcome: MatchOutcome) -> None:
        super().match_ended(outcome)
        values = asdict(outcome) | {
            "match": f"{outcome.match:016x}",
            "secret": outcome.secret.hex(),
        }
        self.event("match_ended", **values)

    def crashed(self, turn: Turn | None, error: BaseException, hook: str = "act") -> None:
        super().crashed(turn, error, hook)
        dump = {"turn": str(turn)} if turn is not None else {}
        self.event("crashed", hook=hook, error=crash_text(error), **dump)

    def rejected(self, turn: Turn | None, said: str, reason: str, detail: str) -> None:
        super().rejected(turn, said, reason, detail)
        dump = {"turn": str(turn)} if turn is not None else {}
        self.event("rejected", answer=said, reason=reason, detail=detail, **dump)

    def warning(self, text: str) -> None:
        super().warning(text)
        self.event("warning", text=text)

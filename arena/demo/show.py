"""The demo from start to end."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from arena.admin.client import Admin, Standings, Tournament
from arena.config import Data
from arena.demo.children import Children
from arena.demo.folder import DemoError, prepare
from arena.demo.verify import command, short, verify
from arena.terminal import progress, tables

ID: Final = "demo"
CONNECT_S: Final = 120.0
"""Eight Python processes on a slow machine."""
STALL_S: Final = 180.0
"""A tournament in which nothing happens for so long is given up."""

SPEC: Final = """\
name = "demo"
preset = "standard"
seed = "{pairing_seed}"
[match]
games = {games}
duplicate = true
{secret_seed}[clock]
move_time_ms = 60000            # a demo on a busy machine is no test of speed
bank_ms = 600000
disconnect_grace_ms = 60000
[format]
kind = "round-robin"
cycles = {cycles}
[entrants]
bots = [{bots}]
"""


@dataclass(frozen=True)
class Programme:
    """What is played."""

    field: tuple[str, ...]
    """Bots as on a command line of `euchre-arena connect`."""
    games: int
    """A match."""
    cycles: int
    seed: str | None
    """Deals and seats are the same for the same text; None: drawn."""

    @property
    def names(self) -> list[str]:
        """What the bots are registered as."""
        return [_name(bot) for bot in self.field]

    def spec(self) -> str:
        """The tournament."""
        seed = self.seed if self.seed is not None else secrets.token_hex(8)
        return SPEC.format(
            pairing_seed=_toml(seed),
            games=self.games,
            cycles=self.cycles,
            secret_seed="" if self.seed is None else f'secret_seed = "{_toml(self.seed)}"\n',
            bots=", ".join(f'"{name}"' for name in self.names),
        )


def play(programme: Programme, data: Data, say: Callable[[str], None]) -> None:
    """Play the tournament and show what came of it. DemoError, AdminError.

    What is said on the way goes through `say`; the tables go to standard output, where with a
    seed they are the same to the byte at every run.
    """
    names = programme.names
    if len(set(names)) != len(names):
        raise DemoError(f"two bots have the same name: {', '.join(names)}")
    prepare(data)
    with Children(data) as children:
        say(f"starting Valkey, referee, worker and beat; files in {short(data.path)}")
        at = children.start_arena()
        token = data.organizer_token.read_text().strip()
        with Admin(at["admin"], token, patience_s=60) as admin:
            say(f"connecting {len(names)} bots to the referee at {at['referee']}")
            _connect(children, admin, programme, data, at["referee"])
            table = _tournament(children, admin, programme, data)
    tables.standings(table, "Standings (ratings ± 95 %, over duplicate pairs; mean 1500)")
    click.echo()
    tables.crosstable(table, "Crosstable (games won-lost)")
    click.echo()
    _records(data, say)


def _connect(
    children: Children, admin: Admin, programme: Programme, data: Data, server: str
) -> None:
    folder = data.path / "bots"
    folder.mkdir()
    for name, bot in zip(programme.names, programme.field, strict=True):
        _, token = admin.register(name)
        file = folder / f"{name}.token"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(token + "\n")
        children.start_bot(name, bot, server, file)
    children.wait(
        lambda: all(bot.connected for bot in admin.bots()),
        CONNECT_S,
        f"not all bots connected within {CONNECT_S:.0f} s; see {short(data.logs)}",
    )


def _tournament(children: Children, admin: Admin, programme: Programme, data: Data) -> Standings:
    text = programme.spec()
    (data.path / "demo.toml").write_text(text)
    admin.create(text, ID)
    admin.start(ID)
    last = Tournament()
    moved = time.monotonic()
    for change in progress.follow(admin.watch(ID)):
        children.check()
        now = time.monotonic()
        if change.tournament.progress != last.progress:
            moved = now
        elif now - moved > STALL_S:
            raise DemoError(f"nothing moves any more; see {short(data.logs)}")
        last = change.tournament
    table = admin.standings(ID)
    if table is None or not table.final:
        raise DemoError(f"the tournament ended without final standings: {last.note}")
    return table


def _records(data: Data, say: Callable[[str], None]) -> None:
    folder = data.records / ID
    files = sorted(folder.glob("*.jsonl"), key=_number)
    say(f"refereeing all {len(files)} records again")
    found = verify(files)
    if found.wrong or not files:
        raise DemoError("the records do not hold:\n" + "\n".join(found.wrong))
    click.echo(f"Records: {short(folder)}")
    click.echo(
        f"Verified: all {found.records} records replayed from the first card, "
        f"{found.games} games, {found.hands} hands, deals verified"
    )
    click.echo(f"Verify one yourself: {command(files[0])}")


def _number(record: Path) -> int:
    return int(record.stem.rpartition("-m")[2])


def _name(bot: str) -> str:
    """A name to register a bot by: `book?order=3` → `book-order-3`."""
    return re.sub(r"[^a-z0-9.]+", "-", bot.lower()).strip("-.")[:64].strip("-.") or "bot"


def _toml(text: str) -> str:
    """Text between the quotes of a TOML string."""
    return "".join(f"\\u{ord(c):04x}" if ord(c) < 32 or c in '"\\\x7f' else c for c in text)

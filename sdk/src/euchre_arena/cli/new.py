"""``euchre-arena new``: a bot's project to start from."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template
from typing import Final

import click


@click.command()
@click.argument("name")
def new(name: str) -> None:
    """Make a folder NAME with a bot that plays, and a test of it.

    Example:

    \b
      euchre-arena new mybot
      cd mybot
      euchre-arena play mybot.py:Mybot book --games 100
      python -m pytest
    """
    folder = Path(name)
    module = folder.name.replace("-", "_").lower()
    if not module.isidentifier() or keyword.iskeyword(module) or module == "euchre_arena":
        raise click.BadParameter(
            f"{folder.name!r} cannot be a Python module: letters, digits and _, a letter first",
            param_hint="NAME",
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(f"{folder} is there already; nothing was changed")
    words = [word for word in re.split(r"[-_]+", folder.name) if word]
    names = {"module": module, "bot": "".join(word[:1].upper() + word[1:] for word in words)}
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in FILES.items():
        path = folder / Template(file).substitute(names)
        path.write_text(Template(text).substitute(names), encoding="utf-8")
    here = "" if folder == Path() else f"  cd {folder}\n"
    click.echo(
        f"{folder} is ready. Next:\n{here}"
        f"  euchre-arena play {module}.py:{names['bot']} book --games 100\n"
        f"  python -m pytest\n"
        f"Then change act() in {module}.py."
    )


_BOT: Final = '''"""A euchre bot."""

from euchre_arena import Bot, Turn


class $bot(Bot):
    """Orders up on three trumps, then plays its highest card when leading and its lowest else."""

    def act(self, turn: Turn) -> str:
        """Return one of turn.legal; it is called whenever one of the bot's seats is to decide."""
        if turn.phase == "order":
            return self.order(turn)
        if turn.phase == "play":
            plays = [action for action in turn.legal if action.kind == "play"]
            plays.sort(key=lambda action: rank(action.cards[0]))
            return plays[-1] if not turn.trick else plays[0]
        return turn.legal[0]

    def order(self, turn: Turn) -> str:
        """Make the up-card's suit trumps, or pass."""
        suit = str(turn.up_card)[-1]
        trumps = [card for card in turn.hand if card[-1] == suit]
        if len(trumps) >= 3 and "order" in turn.legal:
            return "order"
        return turn.legal[0]


def rank(card: str) -> int:
    """A plain card's place in its suit: "9h" is low, "Ah" is high; the joker, "B", is highest."""
    return "23456789TJQKAB".index(card[0])
'''

_TEST: Final = '''"""The bot plays whole games without a fault."""

from euchre_arena import play_local

from $module import $bot


def test_twenty_games() -> None:
    result = play_local([$bot(), "random"], match_format={"games": 20}, seed="a first test")
    assert not result.faults, result.errors or result.faults
    assert sum(result.games) == 20
'''

_PYPROJECT: Final = """[project]
name = "$module"
version = "0.1.0"
description = "A euchre bot."
requires-python = ">=3.11"
dependencies = ["euchre-arena"]

[project.optional-dependencies]
dev = ["pytest"]

[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
py-modules = ["$module"]

[tool.pytest.ini_options]
pythonpath = ["."]
"""

_README: Final = """# $module

    euchre-arena play $module.py:$bot book --games 1000     at home, against a house bot
    python -m pytest                                        its test
    euchre-arena connect $module.py:$bot --server HOST:PORT --token-file $module.token

`turn` in `act` has everything the seat may know; print it to see it. The guide for authors of bots
lists every attribute.
"""

FILES: Final[dict[str, str]] = {
    "${module}.py": _BOT,
    "test_${module}.py": _TEST,
    "pyproject.toml": _PYPROJECT,
    "README.md": _README,
    ".gitignore": "*.token\n__pycache__/\n*.jsonl\n",
}

"""Every command a reader is told to type exists, with the options it is given."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import click
import pytest
from euchre_arena import Bot, play_local

from arena.tournament import Schedule, parse

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "sdk/README.md",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("**/*.md")),
]
FENCE = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CLIS = {"euchre-arena": ("euchre_arena.cli", "main"), "arena": ("arena.cli", "cli")}
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Things of the reader's shell, not ours.
SHELL = {
    "cd",
    "git",
    "cat",
    "export",
    "curl",
    "pip",
    "python",
    "python3",
    "docker",
    "kubectl",
    "mkdir",
    "sudo",
    "apt-get",
    "source",
    "kill",
    "ls",
    "cp",
    "mv",
    "rm",
    "helm",
    "bash",
}


def commands(page: str) -> list[str]:
    """The command lines of a page's shell blocks: comments and continuations resolved."""
    lines = []
    for block in FENCE.findall((ROOT / page).read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            bare = re.sub(r"(^|\s)#.*", "", line.removeprefix("$ ")).strip()
            if bare:
                lines.extend(part.strip() for part in re.split(r"&&|\|\||;(?= )", bare))
    return lines


ALL = [(page, line) for page in PAGES for line in commands(page)]


@pytest.mark.parametrize(("page", "line"), ALL, ids=[f"{page}: {line}" for page, line in ALL])
def test_the_command_exists(page, line):
    words = shlex.split(line, comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words.pop(0)
    if not words:
        return
    program = words[0].removeprefix(".venv/bin/")
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        named = [word for word in words[1:] if "=" not in word and not word.startswith("-")]
        assert set(named) <= set(targets)
    elif program in CLIS:
        module, group = CLIS[program]
        check(getattr(importlib.import_module(module), group), words[1:])
    else:
        assert program in SHELL, f"{page} tells the reader to type {program!r}"


def check(command: click.Command, words: list[str]) -> None:
    """Walk the groups, then ask the last command whether it has the options."""
    context = click.Context(command)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        assert found is not None, f"{command.name} has no command {words[0]!r}"
        command, words = found, words[1:]
        context = click.Context(command, parent=context)
    known = {"--help", "--version"}
    for parameter in command.params:
        known |= {*parameter.opts, *parameter.secondary_opts}
    for word in words:
        if word in {"&", "|", ">", ">>", "<"}:
            break
        if word.startswith("--"):
            assert word.partition("=")[0] in known, f"{command.name} has no option {word}"


def test_the_readme_begins_with_the_demo():
    assert commands("README.md")[0] == "make demo"


def test_the_bot_of_the_readme_beats_chance():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, type[Bot]] = {}
    exec(code, names)  # what a reader pastes into mybot.py
    result = play_local([names["Mybot"](), "random"], match_format={"games": 20}, seed="readme")
    assert not result.faults
    assert result.games[0] >= 15


def test_the_spec_of_the_readme_is_good():
    (text,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    spec = parse(text)
    assert (spec.bots, spec.games, spec.duplicate) == (("mybot", "book"), 100, True)
    assert len(Schedule(spec)) == 1

"""What a path holds: cases to run and files nobody can read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

EXPECTED: Final = "expected.json"
"""A folder that holds it is a folder of records or EGN games."""
RECORDED: Final = (".jsonl", ".egn")
"""What a record and an EGN game are called."""


class UnreadableError(Exception):
    """A file that cannot be read as what it should be; the message is the cause."""

    def __init__(self, path: Path, cause: str) -> None:
        super().__init__(cause)
        self.path = path
        self.cause = cause

    def __str__(self) -> str:
        return f"{self.path}: {self.cause}"


class MismatchError(Exception):
    """A case that does not hold: where, what was expected, what came instead."""

    def __init__(self, where: str, expected: str, got: str) -> None:
        super().__init__(f"{where}: expected {expected}, got {got}")
        self.where = where
        self.expected = expected
        self.got = got


@dataclass(frozen=True, slots=True)
class Case:
    """Something to run, with a name to call it by."""

    id: str
    path: Path
    preset: str
    options: Mapping[str, Any]

    def of_preset(self, names: Iterable[str]) -> bool:
        """Whether a filter of preset names lets the case through."""
        return self.preset in names


@dataclass(frozen=True, slots=True)
class Illegal:
    """A step that must be refused."""

    action: str
    reason: str
    seat: int | None
    """Who says it; None: the seat to act."""


Step = str | Illegal | Mapping[str, Any]
"""An action text, a refusal, or what must be true now."""


@dataclass(frozen=True, slots=True)
class Scenario(Case):
    """A table in a known position, actions and what must be true (conformance.md, Scenario)."""

    score: tuple[int, ...]
    dealer: int
    hands: tuple[str, ...]
    up_card: str
    kitty: str
    steps: tuple[Step, ...]
    final: Mapping[str, Any]
    tokens: tuple[int, ...] | None = None
    deals_played: int = 0


@dataclass(frozen=True, slots=True)
class Question(Case):
    """A rule that stands alone (conformance.md, Rules that stand alone)."""

    question: str
    answer: Any
    trump: str = ""
    led: str = ""
    trick: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded(Case):
    """A record or an EGN game and what ``expected.json`` says of it; None: nothing."""

    text: bytes
    expected: Mapping[str, Any] | None
    presets: frozenset[str] = field(default_factory=frozenset)
    """Every preset it counts under: an EGN game with ``std`` is ``standard`` and ``stick``."""

    def of_preset(self, names: Iterable[str]) -> bool:
        """Whether one of its presets is among the names."""
        return not self.presets.isdisjoint(names)


def find(paths: Iterable[Path]) -> Iterator[Case | UnreadableError]:
    """The cases of files and folders, folders in the order of their names.

    What cannot be read comes as an `UnreadableError` in its place, so that the rest still runs.
    """
    for path in paths:
        if path.is_dir():
            yield from _folder(path)
        elif path.is_file():
            yield from _file(path)
        else:
            yield UnreadableError(path, "there is no such file or folder")


def _folder(folder: Path) -> Iterator[Case | UnreadableError]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        yield UnreadableError(folder, error.strerror or str(error))
        return
    recorded = folder / EXPECTED in entries
    if recorded:
        yield from _recorded(folder, None)
    for entry in entries:
        if entry.is_dir():
            yield from _folder(entry)
        elif not recorded and entry.suffix == ".json":
            yield from _file(entry)


def _file(path: Path) -> Iterator[Case | UnreadableError]:
    from euchre_arena.conformance.reading import read_scenarios

    if path.name == EXPECTED:
        yield from _recorded(path.parent, None)
    elif (path.parent / EXPECTED).is_file():
        yield from _recorded(path.parent, path.name)
    elif path.suffix in RECORDED:
        yield UnreadableError(
            path, f"no {EXPECTED} beside it says what to expect; euchre-arena replay shows it"
        )
    else:
        try:
            yield from read_scenarios(path, load(path))
        except UnreadableError as unreadable:
            yield unreadable


def _recorded(folder: Path, only: str | None) -> Iterator[Case | UnreadableError]:
    from euchre_arena.conformance.records import read_recorded

    expected_path = folder / EXPECTED
    try:
        expected = load(expected_path)
        if not isinstance(expected, dict):
            raise UnreadableError(expected_path, "it is no object of file names")
    except UnreadableError as unreadable:
        yield unreadable
        return
    there = {
        entry.name for entry in folder.iterdir() if entry.suffix in RECORDED and entry.is_file()
    }
    for name in sorted(there | set(expected)):
        if only is None or name == only:
            try:
                yield read_recorded(folder / name, expected.get(name))
            except UnreadableError as unreadable:
                yield unreadable


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; `UnreadableError` says why not."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableError(path, error.strerror or str(error)) from None


def load(path: Path) -> Any:
    """The JSON of a file; `UnreadableError` says where it stops being JSON."""
    data = read_bytes(path)
    try:
        return json.loads(data.decode())
    except UnicodeDecodeError as error:
        raise UnreadableError(path, f"it is not UTF-8 text at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise UnreadableError(
            path, f"it is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise UnreadableError(path, "it is nested too deep") from None

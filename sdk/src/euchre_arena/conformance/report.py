"""Runs cases and says what failed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from euchre_arena.conformance.questions import ask
from euchre_arena.conformance.records import compare
from euchre_arena.conformance.steps import play
from euchre_arena.conformance.suite import (
    Case,
    MismatchError,
    Question,
    Recorded,
    Scenario,
    UnreadableError,
    find,
)
from euchre_arena.rules import OptionError


@dataclass(frozen=True, slots=True)
class Failed:
    """A case that does not hold."""

    case: Case
    failure: MismatchError

    def __str__(self) -> str:
        return f"{self.case.id}: {self.failure}"

    def to_json(self) -> dict[str, Any]:
        """``{"id", "file", "where", "expected", "got"}``."""
        return {
            "id": self.case.id,
            "file": str(self.case.path),
            "where": self.failure.where,
            "expected": self.failure.expected,
            "got": self.failure.got,
        }


@dataclass(slots=True)
class Report:
    """What a run found."""

    passed: int = 0
    failed: list[Failed] = field(default_factory=list)
    unreadable: list[UnreadableError] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Cases run."""
        return self.passed + len(self.failed)

    @property
    def exit_code(self) -> int:
        """2 when a file was unreadable, else 1 when a case failed, else 0."""
        return 2 if self.unreadable else 1 if self.failed else 0

    @property
    def summary(self) -> str:
        """``301 cases: 300 passed, 1 failed``."""
        unreadable = f", {len(self.unreadable)} unreadable" if self.unreadable else ""
        cases = "case" if self.total == 1 else "cases"
        return f"{self.total} {cases}: {self.passed} passed, {len(self.failed)} failed{unreadable}"

    def to_json(self) -> dict[str, Any]:
        """``{"total", "passed", "failed", "failures": [..], "unreadable": [..]}``."""
        return {
            "total": self.total,
            "passed": self.passed,
            "failed": len(self.failed),
            "failures": [failed.to_json() for failed in self.failed],
            "unreadable": [
                {"file": str(error.path), "cause": error.cause} for error in self.unreadable
            ],
        }


def check(case: Case) -> None:
    """Run one case; `MismatchError` says what does not hold."""
    try:
        match case:
            case Scenario():
                play(case)
            case Question():
                ask(case)
            case Recorded():
                compare(case)
    except OptionError as error:
        raise MismatchError("rules", "rules that are played", str(error)) from None


def run(paths: Iterable[Path], presets: Collection[str] = ()) -> Report:
    """Run all cases of files and folders; with ``presets``, only those of these presets."""
    report = Report()
    for case in find(paths):
        if isinstance(case, UnreadableError):
            report.unreadable.append(case)
        elif not presets or case.of_preset(presets):
            try:
                check(case)
            except MismatchError as failure:
                report.failed.append(Failed(case, failure))
            except Exception as error:  # a rule that breaks down is a failure like another
                what = f"{type(error).__name__}: {error}".replace("\n", " ")
                crashed = MismatchError("the rules", "no breakdown", what)
                report.failed.append(Failed(case, crashed))
            else:
                report.passed += 1
    return report

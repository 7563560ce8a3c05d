"""What every test shares: in CI a skipped test is a failed run."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

_skipped: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed", type=int, help="seed of what tests marked chaos do at random (default: drawn)"
    )


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        _skipped.append(report.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    yield
    if _skipped and os.environ.get("CI"):
        terminalreporter.section("skipped, which CI does not allow", red=True)
        for nodeid in _skipped:
            terminalreporter.line(nodeid)


# Before pytest's own sessionfinish hooks read the status, so that its closing line agrees.
@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _skipped and os.environ.get("CI") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

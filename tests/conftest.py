"""What every test shares: in CI a skipped test is a failed run."""

from __future__ import annotations

import faulthandler
import os
import signal
from collections.abc import Iterator

import pytest

# Where stderr went before it was captured; public only through `faulthandler_timeout`, which is one
# for all tests.
from _pytest.faulthandler import fault_handler_stderr_fd_key

_skipped: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed", type=int, help="seed of what tests marked chaos do at random (default: drawn)"
    )


THEIRS = ("PYTEST_ADDOPTS", "COLUMNS", "LINES", "FORCE_COLOR", "CLICOLOR_FORCE")
"""Variables of whoever runs the tests, beside those of an arena, that change what is printed."""


def pytest_configure() -> None:
    """What processes of a test would inherit from whoever runs it, and must not.

    In the background of a script SIGINT is ignored: those that are to be interrupted would not be.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in set(os.environ):
        if name.startswith(("ARENA_", "EUCHRE_")) or name in THEIRS:
            del os.environ[name]


AFTER_TIMEOUT_S = 60
"""A test that its own timeout could not end has so long before it ends with its process."""


# A timeout is an exception out of a signal handler: raised inside a callback, an event loop logs it
# and waits on, and hypothesis takes it for a failing example and tries it again.
@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    marker = item.get_closest_marker("timeout")
    limit = marker.args[0] if marker else float(item.config.getini("timeout"))
    stderr = item.config.stash[fault_handler_stderr_fd_key]
    faulthandler.dump_traceback_later(limit + AFTER_TIMEOUT_S, exit=True, file=stderr)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


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

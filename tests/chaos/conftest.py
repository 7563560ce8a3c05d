"""The seed of what happens at random: `--seed`, else drawn; printed so that it can be played
again."""

from __future__ import annotations

import random

import click
import pytest

from tests.referee.conftest import rig  # noqa: F401 - a fixture, by name
from tests.support.valkey import store, valkey  # noqa: F401 - fixtures, by name


@pytest.fixture
def seed(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> int:
    """The seed of this run."""
    given = request.config.getoption("--seed")
    found: int = random.randrange(10**6) if given is None else given
    with capsys.disabled():
        click.echo(f"\nseed {found} (again: pytest -m chaos --seed {found})")
    return found

"""Settings from the environment; the operators' guide lists them all."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from arena.referee.config import ConfigError, RefereeConfig

GUIDE = Path(__file__).parents[2] / "docs" / "operators.md"


def test_every_field_can_be_set_by_the_environment() -> None:
    environ = {"ARENA_REFEREE_MATCHES": "7", "ARENA_REFEREE_DRAIN_S": "2.5", "ARENA_DATA": "/x"}
    config = RefereeConfig.from_env(environ, port=0, host=None)
    assert (config.matches, config.drain_s, config.port) == (7, 2.5, 0)
    assert config.records == Path("/x/records")
    assert config.host == "127.0.0.1"


@pytest.mark.parametrize(
    ("environ", "names"),
    [
        ({"ARENA_REFEREE_MATCHES": "many"}, "ARENA_REFEREE_MATCHES='many' is not a int"),
        ({"ARENA_REFEREE_SCAN_MS": "0"}, "scan_ms must be above 0, not 0"),
        ({"ARENA_REFEREE_PORT": "-1"}, "port must be above 0, not -1"),
        ({"ARENA_REFEREE_DURABILITY": "often"}, "must be everysec or always, not 'often'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(environ: dict[str, str], names: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(names)):
        RefereeConfig.from_env(environ)


def test_the_guide_lists_every_setting_with_its_default() -> None:
    listed = dict(re.findall(r"^\| `([A-Z_]+)` \| (\S+) \|", GUIDE.read_text(), re.MULTILINE))
    for field in fields(RefereeConfig):
        if field.name in ("host", "port", "data"):
            continue  # the command's own options
        default = getattr(RefereeConfig(), field.name)
        assert listed[field.name.upper()] == (f"`{default}`" if default != "" else "–")

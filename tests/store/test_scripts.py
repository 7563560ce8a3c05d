from __future__ import annotations

import re
from pathlib import Path

from arena.store import Store, keys
from arena.store.scripts import SCRIPTS, source

ROOT = Path(__file__).parents[2]


def test_every_script_is_known_and_used() -> None:
    files = {path.stem for path in (ROOT / "arena/store/lua").glob("*.lua")}
    assert files == {*SCRIPTS, "common"}
    text = "".join(path.read_text() for path in (ROOT / "arena/store").glob("*.py"))
    for name in SCRIPTS:
        assert f'run("{name}"' in text


def test_scripts_take_their_keys_from_the_tables() -> None:
    for name in SCRIPTS:
        body = source(name)[len(keys.lua()) :]
        assert keys.PREFIX not in body
        assert set(re.findall(r"KEY\.(\w+)", body)) <= set(keys.SINGLE)
        assert set(re.findall(r"of\('(\w+)'", body)) <= set(keys.FAMILY)


def test_no_other_room_knows_a_key() -> None:
    for path in [*(ROOT / "arena").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]:
        if path.parent != ROOT / "arena/store":
            assert f'"{keys.PREFIX}' not in path.read_text(), path


def test_scripts_survive_a_server_that_forgot_them(store: Store) -> None:
    store.matches.due()
    store._link.client.script_flush()
    assert store.matches.due() == []

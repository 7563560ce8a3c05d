"""Rules, matches and all that is done for an answer, compiled to C: the same bytes, sooner.

    python deploy/compile.py build/compiled        (`make compiled`)
    PYTHONPATH=build/compiled arena up

Needs a C compiler and Python's headers (Debian: gcc and python3-dev), and the development
requirements (mypyc comes with mypy). Everything runs without: nothing but speed depends on it.
The packages are copied and compiled in the copy, so that a source is never shadowed by what was
made of an older one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"euchre_arena": "sdk/src/euchre_arena", "arena": "arena", "workers": "workers"}
MODULES = {
    "euchre_arena/rules": (
        *("actions", "auction", "cards", "claims", "dealing", "game", "hand", "made", "making"),
        *("phases", "ruleset", "tables", "views", "weak_hands"),
    ),
    "euchre_arena/match": (
        *("clock", "course", "effects", "faults", "inputs", "live", "match", "record", "waiting"),
    ),
    "euchre_arena/wire": ("by_mask", "encoding", "packing"),
    "euchre_arena/client": ("player",),
    "arena/referee": ("frames", "hosted", "loop", "session", "telling"),
}
"""Not scoring and écarté: they are given stand-ins of a hand. Of the referee what runs once an
answer; what runs once a frame gains nothing."""
SETTINGS = """\
[mypy]
mypy_path = .
explicit_package_bases = True
namespace_packages = True
disable_error_code = import-untyped
"""
BUILD = """\
import sys
from mypyc.build import mypycify
from setuptools import setup

setup(
    name="compiled",
    packages=[],
    ext_modules=mypycify(["--config-file", "mypy.ini", *sys.argv[1:]], opt_level="3"),
    script_args=["--quiet", "build_ext", "--inplace"],
)
"""


def files() -> list[str]:
    """The modules to compile, as paths in the copy."""
    return [f"{package}/{name}.py" for package, names in MODULES.items() for name in names]


def copy(out: Path) -> None:
    """Put fresh copies of the packages into ``out``."""
    for package, source in PACKAGES.items():
        shutil.copytree(
            ROOT / source, out / package, ignore=shutil.ignore_patterns("__pycache__", "*.so")
        )


def compile_in(out: Path) -> None:
    """Compile; CalledProcessError when the compiler is missing or finds fault."""
    (out / "mypy.ini").write_text(SETTINGS)
    (out / "build.py").write_text(BUILD)
    env = {**os.environ, "MYPYPATH": "", "PYTHONPATH": ""}
    subprocess.run([sys.executable, "build.py", *files()], cwd=out, env=env, check=True)
    shutil.rmtree(out / "build")


def main() -> None:
    """Compile into a directory that is replaced when all went well."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the directory to make")
    out: Path = parser.parse_args().out
    fresh = out.with_name(out.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    print(f"Compiling {len(files())} modules, a minute or two …", flush=True)
    copy(fresh)
    try:
        compile_in(fresh)
    except subprocess.CalledProcessError:
        sys.exit(
            "Not compiled. A C compiler and Python's headers are needed; on Debian: "
            "apt-get install gcc python3-dev. Everything works without, only slower."
        )
    shutil.rmtree(out, ignore_errors=True)
    fresh.rename(out)
    print(f"Compiled. To use it: PYTHONPATH={out} arena up")


if __name__ == "__main__":
    main()

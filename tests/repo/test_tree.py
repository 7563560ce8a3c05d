"""What holds for every file of the repository."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GENERATED = "sdk/src/euchre_arena/v1/"
GIVEN = ("tests/conformance/", "tests/egn/")


def tracked() -> list[str]:
    """Files git knows and files it would take, so a breach is seen before it is committed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    return [name for name in out.stdout.split("\0") if name and (ROOT / name).is_file()]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


def written(*suffixes: str) -> list[str]:
    return [
        name
        for name in tracked()
        if name.endswith(suffixes) and not name.startswith((GENERATED, *GIVEN))
    ]


def test_every_sleep_has_its_reason_beside_it():
    """What is waited for has a condition; where it must be asked again and again, it says why."""
    call = re.compile(r"\btime\.sleep\(")
    found = []
    for name in written(".py"):
        lines = text(name).splitlines()
        for number, line in enumerate(lines, 1):
            above = lines[number - 2].strip() if number > 1 else ""
            code = line.partition("#")[0]
            if call.search(code) and "#" not in line and not above.startswith("#"):
                found.append(f"{name}:{number}")
    assert not found, f"time.sleep without a reason beside it: {found}"


def test_no_package_registry_is_named():
    """An address of a registry in the tree would be somebody's mirror, or a lock file's."""
    dot = re.escape(".")
    hosts = re.compile(
        "|".join(
            [
                rf"pypi{dot}(org|python)",
                rf"pythonhosted{dot}",
                rf"npmjs{dot}",
                rf"registry{dot}yarnpkg",
                rf"deb{dot}debian{dot}org",
                rf"security{dot}debian{dot}org",
                rf"crates{dot}io",
                rf"proxy{dot}golang{dot}org",
                "index" + "-url",
                "find" + "-links",
            ]
        )
    )
    found = [
        f"{name}:{number}"
        for name in tracked()
        for number, line in enumerate(text(name).splitlines(), 1)
        if hosts.search(line)
    ]
    assert found == []


def test_files_stay_short():
    """Past 400 lines a file holds more than one idea."""
    long = {
        name: lines
        for name in written(".py", ".pyi", ".proto", ".sh", ".lua", ".js", ".css", ".html")
        if (lines := text(name).count("\n")) > 400
    }
    assert long == {}


IGNORE = re.compile(r"#\s*(noqa|type:\s*ignore|pragma:\s*no cover)(?P<rest>.*)")
CODES = re.compile(r"\s*:\s*[A-Z]+\d+([,\s]+[A-Z]+\d+)*|\[[\w, -]+\]")


def has_reason(rest: str) -> bool:
    """Whether, the codes taken away, at least one word is left."""
    return bool(re.search(r"\w{2,}", CODES.sub("", rest, count=1)))


def test_every_ignore_says_why():
    bare = [
        f"{name}:{number}"
        for name in written(".py", "proto/generate")
        if name != "tests/repo/test_tree.py"
        for number, line in enumerate(text(name).splitlines(), 1)
        if (match := IGNORE.search(line)) and not has_reason(match["rest"])
    ]
    assert bare == []


@pytest.mark.parametrize(
    ("rest", "good"),
    [
        (": E501", False),
        (": E501, B008", False),
        ("[arg-type]", False),
        ("", False),
        (": E501  one table row a line", True),
        ("[arg-type]  # the stub is wrong about None", True),
    ],
)
def test_what_counts_as_a_reason(rest, good):
    assert has_reason(rest) is good


def test_every_configured_ignore_says_why():
    """In pyproject.toml: each line that turns a check off carries a comment."""
    lines = text("pyproject.toml").splitlines()
    section = ""
    bare = []
    for number, line in enumerate(lines, 1):
        if line.startswith("["):
            section = line
        off = (
            (section == "[tool.ruff.lint]" and re.match(r'\s+"(RUF|PERF)\d+"', line))
            or (section == "[tool.ruff.lint.per-file-ignores]" and line.startswith('"'))
            or (section == "[[tool.mypy.overrides]]" and line.startswith("module"))
        )
        if off and "#" not in line and not lines[number - 2].startswith("#"):
            bare.append(f"pyproject.toml:{number}")
    assert bare == []


def test_every_pin_is_exact_and_every_dependency_pinned():
    pins = set()
    for name in ("constraints/runtime.txt", "constraints/dev.txt"):
        for line in text(name).splitlines():
            if line and not line.startswith(("#", "-c ")):
                project, equals, version = line.partition("==")
                assert equals, line
                assert version, line
                pins.add(re.sub(r"[-_.]+", "-", project.lower()))
    wanted = set()
    for name in ("pyproject.toml", "sdk/pyproject.toml"):
        project = tomllib.loads(text(name))["project"]
        extras = project.get("optional-dependencies", {}).values()
        for requirement in [*project["dependencies"], *(r for extra in extras for r in extra)]:
            wanted.add(re.split(r"[\[<>=;~! ]", requirement)[0].lower())
    assert wanted - pins == {"euchre-arena"}

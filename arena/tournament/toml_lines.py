"""Which line of a TOML file a key stands on; `tomllib` reads values and forgets where they were.

`lines(text)` walks text that `tomllib` has already accepted, so it checks nothing itself. Keys
are paths: `("match", "games")`, and `("entrants", "bots", 1)` for an element of an array.
"""

from __future__ import annotations

import re

Path = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]*")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_SHORT = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


def lines(text: str) -> dict[Path, int]:
    """Line (from 1) of every table, key and array element."""
    return _Walk(text).document()


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, int] = {}
        self.arrays: dict[Path, int] = {}

    def document(self) -> dict[Path, int]:
        prefix: Path = ()
        self.skip(_SPACE)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                prefix = self.header()
            else:
                self.pair(prefix)
            self.skip(_SPACE)
        return self.found

    def skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match.group()

    def note(self, path: Path) -> None:
        line = self.text.count("\n", 0, self.at) + 1
        for end in range(1, len(path) + 1):  # a dotted key names its tables too
            self.found.setdefault(path[:end], line)

    def header(self) -> Path:
        array = self.text.startswith("[[", self.at)
        self.at += 2 if array else 1
        path: Path = self.key()
        if array:
            number = self.arrays.get(path, 0)
            self.arrays[path] = number + 1
            path = (*path, number)
        self.note(path)
        self.at = self.text.index("]", self.at) + (2 if array else 1)
        return path

    def key(self) -> tuple[str, ...]:
        parts = []
        while True:
            self.skip(_BLANK)
            quoted = self.skip(_STRING)
            parts.append(_unquote(quoted) if quoted else self.skip(_BARE))
            self.skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return tuple(parts)
            self.at += 1

    def pair(self, prefix: Path) -> None:
        start = self.at
        path = (*prefix, *self.key())
        end, self.at = self.at, start
        self.note(path)
        self.at = self.text.index("=", end) + 1
        self.value(path)

    def value(self, path: Path) -> None:
        self.skip(_SPACE)
        opening = self.text[self.at]
        if opening in "[{":
            self.at += 1
            self.items(path, "]" if opening == "[" else "}")
        elif not self.skip(_STRING):
            self.skip(_SCALAR)

    def items(self, path: Path, closing: str) -> None:
        number = 0
        while True:
            self.skip(_SPACE)
            if self.text[self.at] == closing:
                self.at += 1
                return
            if self.text[self.at] == ",":
                self.at += 1
            elif closing == "}":
                self.pair(path)
            else:
                self.note((*path, number))
                self.value((*path, number))
                number += 1


def _unquote(text: str) -> str:
    if text[0] == "'":
        return text[1:-1]
    return _ESCAPE.sub(_character, text[1:-1])


def _character(match: re.Match[str]) -> str:
    code = match.group(1)
    return chr(int(code[1:], 16)) if code[0] in "uU" and len(code) > 1 else _SHORT.get(code, code)

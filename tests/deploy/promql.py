"""Which metrics and labels a PromQL expression names: enough of the language for ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

GROUPING = frozenset(("by", "without", "on", "ignoring"))
KEYWORDS = GROUPING | {"group_left", "group_right", "offset", "bool", "and", "or", "unless", "inf"}
TOKEN = re.compile(
    r"""
    (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<range>\[[^\]]*\])
  | (?P<number>\d[\w.]*)
  | (?P<name>[A-Za-z_:$][\w:]*)
  | (?P<punctuation>[(){},]|=~|!~|!=|==|>=|<=|[-+*/%^<>=@])
  | (?P<space>\s+)
    """,
    re.VERBOSE,
)


def tokens(expression: str) -> Iterator[tuple[str, str]]:
    """Kind and text; ValueError where nothing matches."""
    at = 0
    while at < len(expression):
        match = TOKEN.match(expression, at)
        if match is None:
            raise ValueError(f"cannot read {expression[at:]!r} of {expression!r}")
        at = match.end()
        if match.lastgroup != "space":
            yield str(match.lastgroup), match.group()


def named(expression: str) -> dict[str, set[str]]:
    """Metrics → labels their matchers name. Labels of ``by`` and ``on`` stand under ``""``."""
    found: dict[str, set[str]] = {"": set()}
    words = list(tokens(expression))
    i = 0
    while i < len(words):
        kind, text = words[i]
        following = words[i + 1][1] if i + 1 < len(words) else ""
        if kind != "name":
            i += 1
        elif text in KEYWORDS:
            i += 1
            if text in GROUPING and following == "(":
                end = next(j for j in range(i, len(words)) if words[j][1] == ")")
                found[""] |= {word for kind, word in words[i:end] if kind == "name"}
                i = end
        elif following == "(" or (following in ("by", "without")):
            i += 1  # a function or an aggregation
        else:
            labels = found.setdefault(text, set())
            i += 1
            if following == "{":
                end = next(j for j in range(i, len(words)) if words[j][1] == "}")
                labels |= {word for kind, word in words[i:end] if kind == "name"}
                i = end
    return found

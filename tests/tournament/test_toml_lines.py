from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.toml_lines import lines

TEXT = '''\
# a comment with [brackets] and key = "value"
a = 1 # trailing ] comment
"quoted \\u0041" = 'x = 1'
dotted . "key" = [1, 2,   # three
  3, [4,
  5]]
many = """
[not.a.table]
b = 2 \\""" still
"""
raw = \'\'\'
it = 'is' '\'\'\'
inline = { x = 1, y = { z = "}" } }

[table."with.dot"]
t = 1979-05-27 07:32:00
e = []
[[list]]
n = -1e5
[[list]]
n = true
'''


def test_every_key_has_its_line():
    assert tomllib.loads(TEXT)
    found = lines(TEXT)
    assert found == {
        ("a",): 2,
        ("quoted A",): 3,
        ("dotted",): 4,
        ("dotted", "key"): 4,
        ("dotted", "key", 0): 4,
        ("dotted", "key", 1): 4,
        ("dotted", "key", 2): 5,
        ("dotted", "key", 3): 5,
        ("dotted", "key", 3, 0): 5,
        ("dotted", "key", 3, 1): 6,
        ("many",): 7,
        ("raw",): 11,
        ("inline",): 13,
        ("inline", "x"): 13,
        ("inline", "y"): 13,
        ("inline", "y", "z"): 13,
        ("table",): 15,
        ("table", "with.dot"): 15,
        ("table", "with.dot", "t"): 16,
        ("table", "with.dot", "e"): 17,
        ("list",): 18,
        ("list", 0): 18,
        ("list", 0, "n"): 19,
        ("list", 1): 20,
        ("list", 1, "n"): 21,
    }


def paths(value: object, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    found = {path} if path else set()
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        found |= paths(inner, (*path, key))
    return found


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_it_finds_what_tomllib_finds(ending):
    text = TEXT.replace("\n", ending)
    assert set(lines(text)) == paths(tomllib.loads(text))


PIECES = st.sampled_from(
    [*'[]{}=,."#\n\\', "'", "'''", '"""', " ", "a", "b = 1", "[t]", "[[l]]", "x.y = ", "1", "{}"]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_whatever_tomllib_takes_is_walked(text):
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert set(lines(text)) == paths(values)

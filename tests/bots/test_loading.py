"""Bots on the command line: what is taken, and errors that name cause and cure."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from euchre_arena.bots import HOUSE, Book, LoadError, load_bot

BOT = """
from euchre_arena import Bot

class Mine(Bot):
    def __init__(self, depth=1, *, label=""):
        self.depth, self.label = depth, label
    def act(self, turn):
        return turn.legal[0]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An author's folder as current folder; what is imported there is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    before, path = set(sys.modules), list(sys.path)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]
    sys.path[:] = path


def write(name: str, text: str = BOT) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def cause(text: str) -> str:
    with pytest.raises(LoadError) as caught:
        load_bot(text)
    return str(caught.value)


@pytest.mark.parametrize("name", HOUSE)
def test_house_bots_by_name(name):
    assert load_bot(name).act.__self__ is not None


def test_parameters_over_a_house_bot_and_over_its_variant():
    book = load_bot("book?order=3&alone=5&bridge=true&skip=draw_trumps+lead_aces")
    assert isinstance(book, Book)
    assert (book.limits.order, book.limits.alone, book.limits.bridge) == (3, 5, True)
    assert book.skip == {"draw_trumps", "lead_aces"}
    cautious = load_bot("cautious?alone=9")
    assert isinstance(cautious, Book)
    assert cautious.limits.alone == 9
    assert cautious.limits.order > book.limits.order


@pytest.mark.parametrize(
    "text", ["mybot:Mine", "mybot.py:Mine", "./mybot.py:Mine", "mybot.py", "mybot:"]
)
def test_a_class_of_a_module_or_a_file(folder, text):
    write("mybot.py")
    assert type(load_bot(text)).__name__ == "Mine"
    assert type(load_bot(str(folder / "mybot.py") + ":Mine")).__name__ == "Mine"


def test_a_module_of_a_package_and_what_lies_beside_a_file():
    write("team/__init__.py", "")
    write("team/player.py")
    assert type(load_bot("team.player:Mine")).__name__ == "Mine"
    write("apart/helpers.py", "DEPTH = 7")
    write("apart/bot.py", "from helpers import DEPTH" + BOT.replace("depth=1", "depth=DEPTH"))
    assert load_bot("apart/bot.py:Mine").depth == 7


def test_parameters_of_an_own_bot():
    write("mybot.py")
    bot = load_bot("mybot:Mine?depth=3&label=deep thought")
    assert (bot.depth, bot.label) == (3, "deep thought")


def test_a_file_called_like_a_loaded_module_is_no_trouble():
    write("json.py")
    assert type(load_bot("json.py:Mine")).__name__ == "Mine"
    import json

    assert json.loads("1") == 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["no bot is named", "book", "module:Class"]),
        ("bok", ["'bok' is no house bot", "did you mean 'book'?", "module:Class"]),
        ("nowhere:Bot", ["no module 'nowhere'", "go to the folder"]),
        ("nowhere.py:Bot", ["nowhere.py", "no such file"]),
        ("book?ordr=3", ["no parameter 'ordr'", "did you mean order?"]),
        ("book?order", ["'order' is not name=value"]),
        ("book?order=1&order=2", ["order is given twice"]),
        ("book?order=high", ["order is a number, not 'high'"]),
        ("book?bridge=2", ["bridge is true or false, not 2"]),
        ("book?skip=lead_acse", ["no advice lead_acse", "lead_aces"]),
        ("random?depth=3", ["no parameter 'depth'", "It takes salt"]),
    ],
)
def test_errors_about_names(text, parts):
    message = cause(text)
    for part in parts:
        assert part in message


def test_a_file_named_without_its_class_is_recognised():
    write("mybot.py")
    assert "write mybot.py:CLASS" in cause("mybot")


@pytest.mark.parametrize(
    ("source", "text", "parts"),
    [
        (BOT, "mybot:Mien", ["mybot has no Mien", "did you mean Mine?"]),
        (BOT, "mybot:Other", ["has no Other", "its bots are Mine"]),
        ("x = 1", "mybot:Mine", ["has no Mine", "no class derived from euchre_arena.Bot"]),
        ("class Mine: pass", "mybot:Mine", ["Mine is not a class derived from euchre_arena.Bot"]),
        (BOT + BOT.replace("Mine", "Two"), "mybot.py", ["which class?", "Mine, Two"]),
        ("import numpie", "mybot:Mine", ["needs the module 'numpie'", "not installed"]),
        ("import numpie", "mybot.py:Mine", ["needs the module 'numpie'", "not installed"]),
        ("def act(:", "mybot:Mine", ["SyntaxError", "line 1"]),
        ("def act(:", "mybot.py:Mine", ["SyntaxError", "line 1"]),
        ("\n1 / 0", "mybot:Mine", ["ZeroDivisionError", "mybot.py", "line 2"]),
        ("\n1 / 0", "mybot.py:Mine", ["ZeroDivisionError", "mybot.py", "line 2"]),
        (BOT.replace("depth=1", "depth"), "mybot:Mine", ["must be told depth", "?depth=VALUE"]),
        (
            BOT.replace("self.depth, self.label = depth, label", "int('x')"),
            "mybot:Mine",
            ["could not be made", "ValueError", "mybot.py", "line 6"],
        ),
        (BOT + "\ndef make():\n    return 5", "mybot:make", ["made a int", "euchre_arena.Bot"]),
    ],
)
def test_errors_about_an_authors_code(source, text, parts):
    write("mybot.py", source)
    message = cause(text)
    for part in parts:
        assert part in message


def test_a_file_that_failed_can_be_mended_and_loaded():
    write("mybot.py", "1 / 0")
    cause("mybot.py:Mine")
    write("mybot.py")
    assert type(load_bot("mybot.py:Mine")).__name__ == "Mine"

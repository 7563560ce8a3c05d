"""Bots as they are written on a command line.

A house bot's name, ``book``; with parameters, ``book?order=3&alone=5``; a class of a module,
``mybot:MyBot`` or ``package.mybot:MyBot``; a class of a file, ``bots/mybot.py:MyBot``. The last
part may be left out where the module has one bot only. Parameters go to the class's constructor.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from euchre_arena.bot import Bot

Factory = Callable[..., Bot]


class LoadError(ValueError):
    """A bot that cannot be had; the message says why and what to do."""


def load_bot(text: str, house: Mapping[str, Factory] | None = None) -> Bot:
    """A new bot as written on a command line. LoadError names cause and cure."""
    where, _, query = text.partition("?")
    factory = _find(where.strip(), _house() if house is None else house)
    parameters = _parameters(text, query)
    _check_parameters(text, factory, parameters)
    try:
        bot = factory(**parameters)
    except Exception as error:
        raise LoadError(f"{text}: the bot could not be made: {_cause(error)}") from error
    if not isinstance(bot, Bot):
        raise LoadError(f"{text}: made a {type(bot).__name__}, not a euchre_arena.Bot")
    return bot


def _house() -> Mapping[str, Factory]:
    from euchre_arena.bots import HOUSE

    return HOUSE


def _find(where: str, house: Mapping[str, Factory]) -> Factory:
    if where in house:
        return house[where]
    module, colon, name = where.rpartition(":")
    if not colon:
        module, name = where, ""
    if module.endswith(".py"):
        return _class_in(_file_module(Path(module)), name, where)
    if not colon:
        raise LoadError(_unknown(where, house))
    return _class_in(_named_module(module, where), name, where)


def _unknown(name: str, house: Mapping[str, Factory]) -> str:
    if not name:
        return f"no bot is named: a house bot ({', '.join(house)}), module:Class or file.py:Class"
    if Path(f"{name}.py").is_file():
        return f"{name!r} is no house bot; for the file {name}.py write {name}.py:CLASS"
    near = difflib.get_close_matches(name, house, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return (
        f"{name!r} is no house bot; {hint}There are {', '.join(house)}; "
        "your own is written module:Class or file.py:Class"
    )


def _named_module(name: str, where: str) -> ModuleType:
    """Import a module, the current folder first, as ``python -m`` would."""
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            raise LoadError(
                f"{where}: there is no module {error.name!r} in {here} or where Python looks; "
                "go to the folder it lies in, or write path/to/file.py:Class"
            ) from error
        raise LoadError(
            f"{where}: {name} needs the module {error.name!r}, which is not installed"
        ) from error
    except Exception as error:
        raise LoadError(f"{where}: {name} does not import: {_cause(error)}") from error


def _file_module(path: Path) -> ModuleType:
    """Import a file, its own folder on the path for what lies beside it."""
    if not path.is_file():
        raise LoadError(f"{path}: there is no such file in {Path.cwd()}")
    folder, full = str(path.resolve().parent), str(path.resolve())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    loaded = sys.modules.get(path.stem)
    if loaded is not None and getattr(loaded, "__file__", None) == full:
        return loaded
    # A file called like a module that is loaded already (bot.py, random.py) keeps out of its way.
    name = path.stem if loaded is None else f"{path.stem}@{full}"
    spec = importlib.util.spec_from_file_location(name, full)
    if spec is None or spec.loader is None:
        raise LoadError(f"{path}: not a Python file")
    if name in sys.modules:
        return sys.modules[name]
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        del sys.modules[name]
        raise LoadError(
            f"{path}: it needs the module {error.name!r}, which is not installed"
        ) from error
    except Exception as error:
        del sys.modules[name]
        raise LoadError(f"{path}: does not import: {_cause(error)}") from error
    return module


def _class_in(module: ModuleType, name: str, where: str) -> Factory:
    bots = {
        key: value
        for key, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Bot) and value is not Bot
    }
    own = {key: value for key, value in bots.items() if value.__module__ == module.__name__} or bots
    if name:
        found = getattr(module, name, None)
        if inspect.isclass(found) and issubclass(found, Bot):
            return found
        if callable(found) and not inspect.isclass(found):
            return found  # type: ignore[no-any-return]  # a factory; load_bot checks what it makes
        if found is not None:
            raise LoadError(f"{where}: {name} is not a class derived from euchre_arena.Bot")
        near = difflib.get_close_matches(name, own, 1)
        hint = f"did you mean {near[0]}?" if near else _listed(own)
        raise LoadError(f"{where}: {module.__name__} has no {name}; {hint}")
    if len(own) == 1:
        return next(iter(own.values()))
    raise LoadError(f"{where}: which class? Write {where.rstrip(':')}:CLASS; {_listed(own)}")


def _listed(bots: Mapping[str, Any]) -> str:
    if bots:
        return f"its bots are {', '.join(bots)}"
    return "it has no class derived from euchre_arena.Bot"


def _parameters(text: str, query: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in filter(None, query.split("&")):
        name, equals, value = part.partition("=")
        if not equals or not name.isidentifier():
            raise LoadError(f"{text}: {part!r} is not name=value")
        if name in found:
            raise LoadError(f"{text}: {name} is given twice")
        found[name] = _value(value)
    return found


def _value(text: str) -> Any:
    """A number, true, false, or the text itself."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, int | float) else text


def _check_parameters(text: str, factory: Factory, parameters: Mapping[str, Any]) -> None:
    try:
        accepted = inspect.signature(factory).parameters
    except ValueError:  # a class written in C tells nothing
        return
    if any(p.kind is p.VAR_KEYWORD for p in accepted.values()):
        return
    for name in parameters:
        if name not in accepted:
            near = difflib.get_close_matches(name, accepted, 1)
            known = ", ".join(accepted) or "none"
            hint = f"did you mean {near[0]}? " if near else ""
            raise LoadError(f"{text}: it has no parameter {name!r}; {hint}It takes {known}")
    missing = [
        name
        for name, p in accepted.items()
        if p.default is p.empty
        and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        and name not in parameters
    ]
    if missing:
        given = "&".join(f"{name}=VALUE" for name in missing)
        raise LoadError(f"{text}: it must be told {', '.join(missing)}: write {text}?{given}")


def _cause(error: BaseException) -> str:
    """Kind, text, and the author's line at fault."""
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} ({error.filename}, line {error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    here = [f for f in frames if f.filename != __file__ and "importlib" not in f.filename]
    at = f" ({here[-1].filename}, line {here[-1].lineno})" if here else ""
    return f"{type(error).__name__}: {error}{at}"

"""Reading a spec's tables: typed values by key, and refusals that say line, cause and cure."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from arena.tournament.toml_lines import Path, lines

KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number with a fraction",
    str: "text in quotes",
    list: "a list",
    dict: "a table",
}


class SpecError(ValueError):
    """A spec that cannot be played; the text reads `line N: …` and says what to write instead."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        """From 1; 0 where the whole file is meant."""
        self.message = message
        super().__init__(f"line {line}: {message}" if line else message)

    @classmethod
    def of_toml(cls, error: tomllib.TOMLDecodeError, text: str) -> SpecError:
        """What `tomllib` refused; it tells the place in words only."""
        said = str(error)
        place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", said)
        if place is None:
            return cls(0, f"not TOML: {said}")
        line = int(place[1]) if place[1] else text.count("\n") + 1
        return cls(line, f"not TOML: {said[: place.start()]}")


class Reader:
    """A parsed file and the lines of its keys."""

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        self.values = values
        self.lines = lines(text)

    def line(self, path: Path) -> int:
        """Where a key stands, or else the table it is missing in; 0 for the whole file."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines[path] if path else 0

    def error(self, path: Path, message: str) -> SpecError:
        """A refusal of what stands there."""
        return SpecError(self.line(path), message)

    def top(self, *keys: str) -> Table:
        """The file itself, which may have these keys."""
        table = Table(self, (), self.values)
        table.only(*keys)
        return table

    def option_error(self, message: str, options: Mapping[str, object]) -> SpecError:
        """A refusal of the rules, at the (later) option it names, else at the preset."""
        places = [
            self.line((table, key))
            for key in options
            if re.search(rf"'{re.escape(key)}'", message)
            for table in ("options", "faults")
            if (table, key) in self.lines
        ]
        return SpecError(max(places, default=self.line(("preset",))), message)


class Table:
    """One table of the file."""

    def __init__(self, reader: Reader, path: Path, values: Mapping[str, Any]) -> None:
        self.reader = reader
        self.path = path
        self.values = values

    def error(self, key: str | Path, message: str) -> SpecError:
        """A refusal of one of its keys."""
        path = (key,) if isinstance(key, str) else key
        return self.reader.error((*self.path, *path), message)

    def only(self, *keys: str) -> None:
        """Refuse every other key."""
        for key in self.values:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, 1)
                hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(keys)}"
                where = f"[{'.'.join(map(str, self.path))}]" if self.path else "a spec"
                raise self.error(key, f"{where} has no key {key}; {hint}")

    def table(self, key: str) -> Table:
        """A table in this one; empty where it is missing."""
        values = self._typed(key, dict, {})
        return Table(self.reader, (*self.path, key), cast("Mapping[str, Any]", values))

    def text(
        self, key: str, default: str | None = None, *, empty: bool = False, longest: int = 10_000
    ) -> str:
        """Text; required where there is no default."""
        value = cast("str", self._typed(key, str, default))
        if not empty and not value.strip():
            raise self.error(key, f"{key} is empty")
        if len(value) > longest:
            raise self.error(key, f"{key} is longer than {longest} characters")
        return value

    def word(self, key: str, words: Sequence[str], default: str) -> str:
        """One of a few words."""
        value = self.text(key, default)
        if value not in words:
            raise self.error(key, f"{key} is one of {', '.join(words)}, not {value!r}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        return cast("bool", self._typed(key, bool, default))

    def number(self, key: str, default: int, *, least: int, most: int) -> int:
        """A whole number in a range."""
        value = cast("int", self._typed(key, int, default))
        if not least <= value <= most:
            raise self.error(key, f"{key} goes from {least} to {most}, not {value}")
        return value

    def array(self, key: str) -> list[Any]:
        """A list; required."""
        return cast("list[Any]", self._typed(key, list, None))

    def _typed(self, key: str, kind: type, default: object) -> object:
        if key not in self.values:
            if default is None:
                where = f"[{'.'.join(map(str, self.path))}]" if self.path else "the spec"
                raise self.error(key, f"{where} needs {key}, {KINDS[kind]}")
            return default
        value = self.values[key]
        if type(value) is not kind:  # bool is an int to isinstance
            is_ = KINDS.get(type(value), "a date or time")
            raise self.error(key, f"{key} takes {KINDS[kind]}, not {is_}")
        return value

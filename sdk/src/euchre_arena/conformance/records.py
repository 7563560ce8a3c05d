"""Replays records and EGN games and compares what comes out with ``expected.json``.

``expected.json`` is an object of file names. Of a record (``*.jsonl``) it says ``{"ok": true,
"games": n, "hands": n, "score": [..]}`` or ``{"ok": false, "line": n, "what": "…"}``, ``line``
being where the replay must stop; of an EGN game (``*.egn``) the object that ``euchre-arena replay
--json`` prints. Only the keys present are compared; ``what`` is for the reader.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from euchre_arena.conformance.suite import MismatchError, Recorded, UnreadableError, read_bytes
from euchre_arena.match.egn import EgnError, replay_egn
from euchre_arena.match.replay import replay_record
from euchre_arena.rules import Rules

_RECORD_KEYS: Final = frozenset(("ok", "games", "hands", "score", "line", "what"))
_EGN_KEYS: Final = frozenset(("score", "points", "faults"))


def read_recorded(path: Path, expected: object) -> Recorded:
    """A record or EGN game as a case; `UnreadableError` when there is no such file."""
    egn = path.suffix == ".egn"
    if expected is not None:
        known = _EGN_KEYS if egn else _RECORD_KEYS
        if not isinstance(expected, dict) or not known.issuperset(expected):
            raise UnreadableError(
                path, f"expected.json says {expected!r}; it may say {', '.join(sorted(known))}"
            )
    text = read_bytes(path)
    presets = _egn_presets(text) if egn else frozenset([_record_preset(text)])
    return Recorded(
        id=f"{path.parent.name}/{path.name}",
        path=path,
        preset=min(presets),
        options={},
        text=text,
        expected=expected,
        presets=presets,
    )


def _record_preset(text: bytes) -> str:
    try:
        first = json.loads(text.split(b"\n", 1)[0])
        return str(first["preset"])
    except (ValueError, KeyError, TypeError):
        return ""


def _egn_presets(text: bytes) -> frozenset[str]:
    """A game with ``std`` is standard with an option of its own and what `stick` plays."""
    try:
        rules = replay_egn(text).rules
    except EgnError:
        return frozenset(("standard",))
    return frozenset((rules.preset, *(("stick",) if "stick_the_dealer" in rules.flags else ())))


def compare(case: Recorded) -> None:
    """Replay and compare; `MismatchError` at the first difference."""
    if case.expected is None:
        raise MismatchError("replay", "an entry in expected.json", "none")
    if case.path.suffix == ".egn":
        _compare_egn(case, case.expected)
    else:
        _compare_record(case, case.expected)


def _compare_egn(case: Recorded, expected: Mapping[str, Any]) -> None:
    try:
        got = replay_egn(case.text).to_json()
    except EgnError as error:
        raise MismatchError("replay", "a game that can be read", str(error)) from None
    for key, value in expected.items():
        if key == "faults":
            _compare_faults(value, got[key])
        elif got[key] != value:
            raise MismatchError("replay", f"{key} {_text(value)}", _text(got[key]))


def _compare_faults(expected: Any, got: Any) -> None:
    wanted, found = Counter(map(_text, expected)), Counter(map(_text, got))
    if wanted != found:
        raise MismatchError(
            "faults",
            " ".join((wanted - found).elements()) or "no more",
            " ".join((found - wanted).elements()) or "none of it",
        )


def _compare_record(case: Recorded, expected: Mapping[str, Any]) -> None:
    if case.preset:
        Rules.of(case.preset)  # a preset not played yet says so in so many words
    report = replay_record(case.text.splitlines())
    wanted = expected.get("ok", True)
    if report.ok != wanted:
        line = f" at line {expected['line']}" if "line" in expected else ""
        raise MismatchError(
            "replay",
            "a record that holds" if wanted else f"a refusal{line}",
            report.message or "a record that holds",
        )
    got = {
        "games": report.games,
        "hands": report.hands,
        "score": list(report.score),
        "line": report.line,
    }
    for key, value in expected.items():
        if key in got and got[key] != value:
            note = f" ({report.message})" if key == "line" else ""
            raise MismatchError("replay", f"{key} {_text(value)}", f"{_text(got[key])}{note}")


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)

"""Golden transcripts: what goes into a match and, to the letter, what comes out.

``> call`` and below it the effects. ``UPDATE_TRANSCRIPTS=1`` writes them anew, to be read in the
diff.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import pytest
from euchre_arena.match import (
    Acted,
    Ask,
    Clock,
    Effect,
    FaultNoted,
    Match,
    MatchOver,
    MatchSpec,
    Record,
)
from euchre_arena.rules import action_text, parse_action, parse_option

FOLDER = Path(__file__).resolve().parents[1] / "transcripts"


def nanoseconds(text: str) -> int:
    """``12ms`` or ``12ns``; what is left of an ``@`` is not its business."""
    number, unit = text[:-2], text[-2:]
    return int(number) * {"ns": 1, "ms": 1_000_000}[unit]


def shown(effect: Effect) -> list[str]:
    if isinstance(effect, Record):
        return [f"record {line}" for line in effect.lines]
    if isinstance(effect, Ask):
        return [f"ask game {effect.game} seat {effect.seat} turn {effect.turn}"]
    if isinstance(effect, Acted):
        return [f"acted game {effect.game} seat {effect.seat} {action_text(effect.code)}"]
    if isinstance(effect, FaultNoted):
        fault = effect.fault
        more = "".join(
            f" {name} {list(value)}"
            for name, value in (("points", fault.points), ("winners", fault.winners))
            if value is not None
        )
        return [
            f"fault {fault.kind} game {fault.game} hand {fault.hand} action {fault.action} "
            f"seat {fault.seat} entrant {fault.entrant}: {fault.detail}{more}"
        ]
    if isinstance(effect, MatchOver):
        return [f"match over {effect.result.as_dict()}"]
    return [repr(effect)]


class Transcript:
    """Runs the calls of a file."""

    def __init__(self) -> None:
        self.match: Match | None = None

    def run(self, call: str) -> list[str]:
        words = shlex.split(call)
        name, rest = words[0], words[1:]
        times = {"at": 0, "net": 0}
        given: list[str] = []
        for word in rest:
            if word.startswith("@"):
                times["at"] = nanoseconds(word[1:])
            elif word.startswith("net="):
                times["net"] = nanoseconds(word[4:])
            else:
                given.append(word)
        if name == "match":
            self.match = self.make(given)
            return []
        effects = self.call(name, given, times["at"], times["net"])
        if isinstance(effects, list):
            return [line for effect in effects for line in shown(effect)]
        return [] if effects is None else [str(effects)]

    def make(self, words: list[str]) -> Match:
        options: dict[str, Any] = {}
        match_format: dict[str, Any] = {}
        clock: Clock | None = None
        updates = False
        preset, parallel = "standard", 32
        for word in words:
            key, value = parse_option(word)
            if key in ("games", "deals", "best_of", "duplicate"):
                match_format[key] = value
            elif key == "clock":
                clock = Clock(*map(int, str(value).split("+")))
            elif key == "preset":
                preset = str(value)
            elif key == "parallel":
                parallel = int(value)
            elif key == "updates":
                updates = bool(value)
            else:
                options[key] = value
        spec = MatchSpec("m-1", preset, options, match_format, ("ann", "ben"), clock=clock)
        return Match(spec, bytes(32), (), parallel, updates)

    def call(self, name: str, words: list[str], now: int, network: int) -> Any:
        match = self.match
        assert match is not None, "a transcript begins with a match"
        if name in ("say", "choose"):
            game, seat, turn = map(int, words[:3])
            if name == "choose":
                return match.choose(game, seat, turn, int(words[3]), now, network)
            return match.receive(game, seat, turn, parse_action(words[3]), now, network)
        if name == "sent":
            return match.sent(*map(int, words), now)
        if name == "crashed":
            return match.crashed(int(words[0]), int(words[1]), words[2], now)
        if name == "disconnected":
            return match.disconnected(int(words[0]), now, *words[1:])
        if name == "turn":
            turn = match.open_turn(int(words[0]))
            legal = " | ".join(map(action_text, turn.legal))
            return f"{turn.move_time_ms} ms, bank {turn.bank_ms} ms: {legal}"
        if name == "deadline":
            return match.next_deadline() or "none"
        return getattr(match, name)(now)


def play(text: str) -> str:
    transcript = Transcript()
    out: list[str] = []
    for line in text.splitlines():
        if line.startswith("> "):
            out.append(line)
            out += transcript.run(line[2:])
            out.append("")
        elif line.startswith("#"):
            out.append(line)
    return "\n".join(out).rstrip() + "\n"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_transcript(path: Path):
    text = path.read_text(encoding="utf-8")
    played = play(text)
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        path.write_text(played, encoding="utf-8")
    assert played == text


def test_there_are_transcripts():
    assert len(list(FOLDER.glob("*.txt"))) >= 6

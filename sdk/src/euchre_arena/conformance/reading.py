"""One object of a scenario file, checked and turned into a case.

A scenario::

    {"id": "lone-hand-stops-the-pick-up", "source": "[F] Playing alone", "preset": "standard",
     "options": {}, "score": [0, 0], "dealer": 0, "hands": {"0": "Kc 9d Ac Qc Qs", ...},
     "up_card": "9h", "kitty": "Td As Jh", "tokens": [0, 0], "deals_played": 0,
     "steps": ["pass", {"illegal": "call h", "reason": "wrong-phase", "seat": 2}, "order alone",
               {"expect": {"to_act": 1, "phase": "play"}}],
     "final": {"hand_over": false}}

A rule that stands alone::

    {"id": "WIN-01", "preset": "standard", "trump": "h", "question": "winner",
     "led": "s", "trick": ["As", "Ks", "9h", "Ts"], "answer": 2}

What is not of this shape makes the file unreadable, with the place named; a position or an action
that makes no sense makes the scenario fail when it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from euchre_arena.conformance.facts import EXPECT, FINAL
from euchre_arena.conformance.suite import Case, Illegal, Question, Scenario, Step, UnreadableError
from euchre_arena.rules.terms import Reason

QUESTIONS: Final = ("winner", "order", "follow", "refused")
_NOTES: Final = ("source", "note", "comment")
"""For the reader of the file alone."""
_SCENARIO: Final = frozenset(
    (
        *("id", "preset", "options", "score", "dealer", "hands", "up_card", "kitty"),
        *("steps", "final", "tokens", "deals_played"),
        *_NOTES,
    )
)
_QUESTION: Final = frozenset(
    ("id", "preset", "options", "question", "answer", "trump", "led", "trick", "hand", *_NOTES)
)
_MOST_SEATS: Final = 7


class _Object:
    """A JSON object whose members are asked for by name and type; errors name file and scenario."""

    def __init__(self, path: Path, place: str, value: object) -> None:
        self.path = path
        self.place = place
        if not isinstance(value, dict):
            raise self.error("it is no object")
        self.members: dict[str, Any] = value

    def error(self, cause: str) -> UnreadableError:
        return UnreadableError(self.path, f"{self.place}: {cause}")

    def get(self, name: str, kind: type, default: Any = ...) -> Any:
        value = self.members.get(name, default)
        if value is ...:
            raise self.error(f"'{name}' is missing")
        whole_number_asked = kind is int and isinstance(value, bool)
        if value is not default and (not isinstance(value, kind) or whole_number_asked):
            raise self.error(f"'{name}' is {value!r}, which is no {_KINDS[kind]}")
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        values = self.get(name, list)
        if not all(type(value) is int for value in values):
            raise self.error(f"'{name}' is {values!r}, which is no list of whole numbers")
        return tuple(values)

    def words(self, name: str) -> tuple[str, ...]:
        values = self.get(name, list, [])
        if not all(isinstance(value, str) for value in values):
            raise self.error(f"'{name}' is {values!r}, which is no list of texts")
        return tuple(values)

    def only(self, names: frozenset[str]) -> None:
        unknown = sorted(set(self.members) - names)
        if unknown:
            raise self.error(
                f"there is no '{unknown[0]}' here; known are {', '.join(sorted(names))}"
            )


_KINDS: Final = {str: "text", int: "whole number", list: "list", dict: "object"}


def read_scenarios(path: Path, content: object) -> Iterator[Case]:
    """The cases of one scenario file: an object or a list of them. Raises `UnreadableError`."""
    objects = content if isinstance(content, list) else [content]
    for number, value in enumerate(objects, 1):
        place = f"scenario {number}"
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            place += f" ({value['id']})"
        yield _case(_Object(path, place, value))


def _case(members: _Object) -> Case:
    question = "question" in members.members
    members.only(_QUESTION if question else _SCENARIO)
    head = (
        members.get("id", str),
        members.path,
        members.get("preset", str),
        members.get("options", dict, {}),
    )
    return _question(members, head) if question else _scenario(members, head)


_Head = tuple[str, Path, str, Mapping[str, Any]]


def _question(members: _Object, head: _Head) -> Question:
    question = members.get("question", str)
    if question not in QUESTIONS:
        raise members.error(f"there is no question {question!r}; there are {', '.join(QUESTIONS)}")
    if "answer" not in members.members:
        raise members.error("'answer' is missing")
    return Question(
        *head,
        question=question,
        answer=members.members["answer"],
        trump=members.get("trump", str, ""),
        led=members.get("led", str, ""),
        trick=members.words("trick"),
        hand=members.words("hand"),
    )


def _scenario(members: _Object, head: _Head) -> Scenario:
    hands = members.get("hands", dict)
    seats = [str(seat) for seat in range(len(hands))]
    if sorted(hands) != seats or len(seats) > _MOST_SEATS:
        raise members.error(f"'hands' names the seats {', '.join(hands)}, not 0, 1, 2 …")
    if not all(isinstance(hand, str) for hand in hands.values()):
        raise members.error("'hands' holds something else than texts of cards")
    final = members.get("final", dict, {})
    _known(members, "final", final, FINAL)
    return Scenario(
        *head,
        score=members.numbers("score"),
        dealer=members.get("dealer", int),
        hands=tuple(hands[seat] for seat in seats),
        up_card=members.get("up_card", str, ""),
        kitty=members.get("kitty", str, ""),
        steps=tuple(
            _step(members, number, step)
            for number, step in enumerate(members.get("steps", list), 1)
        ),
        final=final,
        tokens=members.numbers("tokens") if "tokens" in members.members else None,
        deals_played=members.get("deals_played", int, 0),
    )


def _step(members: _Object, number: int, step: object) -> Step:
    if isinstance(step, str):
        return step
    inner = _Object(members.path, f"{members.place}, step {number}", step)
    if "expect" in inner.members:
        inner.only(frozenset(("expect",)))
        facts = inner.get("expect", dict)
        _known(inner, "expect", facts, EXPECT)
        return dict(facts)
    inner.only(frozenset(("illegal", "reason", "seat")))
    reason = inner.get("reason", str)
    if reason not in set(Reason):
        raise inner.error(f"there is no reason {reason!r}; there are {', '.join(Reason)}")
    return Illegal(inner.get("illegal", str), reason, inner.get("seat", int, None))


def _known(members: _Object, name: str, facts: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for fact in facts:
        if fact not in known:
            raise members.error(f"'{name}' knows no {fact!r}; it knows {', '.join(known)}")

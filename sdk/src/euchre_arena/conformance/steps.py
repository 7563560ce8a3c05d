"""Plays a scenario: its actions by the seats to act, its refusals, and what must be true.

Steps are counted from 1. An ``illegal`` step must be refused for its reason *and* change nothing:
every value the game and the hand hold is compared before and after, and so is every seat's view.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from euchre_arena.conformance.facts import EXPECT_FACTS, FINAL_FACTS, same
from euchre_arena.conformance.position import Table, set_up, snapshot
from euchre_arena.conformance.suite import Illegal, MismatchError, Scenario
from euchre_arena.rules import Reason, Rules, parse_action, view


def play(scenario: Scenario) -> None:
    """Run a scenario to its end; `MismatchError` at the first thing that does not hold.

    OptionError when preset or options make no sense.
    """
    table = set_up(scenario, Rules.of(scenario.preset, scenario.options))
    for number, step in enumerate(scenario.steps, 1):
        where = f"step {number}"
        if isinstance(step, str):
            _act(table, where, step)
        elif isinstance(step, Illegal):
            _refused(table, where, step)
        else:
            _expect(table, where, step)
    _final(table, scenario.final)


def _refusal(table: Table, seat: int | None, text: str) -> tuple[Reason | None, int]:
    _, hand = table
    try:
        action = parse_action(text)
    except ValueError:
        return Reason.MALFORMED, 0
    return hand.refusal(hand.to_act if seat is None else seat, action), action


def _act(table: Table, where: str, text: str) -> None:
    _, hand = table
    reason, action = _refusal(table, None, text)
    if reason is not None:
        raise MismatchError(where, f"'{text}' to be legal", f"refused as {reason}")
    hand.apply(action)


def _refused(table: Table, where: str, step: Illegal) -> None:
    before = _all(table)
    reason, _ = _refusal(table, step.seat, step.action)
    expected = f"'{step.action}' to be refused as {step.reason}"
    if reason is None:
        raise MismatchError(where, expected, "legal")
    if reason != step.reason:
        raise MismatchError(where, expected, str(reason))
    after = _all(table)
    changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    if changed:
        path = min(changed)
        raise MismatchError(
            where,
            f"the refusal of '{step.action}' to change nothing",
            f"{path} {before.get(path)!r} turned into {after.get(path)!r}",
        )


def _all(table: Table) -> dict[str, Any]:
    _, hand = table
    found = snapshot(table)
    found.update((f"view of seat {seat}", view(hand, seat)) for seat in range(hand.rules.seats))
    return found


def _expect(table: Table, where: str, facts: Mapping[str, Any]) -> None:
    _, hand = table
    for name, expected in facts.items():
        _compare(where, name, expected, EXPECT_FACTS[name](hand))


def _final(table: Table, facts: Mapping[str, Any]) -> None:
    game, hand = table
    if hand.over:
        game.finish_hand()
    for name, expected in facts.items():
        _compare("final", name, expected, FINAL_FACTS[name](game, hand))


def _compare(where: str, name: str, expected: Any, got: Any) -> None:
    try:
        good = same(name, expected, got)
    except (TypeError, ValueError) as error:
        raise MismatchError(
            where, f"{name} {_text(expected)}", f"that cannot be read: {error}"
        ) from None
    if not good:
        raise MismatchError(where, f"{name} {_text(expected)}", _text(got))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

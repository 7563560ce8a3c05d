"""The table a scenario starts from, and a snapshot that shows whether anything has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any, Final

from euchre_arena.conformance.suite import MismatchError, Scenario
from euchre_arena.rules import Deal, Game, Hand, Rules, parse_card, parse_cards, tables
from euchre_arena.rules.cards import cards_text

Table = tuple[Game, Hand]

_SHARED: Final = tables.__name__
"""What this module makes is shared by all hands and never changes."""
_LONGEST: Final = 256
"""A longer list is one of those tables too: no hand says or holds so much."""


def set_up(scenario: Scenario, rules: Rules) -> Table:
    """Game and hand in the scenario's position; `MismatchError` where it is impossible."""
    if len(scenario.hands) != rules.seats:
        raise _impossible(f"{rules.seats} hands", f"{len(scenario.hands)}")
    if not 0 <= scenario.dealer < rules.seats:
        raise _impossible(f"a dealer from 0 to {rules.seats - 1}", f"{scenario.dealer}")
    for name, values in (("score", scenario.score), ("tokens", scenario.tokens)):
        if values is not None and len(values) != rules.sides:
            raise _impossible(f"'{name}' of {rules.sides} sides", f"{list(values)}")
    deal = _deal(scenario, rules)
    game = Game(rules, scenario.dealer, scenario.score, scenario.tokens, scenario.deals_played)
    return game, game.start_hand(deal)


def _impossible(expected: str, got: str) -> MismatchError:
    return MismatchError("position", expected, got)


def _deal(scenario: Scenario, rules: Rules) -> Deal:
    try:
        hands = tuple(parse_cards(hand) for hand in scenario.hands)
        up_card = parse_card(scenario.up_card) if scenario.up_card else 0
        kitty = parse_cards(scenario.kitty)
    except ValueError as error:
        raise _impossible("cards", str(error)) from None
    if bool(up_card) != rules.turns_up:
        raise _impossible("a card turned up" if rules.turns_up else "no card turned up", "else")
    for seat, hand in enumerate(hands):
        if len(hand) != rules.hand_size:
            raise _impossible(f"{rules.hand_size} cards in the hand of seat {seat}", f"{len(hand)}")
    dealt = Counter(card for hand in (*hands, kitty) for card in hand)
    if up_card:
        dealt[up_card] += 1
    pack = Counter(rules.pack.cards)
    for what, cards in (("too many", dealt - pack), ("none", pack - dealt)):
        if cards:
            raise _impossible(
                f"the pack of {rules.pack.size} cards", f"{what} of {cards_text(sorted(cards))}"
            )
    return Deal(hands, up_card, kitty)


def snapshot(table: Table) -> dict[str, Any]:
    """Everything a table holds by path, as plain values: equal snapshots, equal tables.

    Rules and their tables are shared and immutable, and are left out. So is the note that a seat
    has used its one claim: a claim refused uses it up (rules.md §5) and changes nothing else.
    """
    game, hand = table
    found = dict(_walk("game", game, set()))
    found.update(_walk("hand", hand, set()))
    found.pop("hand._claimed", None)
    return found


def _walk(path: str, value: object, above: set[int]) -> Iterator[tuple[str, Any]]:
    if value is None or isinstance(value, int | str | bytes | Enum):
        yield path, value
    elif id(value) in above or _shared(value):
        yield path, id(value)
    elif isinstance(value, list | tuple):
        yield path, len(value)
        for index, member in enumerate(value):
            yield from _walk(f"{path}[{index}]", member, above | {id(value)})
    elif isinstance(value, set | frozenset):
        yield path, frozenset(value)
    elif isinstance(value, dict):
        yield path, tuple(value)
        for key, member in value.items():
            yield from _walk(f"{path}[{key!r}]", member, above | {id(value)})
    else:
        yield path, id(value)
        for name in attributes(value):
            if hasattr(value, name):
                yield from _walk(f"{path}.{name}", getattr(value, name), above | {id(value)})


def attributes(value: object) -> list[str]:
    """Names of an object's attributes: its slots, or a compiled class's, and its dictionary."""
    slots = (MemberDescriptorType, GetSetDescriptorType)
    names = [
        name
        for kind in type(value).__mro__
        for name, entry in vars(kind).items()
        if isinstance(entry, slots) and not name.startswith("__")
    ]
    return names + list(getattr(value, "__dict__", ()))


def _shared(value: object) -> bool:
    return (
        isinstance(value, Rules)
        or type(value).__module__ == _SHARED
        or (isinstance(value, list | tuple) and len(value) > _LONGEST)
    )

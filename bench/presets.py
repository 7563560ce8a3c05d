"""Every preset's rules alone: random hands, dealt and played again for time.

    python -m bench.presets standard hoyle --hands 500 --rounds 5

prints a JSON object of what `measure` finds of each; `against` runs it on two revisions, so it
uses no more of the engine than every revision has.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from euchre_arena.rules import Hand, Rules, deal_cards

FLOOR = 5_000
"""Hands a second the project asks of each preset in one process."""


class Script(NamedTuple):
    """One hand: its deal and what is done in it."""

    dealer: int
    order: Sequence[int]
    actions: Sequence[int]


class Found(NamedTuple):
    """What was measured of a preset."""

    hands_s: float
    """Hands a second, the median of the rounds."""
    decisions: int
    points: int
    """Over all hands; both tell whether another revision played the same."""


def script(rng: random.Random, rules: Rules) -> tuple[Script, int]:
    """A random hand, and its points together."""
    dealer = rng.randrange(rules.seats)
    order = list(range(rules.pack.size))
    rng.shuffle(order)
    hand = Hand(rules, dealer, deal_cards(rules, dealer, order))
    actions = []
    while hand.to_act >= 0:
        actions.append(rng.choice(hand.legal()))
        hand.apply(actions[-1])
    return Script(dealer, order, actions), sum(hand.points)


def play(rules: Rules, scripts: Sequence[Script]) -> None:
    """Deal and play all hands, asking for the legal actions of every decision."""
    for dealer, order, actions in scripts:
        hand = Hand(rules, dealer, deal_cards(rules, dealer, order))
        for action in actions:
            hand.legal()
            hand.apply(action)


def measure(preset: str, hands: int, rounds: int) -> Found:
    """The same random hands of a preset so many times over."""
    rules = Rules.of(preset)
    rng = random.Random(preset)
    made = [script(rng, rules) for _ in range(hands)]
    scripts = [each for each, _ in made]
    speeds = []
    for _ in range(rounds):
        began = time.perf_counter()
        play(rules, scripts)
        speeds.append(hands / (time.perf_counter() - began))
    decisions = sum(len(each.actions) for each in scripts)
    return Found(median(speeds), decisions, sum(points for _, points in made))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.presets", description=__doc__)
    parser.add_argument("presets", nargs="+")
    parser.add_argument("--hands", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    told = parser.parse_args(arguments)
    found = {name: measure(name, told.hands, told.rounds) for name in told.presets}
    print(json.dumps({name: each._asdict() for name, each in found.items()}))


if __name__ == "__main__":
    main()

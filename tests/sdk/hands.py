"""Random hands for the tests of the SDK: every view of a seat asked, of presets and options."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from euchre_arena.match import OpenTurn
from euchre_arena.rules import PRESETS, Hand, OptionError, Rules, deal_cards, view

OPTIONS: dict[str, tuple[Any, ...]] = {
    "farmers_hand": ("swap", "redeal"),
    "ace_no_face": ("swap", "redeal"),
    "partners_best": (True,),
    "defend_alone": (True, "any"),
    "no_trump": ("second-round",),
    "benny": (True,),
    "blind_loner": (True,),
    "robson": (True,),
    "four_trick_tokens": (True,),
    "stick_the_dealer": (True,),
    "num_deals": (3,),
}


def random_rules(rng: random.Random) -> Rules:
    """A preset with a few options that go with it."""
    while True:
        chosen = rng.sample(sorted(OPTIONS), rng.randrange(4))
        options = {name: rng.choice(OPTIONS[name]) for name in chosen}
        try:
            return Rules.of(rng.choice(sorted(PRESETS)), options)
        except OptionError:
            continue


def random_turns(seed: int) -> Iterator[tuple[Rules, OpenTurn]]:
    """The turns of one random hand, with clocks."""
    for hand, turn in random_asks(seed):
        yield hand.rules, turn


def random_asks(seed: int) -> Iterator[tuple[Hand, OpenTurn]]:
    """Likewise, with the hand as it stands at that turn."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    order = list(range(rules.pack.size))
    rng.shuffle(order)
    dealer = rng.randrange(rules.seats)
    score = tuple(rng.randrange(-200, 200) for _ in range(rules.sides))
    hand = Hand(
        rules, dealer, deal_cards(rules, dealer, order), score, deals_played=rng.randrange(300)
    )
    turns = [0] * rules.seats
    while not hand.over:
        seat = hand.to_act
        turns[seat] += 1
        seen = view(hand, seat)
        clock = (
            rng.choice((0, rng.randrange(1, 5000))),
            rng.choice((0, rng.randrange(1, 4_000_000))),
        )
        yield hand, OpenTurn(rng.randrange(3), seat, turns[seat] * 90, seen, seen.legal, *clock)
        hand.apply(rng.choice(hand.legal()))

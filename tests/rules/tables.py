"""Random tables for the tests: rules, deals and play, all from one seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from euchre_arena.rules import OPTIONS, Game, Hand, OptionError, Rules, deal_cards
from euchre_arena.rules.actions import MARK, PASS, Kind
from euchre_arena.rules.cards import NAMES
from euchre_arena.rules.options import Option, find_preset, validate
from euchre_arena.rules.preset_table import seated
from hypothesis import settings
from hypothesis import strategies as st

PRESETS = ("standard", "stick", "hoyle", "british", "canadian")
FOUR_HANDED = (*PRESETS, "robson")
"""Presets of two pairs and a card turned up."""

OPTION_VALUES: dict[str, tuple[Any, ...]] = {
    "target": (1, 5, 7, 11),
    "num_deals": (1, 3),
    "max_deals": (2, 500),
    "win_by_two": (True, False),
    "stick_the_dealer": (True, False),
    "no_trump": ("second-round", False),
    "benny": (True, False),
    "jack_alone_bars_call": (True, False),
    "no_ace_no_face_no_trump": (True, False),
    "farmers_hand": ("swap", "redeal", False),
    "ace_no_face": ("swap", "redeal", False),
    "canadian": (True, False),
    "blind_loner": (True, False),
    "fast_break": (True, False),
    "four_trick_tokens": (True, False),
    "partners_best": (True, False),
    "defend_alone": (True, "any", False),
    "loner_lead": ("eldest", "left-of-maker"),
    "lone_march": (0, 5),
    "lone_euchred": (0, 4),
    "defend_alone_euchre": (3,),
    "defend_alone_march": (6,),
    "march": (3,),
    "robson": (True, False),
    "claims": (True, False),
}


PLACES = ((0, 1, 2, 10, 11), (3, 4, 12, 13, 14), (5, 6, 7, 15, 16), (8, 9, 17, 18, 19))
"""Where in the pack order the hands lie, from eldest to the dealer (rules.md §2)."""


def random_rules(rng: random.Random) -> Rules:
    """Rules of a four-handed turn-up preset with some options set, all of them valid."""
    preset = rng.choice(PRESETS)
    few = rng.random() < 0.7
    options = {
        name: rng.choice(values)
        for name, values in OPTION_VALUES.items()
        if rng.random() < (0.15 if few else 0.6)
    }
    if "num_deals" in options:
        options.pop("target", None)
        options.pop("win_by_two", None)
    return Rules.of(preset, options)


def any_rules(rng: random.Random, preset: str, most: int = 8) -> Rules:
    """Rules of any preset with up to ``most`` options that go with it, and with each other."""
    fitting = [option for option in OPTIONS.values() if option.where.fits(find_preset(preset))]
    drawn = rng.sample(fitting, rng.randrange(min(most, len(fitting)) + 1))
    return Rules.of(preset, sensible(preset, {o.name: rng.choice(some(o)) for o in drawn}))


def some(option: Option) -> tuple[Any, ...]:
    """Values of an option to draw from: all, or of numbers the six least."""
    if option.values is bool:
        return (True, True, False)
    if isinstance(option.values, int):
        return tuple(range(option.values, option.values + 6))
    return option.values


def sensible(preset: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options, in their order, without those that clash with the preset or one before."""
    kept: dict[str, Any] = {}
    for name, value in options.items():
        trial = {**kept, name: value}
        try:
            validate(seated(find_preset(preset), trial), trial)
        except OptionError:
            continue
        kept = trial
    return kept


def random_order(rng: random.Random, rules: Rules) -> list[int]:
    """A pack order, often stacked so that weak hands, jacks and the joker come up."""
    order = list(range(rules.pack.size))
    rng.shuffle(order)
    wish = rng.random()
    if wish < 0.3:  # one seat is dealt low cards, perhaps with an ace
        places = rng.choice(PLACES)
        wanted = [p for p in order if NAMES[rules.pack.cards[p]][0] in "9T"]
        if rng.random() < 0.5:
            wanted[0] = next(p for p in order if NAMES[rules.pack.cards[p]][0] == "A")
        for place, position in zip(places, wanted, strict=False):
            other = order.index(position)
            order[place], order[other] = order[other], order[place]
    elif wish < 0.5 and rules.turns_up:  # a jack or the joker is turned up
        up = rules.seats * rules.hand_size
        position = next(p for p in order if NAMES[rules.pack.cards[p]][0] in "JB")
        other = order.index(position)
        order[up], order[other] = order[other], order[up]
    return order


def random_hand(rng: random.Random, rules: Rules | None = None) -> Hand:
    """A hand just dealt, in the middle of some game."""
    rules = rules or random_rules(rng)
    dealer = rng.randrange(rules.seats)
    target = rules.target or 10
    score = [rng.randrange(target) for _ in range(rules.sides)]
    tokens = [rng.randrange(4) for _ in range(rules.sides)]
    last = min(int(rules.value(name) or 500) for name in ("num_deals", "max_deals")) - 1
    game = Game(rules, dealer, score, tokens, rng.choice((0, min(1, last), last)))
    return game.start_hand(deal_cards(rules, dealer, random_order(rng, rules)))


def choose(rng: random.Random, hand: Hand, timid: float = 0.5) -> int:
    """A legal action; of those who may pass so many do."""
    return choose_of(rng, hand.legal(), timid)


def choose_of(rng: random.Random, legal: Sequence[int], timid: float) -> int:
    """One of the legal actions; a pass, where there is one, as often as ``timid`` says."""
    if len(legal) > 1 and legal[0] == PASS:
        if rng.random() < timid:
            return PASS
        legal = legal[1:]
        if legal[0] >> 10 == Kind.BID and rng.random() < 0.5:
            legal = legal[:5]  # a modest bid may be made good
    if MARK in legal and rng.random() < 0.5:
        return MARK
    return rng.choice(legal)


def play_on(rng: random.Random, hand: Hand) -> Iterator[tuple[int, int]]:
    """Play to the end; yields seat and action before each is carried out."""
    timid = rng.choice(
        (0.2, 0.85, 0.97)
    )  # trumps are made at once, in the second round, not at all
    while not hand.over:
        action = choose(rng, hand, timid)
        yield hand.to_act, action
        hand.apply(action)


many = settings(max_examples=100, deadline=None)
"""No deadline: other tests may have the processor just then."""

seeds = st.integers(min_value=0, max_value=2**48)
"""Seeds of random tables: hypothesis shrinks to small ones and remembers the failing ones."""


def valid(preset: str, options: dict[str, Any]) -> bool:
    """Whether options may be set over a preset."""
    try:
        Rules.of(preset, options)
    except OptionError:
        return False
    return True


def same(what: str, got: object, right: object) -> None:
    """AssertionError with both where they differ."""
    assert got == right, f"{what}: {got!r}, and {right!r} is right"

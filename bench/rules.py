"""The rules alone: the same random hands by our engine and by OpenSpiel's, from Python.

A hand is played once to find choices both engines know (no lone hands: they are declared at other
moments there), then replayed for time. Both are asked for the legal actions of every decision.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from euchre_arena.rules import Hand, Rules, deal_cards
from euchre_arena.rules.actions import Kind
from euchre_arena.rules.cards import NAMES

SPIEL_PASS, SPIEL_FIRST_SUIT, SPIEL_PARTNER = 24, 25, 30


@dataclass(frozen=True)
class Script:
    """One hand: its deal, and every decision in both engines' numbers."""

    dealer: int
    order: Sequence[int]
    ours: Sequence[int]
    dealt: Sequence[int]
    """OpenSpiel's chance actions."""
    theirs: Sequence[int]


@dataclass(frozen=True)
class Speeds:
    """Hands a second, medians."""

    ours: float
    theirs: float


def spiel_card(card: int) -> int:
    """OpenSpiel counts cards by rank and then by suit c d h s."""
    name = NAMES[card]
    return "9TJQKA".index(name[0]) * 4 + "cdhs".index(name[1])


def script(rng: random.Random, rules: Rules) -> Script:
    """Play one random hand."""
    dealer = rng.randrange(4)
    order = list(range(24))
    rng.shuffle(order)
    hand = Hand(rules, dealer, deal_cards(rules, dealer, order))
    dealt = [dealer]
    for card in range(5):
        dealt += [spiel_card(hand.deal.hands[(dealer + turn) % 4][card]) for turn in range(4)]
    dealt.append(spiel_card(hand.up_card))
    ours, theirs = [], []
    while hand.to_act >= 0:
        code = rng.choice([code for code in hand.legal() if _known_to_both(hand, code)])
        ours.append(code)
        theirs += _spiel_actions(hand, code)
        hand.apply(code)
    return Script(dealer, order, ours, dealt, theirs)


def _known_to_both(hand: Hand, code: int) -> bool:
    kind = code >> 10 & 63
    if kind == Kind.DISCARD:
        return code & 63 != hand.up_card  # which may not be discarded there
    lone = (kind == Kind.ORDER and code & 1) or (kind == Kind.CALL and code & 8)
    return not lone


def _spiel_actions(hand: Hand, code: int) -> list[int]:
    kind = code >> 10 & 63
    if kind == Kind.PASS:
        return [SPIEL_PASS]
    if kind == Kind.ORDER:
        return [SPIEL_FIRST_SUIT + "cdhs".index(NAMES[hand.up_card][1])]
    if kind == Kind.CALL:
        return [SPIEL_FIRST_SUIT + (code & 7) - 1, SPIEL_PARTNER]
    if kind == Kind.DISCARD:
        return [spiel_card(code & 63), SPIEL_PARTNER]
    return [spiel_card(code & 63)]


def play_ours(rules: Rules, scripts: Sequence[Script]) -> None:
    """All hands, with the choices made before."""
    for each in scripts:
        hand = Hand(rules, each.dealer, deal_cards(rules, each.dealer, each.order))
        for code in each.ours:
            hand.legal()
            hand.apply(code)


def play_theirs(game: Any, scripts: Sequence[Script]) -> None:
    """The same hands on OpenSpiel's engine."""
    for each in scripts:
        state = game.new_initial_state()
        for action in each.dealt:
            state.apply_action(action)
        for action in each.theirs:
            state.legal_actions()
            state.apply_action(action)


def speeds(hands: int, rounds: int) -> Speeds:
    """Both engines in turn, so that both meet the same machine."""
    # Only here: the rest of the bench runs without it.
    import pyspiel  # type: ignore[import-not-found]  # ships no types

    rules = Rules.of("standard")
    game = pyspiel.load_game("euchre")
    rng = random.Random(20)
    scripts = [script(rng, rules) for _ in range(hands)]
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(hands / seconds(lambda: play_ours(rules, scripts)))
        theirs.append(hands / seconds(lambda: play_theirs(game, scripts)))
    return Speeds(median(ours), median(theirs))


def seconds(work: Callable[[], None]) -> float:
    """How long it takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start

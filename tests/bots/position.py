"""Positions for the advice: a few hands as named, the rest of the pack dealt round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from euchre_arena.bots import load_bot
from euchre_arena.bots.book import Book
from euchre_arena.bots.regle import Regle
from euchre_arena.rules import Deal, Hand, Rules, action_text, parse_action, parse_cards, view


def position(
    hands: Mapping[int, str],
    up_card: str,
    *steps: str,
    dealer: int = 0,
    score: Sequence[int] = (0, 0),
    preset: str = "standard",
    **options: Any,
) -> Hand:
    """A hand with these cards in these seats, after these actions; the rest dealt in pack order.

    The step ``...`` is whatever is legal and first.
    """
    rules = Rules.of(preset, options)
    given = {seat: parse_cards(cards) for seat, cards in hands.items()}
    up = parse_cards(up_card)[0]
    named = {up, *(card for cards in given.values() for card in cards)}
    rest = [card for card in rules.pack.cards if card not in named]
    dealt = []
    for seat in range(rules.seats):
        cards = given.get(seat, ())
        missing = rules.hand_size - len(cards)
        dealt.append((*cards, *rest[:missing]))
        del rest[:missing]
    level = tuple(score) if any(score) else (0,) * rules.sides
    hand = Hand(rules, dealer, Deal(tuple(dealt), up, tuple(rest)), level, (0,) * rules.sides, 0)
    for step in steps:
        action = hand.legal()[0] if step == "..." else parse_action(step)
        assert hand.refusal(hand.to_act, action) is None, (step, hand.refusal(hand.to_act, action))
        hand.apply(action)
    return hand


def says(hand: Hand, bot: str = "book") -> str:
    """What regle or a variant of book does there."""
    player = load_bot(bot)
    assert isinstance(player, Book | Regle)
    return action_text(player.decide(view(hand, hand.to_act), hand.rules))

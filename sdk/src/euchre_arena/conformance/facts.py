"""What a scenario may ask of a hand, by name: the keys of ``expect`` and of ``final``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from euchre_arena.rules import Game, Hand, action_text, parse_action, parse_cards
from euchre_arena.rules.cards import SUIT_LETTERS, cards_text


def _score(hand: Hand) -> list[int]:
    return [before + new for before, new in zip(hand.score, hand.points, strict=True)]


def _maker(hand: Hand) -> int | None:
    return hand.maker if hand.maker >= 0 else None


def _hand(hand: Hand) -> str | None:
    return cards_text(hand.cards(hand.to_act)) if hand.to_act >= 0 else None


EXPECT_FACTS: Final[dict[str, Callable[[Hand], Any]]] = {
    "to_act": lambda hand: hand.to_act if hand.to_act >= 0 else None,
    "phase": lambda hand: hand.phase.word,
    "trump": lambda hand: SUIT_LETTERS[hand.trump] if hand.trump else None,
    "maker": _maker,
    "makers": lambda hand: list(hand.makers),
    "sitting_out": lambda hand: list(hand.sitting_out),
    "hand": _hand,
    "legal": lambda hand: [action_text(action) for action in hand.legal()],
    "score": _score,
    "tricks": lambda hand: list(hand.tricks),
    "trick_winner": lambda hand: hand.trick_winners[-1] if hand.trick_winners else None,
    "up_card_state": lambda hand: hand.up_card_state.word,
    "next_dealer": lambda hand: hand.next_dealer,
    "tokens": lambda hand: list(hand.tokens),
}

FINAL_FACTS: Final[dict[str, Callable[[Game, Hand], Any]]] = {
    "hand_over": lambda game, hand: hand.over,
    "tricks": lambda game, hand: list(hand.tricks),
    "points": lambda game, hand: list(hand.points),
    "score": lambda game, hand: _score(hand),
    "game_over": lambda game, hand: game.over,
    "winners": lambda game, hand: list(game.winners),
    "next_dealer": lambda game, hand: hand.next_dealer,
    "tokens": lambda game, hand: list(hand.tokens),
    "result": lambda game, hand: str(hand.result) if hand.result else None,
}

EXPECT: Final = tuple(EXPECT_FACTS)
FINAL: Final = tuple(FINAL_FACTS)


def same(name: str, expected: Any, got: Any) -> bool:
    """Whether a fact is as expected: ``hand``, ``legal``, seats and sides in any order.

    Raises ValueError where what is expected cannot be read as cards or actions.
    """
    if type(expected) is bool or type(got) is bool:
        return expected is got
    if expected is None or got is None:
        return expected is got
    if name == "hand":
        return sorted(parse_cards(str(expected))) == sorted(parse_cards(str(got)))
    if name == "legal":
        return {parse_action(text) for text in expected} == {parse_action(text) for text in got}
    if name in ("makers", "sitting_out") and isinstance(expected, list):
        return sorted(expected) == sorted(got)
    return bool(expected == got)

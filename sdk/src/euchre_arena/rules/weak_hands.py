"""Weak hands: farmer's hand and ace, no face (rules.md §3). Asked only of a seat that qualifies."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from .actions import PASS, REDEAL, ActionCode, Kind, card_mask, several
from .asking import ACES, FACES, LOW, ask, ask_next, put_away, seats_from, take
from .cards import cards_of, mask_of
from .terms import Phase, Result

if TYPE_CHECKING:
    from .hand import Hand


def ask_weak_hands(hand: Hand) -> bool:
    """Ask each seat that qualifies, from eldest; False if there is none."""
    values = hand.rules.values
    if values.get("farmers_hand") or values.get("ace_no_face"):
        eldest = (hand.dealer + 1) % hand.rules.seats
        seats = [s for s in seats_from(hand, eldest) if len(_weak_actions(hand, s)) > 1]
        return ask(hand, Phase.FARMERS, seats)
    return False


def _weak_actions(hand: Hand, seat: int) -> tuple[ActionCode, ...]:
    values = hand.rules.values
    held = hand.held(seat)
    low = held & LOW
    aces = (held & ACES).bit_count()
    swaps = (values.get("farmers_hand") == "swap" and low.bit_count() >= 3) or (
        values.get("ace_no_face") == "swap" and aces == 1 and not held & ~(LOW | ACES)
    )
    redeals = (
        values.get("farmers_hand") == "redeal" and not held & ~LOW and seat != hand.dealer
    ) or (values.get("ace_no_face") == "redeal" and aces and not held & FACES)
    found = [PASS]
    if swaps:
        found += [several(Kind.SWAP, mask_of(three)) for three in combinations(cards_of(low), 3)]
    if redeals:
        found.append(REDEAL)
    return tuple(found)


def farmers_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """What the weak hand's options offer ([S] Farmer's hand, [W] Variations)."""
    return _weak_actions(hand, hand.to_act)


def answer_weak_hand(hand: Hand, seat: int, action: ActionCode) -> bool:
    """Swap for the three top face-down cards, redeal, or leave it.

    True when the question is closed and the first round begins.
    """
    if action == REDEAL:
        hand.finish_unplayed(Result.REDEAL)
        return False
    if action == PASS:
        return not ask_next(hand)
    mask = card_mask(action)
    put_away(hand, seat, mask)
    take(hand, seat, hand.kitty[:3])
    hand.kitty = cards_of(mask) + hand.kitty[3:]
    return True

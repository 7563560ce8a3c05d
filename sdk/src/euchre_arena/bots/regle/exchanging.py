"""What to put away at écarté."""

from __future__ import annotations

from euchre_arena.bots.regle.position import HEIGHT, QUEENS, SUIT, Position, cards_of
from euchre_arena.rules.actions import card_mask


def keep_kings_and_trumps(p: Position) -> int:
    """Kings and trumps are not put away in the first instance. [H] The dealer's option."""
    return p.trumps | p.kings


def keep_the_queen_with_her_king(p: Position) -> int:
    """A queen whose king is held too, or gone, is as good as a king.

    [H]: cards put away should be remembered, lower ones are then worth more.
    """
    queens = p.rest & QUEENS
    return sum(1 << card for card in cards_of(queens) if p.master(card))


def exchange(p: Position) -> int:
    """Put away all that is not kept, or as much as the stock allows, the lowest first.

    The non-dealer, who must put away a card, parts with the lowest plain one, then a low trump.
    """
    kept = keep_kings_and_trumps(p) | keep_the_queen_with_her_king(p)
    order = sorted(
        cards_of(p.hand),
        key=lambda card: (kept >> card & 1, SUIT[card] == p.trump, HEIGHT[card], card),
    )
    masks = {card_mask(code): code for code in p.view.legal}
    sizes = [mask.bit_count() for mask in masks]
    wished = p.hand.bit_count() - kept.bit_count()
    number = min(max(wished, min(sizes)), max(sizes))
    return masks[sum(1 << card for card in order[:number])]

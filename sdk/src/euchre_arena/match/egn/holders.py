"""Breaches the deal as a whole shows: cards played that were not there, or not in that hand."""

from __future__ import annotations

from collections import Counter

from euchre_arena.match.egn.contract import Contract
from euchre_arena.match.egn.play import Breach, BreachKind, World
from euchre_arena.match.egn.reader import EgnDeal
from euchre_arena.rules import Rules
from euchre_arena.rules.cards import Card

_MOVING = ("farmers_hand", "partners_best")
"""Options under which cards move between dealing and play, whether recorded or not."""


def misplaced(rules: Rules, deal: EgnDeal, contract: Contract, world: World) -> list[Breach]:
    """Breaches of a world by the cards it played."""
    kinds = [
        *_up_card(deal, contract, world),
        *_discard(deal, world),
        *_hands(rules, deal, contract, world),
    ]
    return [Breach(kind) for kind in kinds]


def dealt_twice(deal: EgnDeal, contract: Contract) -> list[Breach]:
    """Cards that stand in two of the hands recorded, or in a hand and turned up.

    The dealer's hand may have been written down with the up-card already in it.
    """
    cards = Counter(card.number for hand in deal.hands for card in hand if card.number)
    if deal.up_card and deal.up_card.number:
        own = {card.number for card in deal.hands[deal.dealer]}
        if not (contract.takes(deal.dealer) and deal.up_card.number in own):
            cards[deal.up_card.number] += 1
    return [Breach(BreachKind.CARD_TWICE) for count in cards.values() for _ in range(count - 1)]


def _up_card(deal: EgnDeal, contract: Contract, world: World) -> list[BreachKind]:
    up_card = deal.up_card.number if deal.up_card else 0
    seats = [seat for card, seat in world.played if card == up_card]
    if not seats:
        return []
    if not contract.ordered:
        return [BreachKind.TURNED_DOWN_PLAYED]
    holder = deal.dealer if contract.takes(deal.dealer) else -1
    for exchange in deal.exchanges:
        if any(card.number == up_card for card in exchange.cards):
            holder = exchange.receiver
    return [] if set(seats) == {holder} else [BreachKind.WRONG_HOLDER]


def _discard(deal: EgnDeal, world: World) -> list[BreachKind]:
    discard = deal.discard.under(world.trump) if deal.discard else 0
    if any(card == discard for card, _ in world.played):
        return [BreachKind.DISCARD_PLAYED]
    return []


def _hands(rules: Rules, deal: EgnDeal, contract: Contract, world: World) -> list[BreachKind]:
    """Cards played by another seat than the one known to hold them.

    The up-card and the discard have their own kinds; where cards may have moved, nothing is said.
    """
    if any(rules.value(option) for option in _MOVING) or deal.exchanges:
        return []
    special = {card.under(world.trump) for card in (deal.up_card, deal.discard) if card}
    hands = [{card.under(world.trump) for card in hand} for hand in deal.hands]
    whole = [len(hand) >= rules.hand_size and 0 not in hand for hand in hands]

    def elsewhere(card: Card, seat: int) -> bool:
        if card in special or card in hands[seat]:
            return False
        return whole[seat] or any(card in hand for hand in hands)

    return [BreachKind.WRONG_HOLDER for card, seat in world.played if elsewhere(card, seat)]

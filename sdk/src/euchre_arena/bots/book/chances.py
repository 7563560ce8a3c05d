"""What a hand is worth against hands nobody has seen, whatever the pack and the players.

`counting` counts as the sources do, for four at the table. With two, three, five, six or seven,
with a double pack or eight cards in hand, a card is worth more or less, because more or fewer of
the cards above it have been dealt. Here it is worth its chance of taking a trick.
"""

from __future__ import annotations

from math import exp
from typing import Final, NamedTuple

from euchre_arena.bots.book.cards import TRUMPS, cards_of
from euchre_arena.rules.cards import NO_TRUMP

SPREAD: Final = 0.7
"""Trump leads beyond the average a foe holds before the longest-held are gone."""
RUFF: Final = 0.35
"""A small trump, where a plain suit is missing to use it on ([W] Calling round)."""


class Odds(NamedTuple):
    """The cards not seen, and how many of them are with foes."""

    unseen: int
    """Mask of cards with others or in the kitty."""
    doubled: int
    """Of a double pack, those of them of which both copies are unseen."""
    known: int
    """Mask of cards a foe is known to hold (the up-card he takes)."""
    foes: int
    """Number of adversaries."""
    share: float
    """The chance that an unseen card is with a foe."""

    def count(self, cards: int) -> int:
        """How many of these cards are unseen, copies counted."""
        return (cards & self.unseen).bit_count() + (cards & self.doubled).bit_count()

    def none_with_foes(self, cards: int) -> float:
        """The chance that none of these cards is with a foe."""
        if cards & self.known:
            return 0.0
        return float((1.0 - self.share) ** self.count(cards))


def odds(
    held: tuple[int, ...], gone: int, pack: tuple[int, ...], foes: int, size: int, known: int = 0
) -> Odds:
    """The odds of a hand ``held``, ``gone`` (mask) being known out of play, of a whole ``pack``.

    ``foes`` adversaries hold ``size`` cards each.
    """
    left = list(pack)
    for card in held:
        left.remove(card)
    left = [card for card in left if not gone >> card & 1]
    unseen = doubled = 0
    for card in left:
        doubled |= unseen & 1 << card
        unseen |= 1 << card
    share = min(1.0, foes * size / len(left)) if left else 0.0
    return Odds(unseen, doubled, known, foes, share)


def expected_tricks(hand: int, copies: int, trump: int, o: Odds) -> float:
    """Tricks this hand takes against the foes, without a partner's help.

    ``hand`` and ``copies`` are masks: cards held, and of them those held twice.
    """
    table = TRUMPS[trump]
    held = hand & table.trumps
    number = held.bit_count() + (copies & held).bit_count()
    out = o.share * o.count(table.trumps)
    each = out / o.foes if o.foes else 0.0
    rounds = each + SPREAD if out > 0.3 else 0.0
    worth, small = 0.0, 0.0
    for place, card in enumerate(_from_the_top(held, copies, table.power)):
        high = o.none_with_foes(table.above[card])
        long = min(1.0, max(0.0, place + 1.0 - rounds))
        chance = max(high, long)
        worth += chance
        small += 1.0 - chance
    spare = small
    drawn = min(1.0, number / (rounds + 1.0)) if trump != NO_TRUMP else 0.0
    trumped = (1.0 - exp(-each)) * (1.0 - 0.6 * drawn) if trump != NO_TRUMP else 0.0
    for suit in (1, 2, 3, 4):
        if suit == trump:
            continue
        cards = hand & table.of_suit[suit]
        if not cards:
            if spare > 0.0 and number:
                worth += RUFF * min(1.0, spare)
                spare -= 1.0
            continue
        foe = o.share * o.count(table.of_suit[suit]) / o.foes if o.foes else 0.0
        for place, card in enumerate(_from_the_top(cards, copies, table.power)):
            void = exp(-max(0.05, foe - place))
            standing = (1.0 - void * trumped) ** o.foes
            worth += o.none_with_foes(table.above[card]) * standing
    return worth


def _from_the_top(cards: int, copies: int, power: tuple[int, ...]) -> list[int]:
    found = [*cards_of(cards), *cards_of(cards & copies)]
    return sorted(found, key=power.__getitem__, reverse=True)


def with_partners(own: float, partners: int, others: int, size: int) -> float:
    """Tricks of a side: what the hand does not take falls to the others evenly.

    The cards dealt to nobody count as nobody's; ``others`` are all other players.
    """
    return own + max(0.0, size - own) * partners / others if others else own

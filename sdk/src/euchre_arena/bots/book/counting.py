"""What a hand is worth before it is played: tricks it may expect, tricks it is sure of.

The sources count in tricks: three are the whole job, and two sure trumps with an ace beside them
are usually enough ([S] Ordering up). The worths below are of that kind.
"""

from __future__ import annotations

from typing import Final

from euchre_arena.bots.book.cards import ACES, KINGS, TRUMPS, cards_of
from euchre_arena.rules.cards import NO_TRUMP

TRUMP_WORTH: Final = (1.0, 0.85, 0.7, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.3, 0.3)
"""A trump, by how many trumps above it may be with others: a bower is a trick, a nine a hope."""
LENGTH_WORTH: Final = (0.0, 0.0, 0.0, 0.25, 0.6, 1.0)
"""Trumps beyond two, when the others have run out of theirs ([S] Counting)."""
ACE_WORTH: Final = (0.0, 0.75, 0.6, 0.4, 0.25, 0.1)
"""A side ace, by the length of its suit here: the longer, the sooner somebody trumps it."""
KING_WORTH: Final = (0.0, 0.1, 0.25, 0.2, 0.1, 0.0)
"""A side king without its ace, likewise: guarded it lives longer."""
VOID_WORTH: Final = 0.2
"""A side suit not held, while there is a trump to use on it ([W] Calling round)."""


def tricks(hand: int, trump: int, gone: int, pack: int) -> float:
    """Tricks a hand (mask) may expect with a partner; ``gone``: cards known out of play."""
    if trump == NO_TRUMP:
        return _no_trump_tricks(hand, gone, pack)
    table = TRUMPS[trump]
    above, others = table.above, pack & ~hand & ~gone
    held = hand & table.trumps
    number = held.bit_count()
    worth = LENGTH_WORTH[number] if number < 6 else 1.0
    while held:
        worth += TRUMP_WORTH[(above[held.bit_length() - 1] & others).bit_count()]
        held ^= 1 << held.bit_length() - 1
    spare = number
    for suit in (1, 2, 3, 4):
        if suit == trump:
            continue
        cards = hand & table.of_suit[suit]
        if not cards:
            if spare > 0:
                worth += VOID_WORTH
                spare -= 1
        elif cards & ACES:
            worth += ACE_WORTH[cards.bit_count()]
            if cards & KINGS:
                worth += 0.25
        elif cards & KINGS:
            worth += KING_WORTH[cards.bit_count()]
    return worth


def _no_trump_tricks(hand: int, gone: int, pack: int) -> float:
    """At no trump aces and what follows them win, and the joker once."""
    table = TRUMPS[NO_TRUMP]
    others = pack & ~hand & ~gone
    worth = 1.0 if hand & table.trumps else 0.0
    for card in cards_of(hand & ~table.trumps):
        higher = (table.above[card] & others).bit_count()
        length = (hand & table.of_suit[table.suit[card]]).bit_count()
        if higher == 0:
            worth += 0.85
        elif higher == 1 and length > 1:
            worth += 0.35
    return worth


def sure_trumps(hand: int, trump: int, gone: int, pack: int) -> int:
    """Trumps certain to take a trick: none is above them, or as many as guard them from below.

    [F] Eldest Hand: the right bower, the left bower guarded, the ace twice guarded.
    """
    table = TRUMPS[trump]
    held = hand & table.trumps
    others = pack & ~hand & ~gone
    sure, guards = 0, held.bit_count()
    while held:
        card = max(cards_of(held), key=table.power.__getitem__)
        held ^= 1 << card
        guards -= 1
        if (table.above[card] & others).bit_count() <= guards:
            sure += 1
        else:
            break
    return sure


def sure_tricks(hand: int, trump: int, gone: int, pack: int) -> float:
    """Tricks to be seen in the hand alone, the partner sitting out ([S] Going alone).

    Trumps from the top count one each; a gap costs; aces, and what follows them in their suit,
    count when the top trumps can draw the others'.
    """
    table = TRUMPS[trump]
    above, others = table.above, pack & ~hand & ~gone
    held = hand & table.trumps
    number = held.bit_count()
    sure = 0.0
    for card in cards_of(held):
        higher = (above[card] & others).bit_count()
        if higher == 0:
            sure += 1.0
        elif number >= 3:
            # the trumps above it fall on those led before it, or take one trick
            sure += max(0.0, 1.2 - 0.3 * higher)
        else:
            sure += max(0.0, 0.8 - 0.25 * higher)
    side = 1.0 if number >= 3 else 0.85 if number == 2 else 0.5
    for card in cards_of(hand & ~held):
        if not above[card] & others:
            sure += side
        elif (above[card] & others).bit_count() == 1:
            sure += 0.45
        else:
            sure += 0.1
    return sure

"""What to lead. Each piece of advice names a card, or 0 for "says nothing here"."""

from __future__ import annotations

from collections.abc import Iterable

from euchre_arena.bots.book.cards import OF_SUIT, mask_of
from euchre_arena.bots.book.reading import Trick
from euchre_arena.rules.views import View


def draw_trumps(t: Trick) -> int:
    """The maker leads trumps while adversaries may hold any and his are the highest.

    [S] Counting: after two rounds of trump most of them have gone; [S] A worked hand.
    """
    if t.me != t.view.maker or not t.trumps_out():
        return 0
    trumps = t.trump_options()
    if trumps and t.master(trumps[-1]):
        return trumps[-1]
    return 0


def lead_long_trumps(t: Trick) -> int:
    """A maker with three trumps and more leads them even when a higher one is out.

    [S] Counting: the higher one falls on it or takes one trick, and draws its partner's with it.
    """
    trumps = t.trump_options()
    if t.me != t.view.maker or not t.trumps_out() or len(trumps) < 3:
        return 0
    return trumps[-1]


def lead_trumps_to_the_maker(t: Trick) -> int:
    """The maker's partner leads a trump, a bower if he has one: the maker is strong in them.

    [F] Assisting counts on partners joining their trumps; the lead itself is common practice.
    """
    if not t.making or t.me == t.view.maker or not t.trumps_out():
        return 0
    trumps = t.trump_options()
    if not trumps or (t.view.tricks_won and sum(t.view.tricks_won) > 2):
        return 0
    return trumps[-1]


def lead_aces(t: Trick) -> int:
    """Defenders lead their side aces early, before the makers can trump them, the shortest first.

    [S] Defending.
    """
    if t.making:
        return 0
    return _shortest(t, (card for card in t.side_options() if t.master(card)))


def cash_winners(t: Trick) -> int:
    """Lead a side card nothing can beat, from the suit least likely to be trumped.

    [F] Assisting: aces of plain suits are what a partner is worth.
    """
    return _shortest(t, (card for card in t.side_options() if t.master(card)))


def lead_last_trumps(t: Trick) -> int:
    """Two cards before the end a defender's highest trump is led when nothing can beat it.

    Nothing is won by waiting then; common practice.
    """
    if len(t.options) > 2:
        return 0
    trumps = t.trump_options()
    if trumps and t.master(trumps[-1]):
        return trumps[-1]
    return 0


def keep_trumps(t: Trick) -> int:
    """Otherwise lead low from a side suit and keep a trump back to take a trick later.

    [S] Defending. A singleton first, to trump that suit when it comes again ([W] Calling round);
    a king is not led away from.
    """
    side = list(t.side_options())
    if not side:
        return 0
    return min(side, key=lambda card: (_guard(t, card), t.length(card), t.power[card]))


def lead_lowest(t: Trick) -> int:
    """Only trumps are left: the highest if nothing beats it, else the lowest."""
    trumps = t.trump_options()
    if not trumps:
        return min(t.options, key=t.power.__getitem__)
    return trumps[-1] if t.master(trumps[-1]) else trumps[0]


def suit_for_joker(view: View) -> int:
    """Name the longest suit for a joker led at no trump: what falls on it clears that suit.

    Common practice.
    """
    return max(view.legal, key=lambda code: (mask_of(view.hand) & OF_SUIT[code & 7]).bit_count())


def _guard(t: Trick, card: int) -> int:
    """1 for a card whose suit holds a king worth keeping behind the ace."""
    held = t.held(t.suit[card])
    top = held.bit_length() - 1
    return int(held.bit_count() > 1 and (t.above[top] & t.out).bit_count() == 1)


def _shortest(t: Trick, cards: Iterable[int]) -> int:
    """Of cards nothing beats, the one whose suit nobody is known to trump and is shortest here."""
    found = sorted(cards, key=lambda card: (t.may_ruff(t.suit[card]), t.length(card)))
    return found[0] if found else 0


LEADS = (
    draw_trumps,
    lead_long_trumps,
    lead_trumps_to_the_maker,
    lead_aces,
    lead_last_trumps,
    cash_winners,
    keep_trumps,
    lead_lowest,
)
"""In the order they are asked."""

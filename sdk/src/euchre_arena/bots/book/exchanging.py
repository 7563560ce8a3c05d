"""Cards put away, given and asked for anew: discards, swaps, the partner's best card."""

from __future__ import annotations

from euchre_arena.bots.book.cards import ACES, KINGS, OF_SUIT, RANK, SUIT, TRUMPS, cards_of, mask_of
from euchre_arena.rules.actions import PASS, REDEAL, Kind, card_mask
from euchre_arena.rules.views import View


def discard(view: View) -> int:
    """Put away the card that helps least, best one that leaves its suit empty.

    [W] Calling round: a short suit lets the dealer trump; [F] Ordering up: the dealer will discard
    a losing card of an odd suit. Aces and trumps are kept.
    """
    hand = mask_of(view.hand)
    single = [code for code in view.legal if code >> 10 == Kind.DISCARD and not code & 512]
    if not single:
        return view.legal[0]
    return min(single, key=lambda code: worth_keeping(hand, code & 63, view.trump))


def worst(hand: int, trump: int) -> int:
    """The card a dealer would put away from six (mask)."""
    return min(cards_of(hand), key=lambda card: worth_keeping(hand, card, trump))


def worth_keeping(hand: int, card: int, trump: int) -> float:
    """How much a card is worth keeping in a hand before play."""
    table = TRUMPS[trump]
    if 1 << card & table.trumps:
        return 100.0 + table.power[card]
    held = hand & table.of_suit[table.suit[card]]
    length, value = held.bit_count(), float(table.power[card])
    if 1 << card & ACES:
        return 60.0 - length
    if length == 1:
        return value - 8.0 if 1 << card & KINGS else value - 12.0
    if held & ACES:
        return value + 2.0
    if length == 2 and held & KINGS:
        # the king, or what guards it
        return value + 6.0
    return value


def give(view: View) -> int:
    """The lone maker's partner gives his highest trump, else an ace, else his highest card.

    Source of the option: rules.md §3 `partners_best`.
    """
    table = TRUMPS[view.trump]

    def worth(code: int) -> int:
        card = code & 63
        return table.power[card] + (5 if 1 << card & ACES else 0)

    return max(view.legal, key=worth)


def weak_hand(view: View) -> int:
    """A hand of nines and tens is changed whenever it may be, unless it is long in the up-card.

    [S] Farmer's hand; [W] Going under, Ace no face. A swap gives up the three lowest cards, of the
    up-card's suit last.
    """
    if REDEAL in view.legal:
        return REDEAL
    swaps = [code for code in view.legal if code >> 10 & 63 == Kind.SWAP]
    turned = OF_SUIT[SUIT[view.up_card]] if SUIT[view.up_card] else 0
    if not swaps or (mask_of(view.hand) & turned).bit_count() > 2:
        return view.legal[0]

    def loss(code: int) -> int:
        cards = card_mask(code)
        return 20 * (cards & turned).bit_count() + sum(RANK[card] for card in cards_of(cards))

    return min(swaps, key=loss)


def no_ace_no_face(view: View) -> int:
    """Ask for a redeal against the other side's trumps, never against the partner's.

    Source of the option: [W] No ace, no face, no trump.
    """
    if REDEAL in view.legal and view.seat not in view.makers:
        return REDEAL
    return PASS if PASS in view.legal else view.legal[0]

"""Bid games: how many tricks a hand is worth, in which suit, what to put away, whom to pick.

The sources give the rules of auction, bid and call-your-partner euchre ([F][S]) but no advice on
bidding; what follows carries over their counting: trumps and bowers, aces, and a partner's share
([S] Ordering up, Counting; [F] Assisting). What is common practice says so.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from euchre_arena.bots.book.cards import cards_of, mask_of
from euchre_arena.bots.book.chances import expected_tricks, odds, with_partners
from euchre_arena.bots.book.exchanging import worth_keeping
from euchre_arena.bots.book.making import Bidder
from euchre_arena.rules.actions import PASS, Kind, card_mask

SUITS: Final = (1, 2, 3, 4)
"""In which no-trump has no place."""


def tricks_in(b: Bidder, suit: int, partners: int, widow: int = 0, keep: int = 0) -> float:
    """Tricks the hand is worth with a suit as trumps and so many partners.

    ``widow``: cards still to be taken and as many put away; ``keep``: leave out all but this mask.
    """
    view, rules = b.view, b.rules
    held = tuple(card for card in view.hand if not keep or keep >> card & 1)
    foes = rules.seats - 1 - partners
    gone = mask_of(view.put_away) | (b.hand & ~keep if keep else 0)
    hand = mask_of(held)
    copies = mask_of(card for card in cards_of(hand) if held.count(card) > 1)
    chance = odds(held, gone & ~hand, rules.pack.cards, foes, rules.hand_size)
    own = expected_tricks(hand, copies, suit, chance)
    own += widow * b.limits.widow
    return with_partners(own, partners, rules.seats - 1, rules.hand_size)


def partner_has_bid(b: Bidder, suit: int) -> float:
    """A partner who bid has tricks, most of them in the suit he named. Common practice."""
    side_of, seat = b.rules.side_of, b.view.seat
    worth = 0.0
    for entry in b.view.history:
        bidder, code = entry >> 16, entry & 0xFFFF
        if code >> 10 != Kind.BID or bidder == seat or side_of[bidder] != side_of[seat]:
            continue
        worth += b.limits.raised * (2.0 if code & 7 == suit else 1.0 if not code & 7 else 0.0)
    return worth


def bid_what_it_is_worth(b: Bidder, skip: Container[str]) -> int:
    """Bid the tricks the hand is worth, less a margin, in its best suit; or pass.

    Where a made bid scores its own number (auction, five, seven) the highest that is worth it;
    where tricks score (bid euchre) the lowest that is legal: a higher one only risks more. Bids of
    all tricks alone ask for them all.
    """
    view = b.view
    bids = b.rules.table.bids
    scores_tricks = b.rules.scoring == "bid"
    best, best_gain = PASS if PASS in view.legal else view.legal[0], 0.0
    worths: dict[tuple[int, int, int], float] = {}
    for code in view.legal:
        if code >> 10 != Kind.BID:
            continue
        number, suit, alone = code >> 3 & 31, code & 7, code >> 9 & 1
        meant = bids[number]
        partners = 0 if alone else _partners(b, number)
        widow = len(b.rules.pack.cards) - b.rules.seats * b.rules.hand_size if meant.widow else 0
        worth = -9.0
        for trump in (suit,) if suit else SUITS:
            key = trump, partners, widow
            if key not in worths:
                worths[key] = tricks_in(b, trump, partners, widow)
                if partners and "partner_has_bid" not in skip:
                    worths[key] += partner_has_bid(b, trump)
            worth = max(worth, worths[key])
        asked = meant.tricks + (b.limits.all_alone if alone or meant.alone else b.limits.bid)
        asked += b.limits.picked if b.rules.scoring == "picked" else 0.0
        if worth < asked:
            continue
        gain = (worth - number / 4) if scores_tricks else number + worth / 100
        if alone:
            gain += b.rules.table.lone_bid / 4
        if gain > best_gain:
            best, best_gain = code, gain
    return best


def _partners(b: Bidder, number: int) -> int:
    """Partners a bid plays with: those picked, or those of the side."""
    rules = b.rules
    if rules.scoring == "picked":
        return rules.table.bids[number].partners
    return rules.side_of.count(rules.side_of[b.view.seat]) - 1


def name_best_suit(b: Bidder, skip: Container[str]) -> int:
    """The auction won, name the suit that takes most tricks."""
    partners = _partners(b, b.view.bid >> 3 & 31)

    def worth(code: int) -> float:
        raised = partner_has_bid(b, code & 7) if "partner_has_bid" not in skip else 0.0
        return tricks_in(b, code & 7, partners) + raised

    return max(b.view.legal, key=worth)


def lay_away(b: Bidder, skip: Container[str]) -> int:
    """Settle the suit first, then put away what helps least in it: trumps and aces are kept, short
    suits emptied ([W] Calling round, as for a dealer's discard).
    """
    size = b.rules.hand_size
    best, best_worth = 0, -9.0
    for suit in SUITS:
        keep = b.hand
        while keep.bit_count() > size:
            keep ^= 1 << min(
                cards_of(keep),
                key=lambda card: worth_keeping(keep, card, suit),
            )
        worth = tricks_in(b, suit, _partners(b, b.view.bid >> 3 & 31), keep=keep)
        if worth > best_worth:
            best, best_worth = keep, worth
    away = b.hand & ~best
    return next(code for code in b.view.legal if card_mask(code) == away)


def pick_by_what_was_said(b: Bidder, skip: Container[str]) -> int:
    """Pick those who bid, the highest first: they have tricks. Of the rest those who are furthest
    behind, who gain least by it, then those who play last. Common practice.
    """
    view, rules = b.view, b.rules
    said = [0] * rules.seats
    for entry in view.history:
        if entry >> 10 & 63 == Kind.BID:
            said[entry >> 16] = entry >> 3 & 31

    def worth(code: int) -> tuple[int, int, int]:
        seats = cards_of(code & 511)
        places = sum((seat - view.dealer - 1) % rules.seats for seat in seats)
        return (
            sum(said[s] for s in seats),
            -sum(view.score[rules.side_of[s]] for s in seats),
            places,
        )

    return max(view.legal, key=worth)

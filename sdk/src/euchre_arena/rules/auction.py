"""Making trumps by auction (rules.md §4).

    bid → widow → name → pick → play

The widow goes to the maker in ``five`` and ``seven`` unless the bid forgoes it; ``name`` is left
out where the suit stands in the bid, ``pick`` where partners are fixed or the bid is alone.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from .actions import PASS, ActionCode, Kind, bid, canonical_key, card_mask, several
from .asking import ask, put_away, seats_from, take
from .cards import NO_TRUMP, mask_of
from .made import partners_sit_out
from .preset_table import PRESETS
from .presets import Bid, Preset
from .terms import Phase, Reason, Result

if TYPE_CHECKING:
    from .hand import Hand


def open_auction(hand: Hand) -> None:
    """Eldest bids first."""
    ask(hand, Phase.BID, seats_from(hand, (hand.dealer + 1) % hand.rules.seats))


def amount_of(action: ActionCode) -> int:
    """The number of a bid."""
    return action >> 3 & 31


def _standing(action: ActionCode) -> int:
    """Bids rank by number alone; alone outranks the same number with a partner. 0: no bid."""
    return amount_of(action) * 2 + (action >> 9 & 1) if action else 0


def bid_of(hand: Hand) -> Bid:
    """What the highest bid undertakes."""
    return hand.rules.table.bids[amount_of(hand.bid)]


def _suits(preset: Preset) -> tuple[int, ...]:
    """Suits that may be trumps; no trump belongs to bid euchre."""
    return (1, 2, 3, 4, NO_TRUMP) if preset.lone_bid else (1, 2, 3, 4)


def _may_be_alone(preset: Preset, amount: int) -> bool:
    return preset.lone_bid > 0 and amount == preset.hand_size


def bid_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """A bid strictly above the last, or pass."""
    rules = hand.rules
    named = "suit_in_bid" in rules.flags
    return _bids_above(rules.preset, named, _standing(hand.bid), _stuck(hand))


@lru_cache(maxsize=1 << 10)
def _bids_above(preset: str, named: bool, standing: int, stuck: bool) -> tuple[ActionCode, ...]:
    """Few and long lists, each made once: ``named``, the suit stands in the bid."""
    table = PRESETS[preset]
    bids = [
        code
        for amount in table.bids
        for alone in ((False, True) if _may_be_alone(table, amount) else (False,))
        for suit in (_suits(table) if named else (0,))
        if _standing(code := bid(amount, suit, alone)) > standing
    ]
    bids.sort(key=canonical_key)
    return tuple(bids) if stuck else (PASS, *bids)


def _stuck(hand: Hand) -> bool:
    """All others have passed and the dealer may not (``stick_the_dealer``)."""
    return "stick_the_dealer" in hand.rules.flags and hand.to_act == hand.dealer and hand.bid == 0


def why_no_bid(hand: Hand, seat: int, action: ActionCode) -> Reason:
    """Form first, then the numbers (conformance.md)."""
    if action == PASS:
        return Reason.DEALER_MUST_CALL
    rules = hand.rules
    amount, suit = amount_of(action), action & 7
    wanted = _suits(rules.table) if rules.value("suit_in_bid") else (0,)
    if suit not in wanted or (action & 512 and not _may_be_alone(rules.table, amount)):
        return Reason.NOT_ALLOWED
    if amount < min(rules.table.bids):
        return Reason.BID_TOO_LOW
    return Reason.BID_TOO_LOW if amount in rules.table.bids else Reason.NOT_ALLOWED


def make_bid(hand: Hand, seat: int, action: ActionCode) -> None:
    """Bid or pass; the auction ends when nobody else is to be asked."""
    if action != PASS:
        hand.bid, hand.bidder = action, seat
        if hand.rules.value("rounds") == "open":
            hand.queue.append(seat)
    if hand.queue and hand.queue != [hand.bidder]:
        hand.to_act = hand.queue.pop(0)
    elif hand.bid:
        _won(hand)
    else:
        hand.finish_unplayed(Result.THROWN_IN)


def _won(hand: Hand) -> None:
    rules = hand.rules
    hand.maker = hand.bidder
    won = bid_of(hand)
    if hand.bid & 512:
        hand.alone = True
        partners_sit_out(hand, hand.maker)
    if won.alone:
        hand.alone = True
    if won.widow:
        take(hand, hand.maker, hand.kitty)
        hand.kitty = ()
        ask(hand, Phase.WIDOW, [hand.maker])
    elif rules.value("suit_in_bid"):
        hand.trump = hand.bid & 7
        _lead(hand)
    else:
        ask(hand, Phase.NAME, [hand.maker])


def widow_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """As many cards as the widow had."""
    cards = hand.cards(hand.to_act)
    count = len(cards) - hand.rules.hand_size
    return tuple([several(Kind.DISCARD, mask_of(some)) for some in combinations(cards, count)])


def lay_away(hand: Hand, seat: int, action: ActionCode) -> None:
    """The maker's discards."""
    put_away(hand, seat, card_mask(action))
    ask(hand, Phase.NAME, [seat])


def name_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """The auction won, the trump suit."""
    return tuple([Kind.NAME << 10 | suit for suit in _suits(hand.rules.table)])


def name(hand: Hand, seat: int, action: ActionCode) -> None:
    """Trumps are made."""
    hand.trump = action & 7
    if bid_of(hand).partners:
        ask(hand, Phase.PICK, [seat])
    else:
        _lead(hand)


def pick_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """As many partners as the bid allows."""
    others = [seat for seat in range(hand.rules.seats) if seat != hand.to_act]
    picks = combinations(others, bid_of(hand).partners)
    return tuple([Kind.PICK << 10 | mask_of(seats) for seats in picks])


def pick(hand: Hand, seat: int, action: ActionCode) -> None:
    """The maker's partners of this hand."""
    hand.chosen = action & 1023
    _lead(hand)


def _lead(hand: Hand) -> None:
    leads = hand.maker if hand.rules.table.lone_bid else hand.next_active[hand.dealer]
    hand.begin_play(leads)

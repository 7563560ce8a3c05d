"""What a hand scores (rules.md §6 and §7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from .ecarte import score_ecarte
from .terms import Phase

if TYPE_CHECKING:
    from .hand import Hand
    from .ruleset import Rules

TOKENS_A_POINT: Final = 4


class Played(Protocol):
    """What the score of partners depends on; a ``Hand``, or a deal recorded elsewhere (EGN)."""

    rules: Rules
    maker: int
    alone: bool
    blind: bool
    defending_alone: int
    tricks: list[int]
    trick_winners: list[int]
    points: list[int]
    tokens: list[int]


def score_hand(hand: Hand) -> None:
    """Fill ``hand.points`` (and tokens) from its tricks; ask the Robson question."""
    SCORINGS[hand.rules.scoring](hand)
    if "robson" in hand.rules.flags and hand.rules.hand_size in hand.tricks:
        hand.to_act = _robson_seat(hand)
        hand.phase_number = Phase.SCORE.value


def _robson_seat(hand: Hand) -> int:
    """Who decides: the maker, or the first active defender from the dealer's left."""
    side_of = hand.rules.side_of
    winners = hand.tricks.index(hand.rules.hand_size)
    if side_of[hand.maker] == winners:
        return hand.maker
    seat = hand.next_active[hand.dealer]
    while side_of[seat] != winners:
        seat = hand.next_active[seat]
    return seat


def partnership(hand: Played) -> None:
    """Two sides of partners, the table of §6."""
    rules = hand.rules
    makers = rules.side_of[hand.maker]
    tricks = hand.tricks[makers]
    points = _partnership_points(hand, tricks)
    if points >= 0:
        hand.points[makers] = points
        if "four_trick_tokens" in rules.flags and tricks == 4 and not hand.alone:
            _token(hand, makers)
    else:
        hand.points[1 - makers] = -points
    if "fast_break" in rules.flags and _fast_break(hand, makers):
        hand.points[makers] = 0


def _partnership_points(hand: Played, tricks: int) -> int:
    """Points to the makers, or negative to the defenders."""
    rules = hand.rules
    if hand.blind:
        return 5 if tricks == rules.hand_size else -1
    if tricks == rules.hand_size:
        return rules.number("lone_march" if hand.alone else "march")
    if tricks >= rules.majority:
        return 1
    if hand.defending_alone >= 0:
        return -rules.number("defend_alone_euchre" if tricks else "defend_alone_march")
    return -(rules.number("lone_euchred") if hand.alone else 2)


def _token(hand: Played, makers: int) -> None:
    hand.tokens[makers] += 1
    if hand.tokens[makers] == TOKENS_A_POINT:
        hand.tokens[makers] = 0
        hand.points[makers] += 1


def _fast_break(hand: Played, makers: int) -> bool:
    sides = [hand.rules.side_of[seat] for seat in hand.trick_winners]
    return len(sides) == 5 and [side == makers for side in sides] == [False] * 2 + [True] * 3


def _solo(hand: Hand, euchred: Callable[[Hand, int], None]) -> None:
    rules = hand.rules
    maker = rules.side_of[hand.maker]
    tricks = hand.tricks[maker]
    if tricks >= rules.majority:
        hand.points[maker] = rules.number("march") if tricks == rules.hand_size else 1
    else:
        euchred(hand, maker)


def _two_to_each(hand: Hand, maker: int) -> None:
    hand.points = [0 if side == maker else 2 for side in range(hand.rules.sides)]


def _two_off(hand: Hand, maker: int) -> None:
    hand.points[maker] = -2


def solo(hand: Hand) -> None:
    """Everyone alone; euchred: two to each adversary ([P][F][S])."""
    _solo(hand, _two_to_each)


def setback(hand: Hand) -> None:
    """Everyone alone; euchred: two off the maker ([H])."""
    _solo(hand, _two_off)


def seven_card(hand: Hand) -> None:
    """Three players with seven cards ([W]): 4–5 tricks 1, 6 tricks 2, 7 tricks 4."""
    maker = hand.rules.side_of[hand.maker]
    tricks = hand.tricks[maker]
    if tricks >= hand.rules.majority:
        hand.points[maker] = {6: 2, 7: 4}.get(tricks, 1)
        return
    one, two = (side for side in range(3) if side != maker)
    if hand.tricks[one] == hand.tricks[two]:
        hand.points[one] = hand.points[two] = 1
    else:
        hand.points[one if hand.tricks[one] > hand.tricks[two] else two] = 2


def auction(hand: Hand) -> None:
    """Auction euchre ([F]): the bid to the makers if made, no more, else to the adversaries."""
    makers = hand.rules.side_of[hand.maker]
    bid = hand.bid >> 3 & 31
    hand.points[makers if hand.tricks[makers] >= bid else 1 - makers] = bid


def bid_euchre(hand: Hand) -> None:
    """Bid euchre ([S], numbers a ruling): tricks to both sides, a failed bid comes off the makers.

    All tricks bid alone are worth a number of their own, won or lost.
    """
    makers = hand.rules.side_of[hand.maker]
    bid = hand.bid >> 3 & 31
    tricks = hand.tricks[makers]
    lone = hand.rules.table.lone_bid if hand.alone else 0
    hand.points[makers] = (lone or tricks) if tricks >= bid else -(lone or bid)
    hand.points[1 - makers] = hand.tricks[1 - makers]


def picked(hand: Hand) -> None:
    """Five- and seven-handed ([F], numbers a ruling): the number to maker and partners, or off."""
    bid = hand.bid >> 3 & 31
    makers = [hand.rules.side_of[seat] for seat in hand.makers]
    if sum(hand.tricks[side] for side in makers) >= hand.rules.table.bids[bid].tricks:
        for side in makers:
            hand.points[side] = bid
    else:
        hand.points[hand.rules.side_of[hand.maker]] = -bid


SCORINGS: Final[dict[str, Callable[[Hand], None]]] = {
    "partnership": partnership,
    "solo": solo,
    "setback": setback,
    "seven-card": seven_card,
    "auction": auction,
    "bid": bid_euchre,
    "picked": picked,
    "ecarte": score_ecarte,
}
"""By the preset's way of scoring."""

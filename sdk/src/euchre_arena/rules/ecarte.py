"""Écarté (rules.md §8, [H]): proposals, exchanges, the king, tricks that must be won.

propose → respond → exchange (both) → propose …      until somebody stands or refuses: play
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from operator import add
from typing import TYPE_CHECKING, Final

from .actions import CONCEDE, MARK, PROPOSE, STAND, ActionCode, Kind, card_mask, several
from .asking import ask, put_away, take
from .cards import Card, Suit, card, mask_of, rank_of, suit_of
from .terms import Phase, Result

if TYPE_CHECKING:
    from .hand import Hand
    from .ruleset import Rules

KING_POINT: Final = 1
"""For the king of trumps, turned up or marked."""
_ACCEPT: Final = int(Kind.ACCEPT) << 10
_REFUSE: Final = int(Kind.REFUSE) << 10


def open_ecarte(hand: Hand) -> None:
    """A king turned up marks at once; then the non-dealer speaks (law 47)."""
    hand.trump = suit_of(hand.up_card)
    if rank_of(hand.up_card) == "K":
        _mark_one(hand, hand.dealer)
        if hand.over:
            return
    ask(hand, Phase.PROPOSE, [1 - hand.dealer])


def _mark_one(hand: Hand, seat: int) -> None:
    """The point for the king; reaching the target by it ends the game there."""
    rules = hand.rules
    side = rules.side_of[seat]
    hand.points[side] += KING_POINT
    mine, theirs = current_score(hand)[side], current_score(hand)[1 - side]
    enough = rules.target and mine >= rules.target
    if enough and (mine - theirs >= 2 or "win_by_two" not in rules.flags):
        hand.finish_unplayed(Result.KING)


def current_score(hand: Hand) -> tuple[int, ...]:
    """Points of the game with those marked in this hand."""
    return tuple(map(add, hand.score, hand.points))


def propose_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Nobody can exchange on an empty stock."""
    return (PROPOSE, STAND) if hand.kitty else (STAND,)


def propose(hand: Hand, seat: int, action: ActionCode) -> None:
    """Play as the cards are, or ask for others."""
    if action == STAND:
        _begin_play(hand)
    else:
        ask(hand, Phase.RESPOND, [hand.dealer])


def respond_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """The dealer's answer to a proposal."""
    return (_ACCEPT, _REFUSE)


def respond(hand: Hand, seat: int, action: ActionCode) -> None:
    """Exchange, or play."""
    if action == _REFUSE:
        _begin_play(hand)
    else:
        ask(hand, Phase.EXCHANGE, [1 - hand.dealer, hand.dealer])


def exchange_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """The non-dealer one card or more, the dealer any number, none more than the stock holds."""
    seat = hand.to_act
    cards = hand.cards(seat)
    fewest = 0 if seat == hand.dealer else 1
    most = min(len(cards), len(hand.kitty))
    return tuple(
        [
            several(Kind.DISCARD, mask_of(some))
            for count in range(fewest, most + 1)
            for some in combinations(cards, count)
        ]
    )


def exchange(hand: Hand, seat: int, action: ActionCode) -> None:
    """Discard and draw as many; the dealer after the non-dealer, then the next proposal."""
    mask = card_mask(action)
    count = mask.bit_count()
    put_away(hand, seat, mask)
    take(hand, seat, hand.kitty[:count])
    hand.kitty = hand.kitty[count:]
    if seat == hand.dealer:
        ask(hand, Phase.PROPOSE, [1 - seat])
    else:
        hand.to_act = hand.queue.pop(0)


def _begin_play(hand: Hand) -> None:
    hand.begin_play(1 - hand.dealer)


def plays(hand: Hand, mask: int) -> tuple[ActionCode, ...]:
    """What may be done in the play: cards that win if any can (law 43), the king, giving up."""
    seat = hand.to_act
    found = hand.rules.pack_tables.plays[winning(hand.rules, hand.trump, hand.trick, mask)]
    if may_mark(hand, seat):
        found = (*found, MARK)
    return (*found, CONCEDE) if hand.tricks[hand.rules.side_of[seat]] < 3 else found


def winning(rules: Rules, trump: Suit, trick: Sequence[Card], mask: int) -> int:
    """The cards of ``mask`` (pack positions) that may be played to a trick (law 43)."""
    if not trick:
        return mask
    tables = rules.trumps(trump)
    led = tables.suits[trick[0]]
    choice = (mask & tables.follow[led]) or (mask & tables.follow[trump]) or mask
    power = tables.powers[led]
    best = power[trick[0]]
    winners = 0
    for position, number in enumerate(rules.pack_tables.cards):
        if choice >> position & 1 and power[number] > best:
            winners |= 1 << position
    return winners or choice


def may_mark(hand: Hand, seat: int) -> bool:
    """Holds the king of trumps, at its first turn to play, and has not marked it (law 47)."""
    king = hand.rules.pack_tables.bit[card(hand.trump, "K")]
    return bool(
        hand.masks[seat] & king
        and hand.masks[seat].bit_count() == hand.rules.hand_size
        and seat << 16 | MARK not in hand.log
    )


def mark(hand: Hand, seat: int) -> None:
    """One point; the seat then plays."""
    _mark_one(hand, seat)


def concede(hand: Hand, seat: int) -> None:
    """Give the rest of the hand up (law 42)."""
    hand.conceded = seat
    hand.finish(Result.CONCEDED)


def score_ecarte(hand: Hand) -> None:
    """Vole two, point one, or two where law 49 punishes standing or refusing at once."""
    side_of = hand.rules.side_of
    if hand.result is Result.CONCEDED:
        loser = side_of[hand.conceded]
        winner = 1 - loser
        vole = hand.tricks[loser] == 0
    else:
        winner = 0 if hand.tricks[0] > hand.tricks[1] else 1
        vole = hand.tricks[winner] == hand.rules.hand_size
    loser_seat = side_of.index(1 - winner)
    hand.points[winner] += 2 if vole or _spoke_too_soon(hand, loser_seat) else 1


def _spoke_too_soon(hand: Hand, loser: int) -> bool:
    """Law 49: the loser stood without any proposal, or refused the first."""
    words = [code & 0xFFFF for code in hand.log[:2]]
    if loser == hand.dealer:
        return words == [PROPOSE, _REFUSE]
    return words[0] == STAND

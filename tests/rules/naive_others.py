"""A second referee of the presets that are not four-handed turn-up euchre: slow, plain, apart.

From what was said it works out who won each trick and what every side scores (rules.md §4, §7, §8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.rules import naive

ECARTE = "789TAJQK"
BID_TRICKS = {8: 5, 15: 5, 10: 7, 20: 7}
"""Numbers of ``five`` and ``seven`` that mean all tricks alone."""
LONE_BID = {"bid-four": 12, "bid-six": 24}


@dataclass
class Table:
    """What stays the same through a hand."""

    preset: str
    values: Mapping[str, Any]
    side_of: Sequence[int]
    hand_size: int
    dealer: int
    up_card: str
    score: Sequence[int]


@dataclass
class Played:
    """What became of a hand."""

    trump: str = ""
    maker: int = -1
    bid: int = 0
    alone: bool = False
    out: set[int] = field(default_factory=set)
    picked: set[int] = field(default_factory=set)
    points: list[int] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    conceded: int = -1


def height(preset: str, card: str, trump: str, led: str) -> tuple[int, int]:
    """How high a card stands; Écarté has its own ranks and no bowers."""
    if preset != "ecarte":
        return naive.height(card, trump, led)
    suit_height = 2 if card[1] == trump else 1 if card[1] == led else 0
    return (suit_height, ECARTE.index(card[0]) if suit_height else 0)


def suit_of(preset: str, card: str, trump: str) -> str:
    return card[1] if preset == "ecarte" else naive.suit_of(card, trump)


def referee(table: Table, said: Sequence[tuple[int, str]]) -> Played:
    """Work out a whole hand from what was said by whom."""
    sides = max(table.side_of) + 1
    hand = Played(points=[0] * sides, tricks=[0] * sides)
    if table.preset == "ecarte":
        hand.trump = table.up_card[1]
        if table.up_card[0] == "K":
            hand.points[table.dealer] += 1
    trick: list[tuple[int, str]] = []
    led = ""
    for seat, text in said:
        words = text.split()
        if words[0] == "lead-suit":
            led = words[1]
        elif words[0] == "play":
            if not trick:
                led = suit_of(table.preset, words[1], hand.trump)
            trick.append((seat, words[1]))
            if len(trick) == len(table.side_of) - len(hand.out):
                best = max(trick, key=lambda t: height(table.preset, t[1], hand.trump, led))
                hand.winners.append(best[0])
                hand.tricks[table.side_of[best[0]]] += 1
                trick = []
        else:
            _hear(table, hand, seat, words)
    finished = len(hand.winners) == table.hand_size or hand.conceded >= 0
    if finished:
        _score(table, hand, [text for _, text in said])
    return hand


def _hear(table: Table, hand: Played, seat: int, words: Sequence[str]) -> None:
    """Everything but the play of cards."""
    if words[0] in ("order", "call"):
        hand.maker = seat
        hand.trump = table.up_card[1] if words[0] == "order" else words[1]
        _alone(table, hand, words)
    elif words[0] == "bid":
        hand.maker, hand.bid = seat, int(words[1])
        hand.trump = words[2] if len(words) > 2 and words[2] != "alone" else ""
        _alone(table, hand, words)
    elif words[0] == "name":
        hand.trump = words[1]
    elif words[0] == "pick":
        hand.picked = {int(word) for word in words[1:]}
    elif words[0] == "mark":
        hand.points[seat] += 1
    elif words[0] == "concede":
        hand.conceded = seat


def _alone(table: Table, hand: Played, words: Sequence[str]) -> None:
    hand.alone = words[-1] == "alone"
    hand.out = (
        {
            seat
            for seat, side in enumerate(table.side_of)
            if seat != hand.maker and side == table.side_of[hand.maker]
        }
        if hand.alone
        else set()
    )


def _score(table: Table, hand: Played, said: Sequence[str]) -> None:
    if table.preset == "ecarte":
        _ecarte(table, hand, said)
    elif table.preset in ("five", "seven"):
        _picked(hand)
    else:
        maker = table.side_of[hand.maker]
        made = hand.tricks[maker]
        others = [side for side in range(len(hand.points)) if side != maker]
        if table.preset == "auction":
            hand.points[maker if made >= hand.bid else 1 - maker] = hand.bid
        elif table.preset.startswith("bid-"):
            worth = LONE_BID[table.preset] if hand.alone else 0
            hand.points[maker] = (worth or made) if made >= hand.bid else -(worth or hand.bid)
            hand.points[others[0]] = hand.tricks[others[0]]
        elif table.preset == "three-seven":
            _seven_cards(hand, maker, others)
        elif table.preset == "three-setback" and made < 3:
            hand.points[maker] = -2
        elif made < 3:
            for side in others:
                hand.points[side] = 2
        else:
            hand.points[maker] = table.values["march"] if made == 5 else 1
    if said[-1] == "score subtract":
        (winner,) = [side for side in (0, 1) if hand.tricks[side] == table.hand_size]
        hand.points[1 - winner] -= hand.points[winner]
        hand.points[winner] = 0


def _seven_cards(hand: Played, maker: int, others: Sequence[int]) -> None:
    made = hand.tricks[maker]
    if made >= 4:
        hand.points[maker] = {4: 1, 5: 1, 6: 2, 7: 4}[made]
        return
    most = max(hand.tricks[side] for side in others)
    best = [side for side in others if hand.tricks[side] == most]
    for side in best:
        hand.points[side] = 2 if len(best) == 1 else 1


def _picked(hand: Played) -> None:
    together = {hand.maker, *hand.picked}
    made = sum(hand.tricks[seat] for seat in together)
    if made >= BID_TRICKS.get(hand.bid, hand.bid):
        for seat in together:
            hand.points[seat] = hand.bid
    else:
        hand.points[hand.maker] = -hand.bid


def _ecarte(table: Table, hand: Played, said: Sequence[str]) -> None:
    if hand.conceded >= 0:
        winner = 1 - hand.conceded
        vole = hand.tricks[hand.conceded] == 0
    else:
        winner = 0 if hand.tricks[0] > hand.tricks[1] else 1
        vole = hand.tricks[winner] == 5
    stood = said[0] == "stand" and winner == table.dealer
    refused = list(said[:2]) == ["propose", "refuse"] and winner != table.dealer
    hand.points[winner] += 2 if vole or stood or refused else 1


def may_play(table: Table, hand: Sequence[str], trump: str, trick: Sequence[str]) -> list[str]:
    """Écarté (law 43): win the trick if you can, following first, trumping when void."""
    if not trick:
        return list(hand)
    led = trick[0][1]
    following = [card for card in hand if card[1] == led]
    trumps = [card for card in hand if card[1] == trump]
    choice = following or trumps or list(hand)
    best = height(table.preset, trick[0], trump, led)
    winning = [card for card in choice if height(table.preset, card, trump, led) > best]
    return winning or choice

"""A second referee of the play, slow and plain, written from rules.md apart from the engine.

It knows cards as text and nothing of masks, tables or phases: from the cards dealt and the actions
said it works out who won which trick and what the hand scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PLAIN = "23456789TJQKA"
TRUMPS = "23456789TQKA"
OTHER_SUIT = {"c": "s", "s": "c", "d": "h", "h": "d"}


def suit_of(card: str, trump: str) -> str:
    """The suit a card counts as (§1): the left bower and the joker are trumps."""
    if card == "B":
        return "" if trump == "n" else trump
    if trump != "n" and card == "J" + OTHER_SUIT[trump]:
        return trump
    return card[1]


def height(card: str, trump: str, led: str) -> tuple[int, int]:
    """How high a card stands in a trick (§1, §5): trumps over the suit led over the rest."""
    if card == "B":
        return (3, 0)
    if trump != "n":
        if card == "J" + trump:
            return (2, 101)
        if card == "J" + OTHER_SUIT[trump]:
            return (2, 100)
        if card[1] == trump:
            return (2, TRUMPS.index(card[0]))
    if card[1] == led:
        return (1, PLAIN.index(card[0]))
    return (0, 0)


@dataclass
class Played:
    """What became of a hand."""

    trump: str = ""
    maker: int = -1
    alone: bool = False
    blind: bool = False
    lone_defender: int = -1
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    winners: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=lambda: [0, 0])
    tokens: list[int] = field(default_factory=lambda: [0, 0])
    result: str = "played"


def referee(
    values: Mapping[str, Any],
    up_card: str,
    said: Sequence[tuple[int, str]],
    tokens: Sequence[int] = (0, 0),
    seats: int = 4,
) -> Played:
    """Work out a whole hand from what was said by whom; sides are seat modulo 2."""
    partners = seats // 2 - 1
    hand = Played(tokens=list(tokens))
    trick: list[tuple[int, str]] = []
    led = ""
    for seat, text in said:
        words = text.split()
        if words[0] == "redeal":
            hand.result = "redeal"
            return hand
        if words[0] == "order":
            hand.trump, hand.maker = up_card[1], seat
            hand.alone = words[-1] == "alone"
        elif words[0] == "call":
            hand.trump, hand.maker = words[1], seat
            hand.alone = words[-1] == "alone"
        elif text == "blind alone":
            hand.trump, hand.maker = up_card[1], seat
            hand.alone = hand.blind = True
        elif text == "defend alone":
            hand.lone_defender = seat
        elif words[0] == "lead-suit":
            led = words[1]
        elif words[0] == "play":
            if not trick:
                led = suit_of(words[1], hand.trump)
            trick.append((seat, words[1]))
            if len(trick) == seats - partners * (hand.alone + (hand.lone_defender >= 0)):
                best = max(trick, key=lambda entry: height(entry[1], hand.trump, led))
                hand.winners.append(best[0])
                hand.tricks[best[0] % 2] += 1
                trick = []
    if hand.maker < 0:
        hand.result = "thrown-in"
        return hand
    score(values, hand)
    if said[-1][1] == "score subtract":
        winner = 0 if hand.tricks[0] == 5 else 1
        hand.points[1 - winner] -= hand.points[winner]
        hand.points[winner] = 0
    return hand


def score(values: Mapping[str, Any], hand: Played) -> None:
    """The table of §6 and the house options, line by line."""
    makers = hand.maker % 2
    made = hand.tricks[makers]
    if hand.blind:
        hand.points[makers if made == 5 else 1 - makers] = 5 if made == 5 else 1
    elif made == 5 and hand.alone:
        hand.points[makers] = values["lone_march"]
    elif made == 5:
        hand.points[makers] = values["march"]
    elif made >= 3:
        hand.points[makers] = 1
    elif hand.lone_defender >= 0 and made == 0:
        hand.points[1 - makers] = values["defend_alone_march"]
    elif hand.lone_defender >= 0:
        hand.points[1 - makers] = values["defend_alone_euchre"]
    elif hand.alone:
        hand.points[1 - makers] = values["lone_euchred"]
    else:
        hand.points[1 - makers] = 2
    if values.get("four_trick_tokens") and made == 4 and not hand.alone:
        hand.tokens[makers] += 1
        if hand.tokens[makers] == 4:
            hand.tokens[makers] = 0
            hand.points[makers] += 1
    sides = [seat % 2 for seat in hand.winners]
    if values.get("fast_break") and sides == [1 - makers] * 2 + [makers] * 3:
        hand.points[makers] = 0


def may_play(hand: Sequence[str], trump: str, led: str) -> list[str]:
    """What may be played to a trick (§5): follow the suit led if you can."""
    following = [card for card in hand if suit_of(card, trump) == led]
    return following or list(hand)

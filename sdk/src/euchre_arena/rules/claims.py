"""Claims: accepted exactly when every line of play gives the claimer's side all tricks (§5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import JOKER, NO_TRUMP
from .tables import TrumpTables

if TYPE_CHECKING:
    from .hand import Hand


def good_claim(hand: Hand, trumps: TrumpTables, claimer: int) -> bool:
    """Whether the claimer's side takes every trick left, whatever anybody plays.

    At most three tricks of four seats are left, and a line is given up at the first trick lost.
    """
    rules = hand.rules
    side = rules.side_of[claimer]
    names = rules.pack_tables.cards

    def trick(masks: list[int], seat: int, played: int, led: int, best: int, winner: int) -> bool:
        mask = masks[seat]
        if played:
            mask = mask & trumps.follow[led] or mask
        while mask:
            bit = mask & -mask
            mask ^= bit
            number = names[bit.bit_length() - 1]
            rest = list(masks)
            rest[seat] ^= bit
            suits: tuple[int, ...]
            if played:
                suits = (led,)
            elif number == JOKER and trumps.trump == NO_TRUMP:
                suits = (1, 2, 3, 4)
            else:
                suits = (trumps.suits[number],)
            for suit in suits:
                power = trumps.powers[suit][number]
                wins = not played or power > best
                if not follow_up(
                    rest,
                    seat,
                    played + 1,
                    suit,
                    max(power, best if played else 0),
                    seat if wins else winner,
                ):
                    return False
        return True

    def follow_up(
        masks: list[int], seat: int, played: int, led: int, best: int, winner: int
    ) -> bool:
        if played < hand.active:
            return trick(masks, hand.next_active[seat], played, led, best, winner)
        if rules.side_of[winner] != side:
            return False
        return not masks[winner] or trick(masks, winner, 0, 0, 0, winner)

    return trick(list(hand.masks), claimer, 0, 0, 0, claimer)

"""From one choice to the next: where a referee spends what it spends on rules."""

from __future__ import annotations

from typing import Final

from .actions import ActionCode
from .hand import Hand
from .tables import LOW_BITS, LOW_SIZE
from .terms import Phase, Result

_PLAY: Final = int(Phase.PLAY)


def step(hand: Hand, action: ActionCode) -> tuple[ActionCode, ...]:
    """Carry out a legal action, and whatever is the only legal one after it; what may be chosen
    then, empty when the hand is over.

    The same as `Hand.apply` and `Hand.legal` in turn, which it is as long as more is asked for than
    a card of a single pack.
    """
    if hand.phase_number == _PLAY and not hand.unusual:
        return _play(hand, action)
    while True:
        hand.apply(action)
        legal = hand.legal()
        if len(legal) != 1:
            return legal
        action = legal[0]


def _play(hand: Hand, action: ActionCode) -> tuple[ActionCode, ...]:
    """What changes with every card is kept here until somebody has a choice."""
    rules, masks, log = hand.rules, hand.masks, hand.log
    low, high, bits = hand.low, hand.high, hand.bits
    seat, left = hand.to_act, hand.left
    while True:
        played = action & 63
        masks[seat] ^= bits[played]
        log.append(seat << 16 | action)
        if not left:
            hand.lead(seat, played)
            if hand.phase_number != _PLAY:
                hand.to_act, hand.left = seat, 0
                return hand.legal()
            seat, left = hand.to_act, hand.left
            mask = masks[seat]
            mask = (mask & hand.follow) or mask
        else:
            hand.trick.append(played)
            power = hand.powers[played]
            if power > hand.best:
                hand.best = power
                hand.winner = seat
            left -= 1
            if left:
                seat = hand.next_active[seat]
                mask = masks[seat]
                mask = (mask & hand.follow) or mask
            else:
                seat = hand.winner
                hand.tricks[rules.side_of[seat]] += 1
                hand.trick_winners.append(seat)
                hand.trick = []
                hand.lead_suit = 0
                mask = masks[seat]
                if not mask:
                    hand.left = 0
                    hand.finish(Result.PLAYED)
                    return hand.legal()
                hand.leader = seat
        legal = low[mask & LOW_BITS] + high[mask >> LOW_SIZE]
        if len(legal) != 1:
            hand.to_act, hand.left = seat, left
            return legal
        action = legal[0]

"""One game: hands until a target, a number of deals or the most deals allowed (rules.md §6)."""

from __future__ import annotations

from collections.abc import Sequence

from .dealing import Deal
from .hand import Hand
from .ruleset import Rules
from .terms import Result


class Game:
    """Score, deal and end of a game; hands are started with ``start_hand``."""

    __slots__ = (
        "dealer", "deal_number", "deals_counted", "hand", "over", "rules", "score", "tokens",
        "winners",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        first_dealer: int,
        score: Sequence[int] | None = None,
        tokens: Sequence[int] | None = None,
        deals_played: int = 0,
    ) -> None:
        """Start a game, or one already under way: scores and tokens a side, deals counted."""
        self.rules = rules
        self.dealer = first_dealer
        self.score = list(score) if score else [0] * rules.sides
        self.tokens = list(tokens) if tokens else [0] * rules.sides
        self.deal_number = deals_played
        """Deals made, redealt ones included: the *k* of the next deal."""
        self.deals_counted = deals_played
        """Deals made, redealt ones left out."""
        self.over = False
        self.winners: tuple[int, ...] = ()
        """Winning sides, ascending, once the game is over."""
        self.hand: Hand | None = None

    def start_hand(self, deal: Deal) -> Hand:
        """Begin the next hand with the cards dealt."""
        self.hand = Hand(self.rules, self.dealer, deal, self.score, self.tokens, self.deal_number)
        return self.hand

    def finish_hand(self) -> None:
        """Count the hand that has just ended; sets ``over`` and ``winners``."""
        hand = self.hand
        assert hand is not None, "no hand is being played"
        assert hand.over, "the hand is not over"
        self.hand = None
        self.deal_number += 1
        self.dealer = hand.next_dealer
        if hand.result is not Result.REDEAL:
            self.deals_counted += 1
        self.score = [old + new for old, new in zip(self.score, hand.points, strict=True)]
        self.tokens = hand.tokens
        winners = self._winners(hand)
        if winners:
            self.over = True
            self.winners = winners

    def forfeit(self, winners: Sequence[int]) -> None:
        """End the game at once: these sides win it."""
        self.over = True
        self.hand = None
        self.winners = tuple(sorted(winners))

    def _winners(self, hand: Hand) -> tuple[int, ...]:
        values = self.rules.values
        target = self.rules.target
        if target:
            winners = self._at_target(target, hand)
            if winners:
                return winners
        elif self.deals_counted >= self.rules.number("num_deals"):
            return self._best()
        return self._best() if self.deal_number >= int(values["max_deals"]) else ()

    def _at_target(self, target: int, hand: Hand) -> tuple[int, ...]:
        score = self.score
        reached = [side for side, points in enumerate(score) if points >= target]
        if "win_by_two" in self.rules.flags:
            return tuple(side for side in reached if score[side] - score[1 - side] >= 2)
        if len(reached) > 1 and self.rules.scoring == "bid":
            return (self.rules.side_of[hand.maker],)
        if len(reached) > 1 and self.rules.value("tie") == "eldest":
            side_of = self.rules.side_of
            seats = [(hand.dealer + step) % self.rules.seats for step in range(1, self.rules.seats)]
            order = [side_of[seat] for seat in (*seats, hand.dealer)]
            return (min(reached, key=order.index),)
        return tuple(reached)

    def _best(self) -> tuple[int, ...]:
        best = max(self.score)
        return tuple(side for side, points in enumerate(self.score) if points == best)

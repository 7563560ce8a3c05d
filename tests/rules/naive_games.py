"""A second referee of games: when one ends and who has won it (rules.md §6, §8), apart from ours.

It is told hand by hand what a hand came to, and adds up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Hand(NamedTuple):
    """What a hand came to."""

    dealer: int
    maker: int
    """-1 where nobody made trumps."""
    result: str
    points: Sequence[int]
    """By side."""
    said: Sequence[tuple[int, str]] = ()
    """Seats and actions; looked at for the kings of Écarté."""
    king_turned_up: bool = False


class Game:
    """A game under way; ``winners`` stays empty until it is over."""

    def __init__(
        self,
        preset: str,
        values: Mapping[str, Any],
        side_of: Sequence[int],
        dealer: int,
        score: Sequence[int] = (),
        deals: int = 0,
    ) -> None:
        self.preset = preset
        self.values = values
        self.side_of = side_of
        self.dealer = dealer
        self.score = list(score) or [0] * (max(side_of) + 1)
        self.dealt = deals
        """Every deal."""
        self.counted = deals
        """Those of ``num_deals``: no redealt ones."""
        self.winners: list[int] = []

    def add(self, hand: Hand) -> None:
        """A hand is over. AssertionError where it should not have been played, or not so far."""
        assert not self.winners, "a hand after the end of the game"
        assert hand.dealer == self.dealer, f"seat {hand.dealer} deals, not {self.dealer}"
        if self.preset == "ecarte":
            self._kings(hand)
        self.dealt += 1
        if hand.result == "redeal":
            assert not any(hand.points), "points of a redealt hand"
        else:
            self.counted += 1
            self.dealer = (self.dealer + 1) % len(self.side_of)
        for side, points in enumerate(hand.points):
            self.score[side] += points
        self.winners = self._who(hand)

    def _who(self, hand: Hand) -> list[int]:
        best = [side for side, points in enumerate(self.score) if points == max(self.score)]
        if "num_deals" in self.values:
            if self.counted == self.values["num_deals"]:
                return best
        else:
            there = [side for side in range(len(self.score)) if self._has_won(self.score, side)]
            if there:
                return self._of_several(there, hand) if len(there) > 1 else there
        return best if self.dealt == self.values["max_deals"] else []

    def _has_won(self, score: Sequence[int], side: int) -> bool:
        if score[side] < self.values["target"]:
            return False
        if self.values.get("win_by_two"):
            return score[side] - score[1 - side] >= 2
        return True

    def _of_several(self, there: list[int], hand: Hand) -> list[int]:
        """One hand brought several to the target."""
        if self.preset.startswith("bid-"):
            return [self.side_of[hand.maker]]
        if self.values.get("tie") != "eldest":
            return there
        seat = hand.dealer
        while True:
            seat = (seat + 1) % len(self.side_of)
            if self.side_of[seat] in there:
                return [self.side_of[seat]]

    def _kings(self, hand: Hand) -> None:
        """Reaching the target by a mark ends the game there, and nothing else ends a hand so."""
        score = list(self.score)
        marks = [(hand.dealer, 0)] if hand.king_turned_up else []
        marks += [(seat, n) for n, (seat, text) in enumerate(hand.said, 1) if text == "mark"]
        for seat, words in marks:
            score[seat] += 1
            if "num_deals" not in self.values and self._has_won(score, seat):
                assert len(hand.said) == words, "more is said after a king that won the game"
                assert hand.result == "king", f"a king won, and the hand is said {hand.result}"
                return
        assert hand.result != "king", "no king won the game"

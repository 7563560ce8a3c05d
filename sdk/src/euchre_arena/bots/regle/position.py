"""A hand at écarté: its ranks (K Q J A T 9 8 7), its suits, what is gone, how the game stands."""

from __future__ import annotations

from typing import Final

from euchre_arena.bots.book.cards import (
    JACKS,
    KINGS,
    OF_SUIT,
    PACK_MASKS,
    QUEENS,
    SUIT,
    cards_of,
    mask_of,
)
from euchre_arena.rules.actions import STAND, Kind
from euchre_arena.rules.cards import JOKER, RANKS
from euchre_arena.rules.views import View

HEIGHT: Final = (
    0,
    *("23456789TAJQK".index(RANKS[(card - 1) % 13]) for card in range(1, JOKER)),
)
"""Height of each card number among its suit: the ace stands below the knave [H]."""
ABOVE: Final = (
    0,
    *(
        mask_of(c for c in range(1, JOKER) if SUIT[c] == SUIT[card] and HEIGHT[c] > HEIGHT[card])
        for card in range(1, JOKER)
    ),
)
"""Cards of its suit that beat a card."""
COURT: Final = KINGS | QUEENS | JACKS
TEN: Final = "23456789TAJQK".index("T")
PACK: Final = PACK_MASKS["32"]
FAR: Final = 1000
"""Points still needed where no target is played."""
TRUMP_WORTH: Final = {"K": 1.0, "Q": 0.9, "J": 0.8, "A": 0.7}
SIDE_WORTH: Final = {"K": 0.7, "Q": 0.4, "J": 0.2}


class Position:
    """What a seat weighs at écarté."""

    __slots__ = (
        "gone",
        "hand",
        "kings",
        "need",
        "plays",
        "rest",
        "sides",
        "they_need",
        "trump",
        "trumps",
        "view",
        "words",
    )

    def __init__(self, view: View) -> None:
        self.view = view
        self.hand = mask_of(view.hand)
        self.trump = SUIT[view.up_card]
        self.trumps = self.hand & OF_SUIT[self.trump]
        self.rest = self.hand & ~self.trumps
        self.kings = self.rest & KINGS
        """Kings of plain suits."""
        self.sides = [held for suit in (1, 2, 3, 4) if (held := self.rest & OF_SUIT[suit])]
        """Plain suits held, as masks."""
        self.words = [entry & 0xFFFF for entry in view.history]
        """What was said and played by both, in order."""
        self.plays = [
            (entry >> 16, entry & 63) for entry in view.history if entry >> 10 & 63 == Kind.PLAY
        ]
        """All cards played, as (seat, card)."""
        self.gone = mask_of((view.up_card, *view.put_away, *(card for _, card in self.plays)))
        """Cards known not to be with the adversary: turned up, put away, played.

        [H]: high cards put away should be remembered, lower ones are then worth more.
        """
        seat = view.seat
        self.need = view.target - view.score[seat] if view.target else FAR
        self.they_need = view.target - view.score[1 - seat] if view.target else FAR

    @property
    def dealing(self) -> bool:
        """This seat deals."""
        return self.view.seat == self.view.dealer

    @property
    def exchanges(self) -> int:
        """Proposals accepted in this hand."""
        return self.words.count(Kind.ACCEPT << 10)

    @property
    def stood_at_once(self) -> bool:
        """The non-dealer plays without having proposed: losing the point costs two (law 49)."""
        return self.words[:1] == [STAND]

    def master(self, card: int) -> bool:
        """No card of its suit that the adversary may hold beats it."""
        return not ABOVE[card] & PACK & ~self.hand & ~self.gone

    def sure_trumps(self) -> int:
        """Trumps from the top that nothing can beat."""
        return sum(1 for card in cards_of(self.trumps) if self.master(card))

    def worth(self) -> float:
        """Tricks a hand may expect, roughly: weights chosen by us, [H] has none.

        Hands are told apart by it, nothing more is claimed.
        """
        found = 0.0
        for card in cards_of(self.trumps):
            found += TRUMP_WORTH.get(rank(card), 0.55)
        for held in self.sides:
            for card in cards_of(held):
                found += SIDE_WORTH.get(rank(card), 0.0)
            if held & QUEENS and held.bit_count() > 1:
                found += 0.15
        return found


def rank(card: int) -> str:
    """Its rank letter."""
    return RANKS[(card - 1) % 13]


def by_height(cards: int) -> list[int]:
    """The cards of a mask, lowest first."""
    return sorted(cards_of(cards), key=HEIGHT.__getitem__)


def in_sequence(cards: int) -> bool:
    """The two highest cards of a suit follow each other, at most one rank between them.

    [H] counts knave and ten as a sequence, between which the ace stands.
    """
    heights = [HEIGHT[card] for card in by_height(cards)]
    return len(heights) > 1 and heights[-1] - heights[-2] <= 2


__all__ = ["ABOVE", "COURT", "FAR", "HEIGHT", "KINGS", "OF_SUIT", "PACK", "QUEENS", "SUIT"]
__all__ += ["TEN", "Position", "by_height", "cards_of", "in_sequence", "mask_of", "rank"]

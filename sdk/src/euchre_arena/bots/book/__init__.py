"""`book`: plays by the advice of the sources, each piece a function that names its source.

- `thresholds`: the numbers a variant changes
- `cards`, `counting`: cards as bits under a trump suit; what a hand is worth
- `making`: ordering, assisting, picking up, naming a suit, going alone
- `chances`: what a hand is worth with any number of players and any pack
- `solo`: two- and three-handed euchre; `bidding`: auctions, the widow, picking partners
- `exchanging`: discards, swaps, the partner's best card
- `reading`: what is known in the middle of a trick
- `leading`, `following`: the play, advice in the order it is asked

Sources, as in rules.md: [F] Foster, [S] the SquareScores page, [H] Hoyle's Games Modernized,
[W] Wikipedia. What stands in none of them says "common practice".
"""

from __future__ import annotations

from collections.abc import Callable, Container
from inspect import signature
from typing import Final

from euchre_arena.bot import Bot
from euchre_arena.bots.book.bidding import (
    bid_what_it_is_worth,
    lay_away,
    name_best_suit,
    pick_by_what_was_said,
)
from euchre_arena.bots.book.cards import PACK_MASKS
from euchre_arena.bots.book.exchanging import discard, give, no_ace_no_face, weak_hand
from euchre_arena.bots.book.following import FOLLOWS
from euchre_arena.bots.book.leading import LEADS, suit_for_joker
from euchre_arena.bots.book.making import (
    ORDERING,
    Bidder,
    choose_call,
    choose_defence,
    choose_order,
    choose_score,
)
from euchre_arena.bots.book.reading import Trick
from euchre_arena.bots.book.solo import ASKED, call_alone, order_alone
from euchre_arena.bots.book.thresholds import Thresholds
from euchre_arena.rules.actions import PLAY, Kind
from euchre_arena.rules.ruleset import Rules
from euchre_arena.rules.terms import Phase
from euchre_arena.rules.turn import ACTIONS, Turn
from euchre_arena.rules.views import View

SKIPPABLE = frozenset(
    [advice.__name__ for advice in (*LEADS, *FOLLOWS, *ORDERING, *ASKED)]
    + ["next_and_crossing", "partner_has_bid"]
)
"""Names of the advice that ``skip`` may leave out."""

SPEAKS: Final[dict[int, Callable[[Bidder, Container[str]], int]]] = {
    Phase.BENNY: choose_call,
    Phase.ORDER: choose_order,
    Phase.CALL: choose_call,
    Phase.DEFEND: choose_defence,
    Phase.SCORE: choose_score,
    Phase.BID: bid_what_it_is_worth,
    Phase.WIDOW: lay_away,
    Phase.NAME: name_best_suit,
    Phase.PICK: pick_by_what_was_said,
}
"""Phases in which a seat weighs hand and score."""
ALONE: Final[dict[int, Callable[[Bidder, Container[str]], int]]] = {
    **SPEAKS,
    Phase.BENNY: call_alone,
    Phase.ORDER: order_alone,
    Phase.CALL: call_alone,
}
"""The same where everybody plays for himself."""
EXCHANGES: Final[dict[int, Callable[[View], int]]] = {
    Phase.FARMERS: weak_hand,
    Phase.DISCARD: discard,
    Phase.GIVE: give,
    Phase.REDEAL: no_ace_no_face,
}
"""Phases in which cards are changed."""


class Book(Bot):
    """Advice first to last; the first that speaks is followed."""

    name = "book"

    __signature__ = signature(Thresholds)
    """What the constructor takes, for the command line's error messages."""

    def __init__(self, **thresholds: float | bool | str) -> None:
        self.limits = limits = Thresholds(**thresholds)  # type: ignore[arg-type]  # checks itself
        self.skip = frozenset(filter(None, limits.skip.replace(",", "+").split("+")))
        unknown = self.skip - SKIPPABLE
        if unknown:
            raise ValueError(
                f"skip: there is no advice {', '.join(sorted(unknown))}; "
                f"there are {', '.join(sorted(SKIPPABLE))}"
            )
        self._leads = [advice for advice in LEADS if advice.__name__ not in self.skip]
        self._follows = [advice for advice in FOLLOWS if advice.__name__ not in self.skip]

    def act(self, turn: Turn) -> str:
        """Decide."""
        return ACTIONS[self.decide(turn.view, turn.table.rules)]

    def decide(self, view: View, rules: Rules) -> int:
        """The code of a legal action."""
        phase = view.phase
        if rules.making == "ecarte":
            return view.legal[0]  # other ranks, other aims: nothing below applies
        if phase == Phase.PLAY:
            return self._play(view, rules)
        if phase in EXCHANGES:
            return EXCHANGES[phase](view)
        if phase in SPEAKS:
            bidder = Bidder(view, rules, PACK_MASKS[rules.pack.name], self.limits)
            speaks = SPEAKS if rules.partnership else ALONE
            return speaks[phase](bidder, self.skip)
        return view.legal[0]  # a blind lone hand: pass

    def _play(self, view: View, rules: Rules) -> int:
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        if legal[0] >> 10 == Kind.LEAD_SUIT:
            return suit_for_joker(view)
        pack = PACK_MASKS[rules.pack.name]
        trick = Trick(view, rules.seats, pack, double=rules.pack.size > pack.bit_count())
        for advice in self._follows if trick.cards else self._leads:
            card = advice(trick)
            if card:
                return PLAY | card
        return PLAY | min(trick.options, key=trick.power.__getitem__)

"""The phases of a hand as a table: what may be said in each, what is legal, what it does.

Each way of making trumps adds its lines (``making`` for turn-up); the play of cards stands in
``hand``, where it is fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from . import auction, ecarte, made, making, weak_hands
from .actions import CLAIM, CONCEDE, MARK, ActionCode, Kind
from .terms import Phase, Reason

if TYPE_CHECKING:
    from .hand import Hand


class PhaseRules(NamedTuple):
    """One phase."""

    kinds: frozenset[Kind]
    """Verbs that belong to it; any other is ``wrong-phase``."""
    legal: Callable[[Hand], tuple[ActionCode, ...]]
    why: Callable[[Hand, int, ActionCode], Reason]
    """Why an action of the right verb and held cards is not legal."""
    apply: Callable[[Hand, int, ActionCode], None]
    private: bool = False
    """A ``pass`` does not show: the question went to a seat because of its cards (§10)."""


def _nothing(hand: Hand) -> tuple[ActionCode, ...]:
    return ()


def _not_allowed(hand: Hand, seat: int, action: ActionCode) -> Reason:
    return Reason.NOT_ALLOWED


def _never(hand: Hand, seat: int, action: ActionCode) -> None:
    raise AssertionError("this phase takes no action here")


def _kinds(*kinds: Kind) -> frozenset[Kind]:
    return frozenset(kinds)


PLAY_KINDS: Final = _kinds(Kind.PLAY, Kind.LEAD_SUIT, Kind.CLAIM, Kind.MARK, Kind.CONCEDE)
LEAD_SUIT_PHASE: Final = len(Phase) + 1
"""Inside ``play``: a joker was led at no trump and its suit is to be named. Shown as ``play``."""


def _lead_suits(hand: Hand) -> tuple[ActionCode, ...]:
    return _LEAD_SUITS


_LEAD_SUITS: Final = tuple(Kind.LEAD_SUIT << 10 | suit for suit in (1, 2, 3, 4))


def _beside_cards(hand: Hand, seat: int, action: ActionCode) -> None:
    """In the play, what is not a card."""
    _WORDS_IN_PLAY[action](hand, seat)


_WORDS_IN_PLAY: Final[dict[ActionCode, Callable[[Hand, int], None]]] = {
    CLAIM: lambda hand, seat: hand.claim(seat),
    MARK: ecarte.mark,
    CONCEDE: ecarte.concede,
}


def _name_lead_suit(hand: Hand, seat: int, action: ActionCode) -> None:
    hand.name_lead_suit(action & 7)


_TABLE: Final[dict[Phase, PhaseRules]] = {
    Phase.BLIND: PhaseRules(
        _kinds(Kind.PASS, Kind.BLIND), making.blind_legal, _not_allowed, making.blind
    ),
    Phase.FARMERS: PhaseRules(
        _kinds(Kind.PASS, Kind.SWAP, Kind.REDEAL),
        weak_hands.farmers_legal,
        _not_allowed,
        making.farmers,
        private=True,
    ),
    Phase.BENNY: PhaseRules(
        _kinds(Kind.PASS, Kind.CALL), making.benny_legal, making.why_not, making.benny
    ),
    Phase.ORDER: PhaseRules(
        _kinds(Kind.PASS, Kind.ORDER), making.order_legal, making.why_not, making.order
    ),
    Phase.CALL: PhaseRules(
        _kinds(Kind.PASS, Kind.CALL), making.call_legal, making.why_not, making.call_suit
    ),
    Phase.DEFEND: PhaseRules(
        _kinds(Kind.PASS, Kind.DEFEND), made.defend_legal, _not_allowed, made.defend
    ),
    Phase.DISCARD: PhaseRules(_kinds(Kind.DISCARD), made.discard_legal, _not_allowed, made.discard),
    Phase.GIVE: PhaseRules(_kinds(Kind.GIVE), made.give_legal, _not_allowed, made.give),
    Phase.REDEAL: PhaseRules(
        _kinds(Kind.PASS, Kind.REDEAL),
        made.redeal_legal,
        _not_allowed,
        made.redeal,
        private=True,
    ),
    Phase.PLAY: PhaseRules(PLAY_KINDS, _nothing, _not_allowed, _beside_cards),
    Phase.BID: PhaseRules(
        _kinds(Kind.PASS, Kind.BID), auction.bid_legal, auction.why_no_bid, auction.make_bid
    ),
    Phase.WIDOW: PhaseRules(
        _kinds(Kind.DISCARD), auction.widow_legal, _not_allowed, auction.lay_away
    ),
    Phase.NAME: PhaseRules(_kinds(Kind.NAME), auction.name_legal, _not_allowed, auction.name),
    Phase.PICK: PhaseRules(_kinds(Kind.PICK), auction.pick_legal, _not_allowed, auction.pick),
    Phase.PROPOSE: PhaseRules(
        _kinds(Kind.PROPOSE, Kind.STAND), ecarte.propose_legal, _not_allowed, ecarte.propose
    ),
    Phase.RESPOND: PhaseRules(
        _kinds(Kind.ACCEPT, Kind.REFUSE), ecarte.respond_legal, _not_allowed, ecarte.respond
    ),
    Phase.EXCHANGE: PhaseRules(
        _kinds(Kind.DISCARD), ecarte.exchange_legal, _not_allowed, ecarte.exchange
    ),
    Phase.SCORE: PhaseRules(_kinds(Kind.SCORE), made.score_legal, _not_allowed, made.score),
    Phase.OVER: PhaseRules(frozenset(), _nothing, _not_allowed, _never),
}

_OVER: Final = _TABLE[Phase.OVER]
PHASES: Final[list[PhaseRules]] = [
    _OVER,
    *(_TABLE.get(phase, _OVER) for phase in Phase),
    PhaseRules(PLAY_KINDS, _lead_suits, _not_allowed, _name_lead_suit),
]
"""By phase number; the last is ``LEAD_SUIT_PHASE``."""

OPENINGS: Final[dict[str, Callable[[Hand], None]]] = {
    "turn-up": making.open_turn_up,
    "auction": auction.open_auction,
    "ecarte": ecarte.open_ecarte,
}
"""By way of making trumps: puts the first question of a hand."""

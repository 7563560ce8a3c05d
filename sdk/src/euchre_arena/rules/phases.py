"""The phases of a hand as a table: what may be said in each, what is legal, what it does.

Each way of making trumps adds its lines (``making`` for turn-up); the play of cards stands in
``hand``, where it is fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from . import making
from .actions import ActionCode, Kind
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


def _claim(hand: Hand, seat: int, action: ActionCode) -> None:
    hand.claim(seat)


def _name_lead_suit(hand: Hand, seat: int, action: ActionCode) -> None:
    hand.name_lead_suit(action & 7)


_TABLE: Final[dict[Phase, PhaseRules]] = {
    Phase.BLIND: PhaseRules(
        _kinds(Kind.PASS, Kind.BLIND), making.blind_legal, _not_allowed, making.blind
    ),
    Phase.FARMERS: PhaseRules(
        _kinds(Kind.PASS, Kind.SWAP, Kind.REDEAL),
        making.farmers_legal,
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
        _kinds(Kind.PASS, Kind.DEFEND), making.defend_legal, _not_allowed, making.defend
    ),
    Phase.DISCARD: PhaseRules(
        _kinds(Kind.DISCARD), making.discard_legal, _not_allowed, making.discard
    ),
    Phase.GIVE: PhaseRules(_kinds(Kind.GIVE), making.give_legal, _not_allowed, making.give),
    Phase.REDEAL: PhaseRules(
        _kinds(Kind.PASS, Kind.REDEAL),
        making.redeal_legal,
        _not_allowed,
        making.redeal,
        private=True,
    ),
    Phase.PLAY: PhaseRules(PLAY_KINDS, _nothing, _not_allowed, _claim),
    Phase.SCORE: PhaseRules(_kinds(Kind.SCORE), making.score_legal, _not_allowed, making.score),
    Phase.OVER: PhaseRules(frozenset(), _nothing, _not_allowed, _never),
}

_OVER: Final = _TABLE[Phase.OVER]
PHASES: Final[list[PhaseRules]] = [
    _OVER,
    *(_TABLE.get(phase, _OVER) for phase in Phase),
    PhaseRules(PLAY_KINDS, _lead_suits, _not_allowed, _name_lead_suit),
]
"""By phase number; the last is ``LEAD_SUIT_PHASE``."""

OPENINGS: Final[dict[str, Callable[[Hand], None]]] = {"turn-up": making.open_turn_up}
"""By way of making trumps: puts the first question of a hand."""

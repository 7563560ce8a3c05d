"""What one seat may know: the only way out for cards (rules.md §10)."""

from __future__ import annotations

from typing import Final, NamedTuple

from .actions import ActionCode
from .cards import JOKER, Card, Suit
from .ecarte import current_score
from .hand import Hand
from .made import first_leader
from .phases import LEAD_SUIT_PHASE
from .ruleset import makers_of
from .tables import LOW_BITS, LOW_SIZE
from .terms import Phase

_BLIND = int(Phase.BLIND)
_PLAY = int(Phase.PLAY)
_REDEAL = int(Phase.REDEAL)
_PRIVATE = (int(Phase.FARMERS), _REDEAL)
"""Asked only of a seat whose cards qualify."""
_view: Final = tuple.__new__
"""What `View(...)` does in the end, without naming 24 arguments on the way."""


class View(NamedTuple):
    """A hand as one seat sees it, complete in itself; the fields of ``Turn`` on the wire."""

    seat: int
    dealer: int
    phase: int
    up_card: Card
    """0 for none."""
    up_card_state: int
    trump: Suit
    """0 before trumps are made."""
    maker: int
    """-1 before trumps are made."""
    alone: bool
    hand: tuple[Card, ...]
    """Pack order; empty while the dealer decides blind."""
    legal: tuple[ActionCode, ...]
    """Canonical order; empty unless this seat is to act."""
    history: tuple[int, ...]
    """Public actions, ``seat << 16 | public code``."""
    leader: int
    """Of the current trick; -1 before the play."""
    trick: tuple[Card, ...]
    tricks_won: tuple[int, ...]
    score: tuple[int, ...]
    target: int
    hand_number: int
    sitting_out: tuple[int, ...]
    bid: ActionCode
    stock: int
    tokens: tuple[int, ...]
    """Empty where no tokens are played."""
    put_away: tuple[Card, ...]
    makers: tuple[int, ...]
    lead_suit: Suit


def view(hand: Hand, seat: int) -> View:
    """The view of ``seat``; nothing in it depends on cards the seat cannot know."""
    return view_with(hand, seat, hand.legal() if seat == hand.to_act else ())


def view_with(hand: Hand, seat: int, legal: tuple[ActionCode, ...]) -> View:
    """The view of ``seat`` where its legal actions are known already."""
    rules = hand.rules
    phase = hand.phase_number if hand.phase_number < LEAD_SUIT_PHASE else _PLAY
    leader = hand.leader
    if phase in _PRIVATE and seat != hand.to_act and seat not in hand.queue:
        phase, leader = _after_private_question(hand, phase)
    # This is asked for at every decision: `Hand.cards` and `makers` are written out here.
    mask = 0 if phase == _BLIND and seat == hand.dealer else hand.masks[seat]
    names = rules.pack_tables.names
    ecarte = rules.making == "ecarte"
    return _view(
        View,
        (
            seat,
            hand.dealer,
            phase,
            hand.up_card,
            hand.up_card_state,
            hand.trump,
            hand.maker,
            hand.alone,
            names.low[mask & LOW_BITS] + names.high[mask >> LOW_SIZE],
            legal,
            tuple(hand.history),
            leader,
            tuple(hand.trick),
            tuple(hand.tricks),
            current_score(hand) if ecarte else hand.score,
            rules.target,
            hand.deals_played,
            hand.sitting_out if hand.out else (),
            hand.bid,
            len(hand.kitty) if ecarte else 0,
            tuple(hand.tokens) if rules.tokens else (),
            hand.put_away[seat],
            makers_of(rules.side_of, hand.maker, hand.chosen, hand.out) if hand.maker >= 0 else (),
            hand.lead_suit,
        ),
    )


def steady(hand: Hand) -> bool:
    """Cards are played, and of what a seat sees only `playing` changes until the hand ends."""
    return hand.phase_number == _PLAY and hand.rules.steady


def playing(hand: Hand, known: int) -> tuple[int, list[int], int, list[Card], list[int]]:
    """What changes, but for its legal actions, in the view of the seat to act while a hand is
    `steady`.

    ``hand`` of `View`, as a mask of cards (`PackTables`); of ``history`` only what was done since
    ``known`` (`done`); ``leader``, ``trick`` and ``tricks_won``. The lists are not copied: to be
    read at once.
    """
    return hand.masks[hand.to_act], hand.log[known:], hand.leader, hand.trick, hand.tricks


def done(hand: Hand) -> int:
    """How much was done in a hand so far, for `playing`: cards are played before all eyes."""
    return len(hand.log)


def laid_away(hand: Hand, seat: int) -> tuple[Card, ...]:
    """``put_away`` of `View`."""
    return hand.put_away[seat]


def _after_private_question(hand: Hand, phase: int) -> tuple[int, int]:
    """Phase and leader while a weak hand is asked, as seats that are not see them: what follows.

    That the question is asked at all would tell them what the seat holds (§10). A seat that is
    still to be asked sees its own question from the start, whoever is asked before it.
    """
    if phase == _REDEAL:
        return _PLAY, first_leader(hand)
    return int(Phase.BENNY if hand.up_card == JOKER else Phase.ORDER), hand.leader

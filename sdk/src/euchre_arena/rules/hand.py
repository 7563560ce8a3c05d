"""One hand: the state, and the play of cards, which is where nearly all time goes.

``Hand`` is a state machine driven by three calls: ``legal()``, ``refusal(seat, action)`` and
``apply(action)``. What happens in a phase stands in tables (``phases``): making trumps in
``making``, the play of cards here, what it scores in ``scoring``.
"""

from __future__ import annotations

from collections.abc import Sequence

from .actions import (
    CARD_KINDS,
    CLAIM,
    PLAY,
    ActionCode,
    Kind,
    card_mask,
    public,
)
from .cards import JOKER, NO_TRUMP, Card, cards_of
from .claims import good_claim
from .dealing import Deal
from .phases import OPENINGS, PHASES
from .ruleset import Rules
from .scoring import score_hand
from .tables import TrumpTables
from .terms import Phase, Reason, Result, UpCardState

_PLAY = int(Phase.PLAY)
_OVER = int(Phase.OVER)
_AFTER_PLAY = int(Kind.LEAD_SUIT) << 10
_NO_FOLLOW = -1


class Hand:
    """A deal being played out. ``apply`` changes it in place."""

    __slots__ = (
        "_best", "_bits", "_claimed", "_follow", "_plays", "_powers", "_trumps", "_width",
        "actions", "active", "alone", "asks_lead_suit", "bid", "blind", "chosen", "dealer",
        "deal", "deals_played", "defending_alone", "history", "kitty", "lead_suit", "leader",
        "maker", "masks", "next_active", "ordered", "out", "phase_number", "points",
        "put_away", "queue", "result", "rules", "score", "stock_used", "to_act", "tokens",
        "trick", "trick_winners", "tricks", "trump", "up_card", "up_card_state", "winner",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        dealer: int,
        deal: Deal,
        score: Sequence[int] | None = None,
        tokens: Sequence[int] | None = None,
        deals_played: int = 0,
    ) -> None:
        """Start a hand.

        ``score`` and ``tokens`` stand a side before the hand; ``deals_played`` counts the deals of
        the game before this one.
        """
        tables = rules.pack_tables
        bits = tables.bit
        self.rules = rules
        self.dealer = dealer
        self.deal = deal
        self.score = tuple(score) if score else (0,) * rules.sides
        self.tokens = list(tokens) if tokens else [0] * rules.sides
        self.deals_played = deals_played
        self._bits = bits
        self._plays = tables.plays
        self._width = tables.plays.width
        if tables.copies:
            self.masks = [_double_mask(hand, tables.bit, tables.copies) for hand in deal.hands]
        else:
            bit_of = bits.__getitem__
            self.masks = [sum(map(bit_of, hand)) for hand in deal.hands]
        self.up_card = deal.up_card
        self.up_card_state = _FACE_UP if deal.up_card else _NOT_TURNED
        self.kitty = deal.kitty
        self.put_away: list[tuple[Card, ...]] = [()] * rules.seats
        """By seat: cards it discarded, swapped or gave."""
        self.actions: list[ActionCode] = []
        """Every action in order, whole."""
        self.history: list[int] = []
        """Public actions: ``seat << 16 | public code``; private questions left out (§10)."""
        self.trump = 0
        self.maker = -1
        self.alone = False
        self.blind = False
        self.ordered = False
        """Trumps were made with the up-card: the dealer takes it."""
        self.defending_alone = -1
        self.bid = 0
        self.chosen = 0
        """Seats picked as partners, a mask."""
        self.stock_used = 0
        self.out = 0
        """Seats sitting out, a mask."""
        self.active = rules.seats
        self.next_active = rules.next_active[0]
        self.queue: list[int] = []
        """Seats still to be asked in this phase."""
        self.leader = -1
        self.trick: list[Card] = []
        self.lead_suit = 0
        self.asks_lead_suit = False
        self.winner = -1
        self.tricks = [0] * rules.sides
        self.trick_winners: list[int] = []
        self.points = [0] * rules.sides
        self.result: Result | None = None
        self._claimed = 0
        self._follow = _NO_FOLLOW
        self._best = 0
        self._trumps: TrumpTables | None = None
        self._powers: tuple[int, ...] = ()
        self.to_act = -1
        self.phase_number = 0
        OPENINGS[rules.making](self)

    @property
    def phase(self) -> Phase:
        """What the seat to act is asked for."""
        return Phase(self.phase_number)

    @property
    def over(self) -> bool:
        """The hand has ended; ``points`` and ``result`` stand."""
        return self.phase_number == _OVER

    @property
    def sitting_out(self) -> tuple[int, ...]:
        """Seats that take no part in the play, ascending."""
        return cards_of(self.out)

    @property
    def makers(self) -> tuple[int, ...]:
        """Seats on the maker's side that play, ascending; empty before trumps are made."""
        if self.maker < 0:
            return ()
        side = self.rules.side_of[self.maker]
        return tuple(
            seat
            for seat, of in enumerate(self.rules.side_of)
            if (of == side or self.chosen >> seat & 1) and not self.out >> seat & 1
        )

    @property
    def next_dealer(self) -> int:
        """Who deals next: the left, after a redeal the same (§2)."""
        if self.result is Result.REDEAL:
            return self.dealer
        return (self.dealer + 1) % self.rules.seats

    def cards(self, seat: int) -> tuple[Card, ...]:
        """The cards a seat holds now, in pack order."""
        return self.rules.pack_tables.names[self.masks[seat]]

    def legal(self) -> tuple[ActionCode, ...]:
        """Legal actions of the seat to act in canonical order, never ``claim``; empty if over."""
        if self.phase_number != _PLAY:
            return PHASES[self.phase_number].legal(self)
        mask = self.masks[self.to_act]
        if self.trick:
            if self.asks_lead_suit:
                return _LEAD_SUITS
            mask = (mask & self._follow) or mask
        if self.rules.pack_tables.copies:
            tables = self.rules.pack_tables
            mask &= ~((mask & tables.firsts) << tables.copies)
        plays = self._plays
        return plays.low[mask & self._width] + plays.high[mask >> plays.shift]

    def apply(self, action: ActionCode) -> None:
        """Carry out a legal action of the seat to act. Not checked: see ``refusal``."""
        self.actions.append(action)
        seat = self.to_act
        if self.phase_number != _PLAY or action >= _AFTER_PLAY:
            self._apply_other(seat, action)
            return
        self.history.append(seat << 16 | action)
        played = action & 63
        bit = self._bits[played]
        if not self.masks[seat] & bit:
            bit <<= self.rules.pack_tables.copies
        self.masks[seat] ^= bit
        trick = self.trick
        if trick:
            trick.append(played)
            power = self._powers[played]
            if power > self._best:
                self._best = power
                self.winner = seat
            if len(trick) == self.active:
                self._end_trick()
            else:
                self.to_act = self.next_active[seat]
            return
        trick.append(played)
        trumps = self._trumps
        assert trumps is not None
        self.leader = self.winner = seat
        if played == JOKER and trumps.trump == NO_TRUMP:
            self.asks_lead_suit = True
            return
        self._lead(trumps, trumps.suits[played], played)

    def _lead(self, trumps: TrumpTables, suit: int, played: Card) -> None:
        self._follow = trumps.follow[suit]
        self._powers = powers = trumps.powers[suit]
        self._best = powers[played]
        self.to_act = self.next_active[self.leader]

    def _end_trick(self) -> None:
        winner = self.winner
        self.tricks[self.rules.side_of[winner]] += 1
        self.trick_winners.append(winner)
        self.trick = []
        self.lead_suit = 0
        if self.masks[winner]:
            self.to_act = self.leader = winner
        else:
            self.finish(Result.PLAYED)

    def _apply_other(self, seat: int, action: ActionCode) -> None:
        """Everything but a card played."""
        if self.phase_number == _PLAY:
            self.history.append(seat << 16 | action)
            if action == CLAIM:
                rest = self.rules.hand_size - len(self.trick_winners)
                self.tricks[self.rules.side_of[seat]] += rest
                self.trick_winners += [seat] * rest
                self.finish(Result.CLAIMED)
                return
            self.asks_lead_suit = False
            self.lead_suit = action & 7
            assert self._trumps is not None
            self._lead(self._trumps, self.lead_suit, JOKER)
            return
        phase = PHASES[self.phase_number]
        if not (phase.private and action == _PASS):
            self.history.append(seat << 16 | public(action))
        phase.apply(self, seat, action)

    def begin_play(self, leader: int) -> None:
        """Trumps are made, cards exchanged: ``leader`` leads the first trick."""
        self._trumps = self.rules.trumps(self.trump)
        self.phase_number = _PLAY
        self.to_act = self.leader = leader

    def finish(self, result: Result) -> None:
        """The cards are played: score them, and ask what is still to be said (Robson)."""
        self.result = result
        self.to_act = -1
        self.trick = []
        self.phase_number = _OVER
        score_hand(self)

    def finish_unplayed(self, result: Result) -> None:
        """Thrown in or redealt: no points."""
        self.result = result
        self.to_act = -1
        self.phase_number = _OVER

    def refusal(self, seat: int, action: ActionCode) -> Reason | None:
        """Why an action is refused, None when it is legal; of several reasons the first.

        Nothing changes, save that a claim refused counts as the seat's one claim (§5).
        """
        if self.phase_number == _OVER:
            return Reason.HAND_OVER
        if seat != self.to_act:
            return Reason.NOT_YOUR_TURN
        phase = PHASES[self.phase_number]
        kind = action >> 10 & 63
        if kind not in phase.kinds:
            return Reason.WRONG_PHASE
        if (kind in CARD_KINDS or kind == Kind.PLAY) and not self._holds(seat, action):
            return Reason.NOT_IN_HAND
        if self.phase_number == _PLAY:
            return self._play_refusal(seat, action)
        return None if action in phase.legal(self) else phase.why(self, seat, action)

    def _holds(self, seat: int, action: ActionCode) -> bool:
        return not card_mask(action) & ~self.held(seat)

    def held(self, seat: int) -> int:
        """The cards a seat holds, one bit a card number."""
        mask = 0
        for number in self.cards(seat):
            mask |= 1 << number
        return mask

    def _play_refusal(self, seat: int, action: ActionCode) -> Reason | None:
        if action == CLAIM:
            return None if self._claim_holds(seat) else Reason.NOT_ALLOWED
        if action in self.legal():
            return None
        if action < PLAY or action >= _AFTER_PLAY or self.asks_lead_suit:
            return Reason.NOT_ALLOWED
        return Reason.MUST_FOLLOW_SUIT

    def _claim_holds(self, seat: int) -> bool:
        rest = self.rules.hand_size - len(self.trick_winners)
        if "claims" not in self.rules.flags or self.trick or rest > 3 or self._claimed >> seat & 1:
            return False
        self._claimed |= 1 << seat
        assert self._trumps is not None
        return good_claim(self, self._trumps, seat)

    def revoke(self, seat: int) -> None:
        """End the hand by a revoke: 2 points to the opponents, more in a lone hand (§10)."""
        lone = self.alone or self.defending_alone >= 0
        points = self.rules.number("revoke_lone") if lone else 2
        self.points = [0] * self.rules.sides
        self.points[1 - self.rules.side_of[seat]] = points
        self.result = Result.REVOKE
        self.to_act = -1
        self.phase_number = _OVER

    def abandon(self) -> None:
        """End the hand without points: the game was forfeited."""
        self.points = [0] * self.rules.sides
        self.result = Result.FORFEIT
        self.to_act = -1
        self.phase_number = _OVER


_PASS = int(Kind.PASS) << 10
_FACE_UP = UpCardState.FACE_UP
_NOT_TURNED = UpCardState.NONE
_LEAD_SUITS = tuple(int(Kind.LEAD_SUIT) << 10 | suit for suit in (1, 2, 3, 4))


def _double_mask(hand: Sequence[Card], bit: Sequence[int], copies: int) -> int:
    mask = 0
    for number in hand:
        mask |= bit[number] << copies if mask & bit[number] else bit[number]
    return mask

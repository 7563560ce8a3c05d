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
    PASS,
    PLAY,
    ActionCode,
    Kind,
    card_mask,
    public,
)
from .cards import JOKER, NO_TRUMP, Card, Suit, cards_of
from .claims import good_claim
from .dealing import Deal
from .ecarte import plays
from .phases import LEAD_SUIT_PHASE, OPENINGS, PHASES, PLAY_KINDS
from .ruleset import Rules, makers_of
from .scoring import score_hand
from .tables import LOW_BITS, LOW_SIZE, PLAYED, TrumpTables, double_mask
from .terms import Phase, Reason, Result, UpCardState

_PLAY = int(Phase.PLAY)
_OVER = int(Phase.OVER)
_AFTER_PLAY = int(Kind.LEAD_SUIT) << 10
CLAIM_TRICKS = 3
"""Most tricks a claim may be for; bounds the referee's work (§5)."""
REVOKE_POINTS = 2
"""To the opponents of who revokes, no lone hand being played (§10)."""


_FACE_UP = UpCardState.FACE_UP
_NOT_TURNED = UpCardState.NONE
_NO_TRUMPS_YET = TrumpTables(0, (), (), (), ())


class Hand:
    """A deal being played out. ``apply`` changes it in place."""

    __slots__ = (
        "_best", "_bits", "_claimed", "_copies", "_follow", "_high", "_left", "_low", "_powers",
        "_private", "_trumps", "_unusual", "active", "alone", "bid", "bidder", "blind", "chosen",
        "conceded", "dealer",
        "deal", "deals_played", "defending_alone", "kitty", "lead_suit", "leader", "log",
        "maker", "masks", "next_active", "ordered", "out", "phase_number", "points",
        "put_away", "queue", "result", "rules", "score", "to_act", "tokens", "trick",
        "trick_winners", "tricks", "trump", "up_card", "up_card_state", "winner",
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
        self._low = tables.plays.low
        self._high = tables.plays.high
        if tables.copies:
            self.masks = [double_mask(hand, tables.bit, tables.copies) for hand in deal.hands]
        else:
            bit_of = bits.__getitem__
            self.masks = [sum(map(bit_of, hand)) for hand in deal.hands]
        self.up_card = deal.up_card
        self.up_card_state = _FACE_UP if deal.up_card else _NOT_TURNED
        self.kitty = deal.kitty
        self.put_away: tuple[tuple[Card, ...], ...] = rules.nothing_away
        """By seat: cards it discarded, swapped or gave."""
        self.log: list[int] = []
        """Every action in order, ``seat << 16 | public code``."""
        self._private: dict[int, ActionCode] = {}
        """What the log does not say: by place in it the whole action, or 0 for a private pass."""
        self.trump = 0
        self.maker = -1
        self.alone = False
        self.blind = False
        self.ordered = False
        """Trumps were made with the up-card: the dealer takes it."""
        self.defending_alone = -1
        self.bid = 0
        """The highest bid, an action code; 0 for none."""
        self.bidder = -1
        self.conceded = -1
        self.chosen = 0
        """Seats picked as partners, a mask."""
        self.out = 0
        """Seats sitting out, a mask."""
        self.active = rules.seats
        self.next_active = rules.next_active[0]
        self.queue: list[int] = []
        """Seats still to be asked in this phase."""
        self.leader = -1
        self.trick: list[Card] = []
        self.lead_suit = 0
        self.winner = -1
        self.tricks = [0] * rules.sides
        self.trick_winners: list[int] = []
        self.points = [0] * rules.sides
        self.result: Result | None = None
        self._claimed = 0
        self._copies = tables.copies
        self._unusual = tables.copies > 0 or rules.making == "ecarte"
        self._left = 0
        """Cards still to come to the trick; 0 when a seat is to lead."""
        self._follow = 0
        self._best = 0
        self._trumps: TrumpTables = _NO_TRUMPS_YET
        self._powers: tuple[int, ...] = ()
        self.to_act = -1
        self.phase_number = 0
        OPENINGS[rules.making](self)

    @property
    def phase(self) -> Phase:
        """What the seat to act is asked for."""
        number = self.phase_number
        return Phase.PLAY if number == LEAD_SUIT_PHASE else Phase(number)

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
        return makers_of(self.rules.side_of, self.maker, self.chosen, self.out)

    @property
    def next_dealer(self) -> int:
        """Who deals next: the left, after a redeal the same (§2)."""
        if self.result is Result.REDEAL:
            return self.dealer
        return (self.dealer + 1) % self.rules.seats

    def cards(self, seat: int) -> tuple[Card, ...]:
        """The cards a seat holds now, in pack order."""
        return self.rules.pack_tables.names[self.masks[seat]]

    @property
    def actions(self) -> list[ActionCode]:
        """Every action in order, whole: for the record, not for other seats."""
        actions = [code & 0xFFFF for code in self.log]
        for place, action in self._private.items():
            if action:
                actions[place] = action
        return actions

    @property
    def history(self) -> list[int]:
        """Public actions, ``seat << 16 | public code``; private questions left out (§10)."""
        private = self._private
        if 0 not in private.values():
            return self.log
        return [code for i, code in enumerate(self.log) if private.get(i, 1)]

    @property
    def last_shown(self) -> int | None:
        """The last action, ``seat << 16 | public code``; None for a pass others do not see."""
        last = len(self.log) - 1
        return self.log[last] if last >= 0 and self._private.get(last, 1) else None

    def legal(self) -> tuple[ActionCode, ...]:
        """Legal actions of the seat to act in canonical order, never ``claim``; empty if over."""
        if self.phase_number != _PLAY:
            return PHASES[self.phase_number].legal(self)
        mask = self.masks[self.to_act]
        if self._left:
            mask = (mask & self._follow) or mask
        if self._unusual:
            return self._unusual_plays(mask)
        return self._low[mask & LOW_BITS] + self._high[mask >> LOW_SIZE]

    def _unusual_plays(self, mask: int) -> tuple[ActionCode, ...]:
        """Tricks that must be won (Écarté); of equal cards the first is listed."""
        if self.rules.making == "ecarte":
            return plays(self, self.masks[self.to_act])
        tables = self.rules.pack_tables
        return tables.plays[(mask | mask >> tables.copies) & tables.firsts]

    def apply(self, action: ActionCode) -> None:
        """Carry out a legal action of the seat to act. Not checked: see ``refusal``."""
        seat = self.to_act
        if self.phase_number != _PLAY:
            self._apply_other(seat, action)
            return
        played = action & 63
        bit = self._bits[played]
        masks = self.masks
        mask = masks[seat]
        if not mask & bit:
            if action >= _AFTER_PLAY:
                self._apply_other(seat, action)
                return
            bit <<= self._copies
        masks[seat] = mask ^ bit
        self.log.append(PLAYED[seat][played])
        left = self._left
        if not left:
            self._lead(seat, played)
            return
        self.trick.append(played)
        power = self._powers[played]
        if power > self._best:
            self._best = power
            self.winner = seat
        self._left = left = left - 1
        if left:
            self.to_act = self.next_active[seat]
            return
        winner = self.winner
        self.tricks[self.rules.side_of[winner]] += 1
        self.trick_winners.append(winner)
        self.trick = []
        self.lead_suit = 0
        if masks[winner]:
            self.to_act = self.leader = winner
        else:
            self.finish(Result.PLAYED)

    def step(self, action: ActionCode) -> tuple[ActionCode, ...]:
        """`apply`, and whatever is the only legal action after it; what may be chosen from then.

        Empty when the hand is over.
        """
        while True:
            self.apply(action)
            legal = self.legal()
            if len(legal) != 1:
                return legal
            action = legal[0]

    def _lead(self, seat: int, played: Card) -> None:
        trumps = self._trumps
        self.trick.append(played)
        self.leader = self.winner = seat
        if played == JOKER and trumps.trump == NO_TRUMP:
            self.phase_number = LEAD_SUIT_PHASE
            return
        suit = trumps.suits[played]
        self._follow = trumps.follow[suit]
        self._powers = powers = trumps.powers[suit]
        self._best = powers[played]
        self._left = self.active - 1
        self.to_act = self.next_active[seat]

    def name_lead_suit(self, suit: Suit) -> None:
        """The leader of a joker at no trump says which suit is to be followed (§1)."""
        trumps = self._trumps
        self.phase_number = _PLAY
        self.lead_suit = suit
        self._follow = trumps.follow[suit]
        self._powers = powers = trumps.powers[suit]
        self._best = powers[JOKER]
        self._left = self.active - 1
        self.to_act = self.next_active[self.leader]

    def _apply_other(self, seat: int, action: ActionCode) -> None:
        """Everything but a card played."""
        phase = PHASES[self.phase_number]
        seen = public(action)
        if phase.private and action == PASS:
            self._private[len(self.log)] = 0
        elif seen != action:
            self._private[len(self.log)] = action
        self.log.append(seat << 16 | seen)
        phase.apply(self, seat, action)

    def claim(self, seat: int) -> None:
        """The seat on lead takes all remaining tricks (§5)."""
        rest = self.rules.hand_size - len(self.trick_winners)
        self.tricks[self.rules.side_of[seat]] += rest
        self.trick_winners += [seat] * rest
        self.finish(Result.CLAIMED)

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
        if phase.kinds is PLAY_KINDS:
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
        if action < PLAY or action >= _AFTER_PLAY or self.phase_number != _PLAY:
            return Reason.NOT_ALLOWED
        follows = self.masks[seat] & self._follow
        if self.rules.making == "ecarte" and (not follows or follows & self._bits[action & 63]):
            return Reason.MUST_WIN_TRICK
        return Reason.MUST_FOLLOW_SUIT

    def _claim_holds(self, seat: int) -> bool:
        rest = self.rules.hand_size - len(self.trick_winners)
        if (
            "claims" not in self.rules.flags
            or self.trick
            or rest > CLAIM_TRICKS
            or self._claimed >> seat & 1
        ):
            return False
        self._claimed |= 1 << seat
        return good_claim(self, self._trumps, seat)

    def revoke(self, seat: int) -> None:
        """End the hand by a revoke: 2 points to the opponents, more in a lone hand (§10)."""
        lone = self.alone or self.defending_alone >= 0
        points = self.rules.number("revoke_lone") if lone else REVOKE_POINTS
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

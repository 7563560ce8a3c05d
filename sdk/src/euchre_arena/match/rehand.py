"""One recorded hand, refereed again, and the faults that belong to it."""

from __future__ import annotations

from euchre_arena.match import faults
from euchre_arena.match.live import REFUSALS_ALLOWED
from euchre_arena.match.reading import FaultLine, HandLine, RecordError
from euchre_arena.rules import Game, Hand, Phase, Reason, Rules, action_text, parse_action
from euchre_arena.rules.dealing import Deal

_REASONS = frozenset(Reason)


def check_cards(line: HandLine, rules: Rules) -> None:
    """The cards dealt are the whole pack, as many to each seat as there must be; RecordError."""
    if [len(cards) for cards in line.hands] != [rules.hand_size] * rules.seats:
        raise RecordError(f"hands: {rules.seats} of {rules.hand_size} cards are needed")
    if rules.turns_up != bool(line.up_card):
        raise RecordError("a card must be turned up" if rules.turns_up else "no card is turned up")
    up_card = [line.up_card] if line.up_card else []
    cards = [card for hand in line.hands for card in hand] + up_card + list(line.kitty)
    if sorted(cards) != sorted(rules.pack.cards):
        raise RecordError(f"the cards dealt are not the pack of {rules.pack.size}")


class Rehand:
    """The hand of a hand line. RecordError from everything that finds a breach."""

    def __init__(self, game: Game, line: HandLine) -> None:
        self.game = game
        self.line = line
        self.score = tuple(game.score)
        """Before the hand."""
        self.tokens = tuple(game.tokens)
        self.deal = Deal(line.hands, line.up_card, line.kitty)
        self.hand = hand = game.start_hand(self.deal)
        self.closed = False
        """Counted in the game."""
        self.ended_by_fault = False
        self.refusals = [0] * game.rules.seats
        for index, action in enumerate(line.actions):
            if action not in hand.legal():
                self._refused(index, action)
            hand.apply(action)
        if line.tricks != tuple(hand.tricks):
            raise RecordError(f"tricks: {hand.tricks} is right, not {list(line.tricks)}")

    def _refused(self, index: int, action: int) -> None:
        hand = self.hand
        reason = hand.refusal(hand.to_act, action)
        if reason is not None:
            by = f" by seat {hand.to_act}" if hand.to_act >= 0 else ""
            raise RecordError(f"action {index}, {action_text(action)}{by}: {reason}")

    def close(self) -> None:
        """The hand is over: its points and the score must be right."""
        points, line = tuple(self.hand.points), self.line
        if line.points != points:
            raise RecordError(f"points: {list(points)} is right, not {list(line.points)}")
        self._count()
        if line.score != tuple(self.game.score):
            raise RecordError(f"score: {self.game.score} is right, not {list(line.score)}")

    def check_unfinished(self) -> None:
        """A hand broken off brings nothing, or what the revoke that ended it brings."""
        line = self.line
        if len(line.points) != len(self.score) or len(line.score) != len(self.score):
            raise RecordError("points and score: one number a side")
        if line.score != tuple(a + b for a, b in zip(self.score, line.points, strict=True)):
            raise RecordError(f"score: {list(line.score)} is not {list(self.score)} and the points")
        if any(line.points) and self.game.rules.value("on_illegal") != "revoke":
            raise RecordError("points: a hand that is not over brings none")

    def _count(self) -> None:
        self.game.finish_hand()
        self.closed = True

    def fault(self, line: FaultLine) -> None:
        """A fault that follows the hand."""
        if line.hand != self.line.hand:
            raise RecordError(f"fault: this is hand {self.line.hand}, not {line.hand}")
        if line.action > len(self.line.actions):
            raise RecordError(f"fault: the hand has no action {line.action}")
        self._check_fields(line)
        if line.fault in faults.ENDS_GAME:
            self._end_game(line)
        elif line.fault == faults.REVOKE:
            self._revoke(line)
        elif line.fault == faults.TIMEOUT:
            self._timeout(line)
        else:
            self._illegal(line)

    @staticmethod
    def _check_fields(line: FaultLine) -> None:
        if (line.points is not None) != (line.fault == faults.REVOKE):
            raise RecordError(f"fault: {line.fault} and points do not go together")
        if (line.winners is not None) != (line.fault in faults.ENDS_GAME):
            raise RecordError(f"fault: {line.fault} and winners do not go together")

    @staticmethod
    def check_winners(line: FaultLine, rules: Rules) -> None:
        """A game lost by a fault is won by all other sides."""
        lost = rules.side_of[line.seat]
        right = tuple(side for side in range(rules.sides) if side != lost)
        if line.winners != right:
            raise RecordError(f"winners: {list(right)} is right, not {list(line.winners or ())}")

    def _must_be_open(self, line: FaultLine) -> None:
        if self.closed or line.action != len(self.line.actions):
            raise RecordError(f"fault: {line.fault} comes after the last action of a hand not over")

    def _end_game(self, line: FaultLine) -> None:
        self._must_be_open(line)
        if line.fault == faults.FORFEIT and line.seat != self.hand.to_act:
            raise RecordError(f"fault: seat {self.hand.to_act} was to act, not {line.seat}")
        self.check_winners(line, self.game.rules)
        if any(self.line.points):
            raise RecordError("fault: a hand that ends so brings no points")
        self.hand.abandon()
        self._count()
        self.game.forfeit(line.winners or ())
        self.ended_by_fault = True

    def _revoke(self, line: FaultLine) -> None:
        self._must_be_open(line)
        hand = self.hand
        if self.game.rules.value("on_illegal") != "revoke":
            raise RecordError("fault: no revokes are played here")
        if line.seat != hand.to_act or hand.phase is not Phase.PLAY:
            raise RecordError(f"fault: seat {line.seat} was not to play a card")
        self._check_evidence(line, hand)
        hand.revoke(line.seat)
        points = tuple(hand.points)
        if line.points != points:
            raise RecordError(f"points: {list(points)} is right, not {list(line.points or ())}")
        if any(self.line.points) and self.line.points != points:
            raise RecordError("points: those of the hand are not those of the revoke")
        self._count()

    def _timeout(self, line: FaultLine) -> None:
        hand = self._at(line)
        if self.game.rules.value("on_timeout") == "forfeit":
            self._must_be_open(line)
        elif line.action == len(self.line.actions):
            raise RecordError("fault: the referee decides for a seat out of time, and did not")
        elif self.line.actions[line.action] != hand.legal()[0]:
            raise RecordError(
                f"fault: the referee plays {action_text(hand.legal()[0])} for a seat out of time"
            )

    def _illegal(self, line: FaultLine) -> None:
        hand = self._at(line)
        self._check_evidence(line, hand)
        self.refusals[line.seat] += 1
        allowed = REFUSALS_ALLOWED
        if self.game.rules.value("on_illegal") == "forfeit":
            allowed = 0
        if self.refusals[line.seat] > allowed:
            self._must_be_open(line)

    def _at(self, line: FaultLine) -> Hand:
        """The hand as it stood before the action a fault belongs to."""
        hand = Hand(
            self.game.rules,
            self.line.dealer,
            self.deal,
            self.score,
            self.tokens,
            self.line.hand,
        )
        for action in self.line.actions[: line.action]:
            if action not in hand.legal():
                hand.refusal(hand.to_act, action)
            hand.apply(action)
        if hand.to_act != line.seat:
            raise RecordError(f"fault: seat {line.seat} was not to act at action {line.action}")
        return hand

    @staticmethod
    def _check_evidence(line: FaultLine, hand: Hand) -> None:
        """``play Kh: must-follow-suit`` is checked; other words are taken as they stand."""
        said, colon, reason = line.detail.rpartition(": ")
        if not colon or reason not in _REASONS:
            return
        try:
            action = parse_action(said)
        except ValueError:
            return
        true = hand.refusal(line.seat, action)
        if true != reason:
            raise RecordError(
                f"fault: {action_text(action)} was {true or 'legal'} there, not {reason}"
            )

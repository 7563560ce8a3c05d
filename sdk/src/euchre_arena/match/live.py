"""One game in progress: its hand, the decision it waits for, what each seat has left."""

from __future__ import annotations

from collections.abc import Sequence

from euchre_arena.match.faults import Fault
from euchre_arena.match.record import fault_line, game_line, hand_line
from euchre_arena.match.waiting import Waiting, drawn, waiting, written
from euchre_arena.rules import Game, Hand, Rules, deal_cards
from euchre_arena.rules.dealing import Deal, first_dealer

_FORGOTTEN = Deal((), 0, ())
"""Hundreds of hands hold their cards as masks; their deals are made again when they are written,
from the order that is kept here."""
REFUSALS_ALLOWED = 3
"""Of one seat in one hand; the next one forfeits the game (rules.md §10)."""


_NONE = tuple([(0,) * seats for seats in range(8)])
"""By seats: what few games ever change, shared by all."""


class Fresh:
    """Lines of a match's record since it was saved, and the game of each."""

    __slots__ = ("games", "lines")

    def __init__(self) -> None:
        self.games: list[int] = []
        self.lines: list[Waiting] = []


def _changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


class LiveGame:
    """State of one game; `Match` drives it. Times are nanoseconds."""

    __slots__ = (
        "asked_at", "bank", "faults", "fresh", "game", "hand", "index", "key", "lag",
        "legal", "lines", "number", "order", "overdue", "refusals", "refused", "rules", "seat",
        "seats", "started", "tricks", "turn", "turns",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        key: bytes,
        number: int,
        index: int,
        seats: tuple[int, ...],
        bank: tuple[int, ...],
        lag: int,
        fresh: Fresh | None = None,
    ) -> None:
        """``number``: of the game in the match; ``index``: the g its deals are drawn under."""
        self.rules = rules
        self.key = key
        self.number = number
        self.index = index
        self.seats = seats
        self.game = Game(rules, first_dealer(key, index, rules.seats))
        self.lines: list[Waiting] = []
        """Of the record, not released yet."""
        self.fresh = fresh
        """Where every line is noted besides, with its game; see `Match.keep_lines`."""
        self.faults: tuple[Fault, ...] = ()
        """Of the hand being played; they follow its line."""
        self.bank = bank
        """Left of each seat's."""
        self.lag = [lag] * rules.seats
        """Left of what the network is forgiven in this game."""
        self.turns = [0] * rules.seats
        """Decisions asked of each seat."""
        self.overdue = _NONE[rules.seats]
        """The last turn of each seat that the referee decided because time was up."""
        self.refusals = _NONE[rules.seats]
        self.refused: tuple[int, int, int, str] | None = None
        """The last refusal: seat, turn, how many there were in that turn, and why."""
        self.tricks = [0] * rules.sides
        """By side, of all hands that ended."""
        self.seat = -1
        self.turn = 0
        """The open turn of `seat`; 0: none is open, -1: none will be any more."""
        self.legal: tuple[int, ...] = ()
        self.asked_at = 0
        self.started = -1
        """When the clock of the open turn was started; -1: not yet."""
        self.hand: Hand
        self.order = b""
        """Of its cards, see `drawn`."""
        self.write(game_line(number, seats, self.game.dealer, rules.sides))

    def deal(self, increment: int) -> Hand:
        """Make the next deal."""
        rules = self.rules
        game = self.game
        self.order = drawn(rules, self.key, self.index, game.deal_number)
        self.hand = hand = game.start_hand(deal_cards(rules, game.dealer, self.order))
        if self.fresh is not None:
            hand.deal = _FORGOTTEN
        self.refusals = _NONE[rules.seats]
        if increment:
            self.bank = tuple([left + increment for left in self.bank])
        return hand

    def end(self) -> None:
        """The game is over: whoever still holds it finds no turn open, whatever is answered."""
        self.turn = -1

    def ask(self, legal: tuple[int, ...], now: int) -> int:
        """Open the next turn of the seat to act. Gives its number."""
        seat = self.seat = self.hand.to_act
        self.turns[seat] = self.turn = turn = self.turns[seat] + 1
        self.legal = legal
        self.asked_at = now
        self.started = -1
        return turn

    def refuse(self, why: str) -> None:
        """The open turn's answer is refused, and the turn stays open."""
        self.refusals = _changed(self.refusals, self.seat, self.refusals[self.seat] + 1)
        last, turn = self.refused, (self.seat, self.turn)
        count = 1 + (last[2] if last is not None and last[:2] == turn else 0)
        self.refused = (*turn, count, why)

    def draw(self, left: int) -> None:
        """So much is left of the bank of the seat to act."""
        self.bank = _changed(self.bank, self.seat, left)

    def run_out(self) -> None:
        """Time is up: the referee decides the open turn."""
        self.overdue = _changed(self.overdue, self.seat, self.turn)

    def refused_now(self) -> tuple[int, str]:
        """How many answers to the open turn were refused, and why the last; (0, "") for none."""
        last = self.refused
        if last is None or last[0] != self.seat or last[1] != self.turn:
            return 0, ""
        return last[2], last[3]

    def close_hand(self) -> None:
        """The hand is over: count it, write it and the faults that belong to it."""
        hand = self.hand
        game = self.game
        number = game.deal_number
        game.finish_hand()
        self.tricks = [old + new for old, new in zip(self.tricks, hand.tricks, strict=True)]
        dealer, order = hand.dealer, self.order
        actions, tricks, points, score = hand.actions, hand.tricks, hand.points, game.score
        waits = None
        if self.fresh is not None:  # what nobody saves is of few games at once, and soon written
            waits = waiting(number, dealer, order, actions, tricks, points, score)
        if waits is not None:
            self.write(waits)
        else:
            deal = hand.deal if self.fresh is None else deal_cards(self.rules, dealer, order)
            self.write(hand_line(number, dealer, deal, actions, tricks, points, score))
        self.write_faults()

    def forfeit(self, winners: Sequence[int]) -> None:
        """The game ends at once; the hand begun is written as far as it went."""
        if self.game.hand is not None:
            self.hand.abandon()
            self.close_hand()
        else:
            self.write_faults()
        self.game.forfeit(winners)

    def write_faults(self) -> None:
        """Put the faults of the hand behind its line."""
        if self.faults:
            self.write(*map(fault_line, self.faults))
            self.faults = ()

    def release(self) -> list[str]:
        """The lines written since the last call."""
        lines, self.lines = self.lines, []
        return written(lines, self.rules, self.key, self.index)

    def write(self, *lines: Waiting) -> None:
        """The next lines of the record."""
        self.lines.extend(lines)
        if self.fresh is not None:
            self.fresh.games.extend([self.number] * len(lines))
            self.fresh.lines.extend(lines)

    def note(
        self,
        kind: str,
        seat: int,
        detail: str,
        points: tuple[int, ...] | None = None,
        winners: tuple[int, ...] | None = None,
    ) -> Fault:
        """Keep a fault of the hand being played."""
        hand = self.game.hand
        actions = len(hand.actions) if hand is not None else 0
        fault = Fault(
            kind,
            self.number,
            self.game.deal_number,
            actions,
            seat,
            self.seats[seat],
            detail,
            points,
            winners,
        )
        self.faults += (fault,)
        return fault

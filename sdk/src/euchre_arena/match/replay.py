"""Referee a record again, from the first card (conformance.md, Record).

`replay_record` reads line after line and stops at the first that breaks the rules. The secret
stands in the last line and the deals in the ones before, so it is looked up first: a wrong deal is
then found where it stands. A first dealer who was not drawn is told last of all: the rest of such a
record can be sound, and what is wrong in it is told where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from euchre_arena.match.faults import ENDS_GAME
from euchre_arena.match.reading import (
    FaultLine,
    GameLine,
    GameResultLine,
    HandLine,
    Line,
    MatchLine,
    RecordError,
    ResultLine,
    read_line,
)
from euchre_arena.match.rehand import Rehand, check_cards
from euchre_arena.match.reports import HandReport, ReplayReport
from euchre_arena.match.scoring import Tally
from euchre_arena.match.spec import (
    MatchFormat,
    MatchSpec,
    SpecError,
    check_opposed,
    check_seating,
)
from euchre_arena.match.stakes import skunked
from euchre_arena.rules import Game, OptionError, Rules, deal_cards
from euchre_arena.rules.dealing import Deal, commitment, deal_order, first_dealer, match_key

__all__ = ["HandReport", "ReplayReport", "replay_record"]

_LONGEST: Final = 300

OnHand = Callable[[HandReport], None]


def replay_record(lines: Iterable[str | bytes], on_hand: OnHand | None = None) -> ReplayReport:
    """Replay the lines of one record, line ends or none. Never raises on what stands in them.

    ``on_hand`` is called for every hand that kept the rules.
    """
    texts = [
        line.rstrip(b"\r\n") if isinstance(line, bytes) else line.rstrip("\r\n") for line in lines
    ]
    report = ReplayReport()
    replay = _Replay(report, _closing(texts), on_hand or (lambda hand: None))
    number = 0
    try:
        for number, text in enumerate(texts, 1):
            replay.feed(number, read_line(text))
        replay.end(number)
    except (RecordError, RecursionError) as error:
        report.ok = False
        report.line = replay.blame or max(1, number)
        deep = isinstance(error, RecursionError)
        report.error = "nested too deep" if deep else _printable(str(error))
        report.deals_verified = report.finished = False
    return report


def _printable(text: str) -> str:
    """On one line, without control characters, and not longer than one reads."""
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _closing(texts: Sequence[str | bytes]) -> ResultLine | None:
    """The line that closes the record, wherever it stands."""
    for text in reversed(texts):
        if (b'"secret"' in text) if isinstance(text, bytes) else ('"secret"' in text):
            try:
                line = read_line(text)
            except RecordError:
                return None
            return line if isinstance(line, ResultLine) else None
    return None


class _Replay:
    """State between two lines."""

    def __init__(self, report: ReplayReport, closing: ResultLine | None, on_hand: OnHand) -> None:
        self.report = report
        self.closing = closing
        self.on_hand = on_hand
        self.blame: int | None = None
        """The line an error belongs to where it is not the one being read."""
        self.rules: Rules | None = None
        self.match_format = MatchFormat("games", 1)
        self.entrants = 0
        self.commitment = b""
        self.key: bytes | None = None
        """None while no secret is known that is the committed one."""
        self.seating: tuple[int, ...] = ()
        self.tally = Tally(self.match_format, 1, ())
        self.next_game = 0
        self.game: Game | None = None
        """The game whose lines are being read; None between games."""
        self.seats: tuple[int, ...] = ()
        self.index = 0
        self.tricks: list[int] = []
        """By side, of the hands of this game."""
        self.last: Rehand | None = None
        """The last hand of the game, which faults refer to."""
        self.open_line: int | None = None
        """Line of a hand that is not over: a fault that ends it must follow."""
        self.gaps = False
        """A game has no result: the match was broken off."""
        self.undrawn: tuple[int, str] | None = None
        """Line and text of the first first dealer who was not drawn."""
        self.closed = False

    def feed(self, number: int, line: Line) -> None:
        """Take the next line; RecordError."""
        if self.closed:
            raise RecordError("a line after the result")
        if self.rules is None:
            if not isinstance(line, MatchLine):
                raise RecordError("the match line must come first")
            self._match(line)
            return
        if self.open_line is not None and not isinstance(line, FaultLine):
            self._not_over()
        match line:
            case MatchLine():
                raise RecordError("a second match line")
            case GameLine():
                self._game(number, line, self.rules)
            case HandLine():
                self._hand(number, line, self.rules)
            case FaultLine():
                self._fault(line)
            case GameResultLine():
                self._game_result(line)
            case ResultLine():
                self._result(line)

    def end(self, number: int) -> None:
        """No line is left."""
        if not number:
            raise RecordError("the record is empty")
        if self.open_line is not None:
            self._not_over()
        if not self.closed:
            raise RecordError("the record ends without a result: the match is unfinished")
        self._check_drawn()

    def _check_drawn(self) -> None:
        if self.undrawn is not None:
            self.blame, text = self.undrawn
            raise RecordError(text)

    def _not_over(self) -> None:
        self.blame = self.open_line
        raise RecordError("the hand is not over after its last action, and no fault ended it")

    def _match(self, line: MatchLine) -> None:
        spec = MatchSpec(line.match, line.preset, line.options, line.match_format, line.entrants)
        try:
            match_format = MatchFormat.of(line.match_format)
            self.rules = rules = spec.check(match_format)
        except (OptionError, SpecError) as error:
            raise RecordError(str(error)) from None
        if len(line.nonces) != rules.seats:
            raise RecordError(f"nonces: one a seat, {rules.seats}, not {len(line.nonces)}")
        if line.seeded and any(line.nonces):
            raise RecordError("seeded: a seeded match takes no nonces")
        self.match_format = match_format
        self.entrants = len(line.entrants)
        self.tally = Tally(match_format, self.entrants, rules.side_of, rules.target)
        self.commitment = line.commitment
        if self.closing is not None and commitment(self.closing.secret) == line.commitment:
            self.key = match_key(self.closing.secret, line.nonces)
        report = self.report
        report.match, report.preset, report.entrants = line.match, line.preset, line.entrants
        report.seeded = line.seeded
        report.nonces = sum(map(bool, line.nonces))

    def _game(self, number: int, line: GameLine, rules: Rules) -> None:
        if self.game is not None:
            self._broken_off(f"game {self.next_game - 1} has no result")
        if line.game != self.next_game:
            raise RecordError(f"game {self.next_game} comes next, not {line.game}")
        if line.game >= self.match_format.count or not self.tally.needed():
            raise RecordError("the match was decided before this game")
        self._check_seats(line, rules)
        self.index = self.match_format.deal_index(line.game, rules.sides)
        if line.first_dealer >= rules.seats:
            raise RecordError(f"first dealer: there is no seat {line.first_dealer}")
        if self.key is not None:
            drawn = first_dealer(self.key, self.index, rules.seats)
            if line.first_dealer != drawn:
                text = f"first dealer: the secret draws seat {drawn}, not {line.first_dealer}"
                self.undrawn = self.undrawn or (number, text)
        if line.score != (0,) * rules.sides:
            raise RecordError("score: a game begins at nothing all")
        self.next_game += 1
        self.seats = line.seats
        self.game = Game(rules, line.first_dealer)
        self.tricks = [0] * rules.sides
        self.last = None

    def _check_seats(self, line: GameLine, rules: Rules) -> None:
        if line.game == 0:
            try:
                check_seating(line.seats, self.entrants, rules)
                check_opposed(self.match_format, line.seats, rules)
            except SpecError as error:
                raise RecordError(str(error)) from None
            self.seating = line.seats
        shifts = [line.game % rules.sides] if self.match_format.duplicate else range(rules.sides)
        seating = self.seating
        if line.seats not in [
            seating[-shift:] + seating[:-shift] if shift else seating for shift in shifts
        ]:
            raise RecordError(f"seats: {list(line.seats)} is not how this game is seated")

    def _hand(self, number: int, line: HandLine, rules: Rules) -> None:
        game = self._open_game()
        if game.over:
            raise RecordError("the game was over before this hand")
        if line.hand != game.deal_number:
            raise RecordError(f"hand {game.deal_number} comes next, not {line.hand}")
        if line.dealer != game.dealer:
            self._check_drawn()
            raise RecordError(f"dealer: seat {game.dealer} deals, not {line.dealer}")
        self._check_deal(line, rules)
        self.last = rehand = Rehand(game, line)
        if rehand.hand.over:
            rehand.close()
        else:
            rehand.check_unfinished()
            self.open_line = number
        self.tricks = [old + new for old, new in zip(self.tricks, line.tricks, strict=True)]
        self.report.hands += 1
        self._report(number, rehand, line)

    def _report(self, number: int, rehand: Rehand, line: HandLine) -> None:
        hand = rehand.hand
        self.on_hand(
            HandReport(
                number,
                self.next_game - 1,
                line.hand,
                line.dealer,
                hand.trump,
                hand.maker,
                hand.alone,
                hand.result or "broken off",
                line.tricks,
                line.points,
                line.score,
            )
        )

    def _check_deal(self, line: HandLine, rules: Rules) -> None:
        check_cards(line, rules)
        if self.key is None:
            return
        order = deal_order(self.key, self.index, line.hand, rules.pack.size)
        if deal_cards(rules, line.dealer, order) != Deal(line.hands, line.up_card, line.kitty):
            raise RecordError("this is not the deal of the secret")

    def _fault(self, line: FaultLine) -> None:
        game = self._open_game()
        if line.game != self.next_game - 1:
            raise RecordError(f"fault: this is game {self.next_game - 1}, not {line.game}")
        if line.seat >= len(self.seats):
            raise RecordError(f"fault: there is no seat {line.seat}")
        self.report.faults.append({k: v for k, v in line._asdict().items() if v is not None})
        rehand = self.last
        if rehand is None:
            if line.fault not in ENDS_GAME or line.hand != game.deal_number or line.action:
                raise RecordError("fault: the hand it belongs to comes before it")
            Rehand.check_winners(line, game.rules)
            self._over_by_fault(game)
            game.forfeit(line.winners or ())
            return
        if game.over and self.open_line is None and rehand.ended_by_fault:
            raise RecordError("fault: the game was over already")
        rehand.fault(line)
        if rehand.closed:
            self.open_line = None

    def _over_by_fault(self, game: Game) -> None:
        if game.over:
            raise RecordError("fault: the game was over already")

    def _game_result(self, line: GameResultLine) -> None:
        game = self._open_game()
        if line.game != self.next_game - 1:
            raise RecordError(f"this is game {self.next_game - 1}, not {line.game}")
        if not game.over:
            raise RecordError("a result before anyone has won")
        if line.score != tuple(game.score):
            raise RecordError(f"score: {game.score} is right, not {list(line.score)}")
        if line.winners != game.winners:
            raise RecordError(f"winners: {list(game.winners)} is right, not {list(line.winners)}")
        skunk = self.match_format.skunk and skunked(line.score, line.winners)
        if line.skunk != skunk:
            marked = "is one and is not marked" if skunk else "is none, or none is marked here"
            raise RecordError(f"skunk: this game {marked}")
        if skunk:
            self.report.skunks.append(line.game)
            sides = zip(self.seats, game.rules.side_of, strict=True)
            won = sorted({entrant for entrant, side in sides if side in line.winners})
            self.report.skunkers.append(tuple(self.report.entrants[entrant] for entrant in won))
        self.tally.add(self.seats, line.score, line.winners, self.tricks)
        self.game = None
        self.report.games += 1
        self.report.score = line.score

    def _result(self, line: ResultLine) -> None:
        if self.game is not None:
            self._broken_off(f"game {self.next_game - 1} has no result")
        decided = not self.gaps and not self.tally.needed()
        if line.winners and not decided:
            raise RecordError("a result before the match is decided")
        right = self.tally.result(decided)
        for name in ("winners", "games", "points", "rubber", "stakes"):
            said, true = getattr(line, name), getattr(right, name)
            if said is None and true is not None:
                raise RecordError(f'"{name}" is missing: {list(true)} is right')
            if said is not None and true is None:
                raise RecordError(f'"{name}" does not belong in this line')
            if said != true:
                raise RecordError(f"{name}: {list(true)} is right, not {list(said)}")
        if commitment(line.secret) != self.commitment:
            raise RecordError("the secret is not the committed one")
        self.closed = True
        self.report.finished = decided
        self.report.deals_verified = True
        self.report.result = right.as_dict()

    def _open_game(self) -> Game:
        if self.game is None:
            raise RecordError("no game has begun")
        return self.game

    def _broken_off(self, what: str) -> None:
        """A game without result: right in a match that was broken off, which has no winners."""
        if self.closing is None or self.closing.winners:
            raise RecordError(what)
        self.gaps = True
        self.game = None

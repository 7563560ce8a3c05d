"""A hand looked up in a record, and its way from the deal to the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from euchre_arena.match.reading import (
    FaultLine,
    GameLine,
    HandLine,
    MatchLine,
    RecordError,
    read_line,
)
from euchre_arena.match.rehand import Rehand, check_cards
from euchre_arena.match.spec import MatchFormat, SpecError, playing_rules
from euchre_arena.rules import Game, Hand, OptionError, Rules
from euchre_arena.rules.actions import ActionCode, Kind, action_text, kind_of
from euchre_arena.rules.cards import Card
from euchre_arena.rules.dealing import Deal


class NotFoundError(ValueError):
    """The record has no such game or hand; the message says which there are."""


@dataclass(slots=True)
class Trick:
    """One trick as it fell."""

    cards: list[tuple[int, Card]] = field(default_factory=list)
    """Seat and card, in order."""
    winner: int = -1
    """-1: it was not played out."""
    notes: list[str] = field(default_factory=list)
    """What was said in it, ``seat 2: claim``."""


@dataclass(slots=True)
class Found:
    """A hand of a record."""

    match: str
    rules: Rules
    names: tuple[str, ...]
    """By seat, the entrant sitting there."""
    game: int
    number: int
    deal: Deal
    before: tuple[int, ...]
    """Score by side."""
    after: tuple[int, ...]
    hand: Hand
    """At its end."""
    said: list[str]
    """Before the first card was played, ``seat 2: pass``."""
    tricks: list[Trick]
    fault: str
    """What broke the hand off; empty for one played to its end."""


def find(lines: Iterable[str | bytes], game: int, number: int) -> Found:
    """Look a hand up. RecordError (``line N: …``) for a broken record, else NotFoundError."""
    search = _Search(game, number)
    for place, text in enumerate(lines, 1):
        try:
            line = read_line(text)
            if search.feed(line):
                break
        except (RecordError, SpecError, OptionError) as error:
            raise RecordError(f"line {place}: {error}") from None
    return search.found()


class _Search:
    """Plays the hands of one game up to the one looked for."""

    def __init__(self, game: int, number: int) -> None:
        self.wanted = (game, number)
        self.match: MatchLine | None = None
        self.line: GameLine | None = None
        self.game: Game | None = None
        self.games = 0
        self.last: Rehand | None = None
        """The last hand of the game looked for; a fault may end it and count points."""
        self.result: Found | None = None

    def feed(self, line: object) -> bool:
        """Take a line; True when nothing more is needed."""
        if isinstance(line, MatchLine):
            self.match = line
        elif self.match is None:
            raise RecordError("the match line must come first")
        elif self.result is not None:
            if isinstance(line, FaultLine) and not self.result.hand.over:
                self.result.fault = f"{line.fault} of seat {line.seat}: {line.detail}"
            return not isinstance(line, FaultLine) or self.result.hand.over
        elif isinstance(line, FaultLine):
            if self.last is not None and self.line is not None and line.game == self.wanted[0]:
                self.last.fault(line)
        elif isinstance(line, GameLine):
            self.games += 1
            self.line, self.game, self.last = line, self._begin(self.match, line), None
        elif isinstance(line, HandLine):
            self._hand(self.match, line)
        return False

    @staticmethod
    def _begin(match: MatchLine, line: GameLine) -> Game:
        rules = playing_rules(match.preset, match.options, MatchFormat.of(match.match_format))
        if len(line.seats) != rules.seats or not all(s < len(match.entrants) for s in line.seats):
            raise RecordError(f"seats: {rules.seats} are needed, each with an entrant")
        if line.first_dealer >= rules.seats:
            raise RecordError(f"first dealer: there is no seat {line.first_dealer}")
        return Game(rules, line.first_dealer)

    def _hand(self, match: MatchLine, line: HandLine) -> None:
        if self.line is None or self.game is None:
            raise RecordError("no game has begun")
        if self.line.game != self.wanted[0]:
            return
        game, rules = self.game, self.game.rules
        check_cards(line, rules)
        if game.over or line.hand != game.deal_number or line.dealer != game.dealer:
            raise RecordError("this hand is not the next of the game")
        before = tuple(game.score)
        tokens, deals = tuple(game.tokens), game.deal_number
        self.last = rehand = Rehand(game, line)
        if rehand.hand.over:
            rehand.close()
        else:
            rehand.check_unfinished()
        if line.hand == self.wanted[1]:
            deal = Deal(line.hands, line.up_card, line.kitty)
            hand = Hand(rules, line.dealer, deal, before, tokens, deals)
            said, tricks = _played(hand, line.actions)
            names = tuple(match.entrants[entrant] for entrant in self.line.seats)
            self.result = Found(
                match.match, rules, names, *self.wanted, deal, before, line.score, hand, said,
                tricks, "",
            )  # fmt: skip  # in the order of its fields

    def found(self) -> Found:
        """The hand, or NotFoundError."""
        if self.result is not None:
            return self.result
        game, number = self.wanted
        if self.line is None:
            raise NotFoundError("there is no game in this record")
        if self.games <= game:
            raise NotFoundError(
                f"there is no game {game}: the record has {self.games}, from 0 to {self.games - 1}"
            )
        raise NotFoundError(f"game {game} has no hand {number}: hands are counted from 0")


def _played(hand: Hand, actions: Iterable[ActionCode]) -> tuple[list[str], list[Trick]]:
    said: list[str] = []
    tricks: list[Trick] = []
    for seat, action in _acts(hand, actions):
        if kind_of(action) == Kind.PLAY:
            if not tricks or tricks[-1].winner >= 0:
                tricks.append(Trick())
            tricks[-1].cards.append((seat, action & 63))
        elif tricks:
            tricks[-1].notes.append(f"seat {seat}: {action_text(action)}")
        else:
            said.append(f"seat {seat}: {action_text(action)}")
        won = len(hand.trick_winners)
        if tricks and kind_of(action) == Kind.PLAY and won == len(tricks):
            tricks[-1].winner = hand.trick_winners[-1]
    return said, tricks


def _acts(hand: Hand, actions: Iterable[ActionCode]) -> Iterator[tuple[int, ActionCode]]:
    """Seat and action, each after it was carried out."""
    for action in actions:
        seat = hand.to_act
        hand.apply(action)
        yield seat, action

"""What a bot is handed: one decision of one seat, with names instead of numbers.

A `Turn` wraps the numbers of a view (or of a message off the wire, which has the same fields) and
names a thing only when it is asked for: a bot that reads nothing but ``turn.legal`` pays for
nothing else. A `Table` is what stays the same through a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, Self, TypeVar, overload

from euchre_arena.rules.cards import NAMES, SUIT_LETTERS
from euchre_arena.rules.named_action import ACTIONS, Action
from euchre_arena.rules.terms import Phase, UpCardState

if TYPE_CHECKING:
    from euchre_arena.rules import Rules, View

__all__ = ["ACTIONS", "PHASES", "UP_CARD_STATES", "Action", "Raw", "Table", "Turn"]

_action = ACTIONS.__getitem__

T = TypeVar("T")

PHASES: Final[tuple[str, ...]] = ("", *(phase.word for phase in Phase))
"""Name of each phase number."""

UP_CARD_STATES: Final[tuple[str | None, ...]] = (None, *(s.word for s in UpCardState if s))
"""Name of each state of the up-card; None where no card was turned up."""


class Raw(Protocol):
    """The numbers behind a turn: a view, or a ``Turn`` message with the same fields."""

    @property
    def seat(self) -> int: ...
    @property
    def dealer(self) -> int: ...
    @property
    def phase(self) -> int: ...
    @property
    def up_card(self) -> int: ...
    @property
    def up_card_state(self) -> int: ...
    @property
    def trump(self) -> int: ...
    @property
    def maker(self) -> int: ...
    @property
    def alone(self) -> bool: ...
    @property
    def hand(self) -> Sequence[int]: ...
    @property
    def legal(self) -> Sequence[int]: ...
    @property
    def history(self) -> Sequence[int]: ...
    @property
    def leader(self) -> int: ...
    @property
    def trick(self) -> Sequence[int]: ...
    @property
    def tricks_won(self) -> Sequence[int]: ...
    @property
    def score(self) -> Sequence[int]: ...
    @property
    def target(self) -> int: ...
    @property
    def hand_number(self) -> int: ...
    @property
    def sitting_out(self) -> Sequence[int]: ...
    @property
    def bid(self) -> int: ...
    @property
    def stock(self) -> int: ...
    @property
    def tokens(self) -> Sequence[int]: ...
    @property
    def put_away(self) -> Sequence[int]: ...
    @property
    def makers(self) -> Sequence[int]: ...
    @property
    def lead_suit(self) -> int: ...


class lazy(Generic[T]):  # noqa: N801 - reads as a decorator
    """A property worked out when first read and then kept in the instance.

    functools.cached_property takes a lock in Python 3.11, which costs more than the work here.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        value = self.make(instance)
        # Not into `__dict__`: an instance that never hands that out does without one.
        setattr(instance, self.name, value)
        return value


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same through one game, as one seat knows it."""

    rules: Rules
    """The rules played: ``rules.preset``, ``rules.values`` …"""
    seat: int = 0
    """The bot's seat, 0 … n-1 clockwise."""
    game: int = 0
    """Opaque handle of this seat in this game; at home seat and number of the game."""
    match: int = 0
    """Opaque handle of the match."""
    game_number: int = 0
    """Number of the game in its match, from 0."""
    players: tuple[str, ...] = ()
    """Who sits in each seat, by name."""
    move_time_ms: int = 0
    """Time per decision, milliseconds; 0 for no clock."""
    bank_ms: int = 0
    """Bank per game, milliseconds."""
    increment_ms: int = 0
    """Added to the bank each hand, milliseconds."""
    commitment: bytes = b""
    """SHA-256 of the match secret, 32 bytes; empty at home."""
    resumed: bool = False
    """The game began before this process of the bot knew of it."""

    @property
    def preset(self) -> str:
        """Name of the preset, ``"standard"``."""
        return self.rules.preset

    @property
    def options(self) -> Mapping[str, Any]:
        """Options set over the preset, by name."""
        return self.rules.options

    @property
    def side_of(self) -> tuple[int, ...]:
        """The side of each seat."""
        return self.rules.side_of


class Turn:
    """One decision asked of one seat: everything it may know, nothing else.

    Answer with one of `legal`, or with the same text.
    """

    def __init__(
        self, raw: Raw, table: Table, turn: int = 0, move_time_ms: int = 0, bank_ms: int = 0
    ) -> None:
        self._raw = raw
        self.table = table
        """What stays the same through the game."""
        self.turn = turn
        """Counts the decisions asked of this seat in the game, from 1."""
        self.move_time_ms = move_time_ms
        self.bank_ms = bank_ms

    @lazy
    def move_time_ms(self) -> int:
        """Left for this decision before the bank is drawn on, milliseconds; 0 for no clock."""
        return 0

    @lazy
    def bank_ms(self) -> int:
        """Bank left, milliseconds."""
        return 0

    @lazy
    def refusal(self) -> str | None:
        """Why the last answer to this very turn was refused (conformance.md); None when first
        asked."""
        return None

    @lazy
    def legal(self) -> tuple[Action, ...]:
        """The legal actions in canonical order, never empty."""
        return tuple(map(_action, self._raw.legal))

    @lazy
    def hand(self) -> tuple[str, ...]:
        """The seat's cards, ``("9c", "Jh")``, in pack order; empty in phase ``blind``."""
        return tuple([NAMES[card] for card in self._raw.hand])

    @lazy
    def seat(self) -> int:
        """The seat that decides, 0 … n-1."""
        return self._raw.seat

    @lazy
    def dealer(self) -> int:
        """The dealer's seat."""
        return self._raw.dealer

    @lazy
    def phase(self) -> str:
        """What is asked: ``"order"``, ``"call"``, ``"discard"``, ``"play"`` …"""
        return PHASES[self._raw.phase]

    @lazy
    def up_card(self) -> str | None:
        """The card turned up, None without one. It stays known after it was turned down."""
        card = self._raw.up_card
        return NAMES[card] if card else None

    @lazy
    def up_card_state(self) -> str | None:
        """Where it lies: ``"face-up"``, ``"taken"``, ``"turned-down"``; None without one."""
        return UP_CARD_STATES[self._raw.up_card_state]

    @lazy
    def trump(self) -> str | None:
        """Trumps, ``"h"``; ``"n"`` for no trump; None before they are made."""
        suit = self._raw.trump
        return SUIT_LETTERS[suit] if suit else None

    @lazy
    def maker(self) -> int | None:
        """The seat that made trumps; None before."""
        maker = self._raw.maker
        return maker if maker >= 0 else None

    @lazy
    def makers(self) -> tuple[int, ...]:
        """The seats that play as makers, ascending; empty before trumps are made."""
        return tuple(self._raw.makers)

    @lazy
    def alone(self) -> bool:
        """The maker plays alone."""
        return self._raw.alone

    @lazy
    def sitting_out(self) -> tuple[int, ...]:
        """Seats sitting out, ascending."""
        return tuple(self._raw.sitting_out)

    @lazy
    def leader(self) -> int | None:
        """The seat that led the current trick or is to lead it; None before play."""
        leader = self._raw.leader
        return leader if leader >= 0 else None

    @lazy
    def trick(self) -> tuple[tuple[int, str], ...]:
        """The current trick in order, as (seat, card)."""
        cards = self._raw.trick
        if not cards:
            return ()
        seats, out, seat = self.table.rules.seats, self._raw.sitting_out, self.leader or 0
        played = []
        for card in cards:
            while seat in out:
                seat = (seat + 1) % seats
            played.append((seat, NAMES[card]))
            seat = (seat + 1) % seats
        return tuple(played)

    @lazy
    def lead_suit(self) -> str | None:
        """The suit named for a joker led at no trump, else None."""
        suit = self._raw.lead_suit
        return SUIT_LETTERS[suit] if suit else None

    @lazy
    def history(self) -> tuple[tuple[int, Action], ...]:
        """Public actions of this hand in order, as (seat, action)."""
        return tuple([(entry >> 16, _action(entry & 0xFFFF)) for entry in self._raw.history])

    @lazy
    def tricks_won(self) -> tuple[int, ...]:
        """Tricks won this hand, by side."""
        return tuple(self._raw.tricks_won)

    @lazy
    def score(self) -> tuple[int, ...]:
        """Points in this game before this hand, by side."""
        return tuple(self._raw.score)

    @lazy
    def tokens(self) -> tuple[int, ...]:
        """Tokens by side, where played."""
        return tuple(self._raw.tokens)

    @lazy
    def target(self) -> int:
        """Points that win; 0 where a number of deals is played."""
        return self._raw.target

    @lazy
    def hand_number(self) -> int:
        """Deals made in this game before this one."""
        return self._raw.hand_number

    @lazy
    def bid(self) -> Action | None:
        """The highest bid so far."""
        code = self._raw.bid
        return _action(code) if code else None

    @lazy
    def stock(self) -> int:
        """Cards left in the stock (Écarté)."""
        return self._raw.stock

    @lazy
    def put_away(self) -> tuple[str, ...]:
        """Cards this seat itself put away this hand: discarded, swapped or given."""
        return tuple([NAMES[card] for card in self._raw.put_away])

    @lazy
    def seats(self) -> int:
        """Number of seats."""
        return self.table.rules.seats

    @lazy
    def side_of(self) -> tuple[int, ...]:
        """The side of each seat; partners have the same."""
        return self.table.rules.side_of

    @lazy
    def preset(self) -> str:
        """Name of the preset played, ``"standard"``."""
        return self.table.rules.preset

    @lazy
    def options(self) -> Mapping[str, Any]:
        """Options set over the preset."""
        return self.table.rules.options

    @property
    def game(self) -> int:
        """Opaque handle of this seat in this game."""
        return self.table.game

    @lazy
    def view(self) -> View:
        """The same as numbers (`euchre_arena.rules.View`), for bots that count in bits."""
        return self._raw  # type: ignore[return-value]  # made from a View; the wire overrides it

    def choice(self, answer: str) -> int:
        """Index of an answer in `legal`, -1 when it does not stand there."""
        try:
            return self.legal.index(answer)
        except ValueError:
            return -1

    def __repr__(self) -> str:
        return f"<Turn {self.turn} of game {self.game:x}: seat {self.seat}, {self.phase}>"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterable[str]:
        """The turn as a person reads it, a line a matter."""
        score = ":".join(str(points) for points in self.score)
        of = f" of {self.target}" if self.target else ""
        yield (
            f"{self.preset}, game {self.game:x}, deal {self.hand_number}, turn {self.turn}: "
            f"seat {self.seat} is asked, phase {self.phase}"
        )
        yield f"  score    {score}{of}, tricks {':'.join(map(str, self.tricks_won))}"
        yield f"  dealer   seat {self.dealer}"
        if self.options:
            yield f"  options  {', '.join(f'{k}={v!r}' for k, v in self.options.items())}"
        if self.up_card:
            yield f"  up-card  {self.up_card} ({self.up_card_state})"
        if self.bid:
            yield f"  bid      {self.bid}"
        if self.trump:
            alone = ", alone" if self.alone else ""
            yield f"  trump    {self.trump}, made by seat {self.maker}{alone}"
        yield f"  hand     {' '.join(self.hand) or '(not shown)'}"
        if self.put_away:
            yield f"  put away {' '.join(self.put_away)}"
        if self.trick:
            yield f"  trick    {', '.join(f'seat {seat} {card}' for seat, card in self.trick)}"
        if self.history:
            yield f"  history  {', '.join(f'{seat}: {action}' for seat, action in self.history)}"
        yield f"  legal    {' | '.join(self.legal[:40])}{' | …' if len(self.legal) > 40 else ''}"

"""What a seat can read off its view while cards are played: who is winning, what is still out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from euchre_arena.bots.book.cards import TRUMPS, cards_of, mask_of
from euchre_arena.rules.actions import PLAY, Kind
from euchre_arena.rules.views import View

_PLAY = int(Kind.PLAY)
_TAKEN = 2
_TURNED_DOWN = 3


@lru_cache(maxsize=4096)
def _round(
    me: int, seats: int, out: tuple[int, ...], makers: tuple[int, ...]
) -> tuple[list[int], frozenset[int], bool]:
    """The other active seats in order from the left, the foes, and whether this seat makes."""
    order = [seat for step in range(1, seats) if (seat := (me + step) % seats) not in out]
    making = me in makers
    return order, frozenset(seat for seat in order if (seat in makers) != making), making


class Trick:
    """The current trick and what is known of the cards not seen yet."""

    __slots__ = (
        "_voids",
        "above",
        "after",
        "best",
        "best_card",
        "cards",
        "foes",
        "foes_after",
        "hand",
        "led",
        "making",
        "me",
        "options",
        "plays",
        "out",
        "power",
        "seats",
        "suit",
        "trumps",
        "view",
    )

    def __init__(self, view: View, seats: int, pack: int, double: bool = False) -> None:
        self.view = view
        self.seats = seats
        table = TRUMPS[view.trump]
        suit = self.suit = table.suit
        self.power, self.above = table.power, table.above
        self.trumps = table.trumps
        hand = self.hand = mask_of(view.hand)
        self.options = [code & 63 for code in view.legal]
        """Cards that may be played."""
        order, self.foes, self.making = _round(view.seat, seats, view.sitting_out, view.makers)
        self.me = view.seat
        self.plays = [entry for entry in view.history if entry >> 10 & 63 == _PLAY]
        """All cards played this hand, ``seat << 16 | code``."""
        out = pack & ~hand
        for entry in self.plays:
            out &= ~(1 << (entry & 63))
        if view.put_away:
            out &= ~mask_of(view.put_away)
        if view.up_card_state == _TURNED_DOWN or (
            view.up_card_state == _TAKEN and view.dealer not in self.foes
        ):
            out &= ~(1 << view.up_card)
        if double:  # a card is out while one of its copies is
            seen = [*view.hand, *(entry & 63 for entry in self.plays)]
            out = pack & ~mask_of(card for card in seen if seen.count(card) > 1)
        self.out = out
        """Cards not seen yet that a foe may hold (the kitty's cannot be told apart)."""
        on_table = len(view.trick)
        self.cards = (
            [(entry >> 16, entry & 63) for entry in self.plays[-on_table:]] if on_table else []
        )
        """The trick on the table, as (seat, card)."""
        self.led = (view.lead_suit or suit[self.cards[0][1]]) if on_table else 0
        """The suit led; 0 before."""
        self.after = order[: len(order) - on_table]
        """Seats that play to this trick after this one, in order."""
        self.foes_after = [seat for seat in self.after if seat in self.foes]
        self._voids: list[int] | None = None
        self._find_best()

    @property
    def voids(self) -> list[int]:
        """By seat: one bit for each suit it has shown to be out of."""
        if self._voids is None:
            self._voids = self._read_voids()
        return self._voids

    def _read_voids(self) -> list[int]:
        suit, plays = self.suit, self.plays
        voids = [0] * self.seats
        active = self.seats - len(self.view.sitting_out)
        for start in range(0, len(plays), active):
            led = suit[plays[start] & 63]
            if not led:  # a joker led at no trump: whatever was named, take nothing from it
                continue
            for entry in plays[start + 1 : start + active]:
                if suit[entry & 63] != led:
                    voids[entry >> 16] |= 1 << led
        return voids

    def _find_best(self) -> None:
        self.best, self.best_card = -1, 0
        height = -1
        for seat, card in self.cards:
            power = self.power[card]
            if (self.suit[card] == self.led or power >= 20) and power > height:
                self.best, self.best_card, height = seat, card, power

    @property
    def mine(self) -> bool:
        """A partner is winning the trick."""
        return self.best >= 0 and self.best not in self.foes

    def beats(self, card: int) -> bool:
        """Whether the card would win the trick as it lies."""
        power = self.power[card]
        if self.suit[card] != self.led and power < 20:
            return False
        return power > self.power[self.best_card]

    def winners(self) -> list[int]:
        """Playable cards that would win the trick as it lies, lowest first."""
        return sorted(filter(self.beats, self.options), key=self.power.__getitem__)

    def master(self, card: int) -> bool:
        """No card of its suit that may be with a foe beats it."""
        return not self.above[card] & self.out

    def trumps_out(self) -> bool:
        """A foe may hold a trump."""
        if not self.trumps & self.out:
            return False
        trump = 1 << self.view.trump
        return not all(self.voids[seat] & trump for seat in self.foes)

    def may_ruff(self, suit: int) -> bool:
        """A foe still to play is known to be out of the suit and may hold a trump."""
        bit, trump = 1 << suit, 1 << self.view.trump
        if not self.trumps & self.out:
            return False
        return any(
            self.voids[seat] & bit and not self.voids[seat] & trump for seat in self.foes_after
        )

    def safe(self, card: int) -> bool:
        """No foe still to play can be expected to beat the card."""
        if not self.foes_after:
            return True
        if self.power[card] >= 20:
            return self.master(card) or not self.trumps_out()
        return self.master(card) and not self.may_ruff(self.suit[card])

    def held(self, suit: int) -> int:
        """This hand's cards of a suit, as a mask."""
        return self.hand & TRUMPS[self.view.trump].of_suit[suit]

    def length(self, card: int) -> int:
        """How many cards of the card's suit are held."""
        return self.held(self.suit[card]).bit_count()

    def my_trumps(self) -> int:
        """The trumps held, as a mask."""
        return self.hand & self.trumps

    def side_options(self) -> Iterator[int]:
        """Playable cards that are no trumps."""
        return (card for card in self.options if not 1 << card & self.trumps)

    def trump_options(self) -> list[int]:
        """Playable trumps, lowest first."""
        return sorted(
            (card for card in self.options if 1 << card & self.trumps),
            key=self.power.__getitem__,
        )


__all__ = ["PLAY", "Trick", "cards_of"]

"""What a seat can read off its view while cards are played: who is winning, what is still out."""

from __future__ import annotations

from collections.abc import Iterator

from euchre_arena.bots.book.cards import TRUMPS, cards_of, mask_of
from euchre_arena.rules.actions import PLAY, Kind
from euchre_arena.rules.views import View

_PLAY = Kind.PLAY
_LEAD_SUIT = Kind.LEAD_SUIT
_TAKEN = 2
_TURNED_DOWN = 3


class Trick:
    """The current trick and what is known of the cards not seen yet."""

    __slots__ = (
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
        "out",
        "power",
        "suit",
        "taken",
        "trumps",
        "view",
        "voids",
    )

    def __init__(self, view: View, seats: int, pack: int) -> None:
        self.view = view
        me = self.me = view.seat
        table = TRUMPS[view.trump]
        self.suit, self.power, self.above = table.suit, table.power, table.above
        self.trumps = table.trumps
        hand = self.hand = mask_of(view.hand)
        self.options = [code & 1023 for code in view.legal if code >> 10 == _PLAY]
        """Cards that may be played."""
        makers = view.makers
        self.making = me in makers
        """Whether this seat is on the makers' side."""
        out = view.sitting_out
        active = seats - len(out)
        self.out = 0
        """Cards not seen yet that a foe may hold (the kitty's cannot be told apart)."""
        self.cards: list[tuple[int, int]] = []
        """The trick on the table, as (seat, card)."""
        self._read(view.history, seats, active)
        order = [seat for step in range(1, seats) if (seat := (me + step) % seats) not in out]
        self.foes = [seat for seat in order if (seat in makers) != self.making]
        self.after = order[: active - 1 - len(self.cards)]
        """Seats that play to this trick after this one, in order."""
        self.foes_after = [seat for seat in self.after if (seat in makers) != self.making]
        gone = hand | self.out | mask_of(view.put_away)
        if view.up_card_state == _TURNED_DOWN:
            gone |= 1 << view.up_card
        self.taken = 0
        if view.up_card_state == _TAKEN and view.dealer != me:
            self.taken = 1 << view.up_card & ~gone
        self.out = pack & ~gone
        if self.taken and view.dealer not in self.foes:
            self.out &= ~self.taken
        self._find_best()

    def _read(self, history: tuple[int, ...], seats: int, active: int) -> None:
        """The plays so far: cards gone, suits somebody did not follow, the trick on the table."""
        suit = self.suit
        voids = [0] * seats
        seen = led = at = 0
        start = 0
        for index, entry in enumerate(history):
            kind = entry >> 10 & 63
            if kind == _PLAY:
                card = entry & 63
                seen |= 1 << card
                if at == 0:
                    led, start = suit[card], index
                elif suit[card] != led:
                    voids[entry >> 16] |= 1 << led
                at = at + 1 if at + 1 < active else 0
            elif kind == _LEAD_SUIT:
                led = entry & 7
        self.voids = voids
        """By seat: one bit a suit it has shown to be out of."""
        self.out = seen
        if at:
            self.cards = [
                (entry >> 16, entry & 63) for entry in history[start:] if entry >> 10 & 63 == _PLAY
            ]
        self.led = led if at else 0

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

"""The course of a match: games begin, hands end, lines are released, until it is decided.

What an answer leads to once it counts. The answers themselves are in `match`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from euchre_arena.match import faults
from euchre_arena.match.clock import Clocks
from euchre_arena.match.effects import (
    Acted,
    Ask,
    Effect,
    FaultNoted,
    GameBegan,
    GameOver,
    HandBegan,
    MatchOver,
    Record,
)
from euchre_arena.match.live import Fresh, LiveGame
from euchre_arena.match.record import (
    game_result_line,
    match_line,
    put_away,
    result_line,
    taken_out,
)
from euchre_arena.match.scoring import MatchResult, Tally
from euchre_arena.match.spec import MatchSpec, SpecError
from euchre_arena.match.stakes import skunked
from euchre_arena.match.waiting import Waiting, written
from euchre_arena.rules.dealing import SECRET_BYTES, commitment, match_key

FORFEITED_AT_ONCE: Final = 200
"""Games that did not begin; a match may have a hundred thousand, and others wait meanwhile."""


class Course:
    """Base of `Match`: state and everything that happens without an answer."""

    def __init__(
        self,
        spec: MatchSpec,
        secret: bytes,
        nonces: Sequence[bytes],
        parallel: int,
        updates: bool,
    ) -> None:
        plan = spec.plan()
        rules = plan.rules
        self.spec: Final = spec
        self.rules: Final = rules
        """The rules in play; in a match of deals ``num_deals`` is 1."""
        self.commitment: Final = commitment(secret)
        self.over = False
        self.result: MatchResult | None = None
        """None until the match is over."""
        if len(secret) != SECRET_BYTES:
            raise SpecError(f"secret: {SECRET_BYTES} bytes are needed, not {len(secret)}")
        self._secret = secret
        self._nonces = tuple(nonces) or (b"",) * rules.seats
        if len(self._nonces) != rules.seats:
            raise SpecError(f"nonces: one a seat, {rules.seats}, not {len(self._nonces)}")
        self._key = match_key(secret, self._nonces)
        self._format = plan.match_format
        self._seating = plan.seating
        self._most_sides = plan.most_sides
        self._tally = Tally(plan.match_format, len(spec.entrants), rules.side_of, rules.target)
        self._parallel = max(1, parallel)
        self.updates: Final = updates
        """It has `Acted` effects."""
        self._ask_forced = bool(rules.value("ask_forced"))
        self._step_by_step = updates or self._ask_forced
        """A forced action is told or asked for: `Hand.step` does not go past it."""
        self.clocks: Final = Clocks(spec.clock)
        """They tell how long the last answer took (`Clocks.taken`)."""
        self._bank = (self.clocks.bank,) * rules.seats
        self._live: dict[int, LiveGame] = {}
        """Games in progress, ascending."""
        self._written: dict[int, bytes] = {}
        """Lines of games that ended before an earlier one, `put_away`."""
        self._next = 0
        """Number of the next game to begin."""
        self._head = 0
        """The game whose lines may be released; all earlier ones are."""
        self._fresh: Fresh | None = None
        self.leaving: tuple[int, str] | None = None
        """The entrant that forfeits every game left, and why; None: nobody does."""

    @property
    def secret(self) -> bytes:
        """The match secret, once the match is over; RuntimeError before."""
        if not self.over:
            raise RuntimeError("the secret of a match is told when it is over")
        return self._secret

    def places(self, game: int) -> tuple[int, ...]:
        """By seat: the seat of game 0 whose player sits there in a game."""
        rules = self.rules
        return self._format.seats(tuple(range(rules.seats)), game, rules.sides)

    def seats(self, game: int) -> tuple[int, ...]:
        """The entrant in each seat of a game."""
        return self._format.seats(self._seating, game, self.rules.sides)

    @property
    def first_line(self) -> str:
        """Of the record."""
        return match_line(self.spec, self._format, self.spec.options, self.commitment, self._nonces)

    def keep_lines(self, keep: bool = True) -> None:
        """Note every line of the record for `fresh_lines`, for `saving`: before the start. Or no
        more, of a match that is not saved again."""
        self._fresh = Fresh() if keep else None

    @property
    def unsaved(self) -> int:
        """How many lines wait for `fresh_lines`."""
        return 0 if self._fresh is None else len(self._fresh.lines)

    def fresh_lines(self) -> list[tuple[int, Waiting]]:
        """The lines written since the last call, each with its game: released ones and others.
        What is in bytes is a hand's, for `saving.restored`."""
        fresh = self._fresh
        if fresh is None:
            return []
        lines = list(zip(fresh.games, fresh.lines, strict=True))
        fresh.games.clear()
        fresh.lines.clear()
        return lines

    def written(self, game: int, lines: Iterable[Waiting]) -> list[str]:
        """Lines of a game that may have waited."""
        index = self._format.deal_index(game, self.rules.sides)
        return written(lines, self.rules, self._key, index)

    def limit(self, parallel: int) -> None:
        """From now on so many games at once at most, 0 for no new ones; those in progress go on."""
        self._parallel = max(0, parallel)

    def refill(self, now: int) -> list[Effect]:
        """After `limit`: begin what may begin now."""
        effects: list[Effect] = []
        if not self.over:
            self._fill(now, effects)
        return effects

    def live_game(self, number: int) -> LiveGame | None:
        """A game in progress."""
        return self._live.get(number)

    def _fill(self, now: int, effects: list[Effect]) -> None:
        """Begin what may begin; end the match when nothing is left."""
        while self.leaving is None and self._may_begin():
            live = self._begin()
            effects.append(GameBegan(live.number, live.seats, live.game.dealer))
            self._deal(live, effects)
            self._advance(live, now, effects)
        self._end_if_decided(effects)

    def _may_begin(self) -> bool:
        return len(self._live) < self._parallel and self._next < self._sure()

    def _sure(self) -> int:
        """Games that will be played however those in progress end."""
        return self._tally.played + self._tally.needed(self._most_sides)

    def _begin(self) -> LiveGame:
        number = self._next
        self._next += 1
        live = self._live[number] = self.new_game(number)
        return live

    def new_game(self, number: int) -> LiveGame:
        """A game before its first deal, in nobody's list yet."""
        return LiveGame(
            self.rules,
            self._key,
            number,
            self._format.deal_index(number, self.rules.sides),
            self.seats(number),
            self._bank,
            self.clocks.lag_per_game,
            self._fresh,
        )

    def _deal(self, live: LiveGame, effects: list[Effect]) -> None:
        number = live.game.deal_number
        hand = live.deal(self.clocks.increment)
        effects.append(HandBegan(live.number, number, hand.dealer, hand.score))

    def _play(self, live: LiveGame, action: int, now: int, effects: list[Effect]) -> None:
        """Carry out a legal action and what follows from it."""
        live.hand.apply(action)
        if self.updates:
            _tell(live, effects)
        if self._advance(live, now, effects):
            self._fill(now, effects)

    def _advance(self, live: LiveGame, now: int, effects: list[Effect]) -> bool:
        """Go on until somebody is to be asked; True when the game ended instead."""
        hand = live.hand
        while True:
            if hand.to_act < 0:
                live.close_hand()
                if live.game.over:
                    self._end_game(live, "", effects)
                    return True
                self._release(live, effects)
                self._deal(live, effects)
                hand = live.hand
                continue
            legal = hand.legal()
            if len(legal) > 1 or self._ask_forced:
                break
            hand.apply(legal[0])
            if self.updates:
                _tell(live, effects)
        effects.append(Ask(live.number, hand.to_act, live.ask(legal, now)))
        return False

    def _forfeit(
        self, live: LiveGame, kind: str, seat: int, detail: str, effects: list[Effect]
    ) -> None:
        """A game is lost for the side of ``seat``: all other sides win it (rules.md §10)."""
        lost = self.rules.side_of[seat]
        winners = tuple(side for side in range(self.rules.sides) if side != lost)
        fault = live.note(kind, seat, detail, winners=winners)
        effects.append(FaultNoted(fault))
        live.forfeit(winners)
        self._end_game(live, kind, effects)

    def _end_game(self, live: LiveGame, fault: str, effects: list[Effect]) -> None:
        game = live.game
        score = tuple(game.score)
        skunk = self._format.skunk and skunked(score, game.winners)
        live.write(game_result_line(live.number, score, game.winners, skunk))
        self._tally.add(live.seats, score, game.winners, live.tricks)
        del self._live[live.number]
        live.end()
        if live.number == self._head:
            self._release_ended(live.release(), effects)
        else:
            self._written[live.number] = put_away(live.release())
        effects.append(GameOver(live.number, score, game.winners, fault))

    def _release(self, live: LiveGame, effects: list[Effect]) -> None:
        """Give out the lines of a game in progress, if it is its turn."""
        if live.number == self._head:
            effects.append(Record(live.release()))

    def _release_ended(self, lines: list[str], effects: list[Effect]) -> None:
        """Give out the lines of the earliest game, which ended, and of those that waited for it."""
        self._head += 1
        while self._head in self._written:
            lines += taken_out(self._written.pop(self._head))
            self._head += 1
        live = self._live.get(self._head)
        if live is not None:
            lines += live.release()
        effects.append(Record(lines))

    def _end_if_decided(self, effects: list[Effect]) -> None:
        if not self.over and not self._live and self._next >= self._sure():
            self._end(effects, finished=True)

    def _end(self, effects: list[Effect], finished: bool) -> None:
        self.over = True
        self._fresh = None  # nobody saves what is over
        self.result = result = self._tally.result(finished)
        effects.append(Record([result_line(result, self._secret)]))
        effects.append(MatchOver(result))

    def _abort(self, effects: list[Effect]) -> None:
        lines: list[str] = []
        for number in range(self._head, self._next):
            found = self._live.get(number)
            lines += found.release() if found is not None else taken_out(self._written[number])
        for live in self._live.values():
            live.end()
        self._live.clear()
        self._written.clear()
        if lines:
            effects.append(Record(lines))
        self._end(effects, finished=False)

    def _forfeit_all(self, entrant: int, detail: str, effects: list[Effect]) -> None:
        """The next `FORFEITED_AT_ONCE` games left, begun or not, are lost for an entrant."""
        entrant, detail = self.leaving = self.leaving or (entrant, detail)
        before = self._next
        while not self.over and self._next - before < FORFEITED_AT_ONCE:
            if not self._live:
                self._begin()
            for live in list(self._live.values()):
                seat = live.seats.index(entrant)
                self._forfeit(live, faults.DISCONNECTED, seat, detail, effects)
            self._end_if_decided(effects)


def _tell(live: LiveGame, effects: list[Effect]) -> None:
    """The action just carried out, if others may know of it (rules.md §10)."""
    shown = live.hand.last_shown
    if shown is not None:
        effects.append(Acted(live.number, shown >> 16, shown & 0xFFFF))

"""The match as a state machine: answers and times in, effects out.

`Match` has the calls; what follows from an answer that counts is in `course`, one game in `live`,
the arithmetic of times in `clock`. `answer` is the hot path: nearly always nothing comes of an
answer but that another seat is asked, and no effect is made to say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from euchre_arena.match import faults
from euchre_arena.match.course import Course
from euchre_arena.match.effects import (
    ILLEGAL,
    LATE,
    MALFORMED,
    REPEATED,
    STALE,
    Ask,
    Effect,
    FaultNoted,
    Record,
    Rejected,
)
from euchre_arena.match.live import REFUSALS_ALLOWED, LiveGame
from euchre_arena.match.spec import MatchSpec
from euchre_arena.rules import Phase, View, action_text, parse_action, view_with
from euchre_arena.rules.actions import Kind


class OpenTurn(NamedTuple):
    """A decision that waits for an answer, as its seat may see it."""

    game: int
    seat: int
    turn: int
    """Counts the decisions asked of this seat in this game, from 1."""
    view: View
    legal: tuple[int, ...]
    """Action codes in canonical order, two or more unless ``ask_forced``."""
    move_time_ms: int
    """Left before the bank is drawn on, milliseconds; 0 for no clock."""
    bank_ms: int
    """Bank left, milliseconds."""


_open_turn: Final = tuple.__new__
"""What `OpenTurn(...)` does in the end."""


class Match(Course):
    """One match. Every call returns the effects it had, in order; times never go backwards.

    The caller holds the secret: it goes into the record when the match ends, nowhere before.
    """

    def __init__(
        self,
        spec: MatchSpec,
        secret: bytes,
        nonces: Sequence[bytes] = (),
        parallel: int = 32,
        updates: bool = False,
    ) -> None:
        """``secret`` has 32 bytes; ``nonces[i]`` is that of seat i of game 0, 32 bytes or none.

        ``parallel``: games played at once at most; a best-of never begins a game that may turn out
        not to be needed. ``updates``: `Acted` effects are wanted. SpecError, OptionError.
        """
        super().__init__(spec, secret, nonces, parallel, updates)
        self._on_illegal = str(self.rules.value("on_illegal"))
        self._forfeit_late = self.rules.value("on_timeout") == "forfeit"
        self.expired: list[tuple[int, int, int, int, int]] = []
        """What the last `expire` decided: game, turn, and the referee's, network's and thinking
        share of its time."""

    def start(self, now: int) -> list[Effect]:
        """Begin the first games. Once."""
        effects: list[Effect] = [Record([self.first_line])]
        self._fill(now, effects)
        return effects

    def choose(
        self, game: int, seat: int, turn: int, choice: int, now: int, network_ns: int = 0
    ) -> list[Effect]:
        """An answer by index into the legal list. ``network_ns``: smoothed round trip.

        No answer whatever raises: one that does not count comes back as `Rejected`.
        """
        live = self._live.get(game)
        effects = self.answer(live, game, seat, turn, choice, now, network_ns)
        if effects is None:
            assert live is not None, "nobody is asked in a game that is over"
            return [Ask(game, live.seat, live.turn)]
        return effects

    def answer(
        self,
        live: LiveGame | None,
        game: int,
        seat: int,
        turn: int,
        choice: int,
        now: int,
        network_ns: int = 0,
    ) -> list[Effect] | None:
        """`choose`, of a game looked up before (`live_game`).

        None: its only effect is an `Ask` of ``live.seat`` for ``live.turn``.
        """
        if live is None or live.turn != turn or live.seat != seat:
            return [self._unexpected(self._live.get(game), game, seat, turn)]
        in_time = self.clocks.stop(live, now, network_ns)
        legal = live.legal
        effects: list[Effect]
        if in_time and 0 <= choice < len(legal) and not self._step_by_step:
            legal = live.hand.step(legal[choice])
            if legal:
                live.ask(legal, now)
                return None
            effects = []
            if self._advance(live, now, effects):
                self._fill(now, effects)
            return effects
        effects = []
        if not in_time:
            self._too_late(live, now, effects)
        elif 0 <= choice < len(legal):
            self._play(live, legal[choice], now, effects)
        else:
            said = f"choice {choice} of {len(legal)}"
            self._refuse(live, MALFORMED, said, f"{said}: malformed", now, effects)
        return effects

    def receive(
        self, game: int, seat: int, turn: int, action: int, now: int, network_ns: int = 0
    ) -> list[Effect]:
        """An answer by action code, legal or not (``claim`` comes this way; -1: malformed)."""
        live = self._live.get(game)
        if live is None or live.turn != turn or live.seat != seat:
            return [self._unexpected(live, game, seat, turn)]
        effects: list[Effect] = []
        if not self.clocks.stop(live, now, network_ns):
            self._too_late(live, now, effects)
        elif action in live.legal:
            self._play(live, action, now, effects)
        else:
            self._judge(live, action, now, effects)
        return effects

    def sent(self, game: int, seat: int, turn: int, now: int) -> None:
        """The frame with that turn is with the transport: its clock starts.

        Sent again (after a reconnect) it goes on running.
        """
        live = self._live.get(game)
        if live is not None and live.turn == turn and live.seat == seat and live.started < 0:
            self.clocks.run(live, now)

    def expire(self, now: int) -> list[Effect]:
        """Decide the turns whose time is up."""
        effects: list[Effect] = []
        self.expired.clear()
        clocks = self.clocks
        if clocks.any_due(now):
            for live in list(self._live.values()):
                if clocks.due(live, now):
                    game, turn = live.number, live.turn
                    effects += self.run_out(live, now)
                    self.expired.append((game, turn, *clocks.taken))
            clocks.renew(self._live.values())
        return effects

    def run_out(self, live: LiveGame, now: int) -> list[Effect]:
        """No answer came to the open turn of a game: decide it."""
        effects: list[Effect] = []
        self.clocks.run_out(live, now)
        evidence = "no answer: " + self.clocks.evidence("up to ")
        self._time_out(live, evidence, now, effects)
        return effects

    def next_deadline(self) -> int | None:
        """When to call `expire` next, or sooner than need be; None: nothing runs."""
        return self.clocks.next_deadline()

    def pause(self, now: int) -> None:
        """Stop every clock (the store is away, the referee drains). Answers still count."""
        self.clocks.pause(now)

    def unpause(self, now: int) -> None:
        """Start them again where they stopped."""
        self.clocks.unpause(now, self._live.values())

    def crashed(self, game: int, seat: int, detail: str, now: int) -> list[Effect]:
        """A bot's own code failed: that game is forfeited."""
        return self._lost(game, seat, faults.CRASHED, detail, now)

    def away(self, game: int, seat: int, detail: str, now: int) -> list[Effect]:
        """A bot was away for longer than one game gives it: that game is forfeited."""
        return self._lost(game, seat, faults.DISCONNECTED, detail, now)

    def disconnected(self, entrant: int, now: int, detail: str = "") -> list[Effect]:
        """An entrant is gone beyond its grace: it forfeits every game left, begun or not.

        Call it until the match is over: each time it forfeits the next few hundred games at most,
        and meanwhile none begins. A game forfeited before it began has a `GameOver` only.
        """
        effects: list[Effect] = []
        self._forfeit_all(entrant, detail or "gone beyond its grace", effects)
        return effects

    def abort(self, now: int) -> list[Effect]:
        """End an unfinished match: its record is closed, without winners, with the secret.

        Games that did not end stand in it with the hands that did.
        """
        effects: list[Effect] = []
        if not self.over:
            self._abort(effects)
        return effects

    def open_turn(self, game: int, now: int | None = None) -> OpenTurn:
        """The decision a game waits for. KeyError: no such game is running.

        ``now``: for a turn sent before, to tell what is left of its time.
        """
        live = self._live[game]
        seat, legal = live.seat, live.legal
        move_ms, bank_ms = self.clocks.left(live, live.started if now is None else now)
        seen = view_with(live.hand, seat, legal)
        return _open_turn(OpenTurn, (game, seat, live.turn, seen, legal, move_ms, bank_ms))

    def open_turns(self) -> list[tuple[int, int, int]]:
        """(game, seat, turn) of every decision that waits, by game: for a reconnect."""
        return [(live.number, live.seat, live.turn) for live in self._live.values()]

    def _lost(self, game: int, seat: int, kind: str, detail: str, now: int) -> list[Effect]:
        effects: list[Effect] = []
        live = self._live.get(game)
        if live is not None:
            self._forfeit(live, kind, seat, detail, effects)
            self._fill(now, effects)
        return effects

    def _unexpected(self, live: LiveGame | None, game: int, seat: int, turn: int) -> Rejected:
        """Say why an answer is to no open turn."""
        if live is None:
            known = 0 <= game < self._next
            return Rejected(game, seat, turn, STALE, "game over" if known else "no such game", 0)
        if not 0 <= seat < self.rules.seats:
            return Rejected(game, seat, turn, STALE, "no such seat", 0)
        current = live.turn if live.seat == seat else 0
        if turn and turn == live.overdue[seat]:
            return Rejected(game, seat, turn, LATE, "the referee has decided", current)
        last = live.turns[seat] - (1 if current else 0)
        if turn and turn == last:
            return Rejected(game, seat, turn, REPEATED, "answered already", current)
        return Rejected(game, seat, turn, STALE, f"turn {turn} is not open", current)

    def _judge(self, live: LiveGame, action: int, now: int, effects: list[Effect]) -> None:
        """An action that is not on the list: a claim, or refused."""
        text = _text(action)
        if text is None:
            self._refuse(live, MALFORMED, "no action", "no action: malformed", now, effects)
            return
        reason = live.hand.refusal(live.seat, action)
        if reason is None:
            self._play(live, action, now, effects)
        elif self._on_illegal == "revoke" and _is_card(live, action):
            self._revoke(live, str(reason), f"{text}: {reason}", now, effects)
        else:
            self._refuse(live, ILLEGAL, str(reason), f"{text}: {reason}", now, effects)

    def _refuse(
        self,
        live: LiveGame,
        reason: str,
        detail: str,
        evidence: str,
        now: int,
        effects: list[Effect],
    ) -> None:
        self.clocks.take_back(live)
        seat, turn = live.seat, live.turn
        live.refuse(detail)
        effects.append(FaultNoted(live.note(faults.ILLEGAL, seat, evidence)))
        lost = ""
        if self._on_illegal == "forfeit":
            lost = "illegal action"
        elif live.refusals[seat] > REFUSALS_ALLOWED:
            lost = f"refusal {live.refusals[seat]} in one hand"
        effects.append(Rejected(live.number, seat, turn, reason, detail, 0 if lost else turn))
        if lost:
            self._forfeit(live, faults.FORFEIT, seat, lost, effects)
            self._fill(now, effects)

    def _revoke(
        self, live: LiveGame, reason: str, evidence: str, now: int, effects: list[Effect]
    ) -> None:
        """An illegal card where revokes are played: the hand ends (rules.md §10)."""
        seat = live.seat
        live.hand.revoke(seat)
        points = tuple(live.hand.points)
        effects.append(FaultNoted(live.note(faults.REVOKE, seat, evidence, points=points)))
        effects.append(Rejected(live.number, seat, live.turn, ILLEGAL, reason, 0))
        if self._advance(live, now, effects):
            self._fill(now, effects)

    def _too_late(self, live: LiveGame, now: int, effects: list[Effect]) -> None:
        """The answer came before `expire` was called, yet after the time."""
        game, seat, turn = live.number, live.seat, live.turn
        effects.append(Rejected(game, seat, turn, LATE, self.clocks.evidence(), 0))
        self._time_out(live, "too late: " + self.clocks.evidence(), now, effects)

    def _time_out(self, live: LiveGame, evidence: str, now: int, effects: list[Effect]) -> None:
        seat = live.seat
        live.run_out()
        effects.append(FaultNoted(live.note(faults.TIMEOUT, seat, evidence)))
        if self._forfeit_late:
            self._forfeit(live, faults.FORFEIT, seat, "out of time", effects)
            self._fill(now, effects)
        else:
            self._play(live, live.legal[0], now, effects)


def _text(action: int) -> str | None:
    """Canonical text of a code a bot made up; None where it is no action's code."""
    try:
        text = action_text(action)
        return text if parse_action(text) == action else None
    except (ValueError, IndexError, KeyError):
        return None


def _is_card(live: LiveGame, action: int) -> bool:
    return live.hand.phase is Phase.PLAY and action >> 10 == Kind.PLAY

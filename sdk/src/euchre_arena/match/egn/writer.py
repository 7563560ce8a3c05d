"""Writes a game of a record in Euchre Game Notation 1.4, as far as the notation can say it.

What it cannot say is refused by name: a game read back by other rules would be scored wrongly
without a word. Whether it can is asked of the reader: the ruleset written is read again, and the
rules that come of it must be the rules that were played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from euchre_arena.match.egn.notation import EgnError
from euchre_arena.match.egn.reader import FILE_TYPE, SEATS
from euchre_arena.match.egn.ruleset import read_ruleset
from euchre_arena.match.faults import REVOKE
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
from euchre_arena.rules.actions import ActionCode, Kind, card_mask, kind_of
from euchre_arena.rules.cards import NAMES, SUIT_LETTERS, cards_of
from euchre_arena.rules.presets import OptionValue

VERSION: Final = "1.4"
_BESIDE_THE_POINT: Final = frozenset(
    ("max_deals", "on_illegal", "on_timeout", "revoke_lone", "ask_forced")
)
"""Options that decide nothing in a game that was played: no breach, no end of its own is written.

A hand that ended by a revoke is refused where it stands."""
_LONER_LEAD: Final = {"eldest": "LEFT_OF_DEALER", "left-of-maker": "LEFT_OF_LONER"}
_MIN_RANK: Final = {"24": 9, "25": 9, "32": 7, "33": 7}
_SWITCHES: Final = {
    "std": "stick_the_dealer",
    "canadian": "canadian",
    "defend_alone": "defend_alone",
    "partners_best": "partners_best",
    "fast_break": "fast_break",
    "four_trick_tokens": "four_trick_tokens",
    "allow_no_trump": "no_trump",
    "joker": "benny",
    "farmers": "farmers_hand",
}
_POINTS: Final = {"loner_march_score": "lone_march", "loner_euchred_score": "lone_euchred"}


def write_egn(lines: Iterable[str | bytes], game: int | None = None) -> dict[str, Any]:
    """One game of a record as the JSON object of an EGN file.

    ``game``: its number; None: the only one. RecordError (``line N: …``) for a record that breaks
    the rules, EgnError for what the notation cannot say, and for a game that is not there.
    """
    writer = _Writer(game)
    for place, text in enumerate(lines, 1):
        try:
            writer.feed(read_line(text))
        except (RecordError, SpecError, OptionError) as error:
            raise RecordError(f"line {place}: {error}") from None
    return writer.file()


def egn_text(data: Mapping[str, Any]) -> str:
    """The file: JSON, a deal a line."""
    deals = data["deals"]
    head = json.dumps({**data, "deals": []}, ensure_ascii=False)
    body = ",\n".join(json.dumps(deal) for deal in deals)
    return f"{head.removesuffix('[]}')}[\n{body}\n]}}\n"


def ruleset_of(rules: Rules) -> dict[str, Any]:
    """The ruleset of an EGN file. EgnError names the preset or option it cannot say."""
    if rules.making != "turn-up" or rules.seats != SEATS:
        raise EgnError(
            f"preset {rules.preset!r} cannot be written: the notation is of four-handed games with "
            "a card turned up"
        )
    ruleset: dict[str, Any] = {key: bool(rules.value(name)) for key, name in _SWITCHES.items()}
    ruleset["loner_lead"] = _LONER_LEAD[str(rules.value("loner_lead"))]
    ruleset |= {key: rules.number(name) for key, name in _POINTS.items()}
    ruleset["min_rank"] = _MIN_RANK[rules.pack.name]
    if rules.target:
        ruleset["winning_score"] = rules.target
    else:
        ruleset["num_deals"] = rules.number("num_deals")
    _check(rules, read_ruleset(ruleset))
    return ruleset


def _check(rules: Rules, read: Rules) -> None:
    """What the ruleset says, read again, must be what was played."""
    for name, value in rules.values.items():
        if name not in _BESIDE_THE_POINT and read.value(name) != value:
            shown: OptionValue | str = value if isinstance(value, str) else json.dumps(value)
            raise EgnError(
                f"option {name!r} = {shown} (preset {rules.preset!r}) cannot be written: the "
                "notation has no word for it"
            )


class _Writer:
    """Takes the lines of a record; keeps the deals of one game."""

    def __init__(self, wanted: int | None) -> None:
        self.wanted = wanted
        self.match: MatchLine | None = None
        self.line: GameLine | None = None
        self.game: Game | None = None
        self.last: Rehand | None = None
        self.games = 0
        self.names: list[str] = []
        self.ruleset: dict[str, Any] = {}
        self.deals: list[dict[str, Any]] = []

    def feed(self, line: object) -> None:
        """Take the next line; RecordError, EgnError."""
        if isinstance(line, MatchLine):
            self.match = line
        elif self.match is None:
            raise RecordError("the match line must come first")
        elif isinstance(line, GameLine):
            self.games += 1
            self.last = None
            self.game = self._begin(self.match, line) if line.game == (self.wanted or 0) else None
        elif self.game is not None and isinstance(line, HandLine):
            self._hand(self.game, line)
        elif self.last is not None and self.game is not None and isinstance(line, FaultLine):
            self.last.fault(line)
            if line.fault == REVOKE:
                raise EgnError(
                    f"deal {line.hand} ended by a revoke ('on_illegal' = 'revoke'): its points "
                    "cannot be written"
                )

    def _begin(self, match: MatchLine, line: GameLine) -> Game:
        rules = playing_rules(match.preset, match.options, MatchFormat.of(match.match_format))
        self.ruleset = ruleset_of(rules)
        if len(line.seats) != rules.seats or not all(s < len(match.entrants) for s in line.seats):
            raise RecordError(f"seats: {rules.seats} are needed, each with an entrant")
        if line.first_dealer >= rules.seats:
            raise RecordError(f"first dealer: there is no seat {line.first_dealer}")
        self.line = line
        self.names = [match.entrants[entrant] for entrant in line.seats]
        return Game(rules, line.first_dealer)

    def _hand(self, game: Game, line: HandLine) -> None:
        rules = game.rules
        check_cards(line, rules)
        if game.over or line.hand != game.deal_number or line.dealer != game.dealer:
            raise RecordError("this hand is not the next of the game")
        before, tokens, number = tuple(game.score), tuple(game.tokens), game.deal_number
        self.last = rehand = Rehand(game, line)
        if rehand.hand.over:
            rehand.close()
        else:
            rehand.check_unfinished()
        hand = Hand(rules, line.dealer, rehand.deal, before, tokens, number)
        self.deals.append(_deal(hand, line.actions, number))

    def file(self) -> dict[str, Any]:
        """The whole file; EgnError where there is not one game to write."""
        if self.match is None or self.line is None:
            number = self.wanted or 0
            raise EgnError(f"there is no game {number}: the record has {self.games}")
        if self.wanted is None and self.games > 1:
            raise EgnError(
                f"the record has {self.games} games and a file of the notation holds one: choose "
                f"from 0 to {self.games - 1}"
            )
        return {
            "fileType": FILE_TYPE,
            "version": VERSION,
            "metadata": {
                "title": f"{self.match.match}, game {self.line.game}",
                "players": self.names,
                "initialScore": list(self.line.score),
                "ruleset": self.ruleset,
            },
            "deals": self.deals,
        }


def _deal(hand: Hand, actions: Sequence[ActionCode], number: int) -> dict[str, Any]:
    """A hand played again, as a deal."""
    bidding: dict[str, Any] = {"phaseNumber": 0, "type": "EUCHRE_BIDDING", "calls": []}
    exchanges: list[dict[str, Any]] = []
    tricks: list[list[str]] = []
    first = -1
    hands = [[NAMES[card] for card in cards] for cards in hand.deal.hands]
    for action in actions:
        kind, seat, phase = kind_of(action), hand.to_act, hand.phase.word
        cards = [NAMES[card] for card in cards_of(card_mask(action))]
        if kind == Kind.SWAP:
            taken = [NAMES[card] for card in hand.kitty[:3]]
            exchanges.append({"sender": -1, "receiver": seat, "cards": taken})
        elif kind == Kind.GIVE:
            exchanges.append({"sender": seat, "receiver": hand.maker, "cards": cards})
        elif kind == Kind.DISCARD and seat == hand.dealer and "discard" not in bidding:
            bidding["discard"] = cards[0]
        elif kind == Kind.PLAY:
            if not tricks:
                first = seat
            if not tricks or len(tricks[-1]) == hand.active:
                tricks.append([])
            tricks[-1].append(NAMES[action & 63])
        elif phase in ("order", "call", "benny"):
            bidding["calls"].append(_call(action))
        hand.apply(action)
    bidding["isAlone"] = hand.alone
    if hand.defending_alone >= 0:
        bidding["aloneDefender"] = hand.defending_alone
    if exchanges:
        bidding["cardExchanges"] = exchanges
    phases = [bidding]
    if tricks:
        phases.append(
            {"phaseNumber": 1, "type": "TRICK_PLAY", "initialLead": first, "tricks": tricks}
        )
    return {
        "dealNumber": number,
        "initialState": {
            "dealer": hand.dealer,
            "upCard": NAMES[hand.up_card],
            "kitty": [NAMES[card] for card in hand.deal.kitty],
            "playerCards": hands,
        },
        "phases": phases,
    }


def _call(action: ActionCode) -> str:
    kind = kind_of(action)
    if kind == Kind.CALL:
        return SUIT_LETTERS[action & 7]
    return "Order" if kind == Kind.ORDER else "Pass"

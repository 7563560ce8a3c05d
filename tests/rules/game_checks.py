"""When a game ends and who has won it: the engine against the naive referee of games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from euchre_arena.rules import Game, Hand, Rules, action_text, parse_action
from euchre_arena.rules.cards import NAMES, parse_card, parse_cards
from euchre_arena.rules.dealing import Deal

from tests.rules import naive_games
from tests.rules.tables import same

Said = Sequence[tuple[int, int]]
"""Seat and action, whole, in order."""


def naive_hand(hand: Hand, said: Said) -> naive_games.Hand:
    """A hand that is over, for the naive referee."""
    assert hand.result is not None, "the hand is over without a result"
    kings = hand.rules.preset == "ecarte"
    return naive_games.Hand(
        hand.dealer,
        hand.maker,
        str(hand.result),
        hand.points,
        [(seat, action_text(action)) for seat, action in said] if kings else (),
        kings and NAMES[hand.up_card][0] == "K",
    )


def naive_game(
    rules: Rules, dealer: int, score: Sequence[int] = (), deals: int = 0
) -> naive_games.Game:
    """A game for the naive referee."""
    return naive_games.Game(rules.preset, rules.values, rules.side_of, dealer, score, deals)


def check_game(game: Game, other: naive_games.Game) -> None:
    """§6: after a hand two referees of a game agree."""
    same("score", game.score, other.score)
    same("winners", list(game.winners), other.winners)
    same("over", game.over, bool(other.winners))
    same("next dealer", game.dealer, other.dealer)


def check_game_end(hand: Hand, said: Said, tokens: Sequence[int]) -> None:
    """§6, §8: whether a hand that is over ends its game, and who has won it."""
    game = Game(hand.rules, hand.dealer, hand.score, tokens, hand.deals_played)
    other = naive_game(hand.rules, hand.dealer, hand.score, hand.deals_played)
    game.hand = hand
    game.finish_hand()
    other.add(naive_hand(hand, said))
    check_game(game, other)


def check_games_recorded(rules: Rules, lines: Sequence[str]) -> None:
    """§6: every game of a finished record ends with the hand it should, won by whom it should."""
    playing: dict[int, naive_games.Game] = {}
    current = naive_game(rules, 0)
    for line in map(json.loads, lines):
        if line["line"] == "game":
            current = naive_game(rules, line["first_dealer"], line["score"])
            playing[line["game"]] = current
        elif line["line"] == "hand":
            current.add(_recorded(rules, line, current.score))
        elif line["line"] == "game_result":
            ended = playing.pop(line["game_result"])
            same("winners recorded", line["winners"], ended.winners)
            same("score recorded", line["score"], ended.score)
    same("games without a result", playing, {})


def _recorded(rules: Rules, line: Mapping[str, Any], score: Sequence[int]) -> naive_games.Hand:
    """A hand of a record. Who spoke and who made trumps is the engine's word; the rest is read."""
    up_card = parse_card(line["up_card"]) if line.get("up_card") else 0
    deal = Deal(tuple(map(parse_cards, line["hands"])), up_card, parse_cards(line["kitty"]))
    hand = Hand(rules, line["dealer"], deal, score)
    said = []
    for text in line["actions"]:
        said.append((hand.to_act, parse_action(text)))
        hand.apply(said[-1][1])
    return naive_hand(hand, said)._replace(points=line["points"])

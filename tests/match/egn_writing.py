"""Writes hands played by our engine as EGN deals, for the tests of the reader."""

from __future__ import annotations

import random
from typing import Any

from euchre_arena.match.egn.ruleset import read_ruleset
from euchre_arena.rules import Game, Hand, deal_cards
from euchre_arena.rules.actions import Kind, card_mask, kind_of
from euchre_arena.rules.cards import NAMES, SUIT_LETTERS, cards_of

from tests.rules.tables import play_on, random_order

SWITCHES = (
    "std", "canadian", "defend_alone", "partners_best", "fast_break", "four_trick_tokens",
    "allow_no_trump", "joker", "farmers", "go_under",
)  # fmt: skip  # a list of words


def random_ruleset(rng: random.Random) -> dict[str, Any]:
    """A ruleset with some keys set, as files have them."""
    ruleset: dict[str, Any] = {key: rng.random() < 0.5 for key in SWITCHES if rng.random() < 0.4}
    if rng.random() < 0.5:
        ruleset["loner_lead"] = rng.choice(("LEFT_OF_DEALER", "LEFT_OF_LONER"))
    for key, values in (("loner_march_score", (3, 5)), ("loner_euchred_score", (3, 4))):
        if rng.random() < 0.3:
            ruleset[key] = rng.choice(values)
    if rng.random() < 0.2:
        ruleset["min_rank"] = rng.choice((7, 9))
    limit = rng.choice(("winning_score", "num_deals", ""))
    if limit:
        ruleset[limit] = rng.choice((3, 7, 11))
    return ruleset


Said = list[tuple[str, int, int]]
"""Phase, seat and action."""


def egn_deal(hand: Hand, said: Said, number: int, rng: random.Random) -> dict[str, Any]:
    """A finished hand as a deal; hands are written down for some seats only."""
    bidding: dict[str, Any] = {"type": "EUCHRE_BIDDING", "calls": [], "isAlone": hand.alone}
    exchanges: list[dict[str, Any]] = []
    tricks: list[list[str]] = []
    for phase, seat, action in said:
        kind = kind_of(action)
        cards = [NAMES[card] for card in cards_of(card_mask(action))]
        if kind == Kind.ORDER:
            bidding["calls"].append("Order")
        elif kind == Kind.CALL:
            bidding["calls"].append(SUIT_LETTERS[action & 7])
        elif kind == Kind.PASS and phase in ("order", "call"):
            bidding["calls"].append("Pass")
        elif kind == Kind.DISCARD and "discard" not in bidding:
            bidding["discard"] = cards[0]
        elif kind == Kind.GIVE:
            exchanges.append({"sender": seat, "receiver": hand.maker, "cards": cards})
        elif kind == Kind.PLAY:
            if not tricks or len(tricks[-1]) == hand.active:
                tricks.append([])
            tricks[-1] += cards
    if hand.defending_alone >= 0:
        bidding["aloneDefender"] = hand.defending_alone
    if exchanges:
        bidding["cardExchanges"] = exchanges
    known = rng.sample(range(4), rng.randrange(5))
    hands = [
        [NAMES[card] for card in cards] if seat in known else []
        for seat, cards in enumerate(hand.deal.hands)
    ]
    phases = [bidding, {"type": "TRICK_PLAY", "tricks": tricks}]
    return {
        "dealNumber": number,
        "initialState": {
            "dealer": hand.dealer,
            "upCard": NAMES[hand.up_card],
            rng.choice(("playerCards", "player_cards")): hands,
        },
        "phases": phases if tricks else phases[:1],
    }


def random_game(rng: random.Random) -> tuple[dict[str, Any], list[Hand], Game]:
    """A game to its end as EGN, the hands it was played with, and how it stands."""
    ruleset = random_ruleset(rng)
    rules = read_ruleset(ruleset)
    score = [rng.randrange(3), rng.randrange(3)]
    game = Game(rules, rng.randrange(4), score)
    hands: list[Hand] = []
    deals = []
    while not game.over:
        hand = game.start_hand(deal_cards(rules, game.dealer, random_order(rng, rules)))
        said = [(hand.phase.word, seat, action) for seat, action in play_on(rng, hand)]
        game.finish_hand()
        deals.append(egn_deal(hand, said, len(hands), rng))
        hands.append(hand)
    egn = {
        "fileType": "Euchre Game Notation",
        "version": rng.choice(("1.0.0", "1.2", "1.4")),
        "metadata": {"initialScore": score, "ruleset": ruleset, "players": ["a", "b", "c", "d"]},
        "deals": deals,
    }
    return egn, hands, game

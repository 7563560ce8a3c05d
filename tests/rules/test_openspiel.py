"""Our rules beside those of OpenSpiel's euchre: the same deals, the same choices.

Compared, decision by decision: who is to act, what is legal, who wins each trick, and what the
hand pays. What cannot be compared, and why:

- OpenSpiel knows one hand, no game: no score, target or next dealer.
- The dealer may not discard the card taken up there; ours may ([F], rules.md §3).
- A lone hand is declared there after the discard, ours with the order or call (rules.md §3); and a
  dealer whose partner then goes alone has discarded there for nothing, while ours leaves the card
  on the pack. Neither changes a card that is played.
- Its lone defender may answer any makers: ours with ``defend_alone: any``. It asks defenders from
  the dealer's left, ours from the maker's (rules.md §3): who does is chosen once for both.
- It has no joker, no no-trump, no 32-card pack and none of the house options.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from euchre_arena.rules import Hand, Rules, action_text, deal_cards, parse_action
from euchre_arena.rules.cards import NAMES, parse_card

HANDS = 3_000
"""In all, over the four settings both engines know."""
PASS, FIRST_SUIT, ALONE, PARTNER = 24, 25, 29, 30


def spiel_card(card: int) -> int:
    """OpenSpiel counts cards by rank and then by suit c d h s."""
    rank, suit = NAMES[card]
    return "9TJQKA".index(rank) * 4 + "cdhs".index(suit)


def our_card(number: int) -> str:
    return "9TJQKA"[number // 4] + "cdhs"[number % 4]


def spiel_bid(text: str, up_card: int) -> int:
    """A pass, order or call as OpenSpiel counts it; alone is said later there."""
    words = text.split()
    if words[0] == "pass":
        return PASS
    suit = NAMES[up_card][1] if words[0] == "order" else words[1]
    return FIRST_SUIT + "cdhs".index(suit)


def dealt(game: Any, hand: Hand) -> Any:
    """OpenSpiel's table with the same dealer and cards."""
    state = game.new_initial_state()
    state.apply_action(hand.dealer)
    for card in range(5):
        for turn in range(4):  # from the dealer, one card at a time
            seat = (hand.dealer + turn) % 4
            state.apply_action(spiel_card(hand.deal.hands[seat][card]))
    state.apply_action(spiel_card(hand.up_card))
    return state


class Pair:
    """One hand on both engines, played by the same choices."""

    def __init__(self, rng: random.Random, rules: Rules, game: Any) -> None:
        self.rng = rng
        dealer = rng.randrange(4)
        order = list(range(24))
        rng.shuffle(order)
        self.hand = Hand(rules, dealer, deal_cards(rules, dealer, order))
        self.state = dealt(game, self.hand)
        self.timid = rng.choice((0.3, 0.9))

    def play(self) -> None:
        self.bid()
        if self.hand.over:
            assert self.state.is_terminal()
        else:
            self.exchange()
            self.play_cards()
        self.compare_end()

    def say(self, *texts: str) -> str:
        """Our seat to act says one of these; of those who may pass so many do."""
        choices = [text for text in texts if text != "pass"]
        if "pass" in texts and self.rng.random() < self.timid:
            choices = ["pass"]
        text = self.rng.choice(choices)
        self.hand.apply(parse_action(text))
        return text

    def bid(self) -> None:
        hand, state = self.hand, self.state
        while hand.phase.word in ("order", "call"):
            legal = [action_text(action) for action in hand.legal()]
            assert state.current_player() == hand.to_act
            assert set(state.legal_actions()) == {spiel_bid(t, hand.up_card) for t in legal}
            state.apply_action(spiel_bid(self.say(*legal), hand.up_card))
        while hand.phase.word == "defend":
            self.say("pass", "defend alone")

    def exchange(self) -> None:
        """Discard, alone, defend: another order there, the same outcome."""
        hand, state = self.hand, self.state
        if str(state.current_phase()).endswith("DISCARD"):
            assert state.current_player() == hand.dealer
            allowed = {our_card(number) for number in state.legal_actions()}
            if hand.phase.word == "discard":
                ours = {action_text(action) for action in hand.legal()}
                assert ours - {f"discard {NAMES[hand.up_card]}"} == {
                    f"discard {c}" for c in allowed
                }
                words = self.say(*sorted(f"discard {card}" for card in allowed)).split()
                state.apply_action(spiel_card(parse_card(words[1])))
            else:
                assert hand.dealer in hand.sitting_out
                state.apply_action(state.legal_actions()[0])
        assert state.current_player() == hand.maker
        state.apply_action(ALONE if hand.alone else PARTNER)
        while str(state.current_phase()).endswith("GO_ALONE"):
            assert hand.rules.value("defend_alone") == "any"
            assert state.legal_actions() == [ALONE, PARTNER]
            mine = state.current_player() == hand.defending_alone
            state.apply_action(ALONE if mine else PARTNER)

    def play_cards(self) -> None:
        hand, state = self.hand, self.state
        while not hand.over:
            assert hand.phase.word == "play"
            legal = [action_text(action) for action in hand.legal()]
            assert state.current_player() == hand.to_act
            assert {f"play {our_card(n)}" for n in state.legal_actions()} == set(legal)
            card = self.say(*legal).split()[1]
            state.apply_action(spiel_card(parse_card(card)))

    def compare_end(self) -> None:
        hand, state = self.hand, self.state
        assert state.is_terminal()
        won = hand.points[0] - hand.points[1]
        assert state.returns() == [won, -won, won, -won]
        winners = [trick.winner() for trick in state.tricks()]
        assert winners[: len(hand.trick_winners)] == hand.trick_winners


@pytest.mark.parametrize("defend_alone", [False, "any"])
@pytest.mark.parametrize("stick", [False, True])
def test_both_engines_agree(stick, defend_alone):
    words = f"stick_the_dealer={stick},allow_lone_defender={bool(defend_alone)}".lower()
    game = pyspiel.load_game(f"euchre({words})")
    options = {"stick_the_dealer": stick, "defend_alone": defend_alone}
    rules = Rules.of("standard", options)
    results = set()
    for seed in range(HANDS // 4):
        pair = Pair(random.Random(f"{words} {seed}"), rules, game)
        pair.play()
        hand = pair.hand
        results.add((hand.alone, hand.defending_alone >= 0, tuple(hand.points)))
    points = {abs(a - b) for _, _, (a, b) in results}
    assert points == ({1, 2, 4} if stick else {0, 1, 2, 4})
    assert any(alone for alone, _, _ in results)
    assert any(defended for _, defended, _ in results) == bool(defend_alone)

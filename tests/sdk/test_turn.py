"""What a bot is handed, in words."""

from __future__ import annotations

import copy
import pickle

import pytest
from euchre_arena import Action, Table, Turn
from euchre_arena.rules import Hand, Rules, View, card_name, view
from euchre_arena.rules.cards import parse_cards
from euchre_arena.rules.dealing import Deal
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sdk.hands import random_turns


def lone_hand() -> Hand:
    """The hand of conformance.md: seat 3 orders alone, its partner the dealer sits out."""
    deal = Deal(
        tuple(
            parse_cards(text)
            for text in ("Ts 9h Tc Ac Ks", "Qs 9c Ah Kc Jh", "Qd 9d 9s As Th", "Kh Qc Kd Td Jd")
        ),
        *parse_cards("Js"),
        parse_cards("Ad Jc Qh"),
    )
    return Hand(Rules.of("standard"), 1, deal, (4, 6))


def played(hand: Hand, *actions: str) -> Turn:
    """The turn of whoever is to act after these actions."""
    for text in actions:
        hand.apply(Action.parse(text).code)
    table = Table(hand.rules, hand.to_act, 0xABC)
    return Turn(view(hand, hand.to_act), table, 3, 1000, 60_000)


def test_the_first_question() -> None:
    turn = played(lone_hand())
    assert turn.phase == "order"
    assert turn.legal == ("pass", "order", "order alone")
    assert turn.hand == ("9d", "Qd", "Th", "9s", "As")
    assert (turn.up_card, turn.up_card_state, turn.trump, turn.maker) == (
        "Js",
        "face-up",
        None,
        None,
    )
    assert (turn.seat, turn.dealer, turn.leader, turn.trick, turn.history) == (2, 1, None, (), ())
    assert (turn.score, turn.target, turn.tricks_won, turn.hand_number) == ((4, 6), 10, (0, 0), 0)
    assert (turn.makers, turn.alone, turn.sitting_out, turn.bid) == ((), False, (), None)
    assert (turn.turn, turn.move_time_ms, turn.bank_ms, turn.game) == (3, 1000, 60_000, 0xABC)
    assert (turn.preset, turn.options, turn.seats, turn.side_of) == (
        "standard",
        {},
        4,
        (0, 1, 0, 1),
    )


def test_a_trick_skips_who_sits_out() -> None:
    turn = played(lone_hand(), "pass", "order alone", "play Th", "play Kh")
    assert turn.phase == "play"
    assert (turn.trump, turn.maker, turn.makers, turn.alone) == ("s", 3, (3,), True)
    assert turn.sitting_out == (1,)
    assert turn.leader == 2
    assert turn.trick == ((2, "Th"), (3, "Kh"))
    assert turn.legal == ("play 9h",)
    assert turn.history == ((2, "pass"), (3, "order alone"), (2, "play Th"), (3, "play Kh"))


def test_actions_know_their_parts() -> None:
    turn = played(lone_hand(), "pass")
    _, order, alone = turn.legal
    assert (order.kind, order.alone, order.cards) == ("order", False, ())
    assert (alone.kind, alone.alone) == ("order", True)
    call = Action.parse("call n alone")
    assert (call.kind, call.suit, call.alone) == ("call", "n", True)
    play = Action.parse("play 10h")
    assert (play, play.cards, play.card, play.card_count) == ("play Th", ("Th",), "Th", 1)
    bid = Action.parse("bid 6 h alone")
    assert (bid.amount, bid.suit, bid.alone) == (6, "h", True)
    assert Action.parse("pick 5 3").seats == (3, 5)
    assert Action.parse("lead-suit h").kind == "lead-suit"
    swap = Action.parse("swap Th 9c 9d")
    assert (swap, swap.cards, swap.card_count) == ("swap 9c 9d Th", ("9c", "9d", "Th"), 3)


def test_cards_put_away_are_counted_and_not_shown() -> None:
    hand = lone_hand()
    turn = played(hand, "order", "discard 9c")
    seat, action = turn.history[-1]
    assert (seat, action, action.cards, action.card_count) == (1, "discard (1 card)", (), 1)
    dealer = Turn(view(hand, 1), Table(hand.rules, 1))
    assert dealer.put_away == ("9c",)
    assert turn.put_away == ()


def test_an_action_is_its_text_and_the_same_object() -> None:
    action = Action.parse("play Jh")
    assert action is Action.of(action.code)
    assert action == "play Jh"
    assert {action: 1}["play Jh"] == 1
    assert pickle.loads(pickle.dumps(action)) is action
    assert copy.deepcopy(action) is action
    with pytest.raises(ValueError, match="starts with none of pass, order"):
        Action.parse("fold")


def test_an_answer_is_found_in_the_list() -> None:
    turn = played(lone_hand())
    assert [turn.choice(text) for text in ("pass", "order", "order alone", "fold")] == [0, 1, 2, -1]


def test_a_turn_reads_well() -> None:
    turn = played(lone_hand(), "pass", "order alone", "play Th")
    assert str(turn).splitlines() == [
        "standard, game abc, deal 0, turn 3: seat 3 is asked, phase play",
        "  score    4:6 of 10, tricks 0:0",
        "  dealer   seat 1",
        "  up-card  Js (face-up)",
        "  trump    s, made by seat 3, alone",
        "  hand     Qc Td Jd Kd Kh",
        "  trick    seat 2 Th",
        "  history  2: pass, 3: order alone, 2: play Th",
        "  legal    play Kh",
    ]
    assert repr(turn) == "<Turn 3 of game abc: seat 3, play>"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_words_say_what_the_numbers_say(seed: int) -> None:
    for rules, open_turn in random_turns(seed):
        raw: View = open_turn.view
        turn = Turn(raw, Table(rules, raw.seat))
        assert turn.view is raw
        assert turn.hand == tuple(card_name(card) for card in raw.hand)
        assert tuple(action.code for action in turn.legal) == raw.legal
        assert [seat for seat, _ in turn.history] == [entry >> 16 for entry in raw.history]
        assert len(turn.trick) == len(raw.trick)
        assert all(seat not in turn.sitting_out for seat, _ in turn.trick)
        assert str(turn)


def test_a_name_is_worked_out_once() -> None:
    turn = played(lone_hand())
    assert turn.hand is turn.hand
    assert turn.legal is turn.legal

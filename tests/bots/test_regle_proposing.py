"""Écarté: which hands are played without proposing or accepting, and what is put away ([H])."""

from __future__ import annotations

import pytest
from euchre_arena.bots.regle import proposing
from euchre_arena.bots.regle.position import Position
from euchre_arena.rules import view

from tests.bots.position import position, says

DEALER, OTHER = 0, 1


def proposes(cards: str, up: str, *steps: str, score: tuple[int, int] = (0, 0)) -> str:
    """What the non-dealer says; scores dealer first."""
    return says(position({OTHER: cards}, up, *steps, preset="ecarte", score=score), "regle")


def answers(cards: str, up: str, score: tuple[int, int] = (0, 0)) -> str:
    """What the dealer says to the first proposal."""
    return says(position({DEALER: cards}, up, "propose", preset="ecarte", score=score), "regle")


JEUX = {
    "three_trumps": "Qh Ah 7h Ks Kd",
    "two_trumps_and_one_suit": "Qh Jh Ks Qs As",
    "two_trumps_and_a_headed_pair": "9h 8h Qs 7s 8d",
    "one_trump_and_four_with_a_king": "8h Ks Ts 9s 7s",
    "one_trump_and_three_headed": "8h Qs 9s 7s Kd",
    "one_trump_and_king_queen_knave": "8h Ks Qs Js 8d",
    "no_trump_and_three_queens": "Qc Qd Qs 8c 7d",
    "no_trump_and_four_court_cards": "Kc Jc Jd Js 7s",
}


@pytest.mark.parametrize("name", JEUX)
def test_the_listed_hands_are_played_without_proposing(name):
    """[H] Jeux de règle; the hands of three_trumps, of two trumps and one suit, and of king, queen,
    knave are its examples. Each is known by its own rule and, of these hands, by no other.
    """
    hand = position({OTHER: JEUX[name]}, "Th", preset="ecarte")
    seen = Position(view(hand, OTHER))
    assert [jeu.__name__ for jeu in proposing.JEUX if jeu(seen)] == [name]
    assert says(hand, "regle") == "stand"


@pytest.mark.parametrize(
    "cards",
    [
        "Kd Ad 8h 7h Ts",  # [H] The illustration, second deal: A proposes
        "Ts Kh Td 7d 9c",  # [H] The illustration, first deal: Y proposes
        "9c Kd 9d Qh 8s",  # one trump, three suits beside it
        "9c 8c 7d 8h 9s",  # two trumps, nothing else
        "8c Ts 9s 8s 7s",  # one trump, four of a suit without its king
        "8c Qs 9s 7s Jd",  # one trump, three headed by a queen, but the fifth is a knave
        "Qd Qh 9d 8h 7s",  # no trump, two queens
    ],
)
def test_other_hands_propose(cards):
    up = "Ks" if cards.startswith("Ts") else "Tc"
    assert proposes(cards, up) == "propose"


def test_three_certain_tricks_propose_all_the_same():
    """[H]: in the hope of being refused, which makes the point worth two."""
    assert proposes("Kh Qh Jh 8s 7d", "9h") == "propose"


def test_a_listed_hand_proposes_when_the_dealer_is_at_three():
    """[H]: then it is dangerous to play without proposing, unless the hand is very strong."""
    light, strong = "9h 8h 9c 8c 7c", "Qh Jh Ks Qs As"
    assert proposes(light, "Th") == "stand"
    assert proposes(light, "Th", score=(3, 0)) == "propose"
    assert proposes(strong, "Th", score=(3, 4)) == "stand"  # the illustration's last deal


def test_a_fairly_strong_hand_stands_when_the_dealer_is_at_four():
    """[H]: he might draw the king; not if the king is held."""
    assert proposes("Qh Jh Kc 8d 7s", "Th") == "propose"
    assert proposes("Qh Jh Kc 8d 7s", "Th", score=(4, 0)) == "stand"
    assert proposes("Kh Jh Kc 8d 7s", "Th", score=(4, 0)) == "propose"


def test_it_does_not_go_on_proposing():
    """[H] Inexperienced players propose till the pack is exhausted."""
    hand = position(
        {OTHER: "Qh Jh Kc 8d 7s", DEALER: "Ah Kd 9c 8s 7c"},
        "Th",
        "propose",
        "accept",
        "discard 7s",
        "discard",
        preset="ecarte",
    )
    assert says(hand, "regle") == "stand"


@pytest.mark.parametrize(
    ("cards", "up", "answer"),
    [
        ("Qs Js As Ad 8h", "Ks", "accept"),  # first deal: A has the trick for certain
        ("Ks Qs Js 8c 7c", "9c", "refuse"),  # second deal: Y plays, two cards to put away
        ("9h 8h 7h Qc 8d", "Th", "refuse"),  # three trumps
        ("Kh 8h 7h Qc 8d", "Th", "accept"),  # three trumps with the king
        ("7h Kc 9c 8d 7s", "Th", "accept"),  # one trump, one king, nothing above a ten
        ("9h Qc 8c Qd 7d", "Th", "refuse"),  # one trump, two queens guarded
        ("9h Kc 8c Qd 7d", "Th", "refuse"),  # king and queen guarded
        ("9h Kc 8d Qd 7s", "Th", "accept"),  # the king is bare
        ("9c 8d 7d 7s 8s", "Th", "accept"),  # nothing at all
    ],
)
def test_the_dealers_answer(cards, up, answer):
    """[H] The illustration and the dealer's option."""
    assert answers(cards, up) == answer


@pytest.mark.parametrize(
    ("seat", "cards", "up", "away"),
    [
        (OTHER, "Ts Kh Td 7d 9c", "Ks", "discard 9c 7d Td"),  # first deal: Y takes three cards
        (DEALER, "Qs Js As Ad 8h", "Ks", "discard Ad 8h"),  # first deal: A takes two
        (OTHER, "Kh 9h Kc Qc 7d", "Th", "discard 7d"),  # the queen is as good as a king
        (OTHER, "Kh 9h Kc Kd 8h", "Th", "discard Kc"),  # one card must go
        (DEALER, "Kh 9h Kc Kd 8h", "Th", "discard"),
    ],
)
def test_kings_and_trumps_are_kept(seat, cards, up, away):
    """[H] The illustration; a king or a trump is not put away in the first instance."""
    hand = position({seat: cards}, up, "propose", "accept", preset="ecarte")
    while hand.to_act != seat:
        hand.apply(hand.legal()[0])
    assert says(hand, "regle") == away


def test_the_stock_limits_what_is_put_away():
    """The lowest go first when not all can."""
    hand = position({OTHER: "Ts Kh Td 7d 9c"}, "Ks", "propose", "accept", preset="ecarte")
    hand.kitty = hand.kitty[:2]
    assert says(hand, "regle") == "discard 9c 7d"

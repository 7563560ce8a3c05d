"""Écarté: leads, the king, and never giving up ([H])."""

from __future__ import annotations

import random

import pytest
from euchre_arena.bots import load_bot
from euchre_arena.rules import Game, Rules, deal_cards
from euchre_arena.rules.actions import CONCEDE
from hypothesis import given

from tests.bots.position import position, says
from tests.bots.test_house import turn_of
from tests.rules.tables import many, seeds

DEALER, OTHER = 0, 1
STOOD, REFUSED = ("stand",), ("propose", "refuse")


def led(cards: str, up: str, *steps: str, dealer: str = "") -> str:
    hands = {OTHER: cards, **({DEALER: dealer} if dealer else {})}
    return says(position(hands, up, *steps, preset="ecarte"), "regle")


@pytest.mark.parametrize(
    ("cards", "up", "lead"),
    [
        ("Ks Qs Js 8h 8d", "Th", "play Ks"),  # the first example
        ("Qd Td Tc 8c 8h", "Jd", "play Tc"),  # third deal: queen of trumps loses the point
        ("Qs Ts Jh Th Td", "9d", "play Jh"),  # knave and ten, not the queen of queen and ten
        ("Qd Jd Ks Qs As", "9d", "play Ks"),  # last deal
        ("Qs Js Ah 7c Jd", "9d", "play Qs"),  # proposed and refused
        ("Kh Jh Th Qd Js", "9c", "play Kh"),  # the long suit
        ("Kh Qh Jh 8s 7d", "9h", "mark"),
    ],
)
def test_leads_from_sequences_and_long_suits(cards, up, lead):
    """[H] Jeux de règle and The illustration."""
    assert led(cards, up, *STOOD) == lead


def test_a_single_queen_rather_than_the_queen_of_queen_and_eight():
    """[H]: leading the queen of hearts must lose the point."""
    dealer = "Kh 9h 9d 7d 9s"
    assert led("Qc Qd Qh 8h 8s", "Ts", *STOOD, dealer=dealer) in ("play Qc", "play Qd")


def test_the_suit_is_gone_on_with():
    """[H]: knave, then ten; queen of spades, and if she wins, the knave."""
    dealer = "Js 7s 7h Jd 8d"
    assert led("Qs Ts Jh Th Td", "9d", *STOOD, "play Jh", "play 7h", dealer=dealer) == "play Th"
    dealer = "7s 8s 7h Td 8d"
    assert led("Qs Js Ah 7c Jd", "9d", *REFUSED, "play Qs", "play 7s", dealer=dealer) == "play Js"


def test_the_queen_of_spades_is_played_before_trumps():
    """[H] The illustration, last deal: Y loses the game by leading a trump to the hidden king."""
    hand = position(
        {OTHER: "Qd Jd Ks Qs As", DEALER: "Kd Ad Ah Kc 8s"},
        "9d",
        "stand",
        "play Ks",
        "play 8s",
        preset="ecarte",
        score=(3, 4),
    )
    assert says(hand, "regle") == "play Qs"


def test_not_put_to_a_card():
    """[H]: after king and knave of hearts not the third heart, but one of the single cards."""
    dealer = "8c 7c 7h 8h 7d"
    plays = ("play Kh", "play 7h", "play Jh", "play 8h")
    assert led("Kh Jh Th Qd Js", "9c", *REFUSED, *plays, dealer=dealer) in ("play Qd", "play Js")


def at_the_last_deal(score: tuple[int, int], *said: str) -> str:
    """What the dealer, with the king, does to the king of spades led; scores dealer first."""
    hands = {OTHER: "Qd Jd Ks Qs As", DEALER: "Kd Ad Ah Kc 8s"}
    hand = position(hands, "9d", *said, "play Ks", preset="ecarte", score=score)
    return says(hand, "regle")


def test_the_king_is_concealed_where_marking_it_is_useless():
    """[H] The illustration, last deal: Y at four stood, A at three would win by the point."""
    assert at_the_last_deal((3, 4), "stand") == "play 8s"


@pytest.mark.parametrize(
    ("score", "said"),
    [((3, 4), REFUSED), ((3, 3), STOOD), ((2, 4), STOOD), ((4, 4), STOOD), ((0, 0), STOOD)],
)
def test_the_king_is_marked_otherwise(score, said):
    assert at_the_last_deal(score, *said) == "mark"


def test_sure_trumps_are_led():
    """Three trumps, the best of them sure; the king marked first."""
    assert led("Kh Qh 9h 8s 7d", "Th", *STOOD, "mark") == "play Kh"


def test_what_cannot_win_keeps_trumps_and_masters():
    """Common practice: the lowest plain card goes."""
    hand = position(
        {OTHER: "As 7c 8c 9d Jd", DEALER: "7h 8d Kc Ad 9h"},
        "Th",
        "propose",
        "refuse",
        "play As",
        preset="ecarte",
    )
    assert says(hand, "regle") == "play 7h"  # trumping is the law
    dealer = "8d 9d Kc Ad 7c"
    assert led("As Ts 8c Td Jd", "Th", *REFUSED, "play As", dealer=dealer) == "play 7c"


@given(seeds)
@many
def test_nobody_gives_up(seed):
    """[H] law 42: conceding can only cost what is lost already."""
    rng = random.Random(seed)
    rules = Rules.of("ecarte")
    dealer, score = rng.randrange(2), [rng.randrange(5), rng.randrange(5)]
    deal = deal_cards(rules, dealer, rng.sample(range(32), 32))
    hand = Game(rules, dealer, score).start_hand(deal)
    bot = load_bot("regle")
    while not hand.over:
        answer = bot.act(turn_of(hand)).code
        assert answer != CONCEDE
        others = [code for code in hand.legal() if code != CONCEDE]
        hand.apply(rng.choice(others) if rng.random() < 0.3 else answer)

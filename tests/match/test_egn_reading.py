"""What an EGN file may say, and what is refused: cards, rulesets, files."""

from __future__ import annotations

import pytest
from euchre_arena.match.egn import EgnError, replay_egn
from euchre_arena.match.egn.notation import read_card
from euchre_arena.rules.cards import NAMES, NO_TRUMP, PACKS

from tests.match.egn_deals import DEAL, changed, game, tricks


@pytest.mark.parametrize(
    ("text", "trump", "cards"),
    [
        ("Jh", 1, "Jh"),
        ("nS", 1, "9s"),
        ("10d", 1, "Td"),
        ("Q♥", 1, "Qh"),
        ("R", 1, "Jc"),
        ("l", 1, "Js"),
        ("R", 3, "Jh"),
        ("L", 3, "Jd"),
        ("R", NO_TRUMP, ""),
        ("B", 1, "B"),
        ("xd", 1, "9d Td Jd Qd Kd Ad"),
        ("Nx", 1, "9c 9d 9h 9s"),
        ("10x", 1, "Tc Td Th Ts"),
        ("7h", 1, ""),
    ],
)
def test_cards_as_they_are_written(text, trump, cards):
    possible = read_card(text).possible(trump, PACKS["25"].cards)
    assert " ".join(NAMES[card] for card in possible) == cards


def test_a_card_of_which_nothing_is_known_may_be_any():
    for text in ("x", "X", "xx"):
        assert read_card(text).possible(1, PACKS["25"].cards) == PACKS["25"].cards


@pytest.mark.parametrize("text", ["", "h", "1h", "Jt", "xj", "JhJ", "Rh", "joker"])
def test_what_is_no_card_is_named(text):
    with pytest.raises(EgnError, match="is no card"):
        read_card(text)


@pytest.mark.parametrize(
    ("ruleset", "named"),
    [
        ({"under_dog": True}, "ruleset key 'under_dog' is not known; known are min_rank, std"),
        ({"num_players": 4}, "ruleset key 'num_players' is not known"),
        ({"std": 1}, "ruleset key 'std' is 1, not true or false"),
        ({"min_rank": 8}, "ruleset key 'min_rank' is 8, not 9 or 7"),
        ({"min_rank": "7"}, "ruleset key 'min_rank' is '7', not 9 or 7"),
        ({"loner_lead": "LEFT"}, "'loner_lead' is 'LEFT', not LEFT_OF_DEALER or LEFT_OF_LONER"),
        ({"winning_score": -1}, "'winning_score' is -1, not a whole number from 0"),
        ({"loner_march_score": True}, "'loner_march_score' is True, not a whole number"),
        ({"winning_score": 5, "num_deals": 8}, "'num_deals' and 'target' contradict"),
        ([], "metadata: ruleset is no object"),
    ],
)
def test_a_ruleset_that_cannot_be_played_is_refused_by_name(ruleset, named):
    with pytest.raises(EgnError) as refused:
        replay_egn(game(DEAL, ruleset=ruleset))
    assert named in str(refused.value)


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ({}, {"target": 10}),
        ({"std": True}, {"stick_the_dealer": True, "target": 10}),
        ({"std": False, "canadian": False, "joker": False}, {"target": 10}),
        ({"winning_score": 7}, {"target": 7}),
        ({"winning_score": 0, "num_deals": 8}, {"num_deals": 8}),
        ({"num_deals": 0}, {"target": 10}),
        ({"go_under": True}, {"farmers_hand": "swap", "target": 10}),
        ({"allow_no_trump": True}, {"no_trump": "second-round", "target": 10}),
        ({"joker": True}, {"benny": True, "target": 10}),
        ({"loner_lead": "LEFT_OF_LONER"}, {"loner_lead": "left-of-maker", "target": 10}),
        (
            {"loner_march_score": 5, "loner_euchred_score": 3},
            {"lone_march": 5, "lone_euchred": 3, "target": 10},
        ),
    ],
)
def test_the_ruleset_in_our_words(ruleset, options):
    rules = replay_egn(game(ruleset=ruleset)).rules
    assert (rules.preset, dict(rules.options)) == ("standard", options)


def test_thirty_two_cards():
    rules = replay_egn(game(ruleset={"min_rank": 7, "joker": True})).rules
    assert (rules.pack.name, rules.target) == ("33", 10)


@pytest.mark.parametrize(
    ("members", "cause"),
    [
        ({"dealer": 4}, "deal 0: dealer is 4, not a seat from 0 to 3"),
        ({"dealer": None}, "deal 0: dealer"),
        ({"upCard": "1h"}, "deal 0: upCard: '1h' is no card"),
        ({"upCard": "x"}, "deal 0: the up-card was ordered and its suit is not known"),
        ({"calls": ["Pass", "Raise"]}, "deal 0: calls: 'Raise' is no call"),
        ({"calls": "Pass"}, "deal 0: calls is 'Pass', not a list"),
        ({"isAlone": "no"}, "deal 0: isAlone is 'no', not true or false"),
        ({"discard": 9}, "deal 0: discard is 9, not text"),
        ({"calls": ["Pass"] * 8}, "deal 0: cards were played, but no call made trumps"),
        ({"tricks": tricks("Js Ts Qs 9s Ah")}, "deal 0: trick 0: 5 cards where 4 seats play"),
        ({"tricks": tricks("Js Ts/Qs 9s Ah")}, "deal 0: trick 0: 2 cards of 4, and play goes on"),
        ({"tricks": tricks("Js Ts Qs 8s")}, "deal 0: trick 0: 8s: the pack of 24 has it not"),
        ({"tricks": [["Js", "", "Qs"]]}, "deal 0: tricks 0: a card is missing"),
        ({"tricks": [["Js", "Ts", "Qs", "9s"]] * 6}, "deal 0: 6 tricks of 5"),
        (
            {"calls": ["Pass"] * 4 + ["n"], "tricks": [["R"]], "discard": None},
            "deal 0: trick 0: R: there is no such bower",
        ),
        ({"playerCards": [[], [], [], [], []]}, "deal 0: playerCards holds 5 hands; 4 play"),
        ({"cardExchanges": [{"cards": []}]}, "deal 0: cardExchanges: receiver is missing"),
    ],
)
def test_what_cannot_be_followed_is_named(members, cause):
    with pytest.raises(EgnError) as refused:
        replay_egn(game(changed(**members)))
    assert cause in str(refused.value)


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        (b"\xff", "it is not UTF-8 text"),
        ("{", "it is not JSON: "),
        ("[" * 100_000, "it is nested too deep"),
        ("[]", "the file is no object"),
        ("{}", "fileType is None, not 'Euchre Game Notation'"),
        ('{"fileType": "Euchre Match Notation"}', "fileType is 'Euchre Match Notation', not"),
        (game() | {"version": "2.0"}, "version '2.0' is not read; 1.0 to 1.4 are"),
        (game() | {"deals": {}}, "deals is {}, not a list"),
        (game("EjRWeA"), "deal 0 is packed into one text"),
        (game(score=[1]), "metadata: initialScore is [1], not two whole numbers"),
    ],
)
def test_what_is_no_game_is_named(source, cause):
    with pytest.raises(EgnError) as refused:
        replay_egn(source)
    assert cause in str(refused.value)

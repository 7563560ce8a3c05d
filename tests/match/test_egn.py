"""Euchre Game Notation: games are followed, scored, and their breaches found."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from euchre_arena.match.egn import EgnError, replay_egn
from euchre_arena.match.egn.notation import read_card
from euchre_arena.rules.cards import NAMES, NO_TRUMP, PACKS
from hypothesis import given

from tests.match.egn_writing import random_game
from tests.rules.tables import many, seeds

FILES = Path(__file__).resolve().parents[1] / "egn"
EXPECTED = json.loads((FILES / "expected.json").read_text())


@pytest.mark.parametrize("name", EXPECTED)
def test_the_recorded_games(name):
    assert replay_egn((FILES / name).read_bytes()).to_json() == EXPECTED[name]


@many
@given(seeds)
def test_a_game_of_our_own_comes_back_as_it_was_played(seed):
    """All ruleset keys: points by deal, the score and no breach."""
    egn, hands, game = random_game(random.Random(seed))
    report = replay_egn(json.dumps(egn))
    assert report.faults == []
    assert report.points == [tuple(hand.points) for hand in hands]
    assert list(report.score) == game.score
    assert [deal.tokens for deal in report.deals][-1] == tuple(game.tokens)


@many
@given(seeds)
def test_unknown_cards_never_make_up_points_or_breaches(seed):
    """With cards, ranks or suits unknown: the true points, or none; no false breach."""
    rng = random.Random(seed)
    egn, hands, _ = random_game(rng)
    for deal in egn["deals"]:
        deal["initialState"]["playerCards"] = []
        deal["initialState"].pop("player_cards", None)
        for phase in deal["phases"][1:]:
            phase["tricks"] = [
                [_blurred(card, rng) if rng.random() < 0.2 else card for card in trick]
                for trick in phase["tricks"]
            ]
    report = replay_egn(egn)
    assert report.faults == []
    for points, hand in zip(report.points, hands, strict=True):
        assert points in (None, tuple(hand.points))


def _blurred(card: str, rng: random.Random) -> str:
    if card == "B":
        return "x"
    return rng.choice(("x", "xx", f"{card[0]}x", f"x{card[1]}"))


# One deal to build on: dealer 0, spades ordered by 1, who takes the first two tricks.

DEAL: dict[str, Any] = {
    "initialState": {"dealer": 0, "upCard": "9s"},
    "phases": [
        {"type": "EUCHRE_BIDDING", "calls": ["Order"], "isAlone": False, "discard": "Td"},
        {
            "type": "TRICK_PLAY",
            "tricks": [
                ["Js", "Ts", "Qs", "9s"],
                ["Jc", "9d", "Ks", "9c"],
                ["Ah", "9h", "Th", "Kh"],
                ["As", "Tc", "Jd", "Qc"],
                ["Ad", "Qd", "Kd", "Ac"],
            ],
        },
    ],
}


def game(*deals: dict[str, Any], ruleset: Any = None, score: Any = None) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    if ruleset is not None:
        metadata["ruleset"] = ruleset
    if score is not None:
        metadata["initialScore"] = score
    return {
        "fileType": "Euchre Game Notation",
        "version": "1.4",
        "metadata": metadata,
        "deals": list(deals),
    }


def changed(**members: Any) -> dict[str, Any]:
    """The deal with members of its state, bidding or play changed."""
    deal = copy.deepcopy(DEAL)
    for name, value in members.items():
        if name in ("dealer", "upCard", "playerCards", "kitty"):
            deal["initialState"][name] = value
        elif name == "tricks":
            deal["phases"][1][name] = value
        else:
            deal["phases"][0][name] = value
    return deal


def tricks(text: str) -> list[list[str]]:
    """``"Js Ts Qs 9s / Jc 9d"`` as tricks."""
    return [trick.split() for trick in text.split("/")]


def faults(deal: dict[str, Any], **rest: Any) -> list[dict[str, Any]]:
    return replay_egn(game(deal, **rest)).faults


def test_the_deal_is_sound():
    report = replay_egn(game(DEAL))
    assert report.to_json() == {"score": [0, 2], "points": [[0, 2]], "faults": []}
    assert list(report.lines()) == [
        "deal 0: dealer 0, 9s turned up, 1 orders s: 0–2",
        "score 0–2",
    ]


def test_a_suit_shown_void_and_played_later_is_a_revoke():
    """Seat 2 follows spades with a diamond, and trumps two tricks on."""
    deal = changed(
        tricks=tricks("Js 9d Qs 9s/Jc Ts Ks 9c/Ah 9h Th Kh/As Tc Jd Qc/Ad Qd Kd Ac"), discard="Td"
    )
    assert faults(deal) == [{"deal": 0, "trick": 1, "kind": "revoke"}]


def test_the_left_bower_is_a_trump_in_a_revoke():
    """Seat 3 follows clubs with a diamond; the jack of clubs later is a spade, no club."""
    deal = changed(
        calls=["Pass", "Pass", "Pass", "Pass", "s"],
        upCard="9h",
        discard="",
        tricks=tricks("Ac Kc 9d Qc/As 9s Jc Ts/Ah/"),
    )
    del deal["phases"][0]["discard"]
    assert faults(deal) == []
    deal["phases"][1]["tricks"] = tricks("Ac Kc 9d Qc/As 9s 9c Ts")
    assert faults(deal) == [{"deal": 0, "trick": 1, "kind": "revoke"}]


def test_a_lead_of_a_suit_shown_void_is_a_revoke_too():
    deal = changed(tricks=tricks("Ah 9h Th Ts/Ks As Qs 9c/Ac Tc Kh"), discard="Td")
    assert faults(deal) == []
    deal = changed(tricks=tricks("Ah 9h Th Ts/Kh Ac Tc Kc"), discard="Td")
    assert faults(deal) == [{"deal": 0, "trick": 1, "kind": "revoke"}]


def test_a_card_that_falls_twice():
    deal = changed(tricks=tricks("Js Ts Qs 9s/Jc 9d Ks 9c/Ah 9h Th Ah"))
    assert faults(deal) == [{"deal": 0, "trick": 2, "kind": "card-twice"}]
    deal = changed(tricks=tricks("Js Ts Ts 9s"))
    assert faults(deal) == [{"deal": 0, "trick": 0, "kind": "card-twice"}]


def test_of_equal_cards_the_first_played_wins():
    deal = changed(tricks=tricks("Qs Js Js 9s/Ad Kd Qd Jd"))
    assert faults(deal) == [{"deal": 0, "trick": 0, "kind": "card-twice"}]
    deal = changed(tricks=tricks("Qs Js Js 9s/Ad Kd Qd Jd/Ah Kh Qh Th/Ac Kc Qc Tc/As Ks Ts 9c"))
    assert replay_egn(game(deal)).points == [(2, 0)]


def test_the_up_card_taken_is_the_dealers():
    deal = changed(tricks=tricks("Js 9s Qs Ts"))
    assert faults(deal) == [{"deal": 0, "kind": "wrong-holder"}]


def test_the_up_card_on_the_pack_is_nobodys():
    """The dealer sits out and takes nothing (rules.md §3)."""
    deal = changed(
        calls=["Pass", "Order"], isAlone=True, discard=None, tricks=tricks("Ad Js 9s/As Qh Kd")
    )
    assert faults(deal) == [{"deal": 0, "kind": "wrong-holder"}]


def test_the_up_card_turned_down_stays_down():
    deal = changed(calls=["Pass"] * 4 + ["h"], tricks=tricks("Js Ts Qs 9s"), discard=None)
    assert faults(deal) == [{"deal": 0, "kind": "turned-down-played"}]


def test_the_discard_stays_away():
    deal = changed(discard="9c")
    assert faults(deal) == [{"deal": 0, "kind": "discard-played"}]
    assert faults(changed(discard="R")) == [{"deal": 0, "kind": "discard-played"}]


def test_cards_known_to_lie_elsewhere():
    hands = [[], ["Js", "Jc", "Ah", "As", "Ad"], [], ["Qs", "Ks", "Th", "Jd", "Kd"]]
    assert faults(changed(playerCards=hands)) == []
    other = [[], hands[1], ["Qs"], []]
    assert faults(changed(playerCards=other)) == [{"deal": 0, "kind": "wrong-holder"}]
    other = [[], ["Js", "Jc", "Ah", "As", "9h"], [], []]
    assert faults(changed(playerCards=other)) == [{"deal": 0, "kind": "wrong-holder"}] * 2
    assert faults(changed(playerCards=other), ruleset={"farmers": True}) == []


def test_a_card_dealt_twice():
    assert faults(changed(playerCards=[["Ac"], ["Ac"], [], []], tricks=[])) == [
        {"deal": 0, "kind": "card-twice"}
    ]
    assert faults(changed(playerCards=[[], ["9s"], [], []], tricks=[])) == [
        {"deal": 0, "kind": "card-twice"}
    ]
    assert faults(changed(playerCards=[["9s", "Ac"], [], [], []], tricks=[])) == []


def test_deals_after_the_game_are_told_and_scored():
    report = replay_egn(game(DEAL, DEAL, DEAL, score=[0, 7]))
    assert report.faults == [{"deal": 2, "kind": "game-over"}]
    assert report.score == (0, 13)
    report = replay_egn(game(DEAL, DEAL, ruleset={"winning_score": 2}))
    assert report.faults == [{"deal": 1, "kind": "game-over"}]
    report = replay_egn(game(DEAL, DEAL, DEAL, ruleset={"num_deals": 2}, score=[0, 30]))
    assert report.faults == [{"deal": 2, "kind": "game-over"}]


def test_partial_deals_score_nothing():
    for cut in range(5):
        deal = changed(tricks=DEAL["phases"][1]["tricks"][:cut])
        assert replay_egn(game(deal, DEAL)).to_json() == {
            "score": [0, 2],
            "points": [None, [0, 2]],
            "faults": [],
        }
    unfinished = changed(tricks=[*DEAL["phases"][1]["tricks"][:4], ["Ad", "Qd"]])
    assert replay_egn(game(unfinished)).points == [None]
    for phases in ([], DEAL["phases"][:1], None):
        assert replay_egn(game(DEAL | {"phases": phases})).points == [None]
    assert replay_egn(game(changed(calls=["Pass"] * 7, tricks=[], discard=None))).points == [None]


def test_thrown_in_scores_nothing_for_either():
    deal = changed(calls=["Pass"] * 8, tricks=[], discard=None)
    assert replay_egn(game(deal)).to_json() == {"score": [0, 0], "points": [[0, 0]], "faults": []}
    assert faults(deal, ruleset={"std": True}) == [{"deal": 0, "kind": "illegal-call"}]


@pytest.mark.parametrize(
    ("members", "ruleset"),
    [
        ({"calls": ["Pass"] * 4 + ["s"], "discard": None}, {}),
        ({"calls": ["h"], "discard": None, "upCard": "9s"}, {}),
        ({"calls": ["Pass"] * 4 + ["Order"]}, {}),
        ({"calls": ["Pass"] * 4 + ["n"], "discard": None}, {}),
        ({"calls": ["Order", "Pass"]}, {}),
        ({"calls": ["Pass", "Order"]}, {"canadian": True}),
        ({"isAlone": True, "aloneDefender": 0, "discard": None}, {}),
        ({"isAlone": True, "aloneDefender": 3}, {"defend_alone": True}),
    ],
)
def test_calls_the_rules_do_not_allow_are_told(members, ruleset):
    deal = changed(**{"tricks": [], **members})
    assert faults(deal, ruleset=ruleset) == [{"deal": 0, "kind": "illegal-call"}]


def test_a_suit_in_the_first_round_is_an_order():
    assert replay_egn(game(changed(calls=["s"]))).to_json() == replay_egn(game(DEAL)).to_json()


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


def test_an_unknown_card_that_cannot_win_costs_nothing():
    """A low club under a trump: whatever it is, the trick is the leader's."""
    known = tricks("Js Ts Qs 9s/Jc 9d Ks 9c/Ah 9h Th Kh/As xc Jd Qc/Ad Qd Kd Ac")
    assert replay_egn(game(changed(tricks=known))).points == [(0, 2)]


def test_an_unknown_card_that_may_win_leaves_points_open():
    known = tricks("Qs xx xx 9s/Jc 9d Ks 9c/Ah 9h Th Kh/As Tc Jd Qc/Ad Qd Kd Ac")
    report = replay_egn(game(changed(tricks=known)))
    assert report.to_json() == {"score": [0, 0], "points": [None], "faults": []}


def test_an_unknown_trump_is_any_of_the_other_suits():
    """Seat 1 leads four aces and a jack: it takes four in any suit but the one turned down."""
    deal = changed(
        calls=["Pass"] * 4 + ["x"],
        upCard="9c",
        discard=None,
        tricks=tricks("Ad Kd Qd Td/Ah Kh Qh Th/As Ks Qs Ts"),
    )
    report = replay_egn(game(deal))
    assert (report.points, report.faults) == ([None], [])
    assert next(iter(report.lines())).endswith("1 calls an unknown suit: not played out")


def test_a_turned_down_card_is_no_unknown_one():
    """With the ace turned down nothing can beat the king: the trick is known."""
    base = {"calls": ["Pass"] * 4 + ["s"], "discard": None}
    led = tricks("Kh xh 9h Th/Js Ts Qs 9s/Jc 9d Ks 9c/As Tc Jd Qc/Ad Qd Kd Ac")
    assert replay_egn(game(changed(upCard="Ah", tricks=led, **base))).points == [(0, 2)]
    assert replay_egn(game(changed(upCard="Qh", tricks=led, **base))).points == [None]


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


def test_what_a_replay_does_not_need_is_ignored():
    """Annotations, views, timings and alternative lines, whatever they hold."""
    deal = copy.deepcopy(DEAL)
    deal["initialState"]["kitty"] = ["", 7]
    deal["alternativeLines"] = [{"branchIndex": 3, "phases": [{"type": "TRICK_PLAY"}]}]
    deal["phases"][0] |= {"callAnnotations": {"0": ["[!]"]}, "calls_annotations": 1}
    deal["phases"][1] |= {"initialLead": 3, "isAlone": True, "playAnnotations": None}
    egn = game(deal) | {"views": [{}], "timings": {"0": 0}, "videoUrl": ""}
    assert replay_egn(egn).to_json() == replay_egn(game(DEAL)).to_json()


def test_a_joker_turned_up_is_the_dealers():
    """The dealer alone speaks (rules.md §3 benny); the others' passes may be written or not."""
    for calls in (["s"], ["Pass", "Pass", "Pass", "s"]):
        deal = changed(upCard="B", calls=calls, tricks=tricks("Js Ts Qs B"))
        report = replay_egn(game(deal, ruleset={"joker": True}))
        assert report.faults == []
        assert report.deals[0].contract.maker == 0
    with pytest.raises(EgnError, match="the dealer names a suit, nobody orders"):
        replay_egn(game(changed(upCard="B"), ruleset={"joker": True}))

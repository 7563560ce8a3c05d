"""Euchre Game Notation: games are followed, scored, and their breaches found."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import pytest
from euchre_arena.match.egn import EgnError, replay_egn
from hypothesis import given

from tests.match.egn_deals import DEAL, changed, faults, game, tricks
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

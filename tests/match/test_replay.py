"""Records refereed again: the shared ones, and every way to break one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from euchre_arena.match.replay import HandReport, replay_record
from euchre_arena.rules import PRESETS, Rules, deal_cards
from euchre_arena.rules.cards import cards_text
from euchre_arena.rules.dealing import deal_order, match_key

from tests.match.driving import Play, a_match
from tests.match.records import GOOD, Change, a_record, broken, fails, forfeited, revoked

RECORDS = Path(__file__).resolve().parents[1] / "conformance" / "records"
EXPECTED: dict[str, dict[str, Any]] = json.loads((RECORDS / "expected.json").read_text())
PLAYED = [
    name
    for name in EXPECTED
    if json.loads((RECORDS / name).read_text().partition("\n")[0])["preset"] in PRESETS
]


@pytest.mark.parametrize("name", PLAYED)
def test_the_shared_records(name: str):
    expected = EXPECTED[name]
    report = replay_record((RECORDS / name).read_bytes().splitlines())
    assert report.ok == expected["ok"], report.message
    if report.ok:
        assert report.deals_verified
        assert report.finished
        assert [report.games, report.hands, list(report.score)] == [
            expected["games"],
            expected["hands"],
            expected["score"],
        ]
    else:
        assert report.line == expected["line"], (report.message, expected["what"])


HANDS = [number for number, line in enumerate(GOOD) if '"hand":' in line]


def test_the_record_to_be_broken_is_good():
    report = replay_record(GOOD)
    assert report.ok
    assert (report.games, report.finished, report.deals_verified) == (2, True, True)


def test_it_may_come_as_text_or_bytes_with_or_without_line_ends():
    for lines in (
        GOOD,
        [line + "\n" for line in GOOD],
        [line.encode() for line in GOOD],
        [line.encode() + b"\r\n" for line in GOOD],
    ):
        assert replay_record(lines).ok


def test_hands_are_reported_as_they_are_read():
    hands: list[HandReport] = []
    report = replay_record(GOOD, hands.append)
    assert len(hands) == report.hands
    assert hands[-1].score == report.score
    assert [hand.line for hand in hands] == [number + 1 for number in HANDS]


GAME, RESULT, LAST = 1, next(i for i, x in enumerate(GOOD) if "game_result" in x), len(GOOD) - 1
HAND = HANDS[0]


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (0, lambda d: d.update(record=2), "version 2 is not known"),
        (0, lambda d: d.update(preset="bridge"), "no preset 'bridge'"),
        (0, lambda d: d.update(options={"targt": 3}), "no option 'targt'"),
        (0, lambda d: d.update(match_format={"games": 0}), "games must be"),
        (0, lambda d: d.update(match_format={"rubber": False}), "rubber"),
        (0, lambda d: d.update(entrants=["ann"]), "takes 2 to 4, not 1"),
        (0, lambda d: d.update(entrants="ann"), "must be a list of texts"),
        (0, lambda d: d.update(match=""), "must not be empty"),
        (0, lambda d: d.update(commitment="00"), "32 bytes in hexadecimal"),
        (0, lambda d: d.update(nonces=["", ""]), "one a seat, 4, not 2"),
        (0, lambda d: d.update(nonces=["", "", "", "xy"]), "32 bytes in hexadecimal"),
        (0, lambda d: d.update(seeded=1), "true or false"),
        (0, lambda d: d.update(seeded=True, nonces=["ab" * 32, "", "", ""]), "no nonces"),
        (0, lambda d: d.pop("commitment"), '"commitment" is missing'),
        (0, lambda d: d.update(more=1), '"more" does not belong'),
        (0, lambda d: d.update(line="mtch"), "must be one of match"),
        (GAME, lambda d: d.update(game=1), "game 0 comes next, not 1"),
        (GAME, lambda d: d.update(seats=[0, 1, 1, 0]), "more than one side"),
        (GAME, lambda d: d.update(seats=[0, 1, 0]), "4 are needed"),
        (GAME, lambda d: d.update(first_dealer=4), "there is no seat 4"),
        (GAME, lambda d: d.update(first_dealer=(d["first_dealer"] + 1) % 4), "the secret draws"),
        (GAME, lambda d: d.update(score=[0, 1]), "nothing all"),
        (HAND, lambda d: d.update(hand=1), "hand 0 comes next, not 1"),
        (HAND, lambda d: d.update(dealer=(d["dealer"] + 1) % 4), "deals, not"),
        (HAND, lambda d: d["hands"].pop(), "4 of 5 cards are needed"),
        (HAND, lambda d: d["hands"].__setitem__(0, d["hands"][1]), "not the pack"),
        (HAND, lambda d: d["hands"].__setitem__(0, "Xx"), "are no cards"),
        (HAND, lambda d: d["hands"].reverse(), "not the deal of the secret"),
        (HAND, lambda d: d.pop("up_card"), "must be turned up"),
        (HAND, lambda d: d.update(up_card="Jh Jd"), "must be one card, not 2"),
        (HAND, lambda d: d["actions"].__setitem__(0, "fold"), "is no action"),
        (HAND, lambda d: d["actions"].__setitem__(-1, d["actions"][-2]), "not-in-hand"),
        (HAND, lambda d: d["actions"].append("pass"), "hand-over"),
        (HAND, lambda d: d["actions"].pop(), "tricks"),
        (HAND, lambda d: d.update(tricks=d["tricks"][::-1]), "is right, not"),
        (HAND, lambda d: d.update(points=[9, 9]), "points"),
        (HAND, lambda d: d.update(score=[d["score"][0] + 1, d["score"][1]]), "score"),
        (RESULT, lambda d: d.update(score=[0, 0]), "score"),
        (RESULT, lambda d: d.update(winners=[]), "winners"),
        (RESULT, lambda d: d.update(winners=[0, 1]), "winners"),
        (RESULT, lambda d: d.update(game_result=1), "this is game 0, not 1"),
        (LAST, lambda d: d["result"].update(games=[9, 9]), "games"),
        (LAST, lambda d: d["result"].update(points=[0, 0]), "points"),
        (LAST, lambda d: d["result"].update(winners=[]), "winners"),
        (LAST, lambda d: d["result"].update(rubber=[3, 0]), '"rubber" does not belong'),
        (LAST, lambda d: d.update(secret="ab" * 32), "not the committed one"),
    ],
)
def test_what_is_broken_is_found_on_its_line(number: int, change: Change, said: str):
    fails(broken(GOOD, number, change), number + 1, said)


def test_a_second_game_must_be_seated_as_duplicates_are():
    second = next(i for i, line in enumerate(GOOD) if '"game": 1' in line)
    fails(broken(GOOD, second, lambda d: d.update(seats=[0, 1, 0, 1])), second + 1, "is seated")


def test_a_first_dealer_moved_with_the_whole_game_is_still_found():
    """The hands follow the dealer named, so only the draw itself gives it away."""
    lines = a_record(target=1, match_format={"games": 1})
    data = json.loads(lines[1])
    rules = Rules.of("standard", {"target": 1, "max_deals": 1})
    key = match_key(bytes(range(32)), (b"",) * 4)
    dealer = data["first_dealer"] = (data["first_dealer"] + 1) % 4
    deal = deal_cards(rules, dealer, deal_order(key, 0, 0, 24))
    hand = {
        "line": "hand", "hand": 0, "dealer": dealer,
        "hands": [cards_text(cards) for cards in deal.hands],
        "up_card": cards_text([deal.up_card]), "kitty": cards_text(deal.kitty),
        "actions": ["pass"] * 8, "tricks": [0, 0], "points": [0, 0], "score": [0, 0],
    }  # fmt: skip
    match = json.loads(lines[0])
    match["options"] = {"max_deals": 1}
    result = json.loads(lines[-1])
    result["result"] = {"winners": [0, 1], "games": [1, 1], "points": [0, 0]}
    moved = [
        match,
        data,
        hand,
        {"line": "game_result", "game_result": 0, "score": [0, 0], "winners": [0, 1]},
        result,
    ]
    fails([json.dumps(line) for line in moved], 2, "the secret draws")


def test_lines_left_out_or_doubled():
    fails(GOOD[1:], 1, "the match line must come first")
    fails([*GOOD[:1], *GOOD], 2, "a second match line")
    fails([*GOOD, GOOD[-1]], len(GOOD) + 1, "a line after the result")
    fails([*GOOD[:HAND], *GOOD[HAND + 1 :]], HAND + 1, "hand 0 comes next, not 1")
    fails([*GOOD[: HAND + 1], *GOOD[HAND:]], HAND + 2, "hand 1 comes next, not 0")
    fails([*GOOD[:RESULT], *GOOD[RESULT + 1 :]], RESULT + 1, "game 0 has no result")
    fails([*GOOD[:GAME], *GOOD[GAME + 1 :]], GAME + 1, "no game has begun")
    before = [*GOOD[: RESULT - 1], *GOOD[RESULT:]]
    fails(before, RESULT, "before anyone has won")
    fails([*GOOD[: RESULT + 1], GOOD[-1]], RESULT + 2, "before the match is decided")


@pytest.mark.parametrize("cut", range(1, len(GOOD)))
def test_a_record_that_ends_too_soon_is_unfinished(cut: int):
    fails(GOOD[:cut], cut, "ends without a result")


def test_a_record_torn_in_a_line():
    torn = [*GOOD[:5], GOOD[5][:40]]
    fails(torn, 6, "not JSON")


def test_an_empty_record():
    fails([], 1, "empty")


def test_a_record_needs_its_result_even_where_a_hand_is_open():
    play = Play(a_match()).start()
    play.take(play.match.crashed(0, 1, "x", 0))
    lines = play.lines
    fails(lines[:3], 3, "not over after its last action")
    fails([*lines[:3], *lines[4:]], 3, "not over after its last action")


@pytest.mark.parametrize(
    ("number", "change", "line", "said"),
    [
        (3, lambda d: d.update(fault="cheating"), 4, "must be one of timeout"),
        (3, lambda d: d.update(game=1), 4, "this is game 0, not 1"),
        (3, lambda d: d.update(hand=1), 4, "this is hand 0, not 1"),
        (3, lambda d: d.update(action=1), 4, "has no action 1"),
        (3, lambda d: d.update(seat=7), 4, "there is no seat 7"),
        (3, lambda d: d.update(seat=(d["seat"] + 1) % 4), 4, "was not to act"),
        (3, lambda d: d.update(detail="pass: wrong-phase"), 4, "was legal there"),
        (3, lambda d: d.update(detail="play B: not-in-hand"), 4, "was wrong-phase there"),
        (3, lambda d: d.update(winners=[0]), 4, "winners do not go together"),
        (3, lambda d: d.update(points=[2, 0]), 4, "points do not go together"),
        (3, lambda d: d.update(fault="timeout"), 4, "and did not"),
        (3, lambda d: d.update(fault="revoke", points=[2, 0]), 4, "no revokes are played"),
        (7, lambda d: d.update(winners=[0, 1]), 8, "winners"),
        (7, lambda d: d.pop("winners"), 8, "winners do not go together"),
        (7, lambda d: d.update(seat=(d["seat"] + 2) % 4), 8, "was to act"),
        (2, lambda d: d.update(points=[1, 0], score=[1, 0]), 3, "brings none"),
        (2, lambda d: d.update(score=[1, 0]), 3, "score"),
        (2, lambda d: d.update(points=[]), 3, "one number a side"),
    ],
)
def test_faults_that_cannot_be_are_found(number: int, change: Change, line: int, said: str):
    lines = forfeited()
    assert replay_record(lines).ok
    fails(broken(lines, number, change), line, said)


def test_a_fourth_refusal_in_a_hand_played_on_cannot_be():
    play = Play(a_match(target=1)).start()
    play.say("play B")
    lines = play.finish().lines
    number = next(i for i, line in enumerate(lines) if '"illegal"' in line)
    three = [*lines[:number], *[lines[number]] * 3, *lines[number + 1 :]]
    assert replay_record(three).ok
    four = [*lines[:number], *[lines[number]] * 4, *lines[number + 1 :]]
    fails(four, number + 4, "after the last action of a hand not over")


def test_a_fault_before_any_hand_ends_its_game_or_is_wrong():
    play = Play(a_match({"games": 3}, parallel=1)).start()
    play.take(play.match.disconnected(0, 0))
    lines = play.lines
    assert replay_record(lines).ok
    second = next(i for i, line in enumerate(lines) if '"game": 1' in line and "fault" in line)
    for change in (
        lambda d: d.update(fault="illegal"),
        lambda d: d.update(hand=1),
        lambda d: d.update(action=1),
        lambda d: d.update(winners=[0]),
    ):
        assert replay_record(broken(lines, second, change)).line == second + 1
    doubled = [*lines[: second + 1], *lines[second:]]
    fails(doubled, second + 2, "over already")


def test_points_of_a_revoke_must_be_its_own():
    lines = revoked()
    assert replay_record(lines).ok
    number = next(i for i, line in enumerate(lines) if '"revoke", "game"' in line)
    swapped = broken(lines, number, lambda d: d.update(points=d["points"][::-1]))
    fails(swapped, number + 1, "points")
    before = broken(lines, number - 1, lambda d: d.update(points=[0, 0], score=[0, 0]))
    assert replay_record(before).ok, "the points may stand in the fault alone"


def test_the_deals_of_a_match_without_nonces_are_committed_not_unchosen():
    assert replay_record(GOOD).nonces == 0

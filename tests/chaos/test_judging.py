"""The judge of the tests of trouble finds what it is there to find."""

from __future__ import annotations

import json
from pathlib import Path

from euchre_arena.match.reading import GameLine, HandLine, read_line
from euchre_arena.rules import Game, Rules

from tests.chaos.judging import Shown, compare, points_of

RECORDS = Path(__file__).parents[1] / "conformance" / "records"


def asked(texts: list[bytes]) -> Shown:
    """Every decision of a record, as its bots would have written it down."""
    head = json.loads(texts[0])
    rules = Rules.of(head["preset"], head["options"])
    found: Shown = {}
    number, game = -1, Game(rules, 0)
    for text in texts[1:]:
        match read_line(text):
            case GameLine() as line:
                number, game = line.game, Game(rules, line.first_dealer)
            case HandLine() as line:
                found[number, line.hand] = [
                    (seat, list(history), cards)
                    for (seat, history), held in points_of(game, line).items()
                    for cards in held
                ]
    return found


def record() -> list[bytes]:
    """A record of several hands."""
    return (
        max(RECORDS.glob("[!b]*.jsonl"), key=lambda path: path.stat().st_size)
        .read_bytes()
        .splitlines()
    )


def test_what_stands_in_the_record_is_accepted() -> None:
    texts = record()
    shown = asked(texts)
    assert sum(map(len, shown.values())) > 20
    assert list(compare(texts, shown)) == []


def test_an_action_taken_back_is_found() -> None:
    texts = record()
    shown = asked(texts)
    decisions = next(each for each in shown.values() if len(each) > 4)
    seat, history, cards = decisions[-1]
    decisions[-1] = seat, [*history[:-1], history[-1] ^ 1], cards
    (found,) = compare(texts, shown)
    assert f"seat {seat} was shown" in found


def test_other_cards_are_found() -> None:
    texts = record()
    shown = asked(texts)
    decisions = next(iter(shown.values()))
    seat, history, cards = decisions[0]
    decisions[0] = seat, history, cards[1:]
    assert len(list(compare(texts, shown))) == 1


def test_a_hand_that_is_missing_is_found() -> None:
    texts = record()
    shown = asked(texts)
    shown[0, 999] = [(0, [], [])]
    assert list(compare(texts, shown)) == ["game 0 hand 999 was played and is not in the record"]

"""Every house bot plays every phase of every four-handed rule set, and the same each time."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from euchre_arena.bot import Bot
from euchre_arena.bots import DEMO_FIELD, HOUSE, load_bot
from euchre_arena.bots.book import SKIPPABLE
from euchre_arena.bots.book.thresholds import Thresholds
from euchre_arena.rules import PRESETS, Hand, Rules, deal_cards, view
from euchre_arena.rules.named_action import Action
from euchre_arena.rules.turn import Table, Turn
from hypothesis import given

from tests.rules.tables import choose, many, random_hand, seeds


def turn_of(hand: Hand, game: int = 0, number: int = 1) -> Turn:
    """What the seat to act is handed."""
    seat = hand.to_act
    return Turn(view(hand, seat), Table(hand.rules, seat, game), number)


@given(seeds)
@many
def test_every_answer_is_legal(seed):
    """Seats say random things or what the bot says, so that the bots see every kind of position."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    bots = [load_bot(name) for name in HOUSE]
    wild = rng.random()
    while not hand.over:
        turn = turn_of(hand)
        answers = [bot.act(turn) for bot in bots]
        for answer in answers:
            assert isinstance(answer, Action)
            assert answer in turn.legal
        own = rng.choice(answers).code
        hand.apply(choose(rng, hand) if rng.random() < wild else own)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_is_played_to_the_end(preset):
    """Also where `book` has no advice yet it plays something legal."""
    rules = Rules.of(preset)
    for seed in range(10):
        rng = random.Random(seed)
        order = rng.sample(range(rules.pack.size), rules.pack.size)
        hand = Hand(rules, seed % rules.seats, deal_cards(rules, seed % rules.seats, order),
                    [0] * rules.sides, [0] * rules.sides, 0)  # fmt: skip
        bots = [load_bot(rng.choice(list(HOUSE))) for _ in range(rules.seats)]
        while not hand.over:
            turn = turn_of(hand)
            answer = bots[hand.to_act].act(turn)
            assert answer in turn.legal
            hand.apply(answer.code)


def test_the_demo_has_eight_names_and_all_are_house_bots():
    assert len(set(DEMO_FIELD)) == 8
    assert set(DEMO_FIELD) <= set(HOUSE)


def positions(count: int) -> list[Turn]:
    """Turns of random hands; the same on every call."""
    rng = random.Random(11)
    found = []
    while len(found) < count:
        hand = random_hand(rng)
        while not hand.over:
            if len(hand.legal()) > 1:
                found.append(turn_of(hand, rng.randrange(2**63), rng.randrange(99)))
            hand.apply(choose(rng, hand))
    return found[:count]


def answers(name: str, count: int = 400) -> list[str]:
    bot = load_bot(name)
    return [str(bot.act(turn)) for turn in positions(count)]


def test_the_variants_differ():
    said = {name: tuple(answers(name)) for name in DEMO_FIELD}
    assert len(set(said.values())) == len(DEMO_FIELD)


@pytest.mark.parametrize("name", ["random", "book"])
def test_a_fresh_process_decides_the_same(name):
    """Whatever the hash seed: a seeded tournament can be repeated anywhere."""
    code = f"from tests.bots.test_house import answers; print('|'.join(answers({name!r})))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "12345", "PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    assert run.stdout.strip().split("|") == answers(name)


@pytest.mark.parametrize("name", DEMO_FIELD)
def test_handles_clocks_and_order_of_arrival_change_nothing(name):
    bot = load_bot(name)
    turns = positions(200)
    straight = [bot.act(turn) for turn in turns]
    again = [
        Turn(turn.view, Table(turn.table.rules, turn.seat, 77), 5, move_time_ms=3, bank_ms=1)
        for turn in reversed(turns)
    ]
    assert [bot.act(turn) for turn in again][::-1] == straight


def test_random_is_uniform():
    """Five cards to lead: each about a fifth of the time over many hands (chi-squared, 4 df)."""
    bot = load_bot("random")
    rng = random.Random(2)
    rules = Rules.of("standard")
    counts = [0] * 5
    while sum(counts) < 3000:
        order = rng.sample(range(24), 24)
        hand = Hand(rules, 0, deal_cards(rules, 0, order), (0, 0), (0, 0), 0)
        hand.apply(next(code for code in hand.legal() if code != hand.legal()[0]))
        while len(hand.legal()) != 5:
            hand.apply(hand.legal()[0])
        turn = turn_of(hand)
        counts[turn.legal.index(bot.act(turn))] += 1
    expected = sum(counts) / 5
    assert sum((n - expected) ** 2 / expected for n in counts) < 23.5  # p = 0.0001


def test_salt_makes_another_random():
    assert answers("random?salt=1") != answers("random")


def test_a_factory_makes_a_new_bot_each_time():
    bots: list[Bot] = [load_bot("book"), load_bot("book")]
    assert bots[0] is not bots[1]


def page_rows(heading: str) -> list[list[str]]:
    """The cells of the first table after a heading of docs/house-bots.md."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "house-bots.md").read_text("utf-8")
    lines = text[text.index(heading) :].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|---")) + 1
    found = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def test_the_page_about_house_bots_tells_names_parameters_and_advice():
    names = [row[0].strip("`") for row in page_rows("# The house bots")]
    assert names == list(HOUSE)
    parameters = {row[0].strip("`"): row[1].strip("`") for row in page_rows("## Parameters")}
    assert parameters == {
        field.name: str(field.default).lower() or "–" for field in fields(Thresholds)
    }
    assert {row[0].strip("`") for row in page_rows("## Advice")} == SKIPPABLE

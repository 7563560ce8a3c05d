"""Every house bot answers every question of every preset legally, and the same each time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from euchre_arena.bots import HOUSE, load_bot
from euchre_arena.rules import OPTIONS, PRESETS, Game, Hand, OptionError, Rules, deal_cards
from euchre_arena.rules.named_action import Action
from euchre_arena.rules.terms import Phase
from euchre_arena.rules.turn import Table, Turn
from hypothesis import given, settings

from tests.bots.test_house import turn_of
from tests.rules.tables import choose, seeds

BOTS = {name: load_bot(name) for name in HOUSE}
some = settings(max_examples=10, deadline=None)


def random_hand(rng: random.Random, preset: str) -> Hand:
    """A hand just dealt, with a few options that go with the preset and with each other."""
    rules = Rules.of(preset)
    for name in rng.sample(sorted(OPTIONS), 5):
        values = OPTIONS[name].values
        if values is bool:
            value: object = True
        else:
            value = values + rng.randrange(5) if isinstance(values, int) else rng.choice(values)
        try:
            rules = Rules.of(preset, {**rules.options, name: value})
        except OptionError:
            continue
    dealer = rng.randrange(rules.seats)
    score = [rng.randrange(max(rules.target, 2)) for _ in range(rules.sides)]
    order = rng.sample(range(rules.pack.size), rules.pack.size)
    return Game(rules, dealer, score).start_hand(deal_cards(rules, dealer, order))


def asked(rng: random.Random, hand: Hand) -> Iterator[tuple[Turn, dict[str, str]]]:
    """Every turn of a hand and what each bot says; the seats do what one of them says, or else."""
    wild = rng.random()
    while not hand.over:
        turn = turn_of(hand)
        answers = {name: bot.act(turn) for name, bot in BOTS.items()}
        yield turn, answers
        answer = rng.choice(list(answers.values()))
        assert isinstance(answer, Action)
        hand.apply(choose(rng, hand) if rng.random() < wild else answer.code)


@pytest.mark.parametrize("preset", PRESETS)
@some
@given(seed=seeds)
def test_every_answer_is_legal_and_given_again(preset, seed):
    """Whatever was asked before, and under another handle and clock."""
    rng = random.Random(seed)
    turns = []
    for turn, answers in asked(rng, random_hand(rng, preset)):
        for name, answer in answers.items():
            assert answer in turn.legal, (name, answer)
        turns.append((turn, answers))
    for turn, answers in reversed(turns):
        table = Table(turn.table.rules, turn.seat, 77)
        again = Turn(turn.view, table, 5, move_time_ms=3, bank_ms=1)
        for name in ("book", "regle"):
            assert BOTS[name].act(again) == answers[name]


def test_every_question_is_asked():
    """Over these hands each phase comes up, so that the test above has seen them all."""
    rng = random.Random(4)
    left = {phase for phase in Phase if phase is not Phase.OVER}
    for _ in range(400):
        for preset in PRESETS:
            hand = random_hand(rng, preset)
            while not hand.over and left:
                left.discard(Phase(hand.phase_number))
                hand.apply(choose(rng, hand))
        if not left:
            break
    assert not left


@pytest.mark.parametrize("preset", sorted(set(PRESETS) - {"ecarte"}))
def test_regle_plays_other_games_as_book_does(preset):
    rng = random.Random(8)
    for _ in range(5):
        for _, answers in asked(rng, random_hand(rng, preset)):
            assert answers["regle"] == answers["book"]

"""Canonical action text and order (rules.md §12), and cards (§1)."""

from __future__ import annotations

import random

import pytest
from euchre_arena.rules import Rules, action_text, parse_action, parse_card
from euchre_arena.rules.actions import canonical_key, kind_of, public
from euchre_arena.rules.cards import NAMES
from hypothesis import given

from tests.rules.tables import many, play_on, random_hand, seeds

LISTED = """pass · order · order alone · call h · call h alone · call n · call n alone ·
defend alone · discard 9c · discard 7c 8d · discard · swap 9c Td 9h · redeal · give Ah ·
blind alone · bid 4 · bid 4 h · bid 6 n alone · name h · pick 3 5 · play Jh · lead-suit h ·
claim · score add · score subtract · propose · stand · accept · refuse · mark · concede"""
TEXTS = [" ".join(text.split()) for text in LISTED.split("·")]


@pytest.mark.parametrize("text", TEXTS)
def test_the_texts_of_section_twelve(text):
    assert action_text(parse_action(text)) == text


def test_no_two_texts_are_one_action():
    assert len({parse_action(text) for text in TEXTS}) == len(TEXTS) == 31


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("  PLAY   10H ", "play Th"),
        ("play J♥", "play Jh"),
        ("swap 9h Td 9c", "swap 9c Td 9h"),
        ("discard 8d 7c", "discard 7c 8d"),
        ("pick 5 3", "pick 3 5"),
        ("Call ♠ Alone", "call s alone"),
        ("play b", "play B"),
    ],
)
def test_readers_take_more_than_writers_write(written, canonical):
    """§1: 10h, any case, suit symbols; §12: cards in pack order, seats ascending."""
    assert action_text(parse_action(written)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "", "fold", "play", "play Jh Jd", "play 1h", "call", "call x", "call h twice", "order up",
        "defend", "blind", "swap", "give", "bid", "bid x", "bid 4 h n", "bid 99",
        "name", "pick", "pick x", "lead-suit", "score", "score more", "claim all",
        "pass alone", "play -", "bid ²",
    ],
)  # fmt: skip  # a list of words
def test_what_does_not_parse_is_malformed(text):
    with pytest.raises(ValueError, match="is no action"):
        parse_action(text)


def test_the_canonical_order():
    """§12: by verb; calls of a suit before n, plain before alone, fewer cards, pack order."""
    order = [
        "pass", "order", "order alone", "call c", "call d", "call h", "call s", "call c alone",
        "call d alone", "call h alone", "call s alone", "call n", "call n alone", "defend alone",
        "discard", "discard 9c", "discard Ac", "discard 9d", "discard B", "discard 9c Tc",
        "discard 9c 9d", "discard Tc 9d", "discard 9c Tc 9d", "swap 9c Tc 9d", "swap 9c Tc 9h",
        "redeal", "give 9c", "give Jh", "blind alone", "bid 3", "bid 3 c", "bid 4", "bid 4 h",
        "bid 4 n", "bid 6 c alone", "bid 6 n alone", "name c", "name n", "pick 0", "play 9c",
        "play 9d", "play B", "lead-suit c", "lead-suit s", "claim", "score add", "score subtract",
        "propose", "stand", "accept", "refuse", "mark", "concede",
    ]  # fmt: skip  # a list of words
    shuffled = [parse_action(text) for text in order]
    random.Random(1).shuffle(shuffled)
    assert [action_text(code) for code in sorted(shuffled, key=canonical_key)] == order


@many
@given(seeds)
def test_every_legal_action_goes_through_its_text(seed):
    rng = random.Random(seed)
    hand = random_hand(rng)
    for _ in play_on(rng, hand):
        for action in hand.legal():
            text = action_text(action)
            assert parse_action(text) == action
            assert parse_action(text.upper()) == action


@many
@given(seeds)
def test_hidden_cards_do_not_show_in_the_public_form(seed):
    """§10: of discards, swaps and cards given the number alone is public."""
    rng = random.Random(seed)
    hand = random_hand(rng, Rules.of("standard", {"farmers_hand": "swap", "partners_best": True}))
    for _, action in play_on(rng, hand):
        shown = action_text(public(action))
        word = kind_of(action).name.lower()
        if word in ("discard", "swap", "give"):
            assert shown == f"{word} (3 cards)" if word == "swap" else f"{word} (1 card)"
        else:
            assert public(action) == action


@pytest.mark.parametrize("name", NAMES[1:])
def test_every_card_has_one_name(name):
    assert NAMES[parse_card(name)] == name
    assert NAMES[parse_card(name.lower())] == name


@pytest.mark.parametrize("text", ["", "J", "1h", "Jx", "JhJ", "11h", "0", "-", "joker"])
def test_what_is_no_card(text):
    with pytest.raises(ValueError, match="is no card"):
        parse_card(text)

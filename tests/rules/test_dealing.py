"""Deals anyone can check (rules.md §2, §9)."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import Counter

import pytest
from euchre_arena.rules import Rules, deal_cards
from euchre_arena.rules.cards import NAMES, PACKS, parse_cards
from euchre_arena.rules.dealing import (
    commitment,
    deal_order,
    first_dealer,
    match_key,
    packets,
    seeded_secret,
)

ZEROS = bytes(32)
VECTOR_KEY = "aa7855e13839dd767cd5da7c1ff5036540c9264b7a803029315e55375287b4af"
VECTOR_ORDER = "As Qd Td 9c Jc 9d Js Qh 9s Qc Ac Kd Jh Ks Ah Jd Kh Th Tc Ad Ts 9h Kc Qs"


def test_the_vector_of_section_nine():
    """§9, test vector: secret 32 zero bytes, four seats without nonces, pack 24, g = k = 0."""
    key = match_key(ZEROS, [b""] * 4)
    assert key.hex() == VECTOR_KEY
    pack = PACKS["24"].cards
    assert [pack[i] for i in deal_order(key, 0, 0, 24)] == list(parse_cards(VECTOR_ORDER))


def test_the_vector_dealt():
    """§2, §9: three, two, three, two from eldest, then the hands completed, then the up-card."""
    rules = Rules.of("standard")
    deal = deal_cards(rules, 0, deal_order(match_key(ZEROS, [b""] * 4), 0, 0, 24))
    hands = [" ".join(NAMES[card] for card in hand) for hand in deal.hands]
    assert hands[1] == "As Qd Td Ac Kd"
    assert hands[2] == "9c Jc Jh Ks Ah"
    assert hands[3] == "9d Js Qh Jd Kh"
    assert hands[0] == "9s Qc Th Tc Ad"
    assert NAMES[deal.up_card] == "Ts"
    assert [NAMES[card] for card in deal.kitty] == ["9h", "Kc", "Qs"]


def test_a_key_made_by_hand():
    """§9: HMAC-SHA256 over the nonces with one byte of length each, in seat order."""
    nonce = bytes(range(32))
    message = b"\x00" + b"\x20" + nonce + b"\x00" + b"\x20" + ZEROS
    expected = hmac.new(b"s" * 32, message, hashlib.sha256).digest()
    assert match_key(b"s" * 32, [b"", nonce, b"", ZEROS]) == expected
    assert commitment(b"s" * 32) == hashlib.sha256(b"s" * 32).digest()
    assert seeded_secret("seven", "m-1") == hmac.new(b"seven", b"m-1", hashlib.sha256).digest()


@pytest.mark.parametrize("nonce", [b"x", bytes(31), bytes(33)])
def test_a_nonce_has_32_bytes_or_none(nonce):
    with pytest.raises(ValueError, match="32 bytes or none"):
        match_key(ZEROS, [nonce])


def test_an_order_made_by_hand():
    """§9: x = SHA-512(key ‖ "deal" ‖ u32be(g) ‖ u32be(k)), then divmod from the last place down."""
    key, game, deal, size = b"k" * 32, 3, 70_000, 33
    digest = hashlib.sha512(key + b"deal" + b"\0\0\0\x03" + b"\0\x01\x11\x70").hexdigest()
    number = int(digest, 16)
    order = list(range(size))
    for i in reversed(range(1, size)):
        number, j = divmod(number, i + 1)
        order[i], order[j] = order[j], order[i]
    assert deal_order(key, game, deal, size) == order


def test_the_first_dealer_made_by_hand():
    digest = hashlib.sha512(b"k" * 32 + b"dealer" + b"\0\0\0\x07").hexdigest()
    assert first_dealer(b"k" * 32, 7, 4) == int(digest, 16) % 4


def test_orders_are_fair():
    """Every card comes to every place about as often; 2,400 deals, 100 expected, 5 deviations."""
    key = match_key(ZEROS)
    places = Counter(
        (place, card) for k in range(2_400) for place, card in enumerate(deal_order(key, 0, k, 24))
    )
    assert len(places) == 24 * 24
    assert all(50 < count < 150 for count in places.values())
    dealers = Counter(first_dealer(key, g, 4) for g in range(4_000))
    assert all(850 < count < 1_150 for count in dealers.values())


@pytest.mark.parametrize(
    ("seats", "cards", "expected"),
    [
        (4, 5, ((3, 2), (2, 3), (3, 2), (2, 3))),
        (3, 5, ((3, 2), (2, 3), (3, 2))),
        (2, 5, ((3, 2), (2, 3))),
        (3, 7, ((4, 3), (3, 4), (4, 3))),
        (4, 6, ((3, 3), (2, 4), (3, 3), (2, 4))),
        (6, 8, ((3, 5), (2, 6), (3, 5), (2, 6), (3, 5), (2, 6))),
    ],
)
def test_packets(seats, cards, expected):
    """§2: eldest 3, the next 2, alternating; seven cards 4 and 3; round two completes hands."""
    assert packets(seats, cards) == expected


@pytest.mark.parametrize("preset", ["standard", "hoyle", "british"])
@pytest.mark.parametrize("dealer", range(4))
def test_a_deal_by_hand(preset, dealer):
    """§2: packets from eldest in two rounds, the next card turned up, the rest top first."""
    rules = Rules.of(preset)
    order = list(range(rules.pack.size))
    random.Random(dealer).shuffle(order)
    pack = [rules.pack.cards[position] for position in order]
    hands: dict[int, list[int]] = {seat: [] for seat in range(4)}
    rest = list(pack)
    for sizes in ((3, 2, 3, 2), (2, 3, 2, 3)):
        for turn, size in enumerate(sizes):
            hands[(dealer + 1 + turn) % 4] += rest[:size]
            rest = rest[size:]
    deal = deal_cards(rules, dealer, order)
    assert [list(hand) for hand in deal.hands] == [hands[seat] for seat in range(4)]
    assert deal.up_card == rest[0]
    assert list(deal.kitty) == rest[1:]


@pytest.mark.parametrize(
    ("pack", "first", "last"),
    [
        ("24", "9c Tc Jc Qc Kc Ac 9d", "As"),
        ("25", "9c Tc Jc Qc Kc Ac 9d", "B"),
        ("28", "8c 9c Tc Jc Qc Kc Ac 8d", "As"),
        ("32", "7c 8c 9c Tc Jc Qc Kc Ac 7d", "As"),
        ("33", "7c 8c 9c Tc Jc Qc Kc Ac 7d", "B"),
        ("53", "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d", "B"),
        ("48", "9c Tc Jc Qc Kc Ac 9d", "As"),
    ],
)
def test_the_canonical_order_of_a_pack(pack, first, last):
    """§1: suits c d h s, ranks low to high, joker last; the double pack one after the other."""
    cards = PACKS[pack].cards
    names = [NAMES[card] for card in cards]
    assert len(cards) == int(pack)
    assert names[: len(first.split())] == first.split()
    assert names[-1] == last
    copies = 2 if pack == "48" else 1
    assert set(Counter(names).values()) == {copies}
    if copies == 2:
        assert names[:24] == names[24:]

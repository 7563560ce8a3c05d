"""Randomness anyone can check, and the deal (rules.md §2 and §9). All integers are big-endian."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from .cards import Card

if TYPE_CHECKING:
    from .ruleset import Rules

SECRET_BYTES: Final = 32
NONCE_BYTES: Final = 32


def commitment(secret: bytes) -> bytes:
    """What is published of a match secret before any nonce is accepted, 32 bytes."""
    return hashlib.sha256(secret).digest()


def match_key(secret: bytes, nonces: Sequence[bytes] = ()) -> bytes:
    """The key of all deals of a match: secret and, in seat order, a nonce or nothing a seat.

    ValueError for a nonce that is neither empty nor 32 bytes.
    """
    message = bytearray()
    for nonce in nonces:
        if len(nonce) not in (0, NONCE_BYTES):
            raise ValueError(f"a nonce has {NONCE_BYTES} bytes or none, not {len(nonce)}")
        message.append(len(nonce))
        message += nonce
    return hmac.new(secret, bytes(message), hashlib.sha256).digest()


def seeded_secret(seed: str, match_id: str) -> bytes:
    """The secret of a seeded match: anyone who knows the seed knows the deals."""
    return hmac.new(seed.encode(), match_id.encode(), hashlib.sha256).digest()


def deal_order(key: bytes, game: int, deal: int, size: int) -> list[int]:
    """Pack positions in the order they are dealt, for a deal of a game index."""
    message = key + b"deal" + game.to_bytes(4) + deal.to_bytes(4)
    number = int.from_bytes(hashlib.sha512(message).digest())
    order = list(range(size))
    for product, steps in _mixed_radix(size):
        number, digits = divmod(number, product)
        for last, radix in steps:
            chosen = digits % radix
            digits //= radix
            order[last], order[chosen] = order[chosen], order[last]
    return order


@cache
def _mixed_radix(size: int) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """The steps ``size - 1 … 1`` of a shuffle in groups whose radices multiply to a small integer.

    Taking the digits of a group from one small remainder is the same arithmetic as dividing the
    512-bit number once a card, and three times as fast.
    """
    groups: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    product = 1
    steps: list[tuple[int, int]] = []
    for last in range(size - 1, 0, -1):
        if product * (last + 1) >= 1 << 30:
            groups.append((product, tuple(steps)))
            product, steps = 1, []
        product *= last + 1
        steps.append((last, last + 1))
    return (*groups, (product, tuple(steps)))


def first_dealer(key: bytes, game: int, seats: int) -> int:
    """The first dealer's seat of a game index."""
    digest = hashlib.sha512(key + b"dealer" + game.to_bytes(4)).digest()
    return int.from_bytes(digest) % seats


class Deal(NamedTuple):
    """Cards as dealt, as numbers."""

    hands: tuple[tuple[Card, ...], ...]
    """Each seat's cards in the order they were dealt."""
    up_card: Card
    """The card turned up; 0 where the preset turns none."""
    kitty: tuple[Card, ...]
    """The other undealt cards, top first."""


def packets(seats: int, hand_size: int) -> tuple[tuple[int, int], ...]:
    """Cards each seat gets in round one and two, from eldest to the dealer.

    Eldest gets 3, the next 2, alternating; with seven cards 4 and 3; round two completes the hand.
    """
    large = 4 if hand_size == 7 else 3
    firsts = (large, large - 1)
    return tuple((firsts[i % 2], hand_size - firsts[i % 2]) for i in range(seats))


Picker = Callable[[Sequence[Card]], tuple[Card, ...]]


def deal_plan(seats: int, hand_size: int) -> tuple[tuple[Picker, ...], ...]:
    """By dealer and seat: picks the seat's hand out of the cards in the order they are dealt."""
    plans = []
    for dealer in range(seats):
        places: list[list[int]] = [[] for _ in range(seats)]
        place = 0
        for half in (0, 1):
            for turn, packet in enumerate(packets(seats, hand_size), 1):
                seat = (dealer + turn) % seats
                places[seat].extend(range(place, place + packet[half]))
                place += packet[half]
        plans.append(tuple(itemgetter(*seat_places) for seat_places in places))
    return tuple(plans)


def deal_cards(rules: Rules, dealer: int, order: Sequence[int]) -> Deal:
    """Deal a pack in the given order of positions; position 0 of ``order`` is dealt first."""
    cards = itemgetter(*order)(rules.pack.cards)
    hands = tuple([pick(cards) for pick in rules.deal_plan[dealer]])
    dealt = rules.seats * rules.hand_size
    if rules.turns_up:
        return Deal(hands, cards[dealt], cards[dealt + 1 :])
    return Deal(hands, 0, cards[dealt:])

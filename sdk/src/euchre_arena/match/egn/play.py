"""Follows the tricks of a deal: who won them, and which breaches they show.

The notation gives the cards in the order they fell and leaves the seats to the rules. Cards may be
unknown (``x``), and then so may be the winner of a trick and all seats after it. Every way it can
have gone is a `World`; ``follow`` gives all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from euchre_arena.match.egn.contract import Contract
from euchre_arena.match.egn.notation import EgnCard, EgnError
from euchre_arena.match.egn.reader import EgnDeal
from euchre_arena.rules import Rules
from euchre_arena.rules.cards import Card, Suit
from euchre_arena.rules.tables import TrumpTables

Fallen = tuple[Card, ...]
"""The cards that one which fell may be; one where it is known."""


class BreachKind(StrEnum):
    """What a careful referee finds (``shared/egn``), and calls the rules do not allow."""

    REVOKE = "revoke"
    CARD_TWICE = "card-twice"
    WRONG_HOLDER = "wrong-holder"
    TURNED_DOWN_PLAYED = "turned-down-played"
    DISCARD_PLAYED = "discard-played"
    GAME_OVER = "game-over"
    ILLEGAL_CALL = "illegal-call"


class Breach(NamedTuple):
    """A breach in a deal."""

    kind: BreachKind
    trick: int | None = None
    """Trick, from 0; None where the deal as a whole shows it."""


class World(NamedTuple):
    """One way the tricks may have gone."""

    trump: Suit
    leader: int
    """Who leads next."""
    winners: tuple[int, ...] = ()
    """Seats that won the tricks played out."""
    voids: tuple[int, ...] = (0, 0, 0, 0)
    """By seat: suits it has shown that it does not hold, a mask."""
    breaches: tuple[Breach, ...] = ()
    played: tuple[tuple[Card, int], ...] = ()
    """Cards known and the seats that played them."""


def follow(rules: Rules, deal: EgnDeal, contract: Contract) -> list[World]:
    """All ways the tricks of a deal may have gone. EgnError where they cannot have gone at all."""
    _check_sizes(rules, deal, contract)
    worlds: list[World] = []
    impossible: EgnError | None = None
    for trump in contract.trumps:
        try:
            tricks = _fallen(rules, deal, contract, trump)
        except EgnError as error:
            impossible = error
        else:
            worlds += _worlds(rules, deal, contract, trump, tricks)
    if not worlds and impossible is not None:
        raise impossible
    return worlds


def played_out(rules: Rules, deal: EgnDeal, contract: Contract) -> bool:
    """Whether all tricks are recorded whole."""
    active = rules.seats - contract.out.bit_count()
    return len(deal.tricks) == rules.hand_size and len(deal.tricks[-1]) == active


def _check_sizes(rules: Rules, deal: EgnDeal, contract: Contract) -> None:
    active = rules.seats - contract.out.bit_count()
    if len(deal.tricks) > rules.hand_size:
        raise EgnError(f"{len(deal.tricks)} tricks of {rules.hand_size}")
    for number, trick in enumerate(deal.tricks):
        if len(trick) > active:
            raise EgnError(f"trick {number}: {len(trick)} cards where {active} seats play")
        if len(trick) < active and number + 1 < len(deal.tricks):
            raise EgnError(f"trick {number}: {len(trick)} cards of {active}, and play goes on")


def _fallen(
    rules: Rules, deal: EgnDeal, contract: Contract, trump: Suit
) -> list[tuple[Fallen, ...]]:
    """What each card that fell may be, given the trump suit and what is known of the others."""
    numbers = sorted(set(rules.pack.cards))
    up_card = deal.up_card.number if deal.up_card else 0
    first = [
        tuple(_possible(card, trump, numbers, rules, number) for card in trick)
        for number, trick in enumerate(deal.tricks)
    ]
    gone = {cards[0] for trick in first for cards in trick if len(cards) == 1}
    if deal.discard:
        gone.add(deal.discard.under(trump))
    if not contract.takes(deal.dealer):
        gone.add(up_card)

    def left(cards: Fallen) -> Fallen:
        if len(cards) == 1:
            return cards
        return tuple(card for card in cards if card not in gone) or cards

    return [tuple(left(cards) for cards in trick) for trick in first]


def _possible(
    card: EgnCard, trump: Suit, numbers: Sequence[Card], rules: Rules, trick: int
) -> Fallen:
    cards = card.possible(trump, numbers)
    if not cards:
        cause = (
            "there is no such bower" if card.bower else f"the pack of {rules.pack.size} has it not"
        )
        raise EgnError(f"trick {trick}: {card.text}: {cause}")
    return cards


def _worlds(
    rules: Rules,
    deal: EgnDeal,
    contract: Contract,
    trump: Suit,
    tricks: list[tuple[Fallen, ...]],
) -> list[World]:
    tables = rules.trumps(trump)
    next_active = rules.next_active[contract.out]
    left_of_maker = contract.alone and rules.value("loner_lead") == "left-of-maker"
    leader = next_active[contract.maker if left_of_maker else deal.dealer]
    active = rules.seats - contract.out.bit_count()
    worlds = [World(trump, leader)]
    seen: set[Card] = set()
    for number, trick in enumerate(tricks):
        known = [cards[0] for cards in trick if len(cards) == 1]
        twice = _twice(known, seen, number)
        won = _winning_places(tables, trick) if len(trick) == active else ()
        after = []
        for world in worlds:
            seats = _seats(world.leader, next_active, active)
            followed = _play_trick(world, tables, trick, seats, number)
            followed = followed._replace(breaches=followed.breaches + twice)
            for place in won:
                seat = seats[place]
                after.append(followed._replace(leader=seat, winners=(*followed.winners, seat)))
            if not won:
                after.append(followed)
        worlds = list(dict.fromkeys(after))
    return worlds


def _seats(leader: int, next_active: Sequence[int], active: int) -> list[int]:
    seats = [leader]
    while len(seats) < active:
        seats.append(next_active[seats[-1]])
    return seats


def _twice(known: Sequence[Card], seen: set[Card], trick: int) -> tuple[Breach, ...]:
    """Cards of this trick that fell before, in it or in another; notes them as seen."""
    found = []
    for card in known:
        if card in seen:
            found.append(Breach(BreachKind.CARD_TWICE, trick))
        seen.add(card)
    return tuple(found)


def _play_trick(
    world: World,
    tables: TrumpTables,
    trick: Sequence[Fallen],
    seats: Sequence[int],
    number: int,
) -> World:
    """Note what the cards of a trick show: suits not held, suits held after all."""
    led = _suits(tables, trick[0])
    voids = list(world.voids)
    breaches = list(world.breaches)
    played = list(world.played)
    for place, (seat, cards) in enumerate(zip(seats, trick, strict=False)):
        suits = _suits(tables, cards)
        if len(suits) == 1 and voids[seat] & suits_mask(suits):
            breaches.append(Breach(BreachKind.REVOKE, number))
        if place and len(led) == 1 and not led & suits:
            voids[seat] |= suits_mask(led)
        if len(cards) == 1:
            played.append((cards[0], seat))
    return world._replace(voids=tuple(voids), breaches=tuple(breaches), played=tuple(played))


def _suits(tables: TrumpTables, cards: Fallen) -> set[Suit]:
    """The suits a card may count as; 0 for the joker at no trump, which belongs to none."""
    return {tables.suits[card] for card in cards}


def suits_mask(suits: set[Suit]) -> int:
    """One bit a suit; none for the joker's 0, which nobody is void of."""
    return sum(1 << suit for suit in suits if suit)


def _winning_places(tables: TrumpTables, trick: Sequence[Fallen]) -> tuple[int, ...]:
    """Places in the trick that may have won it; one when all its cards are known."""
    found = set()
    for lead in trick[0]:
        suit = tables.suits[lead]
        for led in (suit,) if suit else (1, 2, 3, 4):
            powers = tables.powers[led]
            least = [powers[lead], *(min(powers[card] for card in cards) for cards in trick[1:])]
            most = [powers[lead], *(max(powers[card] for card in cards) for cards in trick[1:])]
            for place, power in enumerate(most):
                before, after = least[:place], least[place + 1 :]
                if all(power > other for other in before) and all(
                    power >= other for other in after
                ):
                    found.add(place)
    return tuple(sorted(found))

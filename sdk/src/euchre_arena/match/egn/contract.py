"""What the calls of a deal made: trumps, maker, who sits out, and whether a call was illegal."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from euchre_arena.match.egn.notation import EgnError
from euchre_arena.match.egn.reader import SEATS, EgnDeal
from euchre_arena.rules import Rules
from euchre_arena.rules.cards import JOKER, NO_TRUMP, Suit, parse_suit

_FIRST_ROUND = SEATS
_ALL_CALLS = 2 * SEATS


class Making(Enum):
    """How far the calls went."""

    OPEN = "open"
    """Nobody has made trumps yet."""
    THROWN_IN = "thrown in"
    MADE = "made"


class Contract(NamedTuple):
    """What was made."""

    making: Making
    trumps: tuple[Suit, ...] = ()
    """The trump suit; several where it was not recorded."""
    maker: int = -1
    alone: bool = False
    lone_defender: int = -1
    out: int = 0
    """Seats sitting out, a mask."""
    ordered: bool = False
    """The up-card's suit was made, or the joker turned up: the dealer takes the card."""
    illegal: bool = False
    """A call, a pass or a lone defence that the rules do not allow."""

    def takes(self, dealer: int) -> bool:
        """Whether the dealer took the up-card into the hand."""
        return self.ordered and not self.out >> dealer & 1


def read_contract(rules: Rules, deal: EgnDeal) -> Contract:
    """The outcome of the calls. EgnError where the up-card is needed and not known."""
    turned = deal.up_card.number if deal.up_card else 0
    if turned == JOKER:
        return _joker_turned(rules, deal)
    index = next((i for i, call in enumerate(deal.calls) if call != "pass"), len(deal.calls))
    if index == len(deal.calls):
        if index < _ALL_CALLS:
            return Contract(Making.OPEN)
        stuck = "stick_the_dealer" in rules.flags
        return Contract(Making.THROWN_IN, illegal=stuck or index > _ALL_CALLS)
    maker = (deal.dealer + 1 + index) % SEATS
    call = deal.calls[index]
    first_round = index < _FIRST_ROUND
    up_suit = deal.up_card.printed if deal.up_card else 0
    if call == "order":
        if not up_suit:
            raise EgnError("the up-card was ordered and its suit is not known")
        trumps: tuple[Suit, ...] = (up_suit,)
    elif call == "x":
        trumps = (up_suit,) if first_round and up_suit else _unknown(rules, up_suit)
    else:
        trumps = (parse_suit(call),)
    ordered = call == "order" or (first_round and trumps == (up_suit,))
    illegal = ordered != first_round or len(deal.calls) > index + 1
    if not ordered:
        illegal |= up_suit in trumps
        illegal |= trumps == (NO_TRUMP,) and not rules.value("no_trump")
    elif "canadian" in rules.flags and maker == (deal.dealer + 2) % SEATS:
        illegal |= not deal.alone
    return _seated(rules, deal, Contract(Making.MADE, trumps, maker, ordered=ordered), illegal)


def _unknown(rules: Rules, up_suit: Suit) -> tuple[Suit, ...]:
    suits = [suit for suit in (1, 2, 3, 4) if suit != up_suit]
    return (*suits, NO_TRUMP) if rules.value("no_trump") else tuple(suits)


def _joker_turned(rules: Rules, deal: EgnDeal) -> Contract:
    """The dealer alone speaks and names a suit; passes before that are those of the others."""
    said = [call for call in deal.calls if call != "pass"]
    if not said:
        return Contract(Making.OPEN, illegal=len(deal.calls) >= SEATS)
    if said[0] == "order":
        raise EgnError("the joker was turned up: the dealer names a suit, nobody orders")
    trumps = (1, 2, 3, 4) if said[0] == "x" else (parse_suit(said[0]),)
    illegal = trumps == (NO_TRUMP,) or len(said) > 1
    return _seated(rules, deal, Contract(Making.MADE, trumps, deal.dealer, ordered=True), illegal)


def _seated(rules: Rules, deal: EgnDeal, made: Contract, illegal: bool) -> Contract:
    out = 0
    if deal.alone:
        out |= 1 << (made.maker + 2) % SEATS
    lone_defender = deal.lone_defender if deal.alone else -1
    if lone_defender >= 0:
        against = rules.side_of[lone_defender] != rules.side_of[made.maker]
        illegal |= not against or not rules.value("defend_alone")
        if against:
            out |= 1 << (lone_defender + 2) % SEATS
        else:
            lone_defender = -1
    return made._replace(alone=deal.alone, lone_defender=lone_defender, out=out, illegal=illegal)

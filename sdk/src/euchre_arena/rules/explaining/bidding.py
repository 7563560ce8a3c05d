"""Making trumps by auction (rules.md §4)."""

from __future__ import annotations

from euchre_arena.rules.explaining.words import listed, span, tricks
from euchre_arena.rules.presets import Bid
from euchre_arena.rules.ruleset import Rules


def bidding(rules: Rules) -> list[str]:
    """The bids, who wins the auction, what follows."""
    table = rules.table
    once = rules.value("rounds") == "one"
    said = [
        "From eldest, each bids once, a bid above the last, or passes."
        if once
        else "From eldest, round and round until all but one have passed, each bids, above the "
        "last, or passes for good.",
        *_bids(rules),
        "Bids rank only by their number"
        + (
            f"; {rules.hand_size} alone ranks above {rules.hand_size} with "
            f"{'a partner' if rules.seats == 4 else 'partners'}."
            if table.lone_bid
            else "."
        ),
        "The highest bidder is the maker, in partnership with whom he picks; all the others defend."
        if rules.scoring == "picked"
        else "The highest bidder is the maker; his side are the makers, the others the defenders.",
        "When all others have passed the dealer must bid."
        if "stick_the_dealer" in rules.flags
        else "When all pass the hand is thrown in and nobody scores.",
    ]
    said += _after(rules)
    return said


def _bids(rules: Rules) -> list[str]:
    table = rules.table
    if rules.scoring == "picked":
        return [f"The bids: {'; '.join(_picked(rules, n, bid) for n, bid in table.bids.items())}."]
    said = [f"The bids are {span(list(table.bids))}, the tricks one's side undertakes to take."]
    if table.lone_bid:
        who = "partner sits" if rules.seats == 4 else "partners both sit"
        said.append(
            f"Only a bid of all {rules.hand_size} tricks may be said alone: the bidder's {who} out."
        )
    else:
        said.append("Nobody plays alone.")
    return said


def _picked(rules: Rules, number: int, bid: Bid) -> str:
    if bid.alone:
        widow = "with the widow" if bid.widow else "without the widow"
        return f"{number} is all {tricks(bid.tricks)} alone {widow}"
    helpers = "one partner" if bid.partners == 1 else f"{bid.partners} partners"
    return f"{number} is {tricks(bid.tricks)} with {helpers}"


def _after(rules: Rules) -> list[str]:
    """Widow, naming trumps, picking partners."""
    table = rules.table
    suits = "a suit or no trump" if table.lone_bid else "a suit"
    said = []
    if any(bid.widow for bid in table.bids.values()):
        without = [number for number, bid in table.bids.items() if not bid.widow]
        said.append(
            f"The maker takes the widow, unless the bid was {listed(without, 'or')}, and discards "
            f"down to {rules.hand_size} cards."
        )
    if rules.value("suit_in_bid"):
        said.append(f"The bid names the trumps: {suits}.")
    else:
        said.append(f"The auction won, the maker then names the trumps: {suits}.")
    if any(bid.partners for bid in table.bids.values()):
        said.append(
            "A maker who bid with partners then picks as many players as the bid says; they are "
            "his partners for this hand and everybody knows them. Nobody sits out, whatever was "
            "bid."
        )
    return said

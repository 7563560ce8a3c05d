"""Who leads, what must be played, claims (rules.md §5, §8)."""

from __future__ import annotations

from euchre_arena.rules.explaining.cards import may_be_no_trump
from euchre_arena.rules.hand import CLAIM_TRICKS
from euchre_arena.rules.ruleset import Rules


def leading(rules: Rules) -> list[str]:
    """The first lead."""
    if rules.making == "ecarte" or rules.seats == 2:
        return ["The non-dealer leads the first trick; the winner of a trick leads the next."]
    if rules.table.lone_bid:
        first = "The maker leads the first trick"
    elif rules.partnership and rules.making == "turn-up":
        first = "Eldest leads the first trick, or the next player in the hand if eldest sits out"
        if rules.value("loner_lead") == "left-of-maker":
            first += "; against a lone maker the next player in the hand to the maker's left leads"
    else:
        first = "Eldest leads the first trick"
    return [f"{first}; the winner of a trick leads the next."]


def playing(rules: Rules) -> list[str]:
    """Following, winning, claiming, giving up."""
    if rules.making == "ecarte":
        return [
            "You must follow the suit led if you can, and win the trick if you can: with a higher "
            "card of the suit, or, void of it, with a trump. Only who can neither follow nor trump "
            "plays any card.",
            "The highest trump wins the trick, else the highest card of the suit led.",
            "At his own turn in the play one who has fewer than three tricks may concede the rest "
            "of the hand.",
        ]
    said = [
        "You must follow the suit led if you can (the left bower is a trump); if not, any card may "
        "be played.",
        "The highest trump wins the trick, else the highest card of the suit led"
        + (" (at no trump always the latter)." if may_be_no_trump(rules) else "."),
    ]
    if "claims" in rules.flags:
        said.append(
            f"The player on lead may claim all remaining tricks for his side when at most "
            f"{CLAIM_TRICKS} are left, each player once a hand: accepted when they are his "
            "however anybody plays, himself included, else an illegal action."
        )
    return said

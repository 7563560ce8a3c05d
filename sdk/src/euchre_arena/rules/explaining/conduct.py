"""What stays hidden; what illegal and late actions cost (rules.md §10)."""

from __future__ import annotations

from euchre_arena.rules.explaining.words import listed, points
from euchre_arena.rules.hand import REVOKE_POINTS
from euchre_arena.rules.ruleset import Rules

REFUSALS = "fourth"
"""The refusal of one seat in one hand that loses the game; ``match.live.REFUSALS_ALLOWED`` + 1."""


def hidden(rules: Rules) -> list[str]:
    """What only the owner of the cards sees."""
    put_away = _cards_put_away(rules)
    things = ["hands", *(["discards"] if put_away else [])]
    left = rules.pack.size - rules.seats * rules.hand_size - rules.turns_up
    swaps = "swap" in (rules.value("farmers_hand"), rules.value("ace_no_face"))
    if "partners_best" in rules.flags or swaps:
        things.append("cards given or swapped")
    if rules.making == "ecarte":
        things.append("the stock")
    elif any(bid.widow for bid in rules.table.bids.values()):
        things.append("the widow")
    elif left:
        things.append("the kitty")
    if _lone_hands(rules):
        things.append("the hand of a partner who sits out")
    said = [
        f"Hidden from all but their owner until the match is over: {listed(things)}."
        + (" How many cards were put away is public." if put_away else "")
        + " What was refused, and why, is hidden from the others too."
    ]
    if "blind_loner" in rules.flags:
        said.append("A dealer asked to go alone blind has not seen his own five cards.")
    if (
        rules.value("farmers_hand")
        or rules.value("ace_no_face")
        or ("no_ace_no_face_no_trump" in rules.flags)
    ):
        said.append(
            "Only a seat whose hand qualifies is asked about a weak hand; that it was asked and "
            "left it is not shown."
        )
    return said


def _cards_put_away(rules: Rules) -> bool:
    """Somebody may discard: an up-card, the stock or a widow is there to be taken."""
    return rules.turns_up or any(bid.widow for bid in rules.table.bids.values())


def conduct(rules: Rules) -> list[str]:
    """What cannot happen, and the competition's choices."""
    illegal, late = rules.value("on_illegal"), rules.value("on_timeout")
    retry = (
        "is refused, with the reason, and changes nothing; the clock runs on, and the "
        f"{REFUSALS} refusal of one seat in one hand loses the game"
    )
    said = [
        "Misdeals, exposed or missing cards, leads out of turn and stolen deals cannot happen: the "
        "referee deals, and takes an action only from the seat whose turn it is."
    ]
    if illegal == "forfeit":
        said.append("An illegal action loses the game at once.")
    elif illegal == "revoke":
        lone = rules.number("revoke_lone")
        more = f", {lone} while a lone hand is played" if _lone_hands(rules) else ""
        said.append(
            f"An illegal card ends the hand: {points(REVOKE_POINTS)} to the opponents{more}. Any "
            f"other illegal action {retry}."
        )
    else:
        said.append(f"An illegal action {retry}.")
    said.append(
        "A player who runs out of time loses the game."
        if late == "forfeit"
        else "For a player who runs out of time the referee plays the first legal action in "
        "canonical order, and counts a fault."
    )
    said.append(
        "A game lost by a fault is won by the other side."
        if rules.sides == 2
        else "A game lost by a fault is won by all the others."
    )
    said.append(
        "A turn with one legal action is asked all the same."
        if "ask_forced" in rules.flags
        else "A turn with one legal action is played by the referee."
    )
    return said


def _lone_hands(rules: Rules) -> bool:
    return rules.partnership and rules.scoring != "auction"

"""Making trumps by turning up a card, lone hands, what comes before the lead (rules.md §3)."""

from __future__ import annotations

from euchre_arena.rules.cards import JOKER
from euchre_arena.rules.explaining.words import partners
from euchre_arena.rules.ruleset import Rules

_SWAP = "swap exactly three of them for the three top face-down cards of the kitty"


def making(rules: Rules) -> list[str]:
    """Questions before the auction, both rounds."""
    said = [*_blind(rules), *_weak_hands(rules)]
    if rules.seats == 2:
        who = "First round: the non-dealer, then the dealer, passes or"
        second = "the non-dealer, then the dealer,"
    else:
        who = "First round, from eldest to the dealer: each passes or"
        second = "from eldest each"
    said.append(
        f"{who} orders: the up-card's suit is then trumps"
        + (
            " (an opponent of the dealer orders it up, the dealer's "
            f"{partners(rules.seats, rules.sides)[:7]} assists, the dealer picks it up)."
            if rules.partnership
            else "."
        )
    )
    no_trump = ", or no trump" if rules.value("no_trump") else ""
    said.append(
        f"Second round, when all have passed and the card is turned down: {second} passes or calls "
        f"another suit, held or not{no_trump}; the suit turned down may not be called."
    )
    said.append(
        "The dealer may not pass in the second round."
        if "stick_the_dealer" in rules.flags
        else "When all pass again the hand is thrown in and nobody scores."
    )
    said.append(
        "Whoever makes trumps is the maker; he and his "
        f"{partners(rules.seats, rules.sides)} are the makers, the others the defenders."
        if rules.partnership
        else "Whoever makes trumps is the maker."
    )
    return [*said, *_bars(rules), *_joker_up(rules)]


def _blind(rules: Rules) -> list[str]:
    if "blind_loner" not in rules.flags:
        return []
    said = (
        "First, a dealer who turns up a jack may, before seeing his hand, go alone in its suit; "
        "else the hand goes on as usual."
    )
    if _asks_weak_hands(rules):
        said += " If he does, no weak hand is asked."
    return [said]


def _asks_weak_hands(rules: Rules) -> bool:
    return bool(rules.value("farmers_hand") or rules.value("ace_no_face"))


def _weak_hands(rules: Rules) -> list[str]:
    farmers, ace = rules.value("farmers_hand"), rules.value("ace_no_face")
    said = []
    if _asks_weak_hands(rules):
        said.append(
            "Before trumps are made each player from eldest whose hand is weak enough is asked, "
            "and may leave it:"
        )
    if farmers == "swap":
        said.append(f"with three or more nines and tens he may {_SWAP};")
    if farmers == "redeal":
        said.append("with nothing but nines and tens he may have the hand redealt, the dealer not;")
    if ace == "swap":
        said.append(f"with exactly one ace, the rest nines and tens, he may {_SWAP} (not the ace);")
    if ace == "redeal":
        joker = ", the joker counting as a face" if JOKER in rules.pack.cards else ""
        said.append(
            f"with an ace or more and no king, queen or jack he may have the hand redealt{joker};"
        )
    if not said:
        return []
    end = ", and the first who swaps ends the question." if "swap" in (farmers, ace) else "."
    return [" ".join(said).removesuffix(";") + end]


def _bars(rules: Rules) -> list[str]:
    said = []
    if "canadian" in rules.flags:
        who = "partner" if rules.seats == 4 else "partners"
        said.append(f"The dealer's {who} may order up only by going alone.")
    if "jack_alone_bars_call" in rules.flags:
        bar = (
            "No suit may be ordered or called by a player whose trumps in it, the left bower "
            "counted and for the dealer the up-card he would take, would be a single card and that "
            "a jack; a suit of which he holds none he may call."
        )
        if "stick_the_dealer" in rules.flags:
            bar += " A dealer who may not pass and has no other call is free of this."
        said.append(bar)
    return said


def _joker_up(rules: Rules) -> list[str]:
    if "benny" not in rules.flags:
        return []
    alone = ", alone or not" if rules.partnership else ""
    return [
        "When the joker is turned up there are no rounds: the dealer, having seen his hand, must "
        f"name a suit{alone} (any of the four, never no trump); he is the maker, takes the joker "
        "and discards a card."
    ]


def going_alone(rules: Rules) -> list[str]:
    """Who may, and what it means."""
    if not rules.partnership:
        others = "the other player" if rules.seats == 2 else "all others"
        return [f"The maker always plays against {others}; no lone hand is declared."]
    who = partners(rules.seats, rules.sides)
    blind = ", save a dealer who goes blind" if "blind_loner" in rules.flags else ""
    sits = "sits" if who == "partner" else "both sit"
    said = [
        "Only the maker may go alone, and says so with the order or call, at no other "
        f"moment{blind}; the {who} of a lone player {sits} out."
    ]
    defend = rules.value("defend_alone")
    if defend:
        against = "against any makers" if defend == "any" else "against a lone maker"
        said.append(
            f"A defender may defend alone {against}: each is asked in turn from the maker's left; "
            f"the first who says so does, and his {who} {sits} out."
        )
    else:
        said.append("Nobody may defend alone.")
    return said


def preparing(rules: Rules) -> list[str]:
    """What is exchanged once trumps are made."""
    blind = ", blind or not," if "blind_loner" in rules.flags else ""
    said = [
        f"When the up-card's suit was made trumps{blind} the dealer takes the up-card into the "
        "hand and discards one card face down, the up-card allowed"
        + (
            "; when the dealer sits out the card stays where it is, face up, and nobody takes it."
            if rules.partnership
            else "."
        )
    ]
    if "partners_best" in rules.flags:
        said.append(
            "The partner of a lone maker then gives him one card face down, and the maker discards "
            "one."
        )
    if "no_ace_no_face_no_trump" in rules.flags:
        joker = " and no joker" if JOKER in rules.pack.cards and rules.value("no_trump") else ""
        said.append(
            "Then each player in the hand, from eldest, who holds no ace, no king, queen or jack, "
            f"and no trump{joker} may have the hand redealt."
        )
    return said

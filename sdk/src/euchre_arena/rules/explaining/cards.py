"""Who plays, with which cards, and how they are dealt (rules.md §1, §2)."""

from __future__ import annotations

from euchre_arena.rules.cards import JOKER, NAMES, card, rank_of, same_colour
from euchre_arena.rules.dealing import packets
from euchre_arena.rules.explaining.words import count, listed
from euchre_arena.rules.ruleset import Rules

_RANKS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace", "T": "ten"}
_HEARTS = 3


def players(rules: Rules) -> list[str]:
    """Seats and sides."""
    to = "and" if rules.seats == 2 else "to"
    said = [f"{rules.seats} players, seats 0 {to} {rules.seats - 1} clockwise."]
    if rules.sides < rules.seats:
        sides = [
            listed(seat for seat, of in enumerate(rules.side_of) if of == side)
            for side in range(rules.sides)
        ]
        said.append(f"Partners sit alternately: seats {' against seats '.join(sides)}.")
    elif rules.scoring == "picked":
        said.append(
            "Nobody has a fixed partner: the maker picks partners for the hand, and every player "
            "has a score of his own."
        )
    else:
        said.append("Each plays for himself.")
    non_dealer = ", the non-dealer" if rules.seats == 2 else ""
    said.append(
        f"Eldest is the seat to the dealer's left{non_dealer}; every turn passes to the left."
    )
    return said


def pack(rules: Rules) -> list[str]:
    """The pack and how its cards rank."""
    cards = rules.pack.cards
    lowest = rank_of(min(number for number in cards if number != JOKER))
    twice = ", every card twice" if len(set(cards)) < len(cards) else ""
    joker = " and the joker" if JOKER in cards else ""
    said = [
        f"{len(cards)} cards: {_RANKS.get(lowest, lowest)} to ace of each suit{twice}{joker}.",
        f"Plain suits rank {_plain(rules)}, high to low (T is the ten).",
    ]
    if rules.making == "ecarte":
        return [*said, f"Trumps rank alike: {_trumps(rules)}."]
    said.append(
        f"Trumps rank {_trumps(rules)}. The right bower is the jack of trumps, the left bower the "
        "other jack of its colour, which is a trump for every purpose: the plain suit of that "
        "colour has no jack."
    )
    if may_be_no_trump(rules):
        said.append("At no trump there are no bowers and every suit ranks as a plain one.")
        if JOKER in cards:
            said.append(
                "The joker is then the highest card and of no suit: it may be played by a hand "
                "void in the suit led, or led, and its leader then names the suit to be followed, "
                "any of the four."
            )
    if twice:
        said.append("Of two equal cards the one played first is the higher.")
    return said


def may_be_no_trump(rules: Rules) -> bool:
    """A hand may be played without trumps."""
    return bool(rules.value("no_trump")) or rules.table.lone_bid > 0


def _plain(rules: Rules) -> str:
    power = rules.trumps(4).powers[_HEARTS]
    hearts = [number for number in set(rules.pack.cards) if NAMES[number][1:] == "h"]
    return " ".join(rank_of(number) for number in sorted(hearts, key=lambda n: -power[n]))


def _trumps(rules: Rules) -> str:
    names = {} if rules.making == "ecarte" else {
        JOKER: "joker,",
        card(_HEARTS, "J"): "right bower,",
        card(same_colour(_HEARTS), "J"): "left bower, then",
    }  # fmt: skip  # a table
    ranking = rules.trumps(_HEARTS).ranking
    return " ".join(names.get(number) or rank_of(number) for number in ranking)


def dealing(rules: Rules) -> list[str]:
    """The deal and what is left of the pack."""
    rounds = packets(rules.seats, rules.hand_size)
    first, second = (listed(packet[half] for packet in rounds) for half in (0, 1))
    said = [
        "The first dealer of a game is drawn; the deal passes to the left after every hand"
        + (", one thrown in included." if may_be_thrown_in(rules) else "."),
        "Who deals first and the order of every pack come from a key that is committed before the "
        "match and can be checked after it.",
        f"{rules.hand_size} cards each, dealt from eldest in two rounds: {first}, then {second}.",
    ]
    left = rules.pack.size - rules.seats * rules.hand_size
    if may_be_redealt(rules):
        said.append("After a redeal nobody scores and the same dealer deals again.")
    if rules.making == "auction":
        if not left:
            said.append("All cards are dealt; none is turned up.")
        elif any(bid.widow for bid in rules.table.bids.values()):
            said.append(f"The other {count(left, 'card')} are the widow; none is turned up.")
        else:
            said.append(
                f"The other {count(left, 'card')} are the kitty, face down and out of play; none "
                "is turned up."
            )
        return said
    rest = left - 1
    name = "stock, face down" if rules.making == "ecarte" else "kitty, face down"
    ordinal = rules.seats * rules.hand_size + 1
    turned = "its suit is trump" if rules.making == "ecarte" else "its suit is proposed as trumps"
    others = "The last card is" if rest == 1 else f"The other {rest} cards are"
    said.append(f"Card {ordinal} is turned up, the up-card: {turned}. {others} the {name}.")
    return said


def may_be_thrown_in(rules: Rules) -> bool:
    """A hand may end because nobody makes trumps."""
    return rules.making != "ecarte" and "stick_the_dealer" not in rules.flags


def may_be_redealt(rules: Rules) -> bool:
    """Some option lets a hand be thrown up for another deal by the same dealer."""
    values = rules.values
    return (
        "no_ace_no_face_no_trump" in rules.flags
        or values.get("farmers_hand") == "redeal"
        or values.get("ace_no_face") == "redeal"
    )

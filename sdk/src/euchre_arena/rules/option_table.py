"""The options of rules.md §7 as one table: values, default, place, source, a sentence for users.

The sentence says what the option means; what it comes to in a preset, with the numbers, is made by
``explaining`` from this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from .presets import OptionValue, Preset


class Where(NamedTuple):
    """Which presets an option makes sense in."""

    text: str
    fits: Callable[[Preset], bool]


_ALL: Final = Where("every preset", lambda p: True)
_TURN_UP: Final = Where("turn-up presets", lambda p: p.making == "turn-up")
_PARTNERSHIPS: Final = Where(
    "turn-up partnerships", lambda p: p.making == "turn-up" and p.partnership
)
_PAIRS: Final = Where(
    "four-handed turn-up presets",
    lambda p: p.making == "turn-up" and p.partnership and p.seats == 4,
)
FOUR_HANDED: Final = Where("four-handed presets", lambda p: p.partnership and p.seats == 4)
_NOT_ECARTE: Final = Where("every preset but ecarte", lambda p: p.making != "ecarte")
_TWO_SIDES: Final = Where("presets of two sides", lambda p: p.sides == 2)
_TWO_SIDES_TURN_UP: Final = Where(
    "turn-up presets of two sides", lambda p: p.sides == 2 and p.making == "turn-up"
)
_MANY_SIDES: Final = Where("presets of three and more sides", lambda p: p.sides > 2)
_FIVE_CARDS: Final = Where(
    "turn-up presets with five cards", lambda p: p.making == "turn-up" and p.hand_size == 5
)
_FEW_SEATS: Final = Where(
    "presets of up to four seats, not ecarte", lambda p: p.seats <= 4 and p.making != "ecarte"
)


_AUCTIONS: Final = Where("auctions", lambda p: p.making == "auction")
_FIXED_SIDES: Final = Where(
    "auction, bid-four and bid-six", lambda p: p.making == "auction" and p.sides == 2
)
_PLAYERS: Final = Where("auction", lambda p: p.name == "auction")


class Option(NamedTuple):
    """One option: its values, default, place, source and the sentence a user reads."""

    name: str
    values: type[bool] | int | tuple[OptionValue, ...]
    """``bool``; the least whole number; or the values to choose from."""
    default: OptionValue | None
    where: Where
    source: str
    text: str


LARGEST: Final = 10_000
"""Largest whole number an option takes; keeps scores and deals within what records can hold."""

OPTIONS: Final[dict[str, Option]] = {
    option.name: option
    for option in (
        Option("target", 1, None, _ALL, "[S] Ending", "A game goes to this many points."),
        Option(
            "num_deals",
            1,
            None,
            _ALL,
            "[E]",
            "A game is this many deals, thrown-in ones counted and redealt ones not, instead of "
            "going to a target.",
        ),
        Option(
            "max_deals",
            1,
            500,
            _ALL,
            "[R]",
            "A game still going after this many deals ends there: the best score wins.",
        ),
        Option(
            "win_by_two",
            bool,
            False,
            _TWO_SIDES,
            "[R]",
            "A side at the target or past it wins only with a lead of at least two points.",
        ),
        Option(
            "stick_the_dealer",
            bool,
            False,
            _NOT_ECARTE,
            "[S]",
            "When all the others have passed to the end, the dealer may not: no hand is thrown in.",
        ),
        Option(
            "no_trump",
            ("second-round", False),
            False,
            _TURN_UP,
            "[W]",
            "In the second round no trump may be called: a hand without trumps and bowers.",
        ),
        Option(
            "benny",
            bool,
            False,
            _TURN_UP,
            "[S] The joker",
            "The joker is added to the pack as the highest trump; when it is turned up the dealer "
            "names any suit as trumps and takes it.",
        ),
        Option(
            "jack_alone_bars_call",
            bool,
            False,
            _TURN_UP,
            "[W] Variations",
            "A suit in which a player would hold one trump alone, and that a jack, he may not "
            "make trumps.",
        ),
        Option(
            "no_ace_no_face_no_trump",
            bool,
            False,
            _TURN_UP,
            "[W] Variations",
            "Once trumps are made and cards exchanged, a player without ace, face or trump may "
            "have the hand redealt.",
        ),
        Option(
            "farmers_hand",
            ("swap", "redeal", False),
            False,
            _TURN_UP,
            "[S][W]",
            "Before trumps are made, a hand with three or more nines and tens may swap three of "
            "them for the three top cards of the kitty (swap, where three cards lie face down), "
            "or a hand of nothing else, not the dealer's, be redealt (redeal).",
        ),
        Option(
            "ace_no_face",
            ("swap", "redeal", False),
            False,
            _TURN_UP,
            "[W]",
            "Before trumps are made, a hand of one ace, the rest nines and tens, may swap three "
            "of these for the three top cards of the kitty (swap, where three cards lie face "
            "down), or a hand with an ace and no face be redealt (redeal).",
        ),
        Option(
            "canadian",
            bool,
            False,
            _PARTNERSHIPS,
            "[W][E]",
            "The dealer's partner who orders up must go alone.",
        ),
        Option(
            "blind_loner",
            bool,
            False,
            _PARTNERSHIPS,
            "[W] Robson rules",
            "A dealer who turns up a jack may go alone in its suit before seeing his hand, for all "
            "five tricks or nothing.",
        ),
        Option(
            "fast_break",
            bool,
            False,
            _PARTNERSHIPS,
            "[E]",
            "When the defenders take the first two tricks and lose the last three, nobody scores.",
        ),
        Option(
            "four_trick_tokens",
            bool,
            False,
            _PARTNERSHIPS,
            "[E]",
            "Makers with a partner who take exactly four tricks get a token besides; four tokens "
            "become a point.",
        ),
        Option(
            "partners_best",
            bool,
            False,
            _PAIRS,
            "[E]",
            "The partner of a lone maker gives him one card, and the maker discards one.",
        ),
        Option(
            "defend_alone",
            (True, "any", False),
            False,
            _PARTNERSHIPS,
            "[W][E]",
            "A defender may play alone against a lone maker (true), or against any makers (any).",
        ),
        Option(
            "loner_lead",
            ("eldest", "left-of-maker"),
            "eldest",
            _PARTNERSHIPS,
            "[S][E]",
            "Who leads against a lone maker: eldest, or the player to the maker's left (left-of-"
            "maker).",
        ),
        Option(
            "lone_march",
            0,
            4,
            _PARTNERSHIPS,
            "[S]",
            "Points to a lone maker who takes all five tricks.",
        ),
        Option(
            "lone_euchred",
            0,
            2,
            _PARTNERSHIPS,
            "[S]",
            "Points to the defenders who euchre a lone maker.",
        ),
        Option(
            "defend_alone_euchre",
            0,
            4,
            _PARTNERSHIPS,
            "[W] Scoring",
            "Points to a side whose lone defender euchres the makers.",
        ),
        Option(
            "defend_alone_march",
            0,
            4,
            _PARTNERSHIPS,
            "[W] Scoring",
            "Points to a side whose lone defender takes all five tricks.",
        ),
        Option(
            "march",
            0,
            2,
            _FIVE_CARDS,
            "[S]",
            "Points to makers who take all five tricks, save a declared lone hand.",
        ),
        Option(
            "robson",
            bool,
            False,
            _TWO_SIDES_TURN_UP,
            "[W] Robson rules",
            "A side that takes all tricks may have its points taken off the opponents instead.",
        ),
        Option(
            "tie",
            ("shared", "eldest"),
            "shared",
            _MANY_SIDES,
            "[F][H]",
            "Who wins when one hand brings several players to the target: all of them (shared), "
            "or the first from the dealer's left (eldest).",
        ),
        Option(
            "rounds",
            ("one", "open"),
            "one",
            _AUCTIONS,
            "[R]",
            "One bid each (one), or round and round until all but one have passed (open).",
        ),
        Option(
            "suit_in_bid",
            bool,
            False,
            _FIXED_SIDES,
            "[S] Bid Euchre",
            "The trump suit is named with the bid, not after the auction.",
        ),
        Option(
            "players", (4, 6), 4, _PLAYERS, "[F]", "Four players in two pairs, or six in two trios."
        ),
        Option(
            "claims",
            bool,
            False,
            _FEW_SEATS,
            "[R]",
            "The player on lead may claim all remaining tricks, at most the last three.",
        ),
        Option(
            "on_illegal",
            ("retry", "revoke", "forfeit"),
            "retry",
            _ALL,
            "[R]",
            "What an illegal action costs: it is refused (retry), an illegal card gives points to "
            "the opponents and ends the hand (revoke, four-handed games alone), or the game is "
            "lost (forfeit).",
        ),
        Option(
            "on_timeout",
            ("default", "forfeit"),
            "default",
            _ALL,
            "[R]",
            "What running out of time costs: the referee plays the first legal action (default), "
            "or the game is lost (forfeit).",
        ),
        Option(
            "revoke_lone",
            0,
            4,
            FOUR_HANDED,
            "[W] Reneging",
            "Points to the opponents of a player who revokes while a lone hand is played, where "
            "on_illegal is revoke.",
        ),
        Option(
            "ask_forced",
            bool,
            False,
            _ALL,
            "[R]",
            "Bots are asked even when one action alone is legal.",
        ),
    )
}

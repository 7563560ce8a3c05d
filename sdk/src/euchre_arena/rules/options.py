"""The options of rules.md §7 as one table, and their validation."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from .cards import PACKS
from .preset_table import PRESETS
from .presets import OptionValue, Preset


class OptionError(ValueError):
    """An option or preset that makes no sense; the message names it, or both that clash."""


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
_FOUR: Final = Where("four-handed presets", lambda p: p.partnership and p.seats == 4)
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


_LARGEST: Final = 10_000
"""Largest whole number an option takes; keeps scores and deals within what records can hold."""

OPTIONS: Final[dict[str, Option]] = {
    option.name: option
    for option in (
        Option("target", 1, None, _ALL, "[S] Ending", "points that win a game"),
        Option("num_deals", 1, None, _ALL, "[E]", "a game is this many deals, not a target"),
        Option("max_deals", 1, 500, _ALL, "rules.md 6", "a game ends after this many deals"),
        Option("win_by_two", bool, False, _TWO_SIDES, "rules.md 6", "a lead of two wins"),
        Option("stick_the_dealer", bool, False, _NOT_ECARTE, "[S]", "the dealer must call"),
        Option(
            "no_trump",
            ("second-round", False),
            False,
            _TURN_UP,
            "[W]",
            "no trump may be called in the second round",
        ),
        Option("benny", bool, False, _TURN_UP, "[S] The joker", "the joker is the highest trump"),
        Option(
            "jack_alone_bars_call",
            bool,
            False,
            _TURN_UP,
            "[W] Variations",
            "a suit held as a lone jack may not be made trumps",
        ),
        Option(
            "no_ace_no_face_no_trump",
            bool,
            False,
            _TURN_UP,
            "[W] Variations",
            "a hand without ace, face or trump may ask for a redeal once trumps are made",
        ),
        Option(
            "farmers_hand",
            ("swap", "redeal", False),
            False,
            _TURN_UP,
            "[S][W]",
            "weak hands of nines and tens may swap three cards or ask for a redeal",
        ),
        Option(
            "ace_no_face",
            ("swap", "redeal", False),
            False,
            _TURN_UP,
            "[W]",
            "hands with an ace and no face may swap three cards or ask for a redeal",
        ),
        Option(
            "canadian",
            bool,
            False,
            _PARTNERSHIPS,
            "[W][E]",
            "the dealer's partner who orders up must go alone",
        ),
        Option(
            "blind_loner",
            bool,
            False,
            _PARTNERSHIPS,
            "[W] Robson rules",
            "a dealer who turns up a jack may go alone unseen for five points",
        ),
        Option(
            "fast_break",
            bool,
            False,
            _PARTNERSHIPS,
            "[E]",
            "defenders who take the first two tricks and lose the rest: no score",
        ),
        Option(
            "four_trick_tokens",
            bool,
            False,
            _PARTNERSHIPS,
            "[E]",
            "makers who take four tricks get a token, four tokens are a point",
        ),
        Option(
            "partners_best",
            bool,
            False,
            _PAIRS,
            "[E]",
            "a lone maker's partner gives one card, the maker discards one",
        ),
        Option(
            "defend_alone",
            (True, "any", False),
            False,
            _PARTNERSHIPS,
            "[W][E]",
            "a defender may play alone against a lone maker, or against any makers",
        ),
        Option(
            "loner_lead",
            ("eldest", "left-of-maker"),
            "eldest",
            _PARTNERSHIPS,
            "[S][E]",
            "who leads against a lone hand",
        ),
        Option("lone_march", 0, 4, _PARTNERSHIPS, "[S]", "points for five tricks alone"),
        Option("lone_euchred", 0, 2, _PARTNERSHIPS, "[S]", "points for euchring a lone hand"),
        Option(
            "defend_alone_euchre",
            0,
            4,
            _PARTNERSHIPS,
            "[W] Scoring",
            "points for euchring the makers alone",
        ),
        Option(
            "defend_alone_march",
            0,
            4,
            _PARTNERSHIPS,
            "[W] Scoring",
            "points for taking all five tricks in defence alone",
        ),
        Option("march", 0, 2, _FIVE_CARDS, "[S]", "points for five tricks"),
        Option(
            "robson",
            bool,
            False,
            _TWO_SIDES_TURN_UP,
            "[W] Robson rules",
            "points for all five tricks may come off the opponents instead",
        ),
        Option(
            "tie",
            ("shared", "eldest"),
            "shared",
            _MANY_SIDES,
            "[F][H]",
            "who wins when several reach the target in one hand",
        ),
        Option(
            "rounds",
            ("one", "open"),
            "one",
            _AUCTIONS,
            "rules.md 4",
            "one bid each, or round and round until all but one have passed",
        ),
        Option(
            "suit_in_bid",
            bool,
            False,
            _FIXED_SIDES,
            "[S] Bid Euchre",
            "the trump suit is named with the bid",
        ),
        Option("players", (4, 6), 4, _PLAYERS, "[F]", "pairs, or trios of six players"),
        Option(
            "claims",
            bool,
            False,
            _FEW_SEATS,
            "rules.md 5",
            "the seat on lead may claim the last three tricks or fewer",
        ),
        Option(
            "on_illegal",
            ("retry", "revoke", "forfeit"),
            "retry",
            _ALL,
            "rules.md 10",
            "what an illegal action costs",
        ),
        Option(
            "on_timeout",
            ("default", "forfeit"),
            "default",
            _ALL,
            "rules.md 10",
            "what running out of time costs",
        ),
        Option(
            "revoke_lone",
            0,
            4,
            _FOUR,
            "[W] Reneging",
            "points for a revoke while a lone hand is played",
        ),
        Option(
            "ask_forced",
            bool,
            False,
            _ALL,
            "rules.md 10",
            "bots are asked even when one action alone is legal",
        ),
    )
}


def parse_option(text: str) -> tuple[str, OptionValue]:
    """Read ``name=value`` as a person types it: ``target=5``, ``farmers_hand=swap``."""
    name, equals, value = text.partition("=")
    if not equals:
        raise OptionError(f"option {text!r} has no value: write {text}=VALUE")
    try:
        read = json.loads(value)
    except ValueError:
        read = value
    return name.strip(), read if isinstance(read, bool | int | str) else value


def find_preset(name: str) -> Preset:
    """The preset of that name; OptionError names it and the nearest known ones."""
    preset = PRESETS.get(name)
    if preset is not None:
        return preset
    near = difflib.get_close_matches(name, PRESETS, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(PRESETS)}"
    raise OptionError(f"there is no preset {name!r}; {hint}")


def validate(preset: Preset, options: Mapping[str, object]) -> dict[str, OptionValue]:
    """All effective values of a preset under the options set; OptionError where they make no sense.

    ``target`` or ``num_deals`` is missing from the result where the other decides.
    """
    values: dict[str, OptionValue] = {
        option.name: option.default
        for option in OPTIONS.values()
        if option.default is not None and option.where.fits(preset)
    }
    values.update(preset.defaults)
    for name, value in options.items():
        values[name] = _checked(preset, name, value)
    if "num_deals" in options:
        for other in ("target", "win_by_two"):
            if options.get(other):
                raise OptionError(
                    f"options 'num_deals' and '{other}' contradict each other: "
                    "a game is a number of deals or goes to a target"
                )
        values.pop("target", None)
    pack = PACKS[pack_name(preset, values)]
    face_down = pack.size - preset.seats * preset.hand_size - 1
    for name in ("farmers_hand", "ace_no_face"):
        if values.get(name) == "swap" and face_down < 3:
            raise OptionError(
                f"option {name!r} = 'swap' does not go with preset {preset.name!r}: "
                f"it needs three face-down cards, there are {face_down}"
            )
    if values["on_illegal"] == "revoke" and not _FOUR.fits(preset):
        raise OptionError(
            f"option 'on_illegal' = 'revoke' does not go with preset {preset.name!r}: "
            f"it makes sense in {_FOUR.text}"
        )
    return values


def pack_name(preset: Preset, values: Mapping[str, OptionValue]) -> str:
    """The pack played with; ``benny`` adds the joker (24 → 25, 32 → 33)."""
    return {"24": "25", "32": "33"}[preset.pack] if values.get("benny") else preset.pack


def _checked(preset: Preset, name: str, value: object) -> OptionValue:
    option = OPTIONS.get(name)
    if option is None:
        near = difflib.get_close_matches(name, OPTIONS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(OPTIONS)}"
        raise OptionError(f"there is no option {name!r}{hint}")
    if not option.where.fits(preset):
        raise OptionError(
            f"option {name!r} does not go with preset {preset.name!r}: "
            f"it makes sense in {option.where.text}"
        )
    return _value(option, value)


def _value(option: Option, value: object) -> OptionValue:
    values = option.values
    if values is bool:
        if isinstance(value, bool):
            return value
        raise OptionError(f"option {option.name!r} is true or false, not {value!r}")
    if isinstance(values, int):
        if isinstance(value, int) and not isinstance(value, bool) and values <= value <= _LARGEST:
            return value
        raise OptionError(
            f"option {option.name!r} is a whole number from {values} to {_LARGEST}, not {value!r}"
        )
    assert isinstance(values, tuple)
    for choice in values:
        if type(choice) is type(value) and choice == value:
            return choice
    choices = ", ".join(json.dumps(choice) for choice in values)
    raise OptionError(f"option {option.name!r} is one of {choices}, not {value!r}")

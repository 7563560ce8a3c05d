"""The ``ruleset`` of an EGN game as our rules (conformance.md, EGN).

A key that is none of these is refused by name: a game replayed by other rules than its own would
be scored wrongly without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from euchre_arena.match.egn.notation import EgnError
from euchre_arena.rules import OptionError, Rules
from euchre_arena.rules.presets import OptionValue

Setting = tuple[str, OptionValue]
"""An option of ours and its value."""

_LONER_LEAD: Final = {"LEFT_OF_DEALER": "eldest", "LEFT_OF_LONER": "left-of-maker"}
_PRESET_OF_RANK: Final = {9: "standard", 7: "hoyle"}
_EGN_TARGET: Final = 10
"""Points that win where the ruleset names none."""


def read_ruleset(ruleset: Mapping[str, object]) -> Rules:
    """The rules a game is played by. EgnError names the key that cannot be read or played."""
    preset = "standard"
    options: dict[str, OptionValue] = {}
    for key, value in ruleset.items():
        if key == "min_rank":
            preset = _preset(value)
            continue
        read = _KEYS.get(key)
        if read is None:
            raise EgnError(
                f"ruleset key {key!r} is not known; known are min_rank, {', '.join(_KEYS)}"
            )
        setting = read(key, value)
        if setting is not None:
            options[setting[0]] = setting[1]
    if "num_deals" not in options:
        options.setdefault("target", _EGN_TARGET)
    try:
        return Rules.of(preset, options)
    except OptionError as error:
        raise EgnError(f"ruleset: {error}") from None


def _preset(value: object) -> str:
    preset = _PRESET_OF_RANK.get(value) if type(value) is int else None
    if preset is None:
        raise _wrong("min_rank", value, "9 or 7")
    return preset


def _wrong(key: str, value: object, wanted: str) -> EgnError:
    return EgnError(f"ruleset key {key!r} is {value!r}, not {wanted}")


def _on(option: str, on: OptionValue = True) -> Callable[[str, object], Setting | None]:
    """A switch: set when true."""

    def read(key: str, value: object) -> Setting | None:
        if not isinstance(value, bool):
            raise _wrong(key, value, "true or false")
        return (option, on) if value else None

    return read


def _points(option: str) -> Callable[[str, object], Setting | None]:
    def read(key: str, value: object) -> Setting | None:
        return option, _number(key, value)

    return read


def _limit(option: str) -> Callable[[str, object], Setting | None]:
    """A number that ends a game; 0: it does not."""

    def read(key: str, value: object) -> Setting | None:
        number = _number(key, value)
        return (option, number) if number else None

    return read


def _number(key: str, value: object) -> int:
    if type(value) is not int or value < 0:
        raise _wrong(key, value, "a whole number from 0")
    return value


def _loner_lead(key: str, value: object) -> Setting | None:
    lead = _LONER_LEAD.get(value) if isinstance(value, str) else None
    if lead is None:
        raise _wrong(key, value, " or ".join(_LONER_LEAD))
    return "loner_lead", lead


_KEYS: Final[dict[str, Callable[[str, object], Setting | None]]] = {
    "std": _on("stick_the_dealer"),
    "canadian": _on("canadian"),
    "defend_alone": _on("defend_alone"),
    "partners_best": _on("partners_best"),
    "fast_break": _on("fast_break"),
    "four_trick_tokens": _on("four_trick_tokens"),
    "allow_no_trump": _on("no_trump", "second-round"),
    "joker": _on("benny"),
    "farmers": _on("farmers_hand", "swap"),
    "go_under": _on("farmers_hand", "swap"),
    "loner_lead": _loner_lead,
    "loner_march_score": _points("lone_march"),
    "loner_euchred_score": _points("lone_euchred"),
    "winning_score": _limit("target"),
    "num_deals": _limit("num_deals"),
}

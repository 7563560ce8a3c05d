"""The options of a preset, checked against the one table (``option_table``)."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping

from .cards import PACKS
from .option_table import FOUR_HANDED, LARGEST, OPTIONS, Option
from .preset_table import PRESETS
from .presets import OptionValue, Preset

__all__ = [
    "LARGEST",
    "OPTIONS",
    "Option",
    "OptionError",
    "find_preset",
    "pack_name",
    "parse_option",
    "validate",
]


class OptionError(ValueError):
    """An option or preset that makes no sense; the message names it, or both that clash."""


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
    if values["on_illegal"] == "revoke" and not FOUR_HANDED.fits(preset):
        raise OptionError(
            f"option 'on_illegal' = 'revoke' does not go with preset {preset.name!r}: "
            f"it makes sense in {FOUR_HANDED.text}"
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
        if isinstance(value, int) and not isinstance(value, bool) and values <= value <= LARGEST:
            return value
        raise OptionError(
            f"option {option.name!r} is a whole number from {values} to {LARGEST}, not {value!r}"
        )
    assert isinstance(values, tuple)
    for choice in values:
        if type(choice) is type(value) and choice == value:
            return choice
    choices = ", ".join(json.dumps(choice) for choice in values)
    raise OptionError(f"option {option.name!r} is one of {choices}, not {value!r}")

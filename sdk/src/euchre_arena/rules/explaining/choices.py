"""The options that may be set over a preset, with their values and defaults (rules.md §7)."""

from __future__ import annotations

import json
from typing import NamedTuple

from euchre_arena.rules.explaining.words import listed
from euchre_arena.rules.options import LARGEST, OPTIONS, Option, OptionError, validate
from euchre_arena.rules.presets import OptionValue
from euchre_arena.rules.ruleset import Rules


class Choice(NamedTuple):
    """One option as it stands in some rules."""

    name: str
    values: str
    """``true or false``, ``1 to 10000``, ``swap, redeal or false``."""
    default: OptionValue | None
    """The preset's own; None where it is not set."""
    value: OptionValue | None
    """In these rules."""
    source: str
    text: str
    """The sentence a user reads."""


def choices(rules: Rules) -> tuple[Choice, ...]:
    """Every option that makes sense in the preset, in the order of the table."""
    plain = Rules.of(rules.preset)
    return tuple(
        Choice(
            option.name,
            _values_text(option, rules),
            plain.value(option.name),
            rules.value(option.name),
            option.source,
            option.text,
        )
        for option in OPTIONS.values()
        if option.where.fits(rules.table)
    )


def _values_text(option: Option, rules: Rules) -> str:
    """What may be written after ``name=``: of words those the rules take, the others as set."""
    if option.values is bool:
        return "true or false"
    if isinstance(option.values, tuple):
        taken = [value for value in option.values if _taken(rules, option.name, value)]
        return listed(map(value_text, taken), "or")
    return f"{option.values} to {LARGEST}"


def _taken(rules: Rules, name: str, value: OptionValue) -> bool:
    try:
        validate(rules.table, {**rules.options, name: value})
    except OptionError:
        return False
    return True


def value_text(value: OptionValue | None) -> str:
    """A value as one writes it on the command line."""
    if value is None:
        return "not set"
    return value if isinstance(value, str) else json.dumps(value)


def set_over(rules: Rules) -> list[str]:
    """What was chosen against the preset."""
    plain = Rules.of(rules.preset)
    return [
        f"{name} = {value_text(value)} (the preset: {value_text(plain.value(name))}). "
        + OPTIONS[name].text
        for name, value in rules.options.items()
    ]

"""``euchre-arena presets``: the games that are played, and their options."""

from __future__ import annotations

import json
from typing import Any

import click

from euchre_arena.rules import PRESETS
from euchre_arena.rules.options import OPTIONS, Option
from euchre_arena.rules.presets import Preset
from euchre_arena.rules.ruleset import Rules


@click.command()
@click.argument("name", required=False)
@click.option("--names", is_flag=True, help="Print the names alone, one a line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def presets(name: str | None, names: bool, as_json: bool) -> None:
    """List the presets, the games that are played; with NAME, that preset and its options.

    Examples:

    \b
      euchre-arena presets
      euchre-arena presets british
      euchre-arena presets --names
      euchre-arena play book random --preset british --option target=5
    """
    if name is not None and name not in PRESETS:
        raise click.BadParameter(
            f"there is no preset {name!r}; there are {', '.join(PRESETS)}", param_hint="NAME"
        )
    chosen = [PRESETS[name]] if name else list(PRESETS.values())
    if as_json:
        click.echo(json.dumps({preset.name: describe(preset) for preset in chosen}, indent=2))
    elif names:
        for preset in chosen:
            click.echo(preset.name)
    elif name:
        _one(PRESETS[name])
    else:
        width = max(map(len, PRESETS))
        for preset in chosen:
            click.echo(f"{preset.name:{width}}  {preset.seats} seats  {preset.summary}")
        click.echo("\nOptions of a preset: euchre-arena presets NAME")


def describe(preset: Preset) -> dict[str, Any]:
    """A preset and the options that go with it, for programs."""
    rules = Rules.of(preset.name)
    return {
        "summary": preset.summary,
        "source": preset.source,
        "seats": preset.seats,
        "side_of": list(preset.side_of),
        "pack": rules.pack.name,
        "hand_size": preset.hand_size,
        "options": {
            option.name: {
                "default": rules.values.get(option.name),
                "values": _values(option),
                "source": option.source,
                "text": option.text,
            }
            for option in OPTIONS.values()
            if option.where.fits(preset)
        },
    }


def _values(option: Option) -> str:
    """What an option may be, in a word or two."""
    if option.values is bool:
        return "true, false"
    if isinstance(option.values, tuple):
        return ", ".join(v if isinstance(v, str) else json.dumps(v) for v in option.values)
    return f"a number from {option.values}"


def _one(preset: Preset) -> None:
    rules = Rules.of(preset.name)
    click.echo(f"{preset.name}: {preset.summary} {preset.source}")
    sides = [
        " and ".join(str(seat) for seat, of in enumerate(preset.side_of) if of == side)
        for side in range(preset.sides)
    ]
    click.echo(
        f"{preset.seats} seats ({' against '.join(sides)}), "
        f"{rules.pack.size} cards, {preset.hand_size} each\n"
    )
    fitting = [option for option in OPTIONS.values() if option.where.fits(preset)]
    width = max(len(option.name) for option in fitting)
    for option in fitting:
        value = rules.values.get(option.name)
        shown = (
            "not set" if value is None else value if isinstance(value, str) else json.dumps(value)
        )
        click.echo(f"  {option.name:{width}}  {shown}")
        click.echo(f"  {'':{width}}    {option.text} {option.source}; {_values(option)}")

"""``euchre-arena presets``: the games that are played, their rules in words, and their options."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import fill
from typing import Any, Final

import click

from euchre_arena.rules import PRESETS, OptionError, parse_option
from euchre_arena.rules.explaining import Choice, choices, explain
from euchre_arena.rules.explaining.choices import value_text
from euchre_arena.rules.options import find_preset
from euchre_arena.rules.presets import SOURCES, Preset
from euchre_arena.rules.ruleset import Rules

WIDTH: Final = 98


@click.command()
@click.argument("name", required=False)
@click.option("--explain", "in_words", is_flag=True, help="Print the rules in plain words.")
@click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option over the preset NAME; may be given several times.",
)
@click.option("--names", is_flag=True, help="Print the names alone, one a line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def presets(
    name: str | None, in_words: bool, options: tuple[str, ...], names: bool, as_json: bool
) -> None:
    """List the presets, the games that are played; with NAME, that preset and its options.

    With --explain, the whole rules of NAME (of every preset without it) in plain words, as the
    referee plays them with the options set.

    Examples:

    \b
      euchre-arena presets
      euchre-arena presets british
      euchre-arena presets --explain ecarte
      euchre-arena presets --explain standard --option benny=true --option target=5
      euchre-arena presets --names
    """
    chosen = _chosen(name, options)
    if as_json:
        data = {rules.preset: describe(rules, in_words) for rules in chosen}
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    elif names:
        for rules in chosen:
            click.echo(rules.preset)
    elif in_words:
        click.echo("\n\n".join("\n".join(_explained(rules)) for rules in chosen))
    elif name:
        click.echo("\n".join(_one(chosen[0])))
    else:
        width = max(map(len, PRESETS))
        for preset in PRESETS.values():
            click.echo(f"{preset.name:{width}}  {preset.seats} seats  {preset.summary}")
        click.echo("\nOptions of a preset: euchre-arena presets NAME")
        click.echo("Its rules in plain words: euchre-arena presets --explain NAME")


def _chosen(name: str | None, options: tuple[str, ...]) -> list[Rules]:
    if name is None:
        if options:
            raise click.UsageError("--option goes with one preset: name it")
        return [Rules.of(preset) for preset in PRESETS]
    try:
        find_preset(name)
    except OptionError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    try:
        pairs = [parse_option(text) for text in options]
        if len(dict(pairs)) < len(pairs):
            raise click.UsageError("an option is given twice")
        return [Rules.of(name, dict(pairs))]
    except OptionError as error:
        raise click.BadParameter(str(error), param_hint="--option") from None


def describe(rules: Rules, in_words: bool = False) -> dict[str, Any]:
    """A preset and the options that go with it, for programs."""
    preset = PRESETS[rules.preset]
    data: dict[str, Any] = {
        "summary": preset.summary,
        "source": preset.source,
        "seats": rules.seats,
        "side_of": list(rules.side_of),
        "pack": rules.pack.name,
        "hand_size": rules.hand_size,
        "options_set": dict(rules.options),
        "options": {
            choice.name: {
                "default": choice.default,
                "value": choice.value,
                "values": choice.values,
                "source": choice.source,
                "text": choice.text,
            }
            for choice in choices(rules)
        },
    }
    if in_words:
        data["rules"] = {section.title: list(section.sentences) for section in explain(rules)}
    return data


def _one(rules: Rules) -> Iterator[str]:
    preset = PRESETS[rules.preset]
    yield f"{preset.name}: {preset.summary} {preset.source}"
    yield (
        f"{rules.seats} seats ({_sides(rules)}), {rules.pack.size} cards, {rules.hand_size} each\n"
    )
    yield from _options(choices(rules))
    yield f"\nThe rules in plain words: euchre-arena presets --explain {preset.name}"


def _sides(rules: Rules) -> str:
    sides = [
        " and ".join(str(seat) for seat, of in enumerate(rules.side_of) if of == side)
        for side in range(rules.sides)
    ]
    return " against ".join(sides)


def _explained(rules: Rules) -> Iterator[str]:
    preset: Preset = PRESETS[rules.preset]
    yield f"{preset.name}: {preset.summary} {preset.source}"
    for section in explain(rules):
        yield f"\n{section.title}"
        for sentence in section.sentences:
            yield fill(sentence, WIDTH, initial_indent="  ", subsequent_indent="    ")
    yield "\nOptions that may be set"
    found = choices(rules)
    yield from _options(found)
    yield "\nSources"
    named = preset.source + "".join(choice.source for choice in found)
    for letter, title in SOURCES.items():
        if f"[{letter}]" in named:
            yield f"  [{letter}] {title}"


def _options(found: tuple[Choice, ...]) -> Iterator[str]:
    width = max(len(choice.name) for choice in found)
    for choice in found:
        value = value_text(choice.value)
        if choice.value != choice.default:
            value += f" (the preset: {value_text(choice.default)})"
        yield f"  {choice.name:{width}}  {value}; {choice.values}"
        indent = " " * (width + 6)
        yield fill(
            f"{choice.text} {choice.source}", WIDTH, initial_indent=indent, subsequent_indent=indent
        )

"""The rules of a preset in plain words, made from the tables the engine plays by.

``explain(rules)`` gives sections of sentences: `cards` (players, pack, deal), `turning_up`,
`bidding` or `ecarte` (making trumps), `playing`, `counting` (points), `ending`, `conduct`,
`choices` (the options). Numbers are never written down here: they come from the preset, its
options, the pack's tables, and what a hand scores from the scoring functions themselves.
"""

from __future__ import annotations

from typing import NamedTuple

from euchre_arena.rules.explaining.bidding import bidding
from euchre_arena.rules.explaining.cards import dealing, pack, players
from euchre_arena.rules.explaining.choices import Choice, choices, set_over
from euchre_arena.rules.explaining.conduct import conduct, hidden
from euchre_arena.rules.explaining.counting import counting
from euchre_arena.rules.explaining.ecarte import exchanging
from euchre_arena.rules.explaining.ending import ending
from euchre_arena.rules.explaining.playing import leading, playing
from euchre_arena.rules.explaining.turning_up import going_alone, making, preparing
from euchre_arena.rules.ruleset import Rules

__all__ = ["Choice", "Section", "choices", "explain"]


class Section(NamedTuple):
    """Sentences about one thing."""

    title: str
    sentences: tuple[str, ...]


def explain(rules: Rules) -> tuple[Section, ...]:
    """All rules of a preset with its options, in the order in which one needs them."""
    sections = [
        ("Options set", set_over(rules)),
        ("Players", players(rules)),
        ("Cards", pack(rules)),
        ("Deal", dealing(rules)),
    ]
    if rules.making == "turn-up":
        sections += [
            ("Making trumps", making(rules)),
            ("Going alone", going_alone(rules)),
            ("Before the lead", preparing(rules)),
        ]
    elif rules.making == "auction":
        sections += [("Bidding", bidding(rules))]
    else:
        sections += [("Proposals and exchanges", exchanging(rules))]
    sections += [
        ("Lead", leading(rules)),
        ("Play", playing(rules)),
        ("Points", counting(rules)),
        ("End of the game", ending(rules)),
        ("Hidden", hidden(rules)),
        ("Illegal and late actions", conduct(rules)),
    ]
    return tuple(Section(title, tuple(said)) for title, said in sections if said)

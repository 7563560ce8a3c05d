"""When a game ends and who wins it (rules.md §6)."""

from __future__ import annotations

from euchre_arena.rules.explaining.cards import may_be_redealt, may_be_thrown_in
from euchre_arena.rules.explaining.words import count, listed
from euchre_arena.rules.ruleset import Rules


def ending(rules: Rules) -> list[str]:
    """Target, number of deals, ties, the most deals."""
    side = "side" if rules.sides < rules.seats else "player"
    both = "both" if rules.sides == 2 else "all"
    said = []
    if rules.target:
        said += _target(rules, side)
    else:
        deals = rules.number("num_deals")
        counted = [
            *(["those thrown in counted"] if may_be_thrown_in(rules) else []),
            *(["those redealt not counted"] if may_be_redealt(rules) else []),
        ]
        said.append(
            f"A game is {', '.join([count(deals, 'deal'), *counted])}: the best score wins, and "
            f"level {side}s {both} win."
        )
    kinds = [
        *(["thrown-in"] if may_be_thrown_in(rules) else []),
        *(["redealt"] if may_be_redealt(rules) else []),
    ]
    said.append(
        f"A game still going after {count(rules.number('max_deals'), 'deal')}"
        + (f", {listed(kinds)} ones counted," if kinds else "")
        + f" ends there: the best score wins, and level {side}s {both} win."
    )
    return said


def _target(rules: Rules, side: str) -> list[str]:
    target = rules.target
    if "win_by_two" in rules.flags:
        said = [
            f"The first {side} to stand at {target} points or past it with a lead of at least 2 "
            "wins, and the game ends there."
        ]
    else:
        said = [
            f"The first {side} to {target} points wins; passing {target} is winning, and the game "
            "ends there."
        ]
    if rules.making == "ecarte":
        said.append("A king turned up or marked that wins the game so ends it at once.")
    if "win_by_two" in rules.flags:
        return said
    if rules.scoring == "bid":
        said.append(f"When one hand brings both sides to {target} the makers win.")
    elif rules.sides > 2 and rules.value("tie") == "eldest":
        said.append(
            f"When one hand brings several players to {target} the first of them from the "
            "dealer's left wins."
        )
    elif rules.sides > 2:
        said.append(f"When one hand brings several players to {target} all of them win.")
    return said

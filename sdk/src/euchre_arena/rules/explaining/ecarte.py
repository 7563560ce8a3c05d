"""Proposals, exchanges and the king (rules.md §8)."""

from __future__ import annotations

from euchre_arena.rules.ecarte import KING_POINT
from euchre_arena.rules.explaining.words import points
from euchre_arena.rules.ruleset import Rules


def exchanging(rules: Rules) -> list[str]:
    """Until somebody stands or refuses."""
    most = rules.hand_size
    return [
        "The non-dealer stands, and plays with the cards as they are, or proposes an exchange.",
        "On a proposal the dealer accepts or refuses; when he refuses they play.",
        f"Accepted, the non-dealer discards 1 to {most} cards and draws as many from the stock, "
        f"then the dealer 0 to {most}; nobody may discard more than the stock then holds.",
        "Then the non-dealer stands or proposes again. On an empty stock he can only stand; a "
        "dealer who finds it empty discards nothing.",
        f"A king turned up marks {points(KING_POINT)} to the dealer at once.",
        f"Whoever holds the king of trumps may mark {points(KING_POINT)} at his first turn to "
        "play, before a card leaves the hand, and then plays; a king not marked then is not "
        "marked at all, one that is led included.",
    ]

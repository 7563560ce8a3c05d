"""A deal to build EGN games on, and to break."""

from __future__ import annotations

import copy
from typing import Any

from euchre_arena.match.egn import replay_egn

# One deal to build on: dealer 0, spades ordered by 1, who takes the first two tricks.

DEAL: dict[str, Any] = {
    "initialState": {"dealer": 0, "upCard": "9s"},
    "phases": [
        {"type": "EUCHRE_BIDDING", "calls": ["Order"], "isAlone": False, "discard": "Td"},
        {
            "type": "TRICK_PLAY",
            "tricks": [
                ["Js", "Ts", "Qs", "9s"],
                ["Jc", "9d", "Ks", "9c"],
                ["Ah", "9h", "Th", "Kh"],
                ["As", "Tc", "Jd", "Qc"],
                ["Ad", "Qd", "Kd", "Ac"],
            ],
        },
    ],
}


def game(*deals: dict[str, Any], ruleset: Any = None, score: Any = None) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    if ruleset is not None:
        metadata["ruleset"] = ruleset
    if score is not None:
        metadata["initialScore"] = score
    return {
        "fileType": "Euchre Game Notation",
        "version": "1.4",
        "metadata": metadata,
        "deals": list(deals),
    }


def changed(**members: Any) -> dict[str, Any]:
    """The deal with members of its state, bidding or play changed."""
    deal = copy.deepcopy(DEAL)
    for name, value in members.items():
        if name in ("dealer", "upCard", "playerCards", "kitty"):
            deal["initialState"][name] = value
        elif name == "tricks":
            deal["phases"][1][name] = value
        else:
            deal["phases"][0][name] = value
    return deal


def tricks(text: str) -> list[list[str]]:
    """``"Js Ts Qs 9s / Jc 9d"`` as tricks."""
    return [trick.split() for trick in text.split("/")]


def faults(deal: dict[str, Any], **rest: Any) -> list[dict[str, Any]]:
    return replay_egn(game(deal, **rest)).faults

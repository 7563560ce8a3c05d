"""A hand that was watched, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from euchre_arena.rules import action_text
from euchre_arena.rules.cards import card_name

from arena.admin.client import Told

PLAY = "play "


def lines(told: Told, names: Sequence[str]) -> Iterator[str]:
    """A hand in three lines: who dealt, what was said, the tricks; or the end of a game.

    ``names``: the match's entrants.
    """
    score = _dash(told.score)
    players = [names[entrant] if entrant < len(names) else str(entrant) for entrant in told.seats]
    if told.game_over:
        # Sides are numbered by their lowest seat, so side i has seat i.
        won = " and ".join(dict.fromkeys(players[side] for side in told.winners)) or "nobody"
        yield f"game {told.game_number} is over, {score}: won by {won}"
        return
    if told.hand_number == 0:
        seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(players))
        yield f"game {told.game_number}, attempt {told.attempt}: in seats {seats}"
    up_card = f", up-card {card_name(told.up_card)}" if told.up_card else ""
    yield (
        f"game {told.game_number} hand {told.hand_number}: dealer {told.dealer}{up_card}, tricks "
        f"{_dash(told.tricks)}, points {_dash(told.points)}, score {score}"
    )
    said, tricks = _told(told.actions)
    if said:
        yield f"  {', '.join(said)}"
    if tricks:
        yield f"  {' | '.join(tricks)}"


def _told(actions: Sequence[int]) -> tuple[list[str], list[str]]:
    """What was said, and the cards trick by trick, the leader first."""
    texts = [(action >> 16, action_text(action & 0xFFFF)) for action in actions]
    at_table = len({seat for seat, text in texts if text.startswith(PLAY)})
    said: list[str] = []
    tricks: list[list[str]] = []
    for seat, text in texts:
        if not text.startswith(PLAY):
            said.append(f"{seat} {text}")
            continue
        if not tricks or len(tricks[-1]) == at_table:
            tricks.append([])
        tricks[-1].append(f"{seat} {text.removeprefix(PLAY)}")
    return said, [" ".join(trick) for trick in tricks]


def _dash(numbers: Sequence[int]) -> str:
    return "–".join(map(str, numbers))

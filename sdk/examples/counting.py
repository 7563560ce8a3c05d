"""A bot that counts cards: it leads what can no longer be beaten.

It remembers nothing itself. Every turn brings the hand's history, and a bot that works from that
can be stopped, restarted and moved in the middle of a game.

    euchre-arena play counting.py:Counting book --games 1000
"""

from __future__ import annotations

from euchre_arena import Bot, Turn

RANKS = "23456789TJQKA"
SAME_COLOUR = {"c": "s", "s": "c", "d": "h", "h": "d"}


def suit(card: str, trump: str | None) -> str:
    """The suit a card counts in: the left bower and the joker are trumps."""
    if card == "B" or (card[0] == "J" and trump in SAME_COLOUR and card[1] == SAME_COLOUR[trump]):
        return trump or ""
    return card[1]


def power(card: str, trump: str | None) -> int:
    """How high a card is among those of its suit."""
    if card == "B":
        return 16
    if card[0] == "J" and suit(card, trump) == trump:
        return 15 if card[1] == trump else 14
    return RANKS.index(card[0])


class Counting(Bot):
    def act(self, turn: Turn) -> str:
        plays = [action for action in turn.legal if action.kind == "play"]
        if plays and len(plays) == len(turn.legal):
            return self.lead(turn, plays) if not turn.trick else self.follow(turn, plays)
        if turn.phase == "order":
            return self.order(turn)
        return turn.legal[0]

    def order(self, turn: Turn) -> str:
        trump = (turn.up_card or "B")[-1]
        trumps = [card for card in turn.hand if suit(card, trump) == trump]
        wanted = 2 if turn.side_of[turn.dealer] == turn.side_of[turn.seat] else 3
        return "order" if len(trumps) >= wanted and "order" in turn.legal else turn.legal[0]

    def lead(self, turn: Turn, plays: list) -> str:
        gone = {action.card for _, action in turn.history if action.kind == "play"}
        gone.update(turn.put_away, turn.hand)
        best = [action for action in plays if not self.beaten_by(action.card, turn.trump, gone)]
        return (best or plays)[-1]

    def beaten_by(self, card: str, trump: str | None, gone: set) -> list[str]:
        """Cards of the suit that are higher and not seen yet; of the pack of 24."""
        others = [rank + s for s in "cdhs" for rank in "9TJQKA" if rank + s not in gone]
        same = [other for other in others if suit(other, trump) == suit(card, trump)]
        return [other for other in same if power(other, trump) > power(card, trump)]

    def follow(self, turn: Turn, plays: list) -> str:
        return min(plays, key=lambda action: power(action.card, turn.trump))

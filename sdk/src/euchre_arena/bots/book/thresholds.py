"""The numbers behind the advice: what a variant of `book` changes."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Tricks a hand must promise (`counting.tricks`) before it speaks, and what shifts them."""

    order: float = 3.0
    """Eldest orders up."""
    pone: float = 3.0
    """The dealer's right-hand neighbour orders up."""
    assist: float = 2.0
    """The dealer's partner assists."""
    pickup: float = 2.2
    """The dealer picks up, counted after the discard."""
    call: float = 2.2
    """A suit is named in the second round."""
    next: float = 0.5
    """Less is asked of the next suit by the dealer's adversaries, of crossing by his side."""
    alone: float = 3.5
    """Sure tricks (`counting.sure_tricks`) for a lone hand; 9 never goes alone. [S] asks for four;
    half a trick less was measured to gain 0.01 points a deal.
    """
    defend_alone: float = 3.5
    """Sure tricks for a lone defence."""
    bower: float = 0.5
    """More is asked before a bower is ordered into an adversary's hand."""
    sure: float = 0.5
    """Less is asked of a hand with two sure trumps and an ace."""
    aces: float = 0.0
    """Less is asked of the dealer's partner with two side aces."""
    light: float = 0.3
    """Less is asked when both sides need one point."""
    solo: float = -0.3
    """More is asked of a maker who plays alone at two- and three-handed euchre, over three of five
    tricks or four of seven (`chances.expected_tricks`)."""
    seven: float = 0.4
    """Less is asked with seven cards, where a failure brings the defenders two points in all."""
    setback: float = 0.3
    """And more where a euchre comes off the maker."""
    last: float = 0.2
    """And more when the euchre would win an adversary the game."""
    bid: float = -0.1
    """Tricks a hand is to be worth beyond its bid."""
    all_alone: float = -0.3
    """Likewise for all tricks alone."""
    picked: float = 0.3
    """More is asked where a failed bid comes off the maker alone and nobody gains (`five`,
    `seven`)."""
    widow: float = 0.25
    """Tricks hoped for from each card of the widow."""
    raised: float = 0.3
    """More is expected when a partner has bid, twice as much in the suit he bid."""
    bridge: bool = False
    """Order up at the bridge whatever is held, to keep the dealer from going alone. Measured to
    make no difference to games won, at five points or ten."""
    skip: str = ""
    """Pieces of advice left out, by name, set apart by ``+``: ``lead_aces+draw_trumps``."""

    def __post_init__(self) -> None:
        """ValueError for a value that is not of the parameter's kind."""
        for field in fields(self):
            value, wanted = getattr(self, field.name), type(field.default)
            if wanted is float and type(value) is int:
                continue
            if type(value) is not wanted:
                kind = {float: "a number", bool: "true or false", str: "text"}[wanted]
                raise ValueError(f"{field.name} is {kind}, not {value!r}")

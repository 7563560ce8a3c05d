"""The words of a hand: phases, reasons, results (conformance.md)."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Phase(IntEnum):
    """What a seat is asked for; the numbers are those of the wire."""

    BLIND = 1
    FARMERS = 2
    BENNY = 3
    ORDER = 4
    CALL = 5
    BID = 6
    WIDOW = 7
    NAME = 8
    PICK = 9
    DEFEND = 10
    DISCARD = 11
    GIVE = 12
    REDEAL = 13
    PLAY = 14
    SCORE = 15
    PROPOSE = 16
    RESPOND = 17
    EXCHANGE = 18
    OVER = 19

    @property
    def word(self) -> str:
        """The name used in scenarios and by bots, ``play``."""
        return self.name.lower()


class Reason(StrEnum):
    """Why an action is refused; of several the first that applies."""

    MALFORMED = "malformed"
    HAND_OVER = "hand-over"
    NOT_YOUR_TURN = "not-your-turn"
    WRONG_PHASE = "wrong-phase"
    NOT_IN_HAND = "not-in-hand"
    NOT_ALLOWED = "not-allowed"
    MUST_FOLLOW_SUIT = "must-follow-suit"
    MUST_WIN_TRICK = "must-win-trick"
    DEALER_MUST_CALL = "dealer-must-call"
    TURNED_DOWN_SUIT = "turned-down-suit"
    MUST_GO_ALONE = "must-go-alone"
    JACK_ALONE = "jack-alone"
    BID_TOO_LOW = "bid-too-low"


class Result(StrEnum):
    """How a hand ended."""

    PLAYED = "played"
    THROWN_IN = "thrown-in"
    REDEAL = "redeal"
    CLAIMED = "claimed"
    CONCEDED = "conceded"
    KING = "king"
    REVOKE = "revoke"
    FORFEIT = "forfeit"


class UpCardState(IntEnum):
    """Where the card turned up lies; the numbers are those of the wire."""

    NONE = 0
    FACE_UP = 1
    TAKEN = 2
    TURNED_DOWN = 3

    @property
    def word(self) -> str:
        """The name used in scenarios and by bots, ``face-up``."""
        return self.name.lower().replace("_", "-")

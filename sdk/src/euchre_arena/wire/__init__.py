"""The one translator between protobuf and the game, used by both ends of a stream.

- `actions`: action codes to and from ``Action`` messages; what of a legal list stands where.
- `messages`: everything rare, made and read field by field: games and matches that begin and end,
  refusals, entropy.
- `encoding`: the server's hot path, a `View` to the bytes of a ``Turn``; the client's answers.
- `decoding`: the client's hot path, the bytes of a frame to `Turn` objects that read themselves
  when asked.
- `packing`, `by_mask`: what the hot paths join: varints, and cards by the mask of a hand.

Setting two dozen fields of a message from Python, or reading a repeated one, costs several times
as much as the rest of a decision. So the hot paths join bytes that were made before, and read
packed fields as bytes. What stands on the wire is plain protobuf of ``referee.proto`` either way;
the tests hold both against the generated classes.
"""

from euchre_arena.v1 import referee_pb2 as pb
from euchre_arena.wire.actions import (
    SEVERAL_PHASES,
    action_code,
    action_message,
    chosen_code,
    split_legal,
)
from euchre_arena.wire.decoding import WireTurn, read_frame, turn_of
from euchre_arena.wire.encoding import (
    GameWriter,
    answer_bytes,
    handle_bytes,
    request_bytes,
    response_bytes,
    with_refusal,
)
from euchre_arena.wire.messages import (
    game_ended_message,
    game_started_message,
    match_ended_message,
    read_table,
    rejection_message,
    turn_message,
)

PROTOCOL = 1
"""Version of the protocol in ``Hello``."""
PLAY = "/euchre_arena.v1.RefereeService/Play"
"""The method on the wire, for a stub of raw bytes."""

__all__ = [
    "PLAY",
    "PROTOCOL",
    "SEVERAL_PHASES",
    "GameWriter",
    "WireTurn",
    "action_code",
    "action_message",
    "answer_bytes",
    "chosen_code",
    "game_ended_message",
    "game_started_message",
    "handle_bytes",
    "match_ended_message",
    "pb",
    "read_frame",
    "read_table",
    "rejection_message",
    "request_bytes",
    "response_bytes",
    "split_legal",
    "turn_message",
    "turn_of",
    "with_refusal",
]

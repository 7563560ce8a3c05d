"""The gRPC edge: sessions, frames and admission, and the loop that plays matches.

A decision's way through here::

    service    PlayStream reads a frame                          (the only file with gRPC stubs)
    loop       Engine: answers → match → effects; telling: effects → outboxes, when
    journal    WriteAhead holds what took effect; keeping: checkpoints of the matches
    session    Session, Seat, Outbox: what waits for a bot
    frames     parts of frames, encoded; joined when credit (service) and pacing allow

A match's way::

    hosting    inbox → orders that wait for room (reserving) → attempts; presence, leases
    attempt    lease → commitment → nonces → play → record → result, or voided
    recovery   … or gone on with from where another referee left it
    hosted     the attempt's state: match, record, seats
    records    record files, written by a thread
    untold     how it ended, until its bots have acknowledged it

Around them: `admission` (tokens, caps), `presence` (streams lost and taken up again), `refusal`
(errors outside the game), `calls` (the store, from threads), `fitness` (a host too slow), `config`,
`server` (the process), `runtime` (uvloop where it exists; one heap).
"""

from arena.referee.config import ConfigError, RefereeConfig
from arena.referee.server import Referee, running, serve

__all__ = ["ConfigError", "Referee", "RefereeConfig", "running", "serve"]

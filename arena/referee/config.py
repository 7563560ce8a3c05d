"""What a referee process is told: addresses, limits, times. Every field has a working default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

ENV_PREFIX = "ARENA_REFEREE_"
DURABILITIES = ("everysec", "always")


class ConfigError(ValueError):
    """A setting that cannot be used; the text names it and where it came from."""


@dataclass(frozen=True, slots=True)
class RefereeConfig:
    """Settings of one referee process.

    Times end in their unit. ``from_env`` reads ``ARENA_REFEREE_<FIELD>``, so every field can be
    set without a command line.
    """

    # Where bots connect; port 0 takes a free one.
    host: str = "127.0.0.1"
    port: int = 7600
    # How bots and other referees reach it, where that is not host:port (behind 0.0.0.0, a proxy).
    advertise: str = ""
    # Names this process in the store, where it gets something random besides.
    name: str = ""
    # Record files go to <data>/records/<tournament>/<match>.jsonl.
    data: Path = field(default_factory=lambda: Path("arena-data"))

    # Matches played at once, and games at once in one match.
    matches: int = 64
    parallel: int = 32

    # Games granted to one stream, whatever it asks for.
    games_per_stream: int = 1024
    # Streams of one bot, counting those within their disconnect grace.
    streams_per_bot: int = 4
    # Streams that have not yet shown a token, all together, and how long each may take.
    handshakes: int = 64
    handshake_ms: int = 5_000
    # Answers in a second that meet no open turn, before the stream is ended.
    unmatched_answers: int = 10_000
    # A stream that sends frames without anything of use is read only so often, after the first few.
    useless_frame_ms: int = 20
    # Largest frame read; frames written are cut before `frame_bytes_out`.
    frame_bytes_in: int = 256 * 1024
    frame_bytes_out: int = 1000 * 1024
    # Most turns in one frame.
    turns_per_frame: int = 1024

    # Least time between two frames of one stream that has `pace_full_games` games or more; a
    # stream with fewer waits proportionally less. Grows with the number of streams above
    # `pace_streams`.
    pace_us: int = 2_000
    pace_full_games: int = 64
    pace_streams: int = 8
    # A frame not acknowledged for so long: what waits behind it waits at the bot's expense.
    ack_ms: int = 100
    # How often the clocks of all games are looked at, and streams are pinged.
    scan_ms: int = 20
    ping_ms: int = 1_000

    # Wait for nonces before the first deal (rules.md §9).
    entropy_ms: int = 1_000
    # Where the tournament's spec says nothing.
    disconnect_grace_ms: int = 15_000
    disconnect_grace_per_game_ms: int = 60_000

    # A lease not renewed for this long is swept; it is renewed three times as often.
    lease_ms: int = 15_000
    # Wait for the inbox in one call of the store.
    inbox_wait_ms: int = 500
    # What the store must do with what it acknowledged: "everysec" (a power cut may take the last
    # second) or "always". A server that does less is refused.
    durability: str = "everysec"

    # A loop later than this is late: clocks are set back by as much, and a referee late three
    # times within the window is not fit to play matches until it has kept time for as long.
    late_ms: int = 500
    fitness_window_ms: int = 10_000

    # The store has not acknowledged an entry of the journal for so long: clocks stop.
    journal_wait_ms: int = 1_000
    # After records could not be written, wait this long before the next attempt.
    record_retry_s: float = 5.0

    # gRPC keepalive: how often a silent peer is pinged, how long its answer may take, and how
    # often a peer may ping us.
    keepalive_ms: int = 10_000
    keepalive_timeout_ms: int = 5_000
    client_ping_ms: int = 20_000

    # On SIGTERM: hands in progress may finish for this long, then the process ends.
    drain_s: float = 10.0

    def __post_init__(self) -> None:
        if self.durability not in DURABILITIES:
            raise ConfigError(
                f"referee setting durability must be {' or '.join(DURABILITIES)}, "
                f"not {self.durability!r}"
            )
        for item in fields(self):
            value = getattr(self, item.name)
            least = 0 if item.name in ("port", "pace_us", "entropy_ms", "drain_s") else None
            if isinstance(value, int | float) and (value < 0 or (least is None and value == 0)):
                raise ConfigError(f"referee setting {item.name} must be above 0, not {value}")

    @property
    def records(self) -> Path:
        """The folder of record files."""
        return self.data / "records"

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> RefereeConfig:
        """Defaults, then the environment, then ``overrides`` that are not None.

        Raises ConfigError naming the variable that does not parse.
        """
        environ = os.environ if environ is None else environ
        base = cls()
        found: dict[str, Any] = {}
        if "ARENA_DATA" in environ:
            found["data"] = Path(environ["ARENA_DATA"])
        for item in fields(cls):
            variable = ENV_PREFIX + item.name.upper()
            if variable not in environ:
                continue
            kind = type(getattr(base, item.name))
            try:
                found[item.name] = kind(environ[variable])
            except ValueError:
                raise ConfigError(
                    f"{variable}={environ[variable]!r} is not a {kind.__name__}"
                ) from None
        found.update({name: value for name, value in overrides.items() if value is not None})
        return replace(base, **found)

"""Errors outside the game: a stream that is ended, with the cause named."""

from __future__ import annotations


class RefusedError(Exception):
    """A stream ends with this status (`service` writes it as a google.rpc.Status)."""

    def __init__(self, code: str, reason: str, detail: str, **metadata: str) -> None:
        super().__init__(detail)
        self.code = code
        """Name of a gRPC status, ``"INVALID_ARGUMENT"``."""
        self.reason = reason
        """For programs, ``"MALFORMED_FRAME"``: the ErrorInfo's reason."""
        self.detail = detail
        """For people."""
        self.metadata = metadata
        """What programs may want to know besides, ``limit="streams_per_bot"``."""


def over_limit(limit: str, value: int | float, detail: str) -> RefusedError:
    """A cap of the configuration was met; it is named."""
    return RefusedError(
        "RESOURCE_EXHAUSTED",
        "LIMIT",
        f"{detail} ({limit} is {value})",
        limit=limit,
        value=str(value),
    )


def malformed(detail: str) -> RefusedError:
    """What was sent does not parse, or is not what may stand there."""
    return RefusedError("INVALID_ARGUMENT", "MALFORMED_FRAME", detail)


def draining() -> RefusedError:
    """The referee takes nothing new."""
    return RefusedError("UNAVAILABLE", "DRAINING", "this referee is draining; connect again")

"""What can go wrong between a bot and a server, and what to do about it.

ClientError
├── AddressError      the address, the certificate or the token file is no good
├── AuthError         the server does not know the token
├── RefusedError      the server will not have this session: a limit, a protocol version
└── UnreachableError  nobody answered for as long as we were told to try

Everything else (a broken connection, a server that restarts) is met by trying again.
"""

from __future__ import annotations

import grpc


class ClientError(Exception):
    """Why playing on a server ended; the text names the cause and the cure."""

    exit_code = 1


class AddressError(ClientError):
    """The address, the certificate or the token file is no good."""

    exit_code = 2


class AuthError(ClientError):
    """The server does not know the token."""

    exit_code = 3


class RefusedError(ClientError):
    """The server will not have this session."""

    exit_code = 4


class UnreachableError(ClientError):
    """Nobody answered for as long as we were told to try."""

    exit_code = 5


class LostError(Exception):
    """The stream broke or could not be opened; trying again may help."""

    def __init__(self, text: str, anew: bool = False) -> None:
        super().__init__(text)
        self.anew = anew
        """The session is not to be taken up again: another process of this bot has it now."""


_Code = grpc.StatusCode
_CURES = {
    _Code.UNAUTHENTICATED: (
        AuthError,
        "the token is unknown or was rotated; the organizer prints a new one with "
        "`arena bot rotate NAME` and the file given as --token-file must hold that",
    ),
    _Code.PERMISSION_DENIED: (
        AuthError,
        "the token is not a bot's; `arena bot register NAME` prints one",
    ),
    _Code.INVALID_ARGUMENT: (
        RefusedError,
        "server and library do not understand each other; update with "
        "`pip install --upgrade euchre-arena`",
    ),
    _Code.UNIMPLEMENTED: (
        RefusedError,
        "nothing at that address speaks euchre_arena.v1; is it the referee's address "
        "(port 7600 unless set otherwise)?",
    ),
    _Code.FAILED_PRECONDITION: (RefusedError, "the server's message says what is missing"),
    _Code.RESOURCE_EXHAUSTED: (
        RefusedError,
        "this bot is connected as often as it may be, or asks for more than it may have; "
        "end the other process or ask the organizer for a higher limit",
    ),
}


def verdict(code: grpc.StatusCode, details: str, had_session: bool) -> Exception:
    """What the end of a stream means: a `ClientError` to end with, or a `LostError` to try again.

    ``had_session``: this client was welcome before. Then a limit may be our own old stream that the
    server has not given up yet, and waiting helps.
    """
    known = _CURES.get(code)
    if code is _Code.UNAVAILABLE and "onnect" in details:
        # gRPC's own text, of which only the end says anything.
        return LostError(f"no server there, is it running? {details.rpartition(': ')[2]}")
    if known is None or (had_session and code is _Code.RESOURCE_EXHAUSTED):
        return LostError(f"{code.name}: {details or 'no details'}", anew=code is _Code.ABORTED)
    kind, cure = known
    return kind(f"the server refused this bot ({code.name}: {details}): {cure}")

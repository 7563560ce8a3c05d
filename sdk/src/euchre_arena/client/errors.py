"""What can go wrong between a bot and a server, and what to do about it.

ClientError
├── AddressError      the address, the certificate or the token file is no good
├── AuthError         the server does not know the token
├── RefusedError      the server will not have this session: a limit, a protocol version
└── UnreachableError  nobody answered for as long as we were told to try

Everything else (a broken connection, a server that restarts) is met by trying again.
"""

from __future__ import annotations

from typing import Final

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
_NOT_CONNECTED: Final = ("onnect", "errors resolving")
_CURES = {
    _Code.UNAUTHENTICATED: (
        AuthError,
        "the token is unknown or was rotated; the organizer prints a new one with "
        "`arena bot rotate NAME`, or `arena bot register NAME` where the bot is gone with a lost "
        "store, and the file given as --token-file must hold that",
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


_LOST_CURES: Final = (
    (
        "Socket closed",
        "a server is there and hangs up: most likely it speaks TLS. Leave out --insecure, and name "
        "its certificate with --ca FILE unless the system trusts it ({})",
    ),
    (
        "Domain name not found",
        "no server there, is it running? {}; is the name right, and is there a network?",
    ),
    ("", "no server there, is it running? {}"),
)
"""What gRPC says of a connection it could not make, and what to say; it may also pass: a server
that is about to stop hangs up too. Braces hold the end of gRPC's own text."""

_HOPELESS: Final = (
    (
        "CERTIFICATE_VERIFY_FAILED: ",
        AddressError,
        "the server's certificate is not trusted ({}): name the file of the certificate, or of who "
        "issued it, with --ca FILE; the organizer has it",
    ),
    (
        "Hostname Verification Check failed",
        AddressError,
        "the server's certificate is for another name: --server must be the name it was made for; "
        "the organizer knows that",
    ),
    (
        "WRONG_VERSION_NUMBER",
        AddressError,
        "the server does not speak TLS: is this the referee's address (port 7600 unless set "
        "otherwise)? If it is, --insecure does without TLS, and anyone between reads the token",
    ),
    (
        "Expected SETTINGS frame",
        RefusedError,
        "a server is there, but it speaks no gRPC: is this the referee's address (port 7600 unless "
        "set otherwise)?",
    ),
)
"""The same where trying again does not help: what is to be found in it, and what to say. Braces
hold what stands behind it."""


def verdict(
    code: grpc.StatusCode, details: str, had_session: bool, *, welcome: bool = False
) -> Exception:
    """What the end of a stream means: a `ClientError` to end with, or a `LostError` to try again.

    ``had_session``: this client was welcome before. Then a limit may be our own old stream that the
    server has not given up yet, and waiting helps. ``welcome``: this stream was open already.
    """
    known = _CURES.get(code)
    connecting = not welcome and code is _Code.UNAVAILABLE
    if connecting and any(words in details for words in _NOT_CONNECTED):
        return _not_connected(details)
    if known is None or (had_session and code is _Code.RESOURCE_EXHAUSTED):
        return LostError(f"{code.name}: {details or 'no details'}", anew=code is _Code.ABORTED)
    kind, cure = known
    return kind(f"the server refused this bot ({code.name}: {details}): {cure}")


def _not_connected(details: str) -> Exception:
    """What gRPC's own text about a connection that was not made means."""
    for words, kind, text in _HOPELESS:
        _, found, behind = details.partition(words)
        if found:
            return kind(text.format(behind.removesuffix(": OK")))
    # Of the rest only the end says anything.
    end = details.rpartition(": ")[2].rpartition(":")[2].strip(" []")
    text = next(text for words, text in _LOST_CURES if words in details)
    return LostError(text.format(end))

"""What can go wrong in the store, as a tree: the server's trouble or the caller's.

StoreError
├── StoreUnavailable     the server cannot be reached, is loading, or stopped answering: try later
├── StoreMisconfigured   trying again will not help: wrong password, too old a server, bad URL
├── NotFound             no such bot, tournament or match
├── AlreadyExists        the name or id is taken
├── WrongState           the tournament or match is in another state than the call needs
└── EmbeddedError        the embedded Valkey cannot be started
"""

from __future__ import annotations


class StoreError(Exception):
    """Base of everything this package raises on purpose."""


class StoreUnavailable(StoreError):  # noqa: N818 – says what is the matter, as its base is an Error
    """The server does not answer now; the same call may succeed later."""


class StoreMisconfigured(StoreError):  # noqa: N818 – says what is the matter, as its base is an Error
    """The server or its address is unfit; only a person can mend it."""


class NotFound(StoreError):  # noqa: N818 – says what is the matter, as its base is an Error
    """There is no bot, tournament or match of that name."""

    def __init__(self, kind: str, name: str) -> None:
        """``kind`` is ``"bot"``, ``"tournament"`` or ``"match"``."""
        super().__init__(f"there is no {kind} {name!r}")
        self.kind = kind
        self.name = name


class AlreadyExists(StoreError):  # noqa: N818 – says what is the matter, as its base is an Error
    """The name or id is taken."""


class WrongState(StoreError):  # noqa: N818 – says what is the matter, as its base is an Error
    """The call does not fit the state the thing is in."""


class EmbeddedError(StoreError):
    """The embedded Valkey cannot be started or stopped; the text says what to do."""

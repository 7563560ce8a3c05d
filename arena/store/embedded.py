"""The embedded server: a real Valkey in the data directory, so that nothing need be installed."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from arena.store.settings import StoreSettings


class Embedded:
    """A Valkey process of our own below ``<data>/valkey``.

        with Embedded(data) as valkey:
            store = Store.connect(valkey.settings)

    Loopback only, append-only file on, a password generated at the first start that stands in
    files of mode 0600 and in no command line.
    """

    def __init__(self, data: Path, port: int = 0) -> None:
        """``port`` 0 takes a free one (the same as before where it can)."""
        self.data = data
        self.port = port

    @property
    def settings(self) -> StoreSettings:
        """How to reach it, once started."""
        raise NotImplementedError

    @property
    def pid(self) -> int:
        """The server's process id, once started."""
        raise NotImplementedError

    def start(self, timeout_s: float = 30.0) -> StoreSettings:
        """Start and wait until it answers. EmbeddedError says what is wrong and what to do."""
        raise NotImplementedError

    def alive(self) -> bool:
        """Whether the process runs; call ``start`` again when not."""
        raise NotImplementedError

    def stop(self, timeout_s: float = 30.0) -> None:
        """Ask it to save and end; returns when it is gone. Harmless when it is not running."""
        raise NotImplementedError

    def __enter__(self) -> Embedded:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

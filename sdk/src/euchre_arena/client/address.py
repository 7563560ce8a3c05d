"""Where a server is and how it is spoken to: addresses, certificates, token files."""

from __future__ import annotations

import ipaddress
import os
import ssl
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc

from euchre_arena.client.errors import AddressError

DEFAULT_PORT: Final = 7600
TOKEN_VARIABLE: Final = "EUCHRE_ARENA_TOKEN"
CA_VARIABLE: Final = "ARENA_CA"
"""Of `euchre-arena connect`, and of the organizers' commands, which trust the same certificate."""

OPTIONS: Final = [
    # The server allows a ping every 20 s. Without the second timeout a peer that is stopped, not
    # dead, is never noticed.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", 4 << 20),
    ("grpc.enable_retries", 0),
    # Each attempt connects anew instead of waiting for the last one's backoff.
    ("grpc.use_local_subchannel_pool", 1),
]


@dataclass(frozen=True, slots=True)
class Server:
    """An address and how to speak to it."""

    target: str
    """As gRPC takes it: ``host:port``, ``[::1]:port`` or ``unix:path``."""
    root: bytes | None = None
    """Certificates to trust, PEM; None with ``tls`` for those of the system."""
    tls: bool = False
    identity: tuple[bytes, bytes] | None = field(default=None, repr=False)
    """What to show a server that asks who is calling: private key and certificate chain, PEM."""

    def credentials(self) -> grpc.ChannelCredentials | None:
        """For a channel; None for one in the clear."""
        if not self.tls:
            return None
        return grpc.ssl_channel_credentials(self.root, *(self.identity or ()))

    def channel(self) -> grpc.aio.Channel:
        """A new channel; close it."""
        credentials = self.credentials()
        if credentials is None:
            return grpc.aio.insecure_channel(self.target, options=OPTIONS)
        return grpc.aio.secure_channel(self.target, credentials, options=OPTIONS)


def parse_server(
    address: str,
    ca: str | None = None,
    insecure: bool = False,
    cert: str | None = None,
    key: str | None = None,
) -> Server:
    """Read ``HOST[:PORT]``.

    Loopback is spoken to in the clear unless ``ca`` is given, all others with TLS unless
    ``insecure``. ``ca``: file of the certificates to trust. ``cert`` and ``key``: files of a
    certificate of one's own, for a server that asks for one (mutual TLS). AddressError names what
    is wrong.
    """
    if (cert is None) != (key is None):
        raise AddressError("--cert and --key belong together: a certificate and its private key")
    if cert is not None and key is not None:
        if insecure:
            raise AddressError("--cert and --insecure contradict each other: with TLS or without?")
        server = parse_server(address, ca)
        return Server(server.target, server.root, True, _identity(cert, key))
    if address.startswith("unix:"):
        return Server(address)
    host, port = _split(address)
    target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if ca is not None:
        if insecure:
            raise AddressError("--ca and --insecure contradict each other: with TLS or without?")
        return Server(target, _certificates(ca), tls=True)
    return Server(target, tls=not (insecure or _is_loopback(host)))


def _certificates(ca: str) -> bytes:
    try:
        # gRPC would only say that something failed, and at every attempt.
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(ca)
        return Path(ca).read_bytes()
    except ssl.SSLError:
        raise AddressError(
            f"{ca}: there is no certificate in it; one begins -----BEGIN CERTIFICATE-----"
        ) from None
    except OSError as error:
        raise AddressError(f"{ca}: the certificates cannot be read: {error.strerror}") from None


def _identity(cert: str, key: str) -> tuple[bytes, bytes]:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(cert, key, password=_none)
        return Path(key).read_bytes(), Path(cert).read_bytes()
    except ssl.SSLError as error:
        raise AddressError(
            f"{cert} and {key} are no certificate and its private key: {error.reason or error}"
        ) from None
    except OSError as error:
        name = cert if not os.access(cert, os.R_OK) else key
        raise AddressError(f"{name}: it cannot be read: {error.strerror}") from None


def _none() -> str:
    """No passphrase: nobody is there to be asked."""
    return ""


def _split(address: str) -> tuple[str, int]:
    host, port = address.strip(), ""
    if host.startswith("["):
        host, _, rest = host[1:].partition("]")
        port = rest.removeprefix(":")
    elif host.count(":") == 1:
        host, _, port = host.partition(":")
    if not host or any(c.isspace() or c in "/@" for c in host):
        raise AddressError(f"{address!r} is no address: write HOST:PORT, 127.0.0.1:{DEFAULT_PORT}")
    if not port:
        return host, DEFAULT_PORT
    if not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        raise AddressError(f"{address!r} is no address: {port!r} is no port, 1 to 65535")
    return host, int(port)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def read_token(path: str | Path) -> tuple[str, str | None]:
    """The token in a file, and a warning where others on this machine can read it."""
    file = Path(path)
    try:
        text = file.read_text(encoding="ascii").strip()
        mode = file.stat().st_mode
    except OSError as error:
        raise AddressError(f"{file}: the token cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise AddressError(f"{file}: this is no token file: it is not plain text") from None
    if not text or len(text.split()) != 1:
        raise AddressError(f"{file}: a token file holds one word, the token as it was printed")
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        return text, f"{file} can be read by others on this machine; mend it with chmod 600 {file}"
    return text, None

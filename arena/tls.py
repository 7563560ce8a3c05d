"""TLS of the addresses we listen on, and who may reach them without it.

Certificate, key and the authorities of callers are files; they are looked at again at every
handshake, so a certificate is renewed by writing the new files. Files that do not fit together (the
new key is there, the new certificate not yet) leave the old ones in use until they do.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

log: Final = logging.getLogger(__name__)


class TlsError(Exception):
    """Certificates that cannot be used, or an address that must not be; the text says which and
    what to do."""


@dataclass(frozen=True, slots=True)
class Tls:
    """How an address is served."""

    certificate: Path
    """PEM, the chain after it."""
    key: Path
    callers: Path | None = None
    """Authorities one of which must have issued the caller's certificate (mutual TLS), PEM; None:
    callers need no certificate."""

    def check(self) -> None:
        """Raises TlsError for files that are not there or do not fit."""
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate, self.key, password=_no_passphrase)
            if self.callers is not None:
                context.load_verify_locations(self.callers)
        except ssl.SSLError as error:
            raise TlsError(f"{self}: they do not fit together: {error.reason or error}") from None
        except OSError as error:
            missing = [str(path) for path in self.files if not path.is_file()]
            where = ", ".join(missing) or str(self)
            raise TlsError(f"{where}: {error.strerror or error}") from None

    @property
    def files(self) -> list[Path]:
        """All there are."""
        return [path for path in (self.certificate, self.key, self.callers) if path is not None]

    def __str__(self) -> str:
        return ", ".join(map(str, self.files))


class Credentials:
    """The credentials of a server, always those in the files. Raises TlsError when first made."""

    def __init__(self, tls: Tls) -> None:
        self._tls = tls
        tls.check()
        self._stamp = self._stamps()
        self.server = grpc.dynamic_ssl_server_credentials(
            self._read(),
            self._changed,  # type: ignore[arg-type]  # None says "as before", which its stub omits
            require_client_authentication=tls.callers is not None,
        )

    def _stamps(self) -> list[tuple[int, int, int]]:
        found = [path.stat() for path in self._tls.files]
        return [(stat.st_mtime_ns, stat.st_size, stat.st_ino) for stat in found]

    def _read(self) -> grpc.ServerCertificateConfiguration:
        tls = self._tls
        pair = (tls.key.read_bytes(), tls.certificate.read_bytes())
        callers = None if tls.callers is None else tls.callers.read_bytes()
        return grpc.ssl_server_certificate_configuration([pair], callers)

    def _changed(self) -> grpc.ServerCertificateConfiguration | None:
        """Called by gRPC at every handshake, in a thread of its own: what is new, or None."""
        try:
            stamp = self._stamps()
            if stamp == self._stamp:
                return None
            self._tls.check()
            found = self._read()
        except (OSError, TlsError) as error:
            log.warning("certificates are not taken up: %s", error)
            return None
        self._stamp = stamp
        log.info("certificates taken up anew: %s", self._tls)
        return found


def add_port(server: grpc.aio.Server, address: str, tls: Tls | None) -> int:
    """Have a server listen, with TLS or in the clear; its port. RuntimeError, TlsError."""
    if tls is None:
        return server.add_insecure_port(address)
    return server.add_secure_port(address, Credentials(tls).server)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host name or address to listen on."""
    host = host.strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        pass
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ipaddress.ip_address(at[0]).is_loopback for *_, at in found)


def check_public(what: str, host: str, tls: Tls | None, insecure_public: bool) -> None:
    """Raises TlsError for an address others can reach, in the clear, unless that is wanted."""
    if tls is None and not insecure_public and not is_loopback(host):
        raise TlsError(
            f"--{what} would listen on {host}, which other machines reach, without TLS: whoever is "
            "between reads tokens and cards. Give --tls-cert and --tls-key (or ARENA_TLS_CERT and "
            "ARENA_TLS_KEY), listen on 127.0.0.1, or say --insecure-public where nobody can listen "
            "in (a private network, TLS ended by a proxy)"
        )


def _no_passphrase() -> str:
    """A server has nobody to ask: a key with a passphrase is no good to it."""
    return ""

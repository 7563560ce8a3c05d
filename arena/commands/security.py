"""The options of TLS: of the addresses a referee listens on, and who may be let in without it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.config import Address
from arena.tls import Tls, TlsError, check_public

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Security:
    """How the addresses we listen on are protected."""

    certificate: Path | None
    key: Path | None
    bots_ca: Path | None
    admin_ca: Path | None
    insecure_public: bool

    def check(self, **addresses: Address | None) -> None:
        """TlsError for files that are no good, and for an address that must not be."""
        if (self.certificate is None) != (self.key is None):
            raise TlsError("--tls-cert and --tls-key belong together: give both")
        if self.certificate is None and (self.bots_ca or self.admin_ca):
            raise TlsError("--bots-ca and --admin-ca need --tls-cert and --tls-key")
        for tls in (self.bots, self.admin):
            if tls is not None:
                tls.check()
        for what, address in addresses.items():
            if address is not None:
                check_public(what, address.host, self.bots, self.insecure_public)

    @property
    def bots(self) -> Tls | None:
        """Of the address bots connect to."""
        return self._tls(self.bots_ca)

    @property
    def admin(self) -> Tls | None:
        """Of the address organizers call."""
        return self._tls(self.admin_ca)

    def words(self) -> list[str]:
        """The options again, for a process that is started."""
        paths = {"tls-cert": self.certificate, "tls-key": self.key}
        paths |= {"bots-ca": self.bots_ca, "admin-ca": self.admin_ca}
        found = [word for name, path in paths.items() if path for word in (f"--{name}", str(path))]
        return found + ["--insecure-public"] * self.insecure_public

    def _tls(self, callers: Path | None) -> Tls | None:
        if self.certificate is None or self.key is None:
            return None
        return Tls(self.certificate, self.key, callers)


def security_options(command: F) -> F:
    """Add the options of TLS; the command gets `security`."""

    def file(flag: str, variable: str, text: str) -> Callable[[Any], Any]:
        return click.option(
            flag,
            metavar="FILE",
            envvar=variable,
            type=click.Path(path_type=Path),
            help=f"{text}  [default: {variable}]",
        )

    @functools.wraps(command)
    def wrapped(
        tls_cert: Path | None,
        tls_key: Path | None,
        bots_ca: Path | None,
        admin_ca: Path | None,
        insecure_public: bool,
        **kwargs: Any,
    ) -> Any:
        # Absolute: parts that are started may run elsewhere.
        security = Security(
            certificate=tls_cert and tls_cert.absolute(),
            key=tls_key and tls_key.absolute(),
            bots_ca=bots_ca and bots_ca.absolute(),
            admin_ca=admin_ca and admin_ca.absolute(),
            insecure_public=insecure_public,
        )
        return command(security=security, **kwargs)

    insecure = click.option(
        "--insecure-public",
        is_flag=True,
        envvar="ARENA_INSECURE_PUBLIC",
        help="Listen in the clear where other machines reach us: whoever is between reads tokens.",
    )
    certificate = file(
        "--tls-cert", "ARENA_TLS_CERT", "Serve with TLS: the certificate, its chain after it."
    )
    key = file("--tls-key", "ARENA_TLS_KEY", "Its private key. Renewed files are taken up unasked.")
    bots = file("--bots-ca", "ARENA_TLS_BOTS_CA", "Bots must show a certificate of one of these.")
    admin = file("--admin-ca", "ARENA_TLS_ADMIN_CA", "Organizers and operators must show one.")
    found: Any = wrapped  # click calls it with the options added here
    return certificate(key(bots(admin(insecure(found)))))  # type: ignore[no-any-return]  # an F

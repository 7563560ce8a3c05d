"""Real certificates, made when a test needs them: an authority and what it issues (openssl)."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


def openssl(*words: str | Path) -> None:
    """Run it; what it says is shown when it fails."""
    done = subprocess.run(["openssl", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@dataclass(frozen=True)
class Pair:
    """A certificate and its private key."""

    certificate: Path
    key: Path

    def put(self, other: Pair) -> None:
        """Renew: the other's files in the place of these, each in one step."""
        self.put_key(other)
        self.put_certificate(other)

    def put_key(self, other: Pair) -> None:
        """The key alone."""
        _replace(self.key, other.key.read_bytes())

    def put_certificate(self, other: Pair) -> None:
        """The certificate alone."""
        _replace(self.certificate, other.certificate.read_bytes())


def _replace(path: Path, data: bytes) -> None:
    scratch = path.with_suffix(".new")
    scratch.write_bytes(data)
    scratch.replace(path)


class Authority:
    """Who issues certificates; `certificate` is the file to trust."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder / name
        self._folder.mkdir()
        self._name = name
        self.certificate = self._folder / "ca.pem"
        self._key = self._folder / "ca.key"
        openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-keyout", self._key, "-out", self.certificate, "-days", "2", "-subj", f"/CN={name}"),
        )

    def issue(self, name: str) -> Pair:
        """A certificate for 127.0.0.1 and localhost, good for servers and for callers."""
        request = self._folder / f"{name}.csr"
        made = Pair(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        openssl(
            *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-keyout", made.key, "-out", request, "-subj", f"/CN={name}"),
        )
        extensions = self._folder / "extensions"
        extensions.write_text(
            "subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n"
        )
        openssl(
            *("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self._key),
            *("-CAcreateserial", "-days", "2", "-extfile", extensions, "-out", made.certificate),
        )
        return made

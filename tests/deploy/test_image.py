"""Dockerfile and compose file, as far as they can be checked without an engine."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from arena import lifeline
from arena.cli import cli
from arena.store import Store, StoreError, StoreUnavailable
from arena.store.binary import find_server
from tests.support.servers import free_port
from tests.support.tournaments import wait_for

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
OURS = ("referee", "worker", "beat")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, continuations joined, comments dropped."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [
        (line.split()[0], line.partition(" ")[2].strip()) for line in joined.splitlines() if line
    ]


def has_no_registry(image: str) -> bool:
    """The part before the first slash is no host."""
    first, slash, _ = image.partition("/")
    return not slash or not re.search(r"[.:]|^localhost$", first)


def test_images_are_pinned_and_name_no_registry():
    stages = [rest.split()[0] for kind, rest in instructions() if kind == "FROM"]
    images = stages + [service["image"] for service in SERVICES.values()]
    for image in images:
        assert has_no_registry(image), image
        name, colon, tag = image.rpartition(":")
        assert colon, image
        assert tag != "latest", image
        assert name, image


def test_the_image_has_the_python_the_project_needs_in_both_stages():
    stages = [rest for kind, rest in instructions() if kind == "FROM"]
    assert len(stages) == 2
    assert all(stage.startswith("python:3.11-slim") for stage in stages)


def test_what_is_copied_exists_and_is_not_ignored():
    kept = {
        line[1:]
        for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    for kind, rest in instructions():
        if kind != "COPY" or rest.startswith("--from"):
            continue
        *sources, _ = rest.split()
        for source in sources:
            assert (ROOT / source).exists(), source
            assert source.split("/")[0] in kept, source
    for name in kept:
        assert (ROOT / name).exists(), name


def test_the_build_is_pinned_by_the_constraints():
    pips = [rest for kind, rest in instructions() if kind == "RUN" and "pip install" in rest]
    assert pips
    for line in pips:
        assert re.search(r"-[cr] constraints/runtime\.txt", line), line


def test_the_image_runs_as_nobody_special():
    kinds = [kind for kind, _ in instructions()]
    users = [rest for kind, rest in instructions() if kind == "USER"]
    assert users == ["10001:10001"]
    # nothing is installed or copied after the change of user
    assert not {"RUN", "COPY", "ADD"} & set(kinds[kinds.index("USER") :])


def exposed() -> set[int]:
    ports = next(rest for kind, rest in instructions() if kind == "EXPOSE")
    return {int(port) for port in ports.split()}


@pytest.mark.parametrize("name", OURS)
def test_our_services_run_commands_that_exist_with_options_they_have(name):
    service = SERVICES[name]
    assert next(rest for kind, rest in instructions() if kind == "ENTRYPOINT") == '["arena"]'
    command, context = cli, click.Context(cli)
    words = list(service["command"])
    while isinstance(command, click.Group):
        found = command.get_command(context, words.pop(0))
        assert found is not None
        command, context = found, click.Context(found, parent=context)
    # Parse as the program would, without running it.
    command.make_context(name, words, parent=context.parent)
    assert service["image"] == "euchre-arena:local"
    context_path = (DEPLOY / service["build"]["context"]).resolve()
    assert context_path == ROOT
    assert (context_path / service["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize("name", OURS)
def test_our_services_are_confined(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["depends_on"]["valkey"]["condition"] == "service_healthy"


def test_published_ports_are_exposed_and_stay_on_loopback():
    for name, service in SERVICES.items():
        for port in service.get("ports", ()):
            host, _, rest = port.rpartition(":")
            host, _, published = host.rpartition(":")
            assert host in ("127.0.0.1", "${ARENA_BIND:-127.0.0.1}"), port
            assert published == rest
            if name in OURS:
                assert int(rest) in exposed()


def test_prometheus_scrapes_addresses_that_are_served():
    config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    targets = {
        target
        for job in config["scrape_configs"]
        for static in job["static_configs"]
        for target in static["targets"]
    }
    assert {target.partition(":")[0] for target in targets} <= set(SERVICES)
    assert {int(target.rpartition(":")[2]) for target in targets} <= exposed()
    worker = SERVICES["worker"]["environment"]["ARENA_WORKER_METRICS"]
    assert f"worker:{worker.rpartition(':')[2]}" in targets
    referee = " ".join(
        map(str, [*SERVICES["referee"]["command"], SERVICES["referee"]["environment"]])
    )
    assert "0.0.0.0:7602" in referee
    for rules in config["rule_files"]:
        assert (DEPLOY / "prometheus" / rules).is_file()


def test_mounted_files_exist():
    for service in SERVICES.values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).exists(), source
            else:
                assert source in COMPOSE["volumes"], source


def test_no_secret_stands_in_the_file():
    """The password comes from the environment, and its absence is an error that says what to do."""
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8")
    uses = re.findall(r"\$\{VALKEY_PASSWORD[^}]*\}", text)
    assert uses
    assert all(":?" in use for use in uses)
    assert "requirepass" not in (DEPLOY / "valkey.conf").read_text()


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[str]:
    """The store as compose starts it, by the very shell line and settings; its URL."""
    port = free_port()
    text = (DEPLOY / "valkey.conf").read_text(encoding="utf-8")
    for line, here in (
        ("bind * -::*", "bind 127.0.0.1"),
        ("port 6379", f"port {port}"),
        ("dir /data", f"dir {tmp_path}"),
    ):
        assert line in text.splitlines()
        text = text.replace(line, here)
    conf = tmp_path / "valkey.conf"
    conf.write_text(text, encoding="utf-8")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "valkey-server").symlink_to(find_server())
    shell, flag, line = SERVICES["valkey"]["command"]
    process = subprocess.Popen(
        lifeline.command(
            [shell, flag, line.replace("$$", "$").replace("/etc/valkey.conf", str(conf))]
        ),
        env={
            "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin",
            "VALKEY_PASSWORD": "s3cret",
            **lifeline.variables(),
        },
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield f"redis://:s3cret@127.0.0.1:{port}/0"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(120)


def test_the_deployed_store_takes_its_password_and_settings(deployed: str) -> None:
    def connect() -> Store | None:
        try:
            return Store.connect(deployed)
        except StoreUnavailable:
            return None

    store = wait_for(connect)
    flat = store._link.call("CONFIG", "GET", "append*", "maxmemory-policy")
    settings = dict(zip(flat[::2], flat[1::2], strict=True))
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "everysec"
    assert settings["maxmemory-policy"] == "noeviction"
    with pytest.raises(StoreError):
        Store.connect(deployed.replace("s3cret", "wrong"))
    store.close()
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            assert b"s3cret" not in process.read_bytes()

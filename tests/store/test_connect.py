from __future__ import annotations

import os
import signal
import socketserver
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis

from arena.store import Embedded, Store, StoreMisconfigured, StoreUnavailable
from tests.support.servers import answers, free_port, server
from tests.support.tournaments import create, wait_for


def test_nobody_there() -> None:
    port = free_port()
    with pytest.raises(StoreUnavailable, match=f"redis://127.0.0.1:{port}/0: .*refused"):
        Store.connect(f"redis://u:geheim@127.0.0.1:{port}/0")


def test_wrong_password(valkey: Embedded) -> None:
    port = valkey.settings.hosts[0][1]
    for login in ("arena:geheim@", ""):
        with pytest.raises(StoreMisconfigured) as refused:
            Store.connect(f"redis://{login}127.0.0.1:{port}")
        assert f"redis://127.0.0.1:{port}" in str(refused.value)
        assert "geheim" not in str(refused.value)


class OldServer(socketserver.StreamRequestHandler):
    """As much of Redis 6 as it takes to say so: no such old server can be had here."""

    def handle(self) -> None:
        info = b"# Server\r\nredis_version:6.2.14\r\nredis_mode:standalone\r\n"
        while line := self.rfile.readline():
            words = []
            for _ in range(int(line[1:])):
                self.rfile.readline()
                words.append(self.rfile.readline().strip().upper())
            reply = b"$%d\r\n%s\r\n" % (len(info), info) if words[0] == b"INFO" else b"+OK\r\n"
            self.wfile.write(reply)


@pytest.fixture
def old_server() -> Iterator[str]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), OldServer) as old:
        old.daemon_threads = True
        thread = threading.Thread(target=old.serve_forever)
        thread.start()
        yield f"redis://127.0.0.1:{old.server_address[1]}"
        old.shutdown()
        thread.join()


def test_too_old(old_server: str) -> None:
    with pytest.raises(StoreMisconfigured, match=r"is Redis 6\.2\.14; Redis 7 or Valkey is needed"):
        Store.connect(old_server)


def test_a_cluster(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, f"port {port}\ncluster-enabled yes\ncluster-port {free_port()}\n"):
        answers(redis.Redis(port=port))
        with pytest.raises(StoreMisconfigured, match=r"is a cluster.*Sentinel"):
            Store.connect(f"redis://127.0.0.1:{port}")


def test_a_unix_socket_and_its_broker(tmp_path: Path) -> None:
    where = tmp_path / "a b.sock"
    config = f'port 0\nunixsocket "{where}"\nrequirepass p/w\n'
    with server(tmp_path, config):
        wait_for(where.exists)
        store = Store.connect(f"unix://:p%2Fw@{str(where).replace(' ', '%20')}?db=3")
        create(store, ["a", "b"])
        assert store.tasks.schedule("t")
        assert store.matches.depths().tasks == 1
        store.close()


def test_a_sentinel_set_and_its_broker_through_a_failover(tmp_path: Path) -> None:
    main, replica, watcher = free_port(), free_port(), free_port()
    login = "requirepass pw\nmasterauth pw\n"
    watch = (
        f"port {watcher}\nsentinel monitor arena 127.0.0.1 {main} 1\n"
        "sentinel auth-pass arena pw\nsentinel down-after-milliseconds arena 1000\n"
        "sentinel failover-timeout arena 2000\n"
    )
    with ExitStack() as stack:
        first = stack.enter_context(server(tmp_path / "main", f"port {main}\n{login}"))
        answers(redis.Redis(port=main, password="pw"))
        stack.enter_context(
            server(tmp_path / "rep", f"port {replica}\nreplicaof 127.0.0.1 {main}\n{login}")
        )
        copy = answers(redis.Redis(port=replica, password="pw", decode_responses=True))
        wait_for(lambda: copy.info("replication")["master_link_status"] == "up")
        stack.enter_context(server(tmp_path / "sentinel", watch, "--sentinel"))
        sentinel = answers(redis.Redis(port=watcher, decode_responses=True))
        wait_for(lambda: sentinel.sentinel_slaves("arena"))

        store = Store.connect(f"sentinel://:pw@127.0.0.1:{watcher}/0?master=arena")
        create(store, ["a", "b"])
        assert store.tasks.schedule("t")
        wait_for(lambda: copy.llen("arena:celery:arena") == 1)
        os.kill(first.pid, signal.SIGKILL)

        def state() -> str:
            try:
                return store.tournaments.start("t")
            except StoreUnavailable:
                return ""

        assert wait_for(state) == "scheduling"
        wait_for(lambda: store.tasks.schedule("t"))
        assert store.matches.depths().tasks == 2
        store.close()


def test_a_server_that_dies_is_unavailable_until_it_is_back(tmp_path: Path) -> None:
    with Embedded(tmp_path, free_port()) as embedded:
        store = Store.connect(embedded.settings)
        create(store, ["a", "b"])
        os.kill(embedded.pid, signal.SIGSTOP)
        os.kill(embedded.pid, signal.SIGCONT)
        os.kill(embedded.pid, signal.SIGKILL)
        wait_for(lambda: not embedded.alive())
        with pytest.raises(StoreUnavailable):
            store.tournaments.get("t")
        assert not store.tasks.schedule("t")
        embedded.start()
        assert store.tournaments.get("t").state == "created"
        assert store.tasks.schedule("t")
        store.close()


def test_a_full_server_refuses_and_loses_nothing(tmp_path: Path) -> None:
    with Embedded(tmp_path) as embedded:
        store = Store.connect(embedded.settings)
        create(store, ["a", "b"])
        client = store._link.client
        client.config_set("maxmemory", "1mb")
        with pytest.raises(StoreUnavailable, match="maxmemory"):
            store.tournaments.start("t")
        assert store.tournaments.get("t").state == "created"
        client.config_set("maxmemory", "0")
        assert store.tournaments.start("t") == "scheduling"
        store.close()

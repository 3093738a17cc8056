"""The broker: nothing is lost by a crash, and there is never a second one on the same file."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from config.embedded import processes
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.valkey import Valkey
from tests.embedded.conftest import make_valkey

Kill = Callable[[int | None], None]


def test_a_list_survives_kill_9(valkey: Valkey, kill: Kill) -> None:
    with valkey.client() as client:
        client.rpush("queue", *range(1000))
    kill(valkey.pid())
    assert not valkey.running()
    valkey.start()
    with valkey.client() as client:
        assert client.llen("queue") == 1000


def test_a_running_server_is_adopted_and_can_be_stopped(
    valkey: Valkey, home: Home, environ: dict[str, str]
) -> None:
    again = make_valkey(home, environ)
    again.start()
    pid = again.pid()
    assert pid == valkey.pid()
    again.stop()
    assert not valkey.running()
    assert pid is not None
    assert not processes.alive(pid)


def test_a_server_that_hangs_is_replaced_without_loss(
    valkey: Valkey, home: Home, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with valkey.client() as client:
        client.rpush("queue", "kept")
    hanging = valkey.pid()
    assert hanging is not None
    os.kill(hanging, signal.SIGSTOP)
    again = make_valkey(home, environ)
    again.start()
    assert again.pid() != hanging
    assert processes.in_folder(again.folder) == [again.pid()]
    with again.client() as client:
        assert client.lrange("queue", 0, -1) == [b"kept"]
    again.stop()


def test_it_is_a_real_valkey_on_a_private_socket_only(valkey: Valkey) -> None:
    with valkey.client() as client:
        assert "valkey_version" in client.info("server")
        assert client.config_get("port") == {"port": "0"}
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    assert (valkey.socket_dir / "valkey.sock").stat().st_mode & 0o077 == 0


def test_stopping_is_safe_when_nothing_runs(home: Home, environ: dict[str, str]) -> None:
    server = make_valkey(home, environ)
    server.stop()
    assert not server.running()


def test_an_unreadable_file_is_set_aside_since_every_nudge_has_its_row(
    home: Home, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    server = make_valkey(home, environ)
    files = server.folder / "appendonlydir"
    files.mkdir(parents=True)
    (files / "appendonly.aof.manifest").write_text("this is no manifest\n")
    server.start()
    with server.client() as client:
        assert client.dbsize() == 0
    [aside] = home.folder.glob("valkey.unreadable-*")
    assert (aside / "appendonlydir" / "appendonly.aof.manifest").exists()
    assert str(aside) in capsys.readouterr().err


def test_a_server_that_cannot_start_says_what_its_log_says(home: Home, environ: dict[str, str]) -> None:
    server = make_valkey(home, {**environ, "VALKEY_SERVER": "/bin/false"})
    server.log.write_text("the reason\n")
    with pytest.raises(EmbeddedError, match="Valkey does not start") as caught:
        server.start()
    assert "the reason" in str(caught.value)

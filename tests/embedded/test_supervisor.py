"""The supervisor's look at its servers and its manners with signals."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator

import pytest

from config.embedded.home import Home
from config.embedded.lock import DataLock
from config.embedded.postgres import Postgres
from config.embedded.supervisor import Stopped, Supervisor
from config.embedded.valkey import Valkey

Kill = Callable[[int | None], None]


@pytest.fixture
def supervisor(home: Home, postgres: Postgres, valkey: Valkey) -> Iterator[Supervisor]:
    kept = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    lock = DataLock(home.lock)
    assert lock.take()
    yield Supervisor(lock=lock, facts={"port": 1}, postgres=postgres, valkey=valkey)
    lock.release()
    for number, handler in zip((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), kept, strict=True):
        signal.signal(number, handler)


def test_servers_that_were_killed_come_back_and_it_is_said(
    supervisor: Supervisor, postgres: Postgres, valkey: Valkey, kill: Kill, capsys: pytest.CaptureFixture[str]
) -> None:
    kill(postgres.pid())
    kill(valkey.pid())
    supervisor.tend_servers()
    assert postgres.answers()
    assert valkey.answers()
    said = capsys.readouterr()
    assert "Postgres is back." in said.out
    assert "Valkey is gone; starting it again." in said.err
    supervisor.tend_servers()
    assert capsys.readouterr().out == ""


def test_a_server_that_cannot_come_back_is_said_and_does_not_end_the_others(
    supervisor: Supervisor, postgres: Postgres, valkey: Valkey, kill: Kill,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr("config.embedded.postgres.START_SECONDS", 0.5)
    postgres.stop()
    (postgres.folder / "global" / "pg_control").rename(postgres.folder / "pg_control.away")
    kill(valkey.pid())
    supervisor.tend_servers()
    assert valkey.answers()
    assert "PostgreSQL does not start" in capsys.readouterr().err
    (postgres.folder / "pg_control.away").rename(postgres.folder / "global" / "pg_control")
    supervisor.tend_servers()
    assert postgres.answers()


def test_stopping_ends_the_servers_and_a_second_signal_only_hurries(
    supervisor: Supervisor, postgres: Postgres, valkey: Valkey
) -> None:
    supervisor.listen_for_signals()
    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGTERM)
    signal.raise_signal(signal.SIGINT)
    supervisor.stop()
    assert not postgres.running()
    assert not valkey.running()


def test_a_stop_waits_until_a_process_that_is_being_born_is_known(supervisor: Supervisor) -> None:
    supervisor.listen_for_signals()
    born = []

    def bear() -> None:
        with supervisor.shield():
            signal.raise_signal(signal.SIGTERM)
            born.append("child")

    with pytest.raises(Stopped):
        bear()
    assert born == ["child"]


def test_nohup_keeps_it_running_when_the_terminal_closes(supervisor: Supervisor) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    supervisor.listen_for_signals()
    signal.raise_signal(signal.SIGHUP)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    supervisor.listen_for_signals()
    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGHUP)

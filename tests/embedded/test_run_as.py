"""Root never serves: children drop to an ordinary user, or the start says plainly why it cannot."""

from __future__ import annotations

import os
import pwd
import subprocess
from pathlib import Path

import pytest

from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.postgres import Postgres
from config.embedded.reach import Needs, covers, first_blocked
from config.embedded.run_as import choose
from config.embedded.valkey import Valkey

STRANGER = 64_123  # an id that owns nothing here
AS_ROOT = os.geteuid() == 0


def test_no_server_runs_as_root(postgres: Postgres, valkey: Valkey) -> None:
    for pid in (postgres.pid(), valkey.pid()):
        assert Path(f"/proc/{pid}").stat().st_uid == postgres.run_as.uid
    wanted = pwd.getpwnam("nobody").pw_uid if AS_ROOT else os.geteuid()
    assert postgres.run_as.uid == wanted


def test_a_dropped_child_keeps_no_group_of_root(home: Home) -> None:
    run_as = choose({}, Needs(folders=(home.folder,)))
    shown = subprocess.run(["id", "-G"], capture_output=True, text=True, check=True, **run_as.popen())
    groups = {int(word) for word in shown.stdout.split()}
    assert groups == ({run_as.gid} if AS_ROOT else set(os.getgroups()) | {os.getegid()})


def test_the_first_closed_folder_on_the_way_is_named(home: Home) -> None:
    closed = home.folder / "closed"
    program = closed / "bin" / "postgres"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    assert first_blocked(STRANGER, STRANGER, Needs(files=(program,))) is None
    closed.chmod(0o700)
    assert first_blocked(STRANGER, STRANGER, Needs(files=(program,))) == closed
    assert first_blocked(STRANGER, STRANGER, Needs(folders=(program.parent,))) == closed


def test_a_link_into_a_closed_folder_is_found(home: Home) -> None:
    """A virtual environment's python is such a link when its interpreter lies in somebody's home."""
    closed = home.folder / "home"
    closed.mkdir(mode=0o700)
    (closed / "python").touch(mode=0o755)
    link = home.folder / "python"
    link.symlink_to(closed / "python")
    assert first_blocked(STRANGER, STRANGER, Needs(files=(link,))) == closed


def test_only_what_is_needed_is_shown_of_a_closed_folder(home: Home) -> None:
    closed = home.folder / "closed"
    for name in ("clone/.venv", "clone/config", "private", "data"):
        (closed / name).mkdir(parents=True)
    needed = [closed / "clone", closed / "clone" / ".venv", closed / "data", Path("/usr")]
    assert covers(STRANGER, STRANGER, needed) == {}
    closed.chmod(0o700)
    assert covers(STRANGER, STRANGER, needed) == {closed: [closed / "clone", closed / "data"]}
    (closed / "clone").chmod(0o700)
    inside = [closed / "clone" / ".venv", closed / "clone" / "config"]
    assert covers(STRANGER, STRANGER, needed) == {closed: [*inside, closed / "data"]}


def test_programs_in_a_closed_folder_run_as_nobody_or_the_start_says_what_to_do(home: Home) -> None:
    closed = home.folder / "closed"
    (closed / "clone").mkdir(parents=True)
    (closed / "secret").write_text("EXAMPLE")
    program = closed / "clone" / "program"
    program.write_text(f"#!/bin/sh\nid -un; ls {closed}\n")
    program.chmod(0o755)
    closed.chmod(0o700)
    refusal, run_as = "", None
    try:
        run_as = choose(os.environ, Needs(files=(program,), folders=(program.parent,)))
    except EmbeddedError as error:  # a container without namespaces
        refusal = str(error)
    if run_as is None:
        assert str(closed) in refusal
        assert "HIKAE_RUN_AS" in refusal
    else:
        done = subprocess.run(run_as.command(str(program)), capture_output=True, text=True, check=True)
        user, *shown = done.stdout.split()
        assert user == ("nobody" if AS_ROOT else pwd.getpwuid(os.geteuid()).pw_name)
        assert shown == ["clone"] or run_as.uid == os.geteuid()
    assert closed.stat().st_mode & 0o777 == 0o700  # nobody's folder was opened for it
    assert sorted(path.name for path in closed.iterdir()) == ["clone", "secret"]


@pytest.mark.parametrize(
    ("user", "reason"), [("root", "may not be root"), ("no-such-user", "no user no-such-user")]
)
def test_run_as_names_an_ordinary_user(
    user: str, reason: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(EmbeddedError, match=reason):
        choose({"HIKAE_RUN_AS": user}, Needs(folders=(home.folder,)))


def test_a_second_start_by_root_keeps_the_first_ones_user(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    daemon = pwd.getpwnam("daemon")
    assert choose({}, Needs(folders=(home.folder,)), previous_owner=daemon.pw_uid).name == "daemon"


def test_an_ordinary_user_runs_everything_as_itself(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 64_123)
    run_as = choose({"HIKAE_RUN_AS": "root"}, Needs(folders=(home.folder,)))
    assert (run_as.uid, run_as.popen(), run_as.command("ls")) == (64_123, {}, ["ls"])


def test_without_namespaces_the_start_names_the_closed_folder_and_the_ways_out(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    closed = home.folder / "closed"
    closed.mkdir(mode=0o700)
    (closed / "python").touch(mode=0o755)
    foreign = "daemon" if pwd.getpwnam("daemon").pw_uid != closed.stat().st_uid else "nobody"
    with pytest.raises(EmbeddedError, match=r"may not read .*closed.*HIKAE_RUN_AS"):
        choose({"PATH": "/nowhere", "HIKAE_RUN_AS": foreign}, Needs(files=(closed / "python",)))

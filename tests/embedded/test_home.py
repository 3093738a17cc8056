"""What lies in the data folder, who may read it, and who may start on it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config.embedded import locate, logs, plan, port, processes, progress
from config.embedded.errors import EmbeddedError, PortTaken
from config.embedded.home import Home, write_private
from config.embedded.lock import DataLock
from config.embedded.reach import Needs
from config.embedded.run_as import RunAs, choose
from config.schedule import SCHEDULE

ROOT = Path(__file__).resolve().parent.parent.parent


def run_as(home: Home) -> RunAs:
    return choose({}, Needs(folders=(home.folder,)))


def test_the_agent_key_belongs_to_who_started_it_and_to_nobody_else(home: Home) -> None:
    home.keep_agent_key("hk_EXAMPLE")
    found = home.agent_key.stat()
    assert (found.st_mode & 0o777, found.st_uid) == (0o600, os.geteuid())
    assert home.agent_key.read_text() == "hk_EXAMPLE\n"


def test_the_secret_key_is_made_once_for_the_services_alone(home: Home) -> None:
    services = run_as(home)
    home.ensure_secret_key(services, {})
    first = home.secret_key.read_text()
    home.ensure_secret_key(services, {})
    assert home.secret_key.read_text() == first
    assert len(first.strip()) >= 50
    found = home.secret_key.stat()
    assert (found.st_mode & 0o777, found.st_uid) == (0o600, services.uid)


@pytest.mark.parametrize("name", ["SECRET_KEY", "SECRET_KEY_FILE"])
def test_a_secret_key_from_outside_leaves_no_second_one(name: str, home: Home) -> None:
    home.ensure_secret_key(run_as(home), {name: "EXAMPLE"})
    assert not home.secret_key.exists()


def test_a_private_file_is_replaced_whole_and_follows_no_link(home: Home) -> None:
    target = home.folder / "somebody-elses"
    target.write_text("untouched")
    trap = home.folder / "agent.key.new"
    trap.symlink_to(target)
    write_private(home.agent_key, "EXAMPLE")
    assert target.read_text() == "untouched"
    assert not home.agent_key.is_symlink()


def test_another_users_folder_is_refused_in_words(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 64_123)
    with pytest.raises(EmbeddedError, match="belongs to another user"):
        home.make()


def test_a_folder_that_cannot_be_made_is_named(home: Home) -> None:
    file = home.folder / "file"
    file.touch()
    with pytest.raises(EmbeddedError, match="cannot be used"):
        Home(file / "data").make()


def test_a_log_is_private_follows_no_link_and_is_set_aside_when_large(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = home.logs / "web.log"
    with logs.open_log(log) as handle:
        os.write(handle, b"x" * 100)
    assert log.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(logs, "LARGEST_BYTES", 99)
    logs.rotate(home.logs)
    assert [path.name for path in home.logs.iterdir()] == ["web.log.1"]
    log.symlink_to(home.folder / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"), logs.open_log(log):
        pass


def test_only_one_holds_the_folder_until_it_is_killed(home: Home) -> None:
    code = "import sys, time; from pathlib import Path; from config.embedded.lock import DataLock\n"
    code += "lock = DataLock(Path(sys.argv[1])); held = lock.take(); lock.write(port=8000)\n"
    code += "print(held, flush=True); time.sleep(60)"
    holder = subprocess.Popen([sys.executable, "-c", code, str(home.lock)], cwd=ROOT, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"True\n"
        assert DataLock(home.lock).take() is False
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    after = DataLock(home.lock)
    assert after.take() is True
    assert after.read() == {"port": 8000}
    after.write(port=1)
    assert after.read() == {"port": 1}
    after.release()


@pytest.mark.parametrize("text", ["", "[]", "{broken", "5"])
def test_a_damaged_lock_text_reads_as_nothing(text: str, home: Home) -> None:
    home.lock.write_text(text)
    assert DataLock(home.lock).read() == {}


def test_a_taken_port_is_exit_4_and_names_the_next_one() -> None:
    with port.bind(0) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=f"--port {number + 1}") as caught:
            port.bind(number)
    assert caught.value.exit_code == 4
    port.bind(number).close()


def test_nobody_answers_on_a_port_where_nobody_listens() -> None:
    with port.bind(0) as free:
        number = free.getsockname()[1]
    assert not port.answers(number, seconds=1.0)


def test_a_long_step_gives_signs_of_life(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.step("Working", tick=0.05):
        assert processes.wait_until(lambda: "still at it" in capsys.readouterr().out, 5.0)


def test_output_that_nobody_reads_any_more_stops_nothing() -> None:
    code = "import os, sys; from config.embedded.progress import say; say('ready'); sys.stdin.readline(); say('late'); "
    code += "os._exit(7)"
    talking = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert talking.stdin is not None
    assert talking.stdout is not None
    assert talking.stdout.readline() == b"ready\n"
    talking.stdout.close()
    talking.stdin.close()
    assert talking.wait(10) == 7


def test_sign_in_links_lead_to_the_port_that_is_served(home: Home) -> None:
    assert locate.site(home.folder) == "http://127.0.0.1:8000/"
    lock = DataLock(home.lock)
    assert lock.take()
    lock.write(port=8123)
    assert locate.site(home.folder) == "http://127.0.0.1:8123/"
    lock.release()


def test_children_get_secrets_from_files_that_only_their_starter_can_read(home: Home) -> None:
    file = home.folder / "llm.key"
    write_private(file, "EXAMPLE-llm\n")
    environ = {
        "LLM_API_KEY_FILE": str(file),
        "HIKAE_OWNER_PASSWORD": "EXAMPLE-words",
        "PGPORT": "1",
        "LANG": "C",
    }
    given = plan.children_environ(home, run_as(home), environ, ROOT)
    assert given["LLM_API_KEY"] == "EXAMPLE-llm"
    assert not {"LLM_API_KEY_FILE", "HIKAE_OWNER_PASSWORD", "PGPORT"} & set(given)
    assert given["HIKAE_DATA"] == str(home.folder)
    assert plan.owner_password(environ) == {"HIKAE_OWNER_PASSWORD": "EXAMPLE-words"}
    with pytest.raises(EmbeddedError, match="SECRET_KEY_FILE names /nowhere"):
        plan.children_environ(home, run_as(home), {"SECRET_KEY_FILE": "/nowhere"}, ROOT)


def test_every_secret_of_the_settings_can_come_from_a_file() -> None:
    source = (ROOT / "config" / "env.py").read_text()
    own = {"HIKAE_KEY"}  # of `manage.py mcp`, which a client starts and the launcher does not
    assert set(re.findall(r'_secret\("([A-Z_]+)"', source)) - own == set(plan.SECRETS)


def test_every_variable_of_the_settings_is_explained_to_operators() -> None:
    source = (ROOT / "config" / "env.py").read_text()
    explained = (ROOT / "docs" / "operations.md").read_text()
    names = set(re.findall(r'_(?:secret|text|flag|number)\(\s*"([A-Z_]+)"', source))
    assert len(names) > 25
    assert {name for name in names if f"`{name}`" not in explained} == set()


def test_the_example_of_an_environment_names_every_variable_and_sets_none() -> None:
    source = (ROOT / "config" / "env.py").read_text()
    example = (ROOT / ".env.example").read_text()
    named = set(re.findall(r"^#([A-Z_]+)=", example, re.MULTILINE))
    explained = set(re.findall(r"`([A-Z_]{4,})`", (ROOT / "docs" / "operations.md").read_text()))
    assert set(re.findall(r'_(?:secret|text|flag|number)\(\s*"([A-Z_]+)"', source)) <= named
    assert named <= explained
    assert not re.findall(r"^[^#\n]", example, re.MULTILINE)


def test_extraction_has_a_worker_of_its_own_and_every_queue_has_one(home: Home) -> None:
    queues = {
        program.name: program.arguments[program.arguments.index("--queues") + 1].split(",")
        for program in plan.programs(home, 3)
        if "--queues" in program.arguments
    }
    assert queues["worker"] == ["extract"]
    used = {entry["options"]["queue"] for entry in SCHEDULE.values()} | {settings.CELERY_TASK_DEFAULT_QUEUE}
    assert used <= {queue for listed in queues.values() for queue in listed}
    assert all(program.nice == 10 for program in plan.programs(home, 3) if program.name != "web")

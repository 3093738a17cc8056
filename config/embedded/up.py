"""``bin/up``: from an installed ``.venv`` to a running Hikae, one line a step (design section 7).

Exit codes: 0 stopped cleanly, or already running; 1 something failed (said above); 2 wrong arguments;
4 the port is taken.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from config.embedded import leftovers, logs, port, restoring, second, translations
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.lock import DataLock
from config.embedded.plan import children_environ, owner_password, programs
from config.embedded.preparation import Preparation, prepare
from config.embedded.processes import tail, wait_until
from config.embedded.programs import Child
from config.embedded.progress import complain, say, step
from config.embedded.run_as import RunAs
from config.embedded.servers import Servers, assemble, interpreter_needs
from config.embedded.supervisor import Stopped, Supervisor

ROOT = Path(__file__).resolve().parent.parent.parent
FIRST_ANSWER_SECONDS = 60.0


@dataclass(frozen=True)
class Options:
    """What was asked for; the command line wins over ``PORT`` and ``HIKAE_DATA``."""

    port: int
    data: Path
    demo: bool
    restore: Path | None = None


def parse(arguments: Sequence[str], environ: Mapping[str, str]) -> Options:
    """Ends the process with code 2 and a sentence when the arguments make no sense."""
    parser = argparse.ArgumentParser(prog="bin/up", description="Start Hikae and everything it needs.")
    parser.add_argument("--port", default=environ.get("PORT") or str(port.DEFAULT), help="web port (PORT)")
    parser.add_argument("--data", default=environ.get("HIKAE_DATA") or str(ROOT / "data"), help="HIKAE_DATA")
    parser.add_argument("--demo", action="store_true", help="load an invented two-week history")
    parser.add_argument("--restore", metavar="FILE", help="begin a new data folder with a backup")
    found = parser.parse_args(arguments)
    if not found.port.isdecimal() or not 1 <= int(found.port) <= 65535:
        parser.error(f"the port must be a number from 1 to 65535, not {found.port!r}")
    if found.restore and found.demo:
        parser.error("--restore and --demo exclude each other: a backup is nothing to mix inventions into")
    return Options(
        port=int(found.port),
        data=Path(found.data).resolve(),
        demo=found.demo,
        restore=Path(found.restore).resolve() if found.restore else None,
    )


def main(arguments: Sequence[str]) -> int:
    options = parse(arguments, os.environ)
    home = Home(options.data)
    lock = DataLock(home.lock)
    supervisor = Supervisor(lock=lock, facts={"port": options.port})
    supervisor.listen_for_signals()
    held = False
    code = 0
    try:
        home.make()
        held = lock.take() or second.wait_for_first(lock)
        if not held and options.restore:
            raise EmbeddedError("Hikae runs on this data folder. Name a new one with --data for the backup.")
        if not held:
            second.say_running(home, lock, ROOT)
            return 0
        _start(options, home, lock, supervisor)
        supervisor.run()
    except Stopped:
        say("")
    except EmbeddedError as error:
        complain(str(error))
        code = error.exit_code
    except OSError as error:
        complain(f"Hikae cannot go on: {error}")
        code = 1
    finally:
        if held:
            if supervisor.has_started():
                with step("Stopping Hikae"):
                    supervisor.stop()
            lock.release()
    if held and code == 0:
        say("Hikae has stopped. Nothing is running any more.")
    return code


def _start(options: Options, home: Home, lock: DataLock, supervisor: Supervisor) -> None:
    stopped = leftovers.stop(lock.read().get("children"))
    if stopped:
        say(f"Stopped {stopped} programs of a start that had been killed.")
    listening = supervisor.listening = port.bind(options.port)
    lock.write(**supervisor.facts, pid=os.getpid(), children=[])
    logs.rotate(home.logs)
    _compile_translations()
    servers = assemble(home, os.environ, needs=interpreter_needs(ROOT))
    run_as = servers.run_as
    home.make_scratch(run_as)
    if options.restore:
        restoring.adopt_secret(options.restore, home, os.environ)
    home.ensure_secret_key(run_as, os.environ)
    _start_servers(servers, supervisor)
    if options.restore:
        with step("Loading the backup"):
            made_at = restoring.load(options.restore, home, servers)
        say(f"Loaded what was backed up at {made_at}.")
    environ = children_environ(home, run_as, os.environ, ROOT)
    prepared = prepare(
        run_as, {**environ, **owner_password(os.environ)}, ROOT, home.logs / "prepare.log",
        base=port.site(options.port), demo=options.demo,
        keep_key=None if home.agent_key.exists() else home.keep_agent_key
    )  # fmt: skip
    listening.set_inheritable(True)
    children = [
        Child(program=program, run_as=run_as, cwd=ROOT, environ=environ)
        for program in programs(home, listening.fileno())
    ]
    with step("Starting web, worker and beat"):
        supervisor.start_children(children)
        _wait_for_web(options.port, supervisor)
    _say_ready(options.port, home, prepared, run_as)


def _compile_translations() -> None:
    try:
        if translations.compile_all(ROOT / "locale"):
            say("Compiled the translations.")
    except (EmbeddedError, OSError) as error:
        complain(f"The translations could not be compiled, pages are in English: {error}")


def _start_servers(servers: Servers, supervisor: Supervisor) -> None:
    if servers.postgres is not None:
        supervisor.postgres = servers.postgres
        first = not servers.postgres.folder.exists()
        with step("Making the database" if first else "Starting PostgreSQL"), supervisor.shield():
            servers.postgres.create()
            servers.postgres.start()
            servers.postgres.ensure_database()
    if servers.valkey is not None:
        supervisor.valkey = servers.valkey
        with step("Starting Valkey"), supervisor.shield():
            servers.valkey.start()


def _wait_for_web(number: int, supervisor: Supervisor) -> None:
    web = supervisor.children[0]

    def settled() -> bool:
        return port.answers(number) or (web.process is not None and web.process.poll() is not None)

    wait_until(settled, FIRST_ANSWER_SECONDS, step=0.1)
    if not port.answers(number):
        raise EmbeddedError(
            f"The web process does not answer. The end of {web.program.log}:\n{tail(web.program.log)}"
        )
    # The worker reports by itself a moment later; pages work without it, so this is not worth a failure.
    port.wait_for(number, "readyz", 15.0)


def _say_ready(number: int, home: Home, prepared: Preparation, run_as: RunAs) -> None:
    say("")
    say(f"Hikae is ready: {port.site(number)}")
    say(f"  Sign in (once, within 15 minutes): {prepared.link}")
    if home.agent_key.exists():
        say(f"  The agent key lies in {home.agent_key}")
    if os.geteuid() == 0:
        where = f", {run_as.way}" if run_as.way else ""
        say(f"  Started by root; the services run as {run_as.name}{where}.")
    say("  Stop with Ctrl-C.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Throw-away PostgreSQL and Valkey for a benchmark, with the product's tables; gone when the process ends."""

from __future__ import annotations

import atexit
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from config.embedded.home import Home
from config.embedded.servers import assemble


def start(**environment: str) -> None:
    """Start the servers, migrate, set up Django. ``environment`` overrides settings, e.g. ``EXTRACTOR="llm"``."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["HIKAE_TESTING"] = "true"
    os.environ.update(environment)
    data = Path(tempfile.mkdtemp(prefix="hikae-bench-"))
    home = Home(data)
    home.make()
    servers = assemble(home, os.environ, throw_away=True)
    atexit.register(shutil.rmtree, data, ignore_errors=True)
    atexit.register(servers.stop)
    servers.start()
    if servers.postgres is not None:
        os.environ["DATABASE_URL"] = servers.postgres.url
    if servers.valkey is not None:
        os.environ["REDIS_URL"] = servers.valkey.url
    os.environ["HIKAE_DATA"] = str(data)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def machine() -> str:
    """One line that names the machine, for result tables."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
        kilobytes = int(Path("/proc/meminfo").read_text(encoding="utf-8").split()[1])
        memory = f"{kilobytes / 1024 / 1024:.0f} GiB"
    except (OSError, ValueError, IndexError):
        memory = "? GiB"
    return f"{model}, {os.cpu_count()} cores, {memory}, Python {platform.python_version()}"


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)

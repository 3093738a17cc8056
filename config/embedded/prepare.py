"""Everything that needs Django before the web starts, in one process (each start of Django costs a second).

Speaks JSON lines on standard output: ``{"step": text}`` as work begins, ``{"key": secret}`` and
``{"link": address}`` as results. Whatever the commands print goes to standard error, which is a log file;
a secret never does.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
from typing import TextIO


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True, help="address of the site, for the sign-in link")
    parser.add_argument("--make-key", action="store_true")
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--link-only", action="store_true")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        _run(options, answers)


def _run(options: argparse.Namespace, answers: TextIO) -> None:
    import django
    from django.core.management import call_command

    from core import nudge

    def tell(**fact: str) -> None:
        print(json.dumps(fact), file=answers, flush=True)

    def ask(command: str, **values: object) -> str:
        printed = io.StringIO()
        call_command(command, stdout=printed, **values)
        return printed.getvalue().strip()

    if not options.link_only:
        tell(step="Updating the database")
    django.setup()
    if not options.link_only:
        call_command("migrate", interactive=False, verbosity=1)
        tell(step="Making the owner and the first agent key")
        secret = ask("bootstrap", print_key=options.make_key)
        if secret:
            tell(key=secret)
        if options.demo:
            tell(step="Loading the demonstration history")
            call_command("load_demo")
        # Finds work that was due while nothing ran, and the worker reports itself with its first task.
        nudge.send("memory.sweep", queue="extract")
    tell(link=ask("sign_in_link", base=options.base))


if __name__ == "__main__":
    main(sys.argv[1:])

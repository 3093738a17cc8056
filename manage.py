#!/usr/bin/env python
"""Hikae's command line; ``manage.py help`` lists the commands.

Without DATABASE_URL it works on the servers that ``bin/up`` runs for ``HIKAE_DATA``; if they are down it says
so and exits 3 (design section 7).
"""

from __future__ import annotations

import os
import sys

# These work on files alone.
WITHOUT_DATABASE = {"help", "version", "makemigrations", "makemessages", "compilemessages", "collectstatic"}
WITHOUT_DATABASE |= {
    "diffsettings",
    "findstatic",
    "spectacular",
    "startapp",
    "startproject",
    "knowledge_lint",
}


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from config import env
    from config.embedded import locate
    from config.embedded.errors import ServersDown

    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command not in WITHOUT_DATABASE and not command.startswith("-") and "--help" not in sys.argv:
        environment = env.read()
        if not environment.database_url:
            try:
                locate.require(environment.data_dir)
            except ServersDown as down:
                print(down, file=sys.stderr)  # noqa: T201 - this is a command line
                return down.exit_code
    execute_from_command_line(sys.argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())

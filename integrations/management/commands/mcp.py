"""``manage.py mcp``: the MCP server over standard input and output, for clients on the same machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.utils import timezone

from core.api.auth import why_refused
from core.errors import Forbidden
from core.models import AgentKey
from core.services.keys import agent_key_authenticate


class Command(BaseCommand):
    help = "Speak MCP over standard input and output, with the rights of one agent key. Logs go to standard error."
    requires_system_checks: list[str] = []  # their warnings would only delay the client's handshake

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--key-file",
            type=Path,
            help="file that holds the agent key; default: the variable HIKAE_KEY, else the key that bin/up made",
        )
        parser.add_argument("--workspace", default="", help="the workspace that the client works in")

    def handle(self, *args: Any, **options: Any) -> None:
        from integrations.mcp.desk import Caller
        from integrations.mcp.server import build

        secret = self._secret(options["key_file"])
        try:
            _key(secret)
        except Forbidden as error:
            raise CommandError(error.message) from error
        finally:
            connections.close_all()  # each call opens its own, in its thread
        server = build(caller=Caller(lambda: _key(secret), options["workspace"]))
        anyio.run(server.run_stdio_async)

    def _secret(self, path: Path | None) -> str:
        if path is None and settings.AGENT_KEY:
            return str(settings.AGENT_KEY)
        path = path or settings.HIKAE_DATA / "agent.key"
        try:
            return path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(
                f"The agent key cannot be read from {path}: {error}. Name a file with --key-file, or set HIKAE_KEY."
            ) from error


def _key(secret: str) -> AgentKey:
    """Looked up for each call: a key that was revoked stops at once."""
    found = agent_key_authenticate(secret=secret, now=timezone.now())
    if isinstance(found, str):
        raise Forbidden(why_refused(found), code=f"key_{found}")
    return found

"""``manage.py load_demo``: the invented two-week history of ``bin/up --demo``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.errors import DomainError
from core.services.bootstrap import OWNER
from review.demo.load import demo_load


class Command(BaseCommand):
    help = "Load an invented two-week history in Japanese and English. A second call changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", default=OWNER, help="whose history it is (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            loaded = demo_load(username=options["user"], now=timezone.now())
        except DomainError as error:
            raise CommandError(error.message) from error
        if not loaded.fresh:
            self.stdout.write("The demonstration history is there already; nothing was changed.")
            return
        self.stdout.write(
            f"Loaded {loaded.sessions} sessions with {loaded.turns} turns: {loaded.waiting} candidates wait, "
            f"{loaded.approved} are approved, {loaded.rejected} rejected; {loaded.choices} choices were made."
        )

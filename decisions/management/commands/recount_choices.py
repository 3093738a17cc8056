"""``manage.py recount_choices [--check]``: the daily sums behind recommendations."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from decisions.services.tallies import tallies_rebuild, tallies_wrong


class Command(BaseCommand):
    help = (
        "Make the daily sums of choices anew. The database keeps them by itself; this is for repairs by hand, such as "
        "rows that were loaded with triggers switched off."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only say whether they are right")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["check"]:
            self.stdout.write(f"{tallies_rebuild()} sums made.")
            return
        wrong = tallies_wrong()
        for each in wrong[:20]:
            self.stdout.write(f"{each.point} day {each.day}: {each.said} instead of {each.counted}")
        if wrong:
            raise CommandError(f"{len(wrong)} sums are wrong. Run this without --check.")
        self.stdout.write("All sums are right.")

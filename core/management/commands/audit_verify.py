"""``manage.py audit_verify [--heads] [--expect FILE]``: does every chain of audit events hold?"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.models import AuditEvent
from core.services import audit
from core.services.audit import Head


class Command(BaseCommand):
    help = "Check the audit chains; exit 1 when a row was changed, inserted or removed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--heads",
            action="store_true",
            help="print the end of each chain (stream, number, mac); keep it on another machine",
        )
        parser.add_argument(
            "--expect",
            type=argparse.FileType("r", encoding="utf-8"),
            metavar="FILE",
            help="a kept list of --heads, or - for standard input: tells whether an end was cut off since",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        expected: list[Head] = []
        if options["expect"]:
            with options["expect"] as lines:
                expected = _kept(lines)
        problems = audit.verify(expected=expected)
        for problem in problems:
            self.stderr.write(problem)
        if problems:
            raise CommandError(f"{len(problems)} problems in the audit trail.")
        if options["heads"]:
            for head in audit.heads():
                self.stdout.write(f"{head.stream} {head.seq} {head.mac}")
            return
        self.stdout.write(f"{AuditEvent.objects.count()} audit events, all chains hold.")


def _kept(lines: Iterable[str]) -> list[Head]:
    found = []
    for number, line in enumerate(lines, start=1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) != 3 or not parts[1].isdecimal():
            raise CommandError(f"line {number} is not a head: stream, number and mac are expected")
        found.append(Head(parts[0], int(parts[1]), parts[2]))
    return found

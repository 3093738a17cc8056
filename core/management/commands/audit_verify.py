"""``manage.py audit_verify``: does every chain of audit events hold?"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.models import AuditEvent
from core.services import audit


class Command(BaseCommand):
    help = "Check the audit chains; exit 1 when a row was changed, inserted or removed."

    def handle(self, *args: Any, **options: Any) -> None:
        problems = audit.verify()
        for problem in problems:
            self.stderr.write(problem)
        if problems:
            raise CommandError(f"{len(problems)} problems in the audit trail.")
        self.stdout.write(f"{AuditEvent.objects.count()} audit events, all chains hold.")

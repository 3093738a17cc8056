"""``manage.py consolidate [--namespace REF --user NAME]``: a night now, here, without waiting for a worker."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.errors import NotFound
from core.selectors.access import namespace_for_user
from knowledge.models import ConsolidationRun
from knowledge.services.night.due import nights_due, nights_open
from knowledge.services.night.lease import night_open
from knowledge.services.night.run import night_run


class Command(BaseCommand):
    help = (
        "Look for duplicates, corrections, what has had its time, and what is worth a note; file proposals. "
        "Nothing changes until a person accepts them. Every namespace, or one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--namespace", metavar="REF", help="workspace:<name> or persona:<name>; default: all"
        )
        parser.add_argument("--user", help="whose namespace it is; needed with --namespace")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        if options["namespace"]:
            runs = [self._one(options["namespace"], options["user"]).pk]
        else:
            nights_open(now=now, tell_workers=False)
            runs = nights_due(now=now)
        for pk in runs:
            night_run(run_id=pk, now=timezone.now())
            self._say(ConsolidationRun.objects.select_related("namespace__owner").get(pk=pk))

    def _one(self, reference: str, username: str | None) -> ConsolidationRun:
        user = User.objects.filter(username=username).first() if username else None
        if user is None:
            raise CommandError("Say whose namespace it is: --user NAME, an account that exists.")
        try:
            namespace = namespace_for_user(user=user, reference=reference)
        except NotFound as error:
            raise CommandError(f"{error} ({reference})") from error
        return night_open(namespace=namespace, now=timezone.now(), user=user)

    def _say(self, run: ConsolidationRun) -> None:
        owner = run.namespace.owner.get_username()
        skipped = ", ".join(f"{count} {name}" for name, count in sorted(run.skipped.items())) or "none"
        self.stdout.write(
            f"{run.namespace} of {owner}: {run.state}, {run.looked_at} looked at, {run.proposed} proposed, "
            f"skipped: {skipped}, {run.tokens} tokens, {run.seconds:.1f} s"
            + (f", {run.error}" if run.error else "")
        )

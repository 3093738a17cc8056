"""``manage.py backtest --user U``: do the recommendations deserve trust?"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from decisions.learning.backtest import NEWEST
from decisions.learning.types import Backtest
from decisions.services.backtest import choices_backtest


class Command(BaseCommand):
    help = (
        "Predict each choice of a person from those before it, and compare with the last choice, the majority "
        "and the asker's default."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", required=True, help="whose choices")
        parser.add_argument(
            "--newest", type=int, default=NEWEST, help="so many choices at most are predicted"
        )
        parser.add_argument("--json", action="store_true", help="all numbers, for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['user']}.")
        if options["newest"] < 1:
            raise CommandError("--newest must be at least 1.")
        found = choices_backtest(user=user, newest=options["newest"])
        self.stdout.write(json.dumps(asdict(found), indent=2) if options["json"] else "\n".join(lines(found)))


def lines(found: Backtest) -> list[str]:
    """A table for people: one line a predictor, then how far the recommendations reach."""
    if not found.n:
        return ["No choices yet that could be predicted."]
    said = [
        f"{found.n} choices, each predicted from those before it.",
        "",
        f"{'predictor':<14}{'right':>8}{'log loss':>10}{'Brier':>8}{'ECE':>8}",
    ]
    said += [
        f"{each.predictor:<14}{each.accuracy:>8.1%}{each.log_loss:>10.3f}{each.brier:>8.3f}{each.ece:>8.3f}"
        for each in found.scores
    ]
    said += ["", f"{'p at least':<14}{'covers':>8}{'right':>10}"]
    said += [
        f"{each.threshold:<14.2f}{each.share:>8.1%}"
        + (f"{each.accuracy:>10.1%}" if each.accuracy is not None else f"{'-':>10}")
        for each in found.scores[0].coverage
    ]
    if found.suggested_rate is not None:
        said += [
            "",
            f"A decay rate of {found.suggested_rate:g} per day would have served this person better.",
        ]
    return said

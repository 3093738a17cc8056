"""After 90 × 24 h a choice is archived: visible, in the trend, out of the sums (design section 5)."""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction

from decisions.models import Choice, Outcome
from decisions.numbers import numbers

_REMEMBER = """
INSERT INTO decisions_learningsetting AS l (user_id, resolve_allowed, human_sessions, changed_at)
SELECT s.user_id, true, least(count(*), %(enough)s), %(now)s FROM transcripts_agentsession s
WHERE EXISTS (SELECT 1 FROM transcripts_message m WHERE m.session_id = s.id AND m.origin = 'human')
GROUP BY s.user_id
ON CONFLICT (user_id, workspace_id) DO UPDATE SET human_sessions = excluded.human_sessions
WHERE l.human_sessions < excluded.human_sessions
"""


def choices_archive(*, now: datetime, batch: int = 5_000) -> int:
    """Mark what has grown too old, in batches; returns how many. Sums leave such choices out even before this ran."""
    done = 0
    while marked := _archive(now, batch):
        done += marked
    return done


def choices_nightly(*, now: datetime) -> int:
    """What a night does for choices: archive the old ones, and remember how well each person is known."""
    sessions_remember(now=now)
    return choices_archive(now=now)


def sessions_remember(*, now: datetime) -> None:
    """Keep the number of each person's sessions with a human turn, as far as strength needs it, before any is purged.

    One statement; a number never falls.
    """
    with connection.cursor() as cursor:
        cursor.execute(_REMEMBER, {"enough": numbers().weak_above + 1, "now": now})


@transaction.atomic
def _archive(now: datetime, batch: int) -> int:
    """All persons' at once: each row's own age decides, nothing is summed."""
    old = Choice.objects.filter(
        outcome=Outcome.OBSERVED, archived_at=None, at__lte=now - numbers().archive_after
    )
    return Choice.objects.filter(pk__in=list(old.order_by("at").values_list("pk", flat=True)[:batch])).update(
        archived_at=now
    )

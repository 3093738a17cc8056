"""Let go of old conversations (design section 3): only age and pins are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Invalid
from core.services import audit
from transcripts import limits
from transcripts.models import AgentSession, Exposure, ScanState, Turn, TurnPin
from transcripts.services.partitions import partitions_drop
from transcripts.services.pins import NEIGHBOURS

_SESSIONS = 100  # looked through at a time
OWN_PURGE_DAYS = (7, 30, 60)
OWN_BATCH = 500

# Old and unpinned, with no pinned turn shortly before: a cited turn keeps what follows it, even what
# arrived after it was pinned. Each session is read once, along the index of its order.
_GONE = """
SELECT id FROM (
    SELECT t.id, t.received_at, t.scan_state,
           bool_or(EXISTS (SELECT 1 FROM transcripts_turnpin p WHERE p.turn_id = t.id))
               OVER (PARTITION BY t.session_id ORDER BY t.opened_at, t.id
                     ROWS BETWEEN %s PRECEDING AND CURRENT ROW) AS held
    FROM transcripts_turn t
    WHERE t.session_id = ANY(%s)
) turns
WHERE NOT held AND received_at < %s AND scan_state = ANY(%s)
LIMIT %s
"""


@dataclass(frozen=True)
class Purged:
    """Counts of what went."""

    turns: int = 0
    sessions: int = 0
    exposures: int = 0
    partitions: int = 0


def transcripts_purge(*, now: datetime, batch: int = 500) -> Purged:
    """Delete turns older than `TRANSCRIPT_RETENTION_DAYS` that nothing holds, then sessions left empty.

    In batches, each a transaction of its own, so that writers never wait long; stopping half-way loses nothing.
    Evidence keeps its quote, its link to the message becomes empty. Exposures without a session go by age, those of a
    session with it; a month's partition that this leaves empty is dropped.
    """
    before = now - timedelta(days=limits.TRANSCRIPT_RETENTION_DAYS)
    turns = sum(_repeat(partial(_purge_turns, some, before, batch)) for some in _aged(before))
    return Purged(
        turns=turns,
        sessions=_repeat(partial(_purge_sessions, before, batch)),
        exposures=_repeat(partial(_purge_exposures, before, batch)),
        partitions=partitions_drop(before=before),
    )


def conversations_purge(*, user: User, days: int, now: datetime) -> Purged:
    """The same for one person, who need not wait: their turns older than so many days that nothing holds.

    Turns that still wait for their scan stay until it is done. Raises Invalid for days that are not offered.
    """
    if days not in OWN_PURGE_DAYS:
        raise Invalid(
            _("Choose one of the offered ages."), field="days", allowed=[str(each) for each in OWN_PURGE_DAYS]
        )
    before = now - timedelta(days=days)
    states = (ScanState.DONE, ScanState.DEAD)
    turns = sum(
        _repeat(partial(_purge_turns, some, before, OWN_BATCH, states)) for some in _aged(before, user=user)
    )
    purged = Purged(turns=turns, sessions=_repeat(partial(_purge_sessions, before, OWN_BATCH, user)))
    with transaction.atomic():  # what went in batches is gone; only the note is left
        audit.record(
            stream=f"user:{user.pk}",
            verb="transcripts.purged",
            actor=Actor.person(user),
            object_type="user",
            object_id=user.pk,
            data={"days": days, "turns": purged.turns, "sessions": purged.sessions},
            now=now,
        )
    return purged


def _aged(before: datetime, user: User | None = None) -> Iterator[list[UUID]]:
    """Sessions that may hold old turns, some at a time in the order of their ids: a session is older than its turns."""
    last = UUID(int=0)
    sessions = AgentSession.objects.visible_to(user) if user else AgentSession.objects.all()
    rows = sessions.filter(started_at__lt=before).order_by("pk").values_list("pk", flat=True)
    while some := list(rows.filter(pk__gt=last)[:_SESSIONS]):
        yield some
        last = some[-1]


def _repeat(step: Callable[[], int]) -> int:
    """Until nothing is left."""
    total = 0
    while count := step():
        total += count
    return total


@transaction.atomic
def _purge_turns(
    sessions: list[UUID], before: datetime, batch: int, states: Sequence[str] = tuple(ScanState.values)
) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_GONE, [NEIGHBOURS, sessions, before, list(states), batch])
        ids = [row[0] for row in cursor.fetchall()]
    # Asked again under lock: a candidate may have pinned one of them since.
    held = TurnPin.objects.filter(turn__in=ids).values_list("turn_id", flat=True)
    locked = Turn.objects.filter(pk__in=set(ids) - set(held)).select_for_update()
    going = list(locked.values_list("pk", flat=True))
    Turn.objects.filter(pk__in=going).delete()
    return len(going)


@transaction.atomic
def _purge_sessions(before: datetime, batch: int, user: User | None = None) -> int:
    """Sessions with no turn left and no sign of life since; their compactions and exposures go with them."""
    sessions = AgentSession.objects.visible_to(user) if user else AgentSession.objects.all()
    empty = sessions.filter(turns=None, started_at__lt=before).exclude(last_turn_at__gte=before)
    alive = Exposure.objects.filter(at__gte=before, session__isnull=False).values("session")
    ids = list(
        empty.exclude(pk__in=alive).select_for_update(of=("self",)).values_list("pk", flat=True)[:batch]
    )
    AgentSession.objects.filter(pk__in=ids).delete()
    return len(ids)


def _purge_exposures(before: datetime, batch: int) -> int:
    some = Exposure.objects.filter(session=None, at__lt=before).values("pk")[:batch]
    return Exposure.objects.filter(at__lt=before, pk__in=some).delete()[0]

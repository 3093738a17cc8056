"""Which namespaces get a night, and which nights wait for a worker (design section 6)."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Forbidden, NotFound, Paused
from core.models import Namespace
from core.nudge import nudge
from core.services import audit
from knowledge.models import ConsolidationRun, Knowledge
from knowledge.services.night.lease import night_open
from memory.models import Memory, Request

TASK = "knowledge.consolidate"
QUEUE = "nightly"
# Nights that proposed nothing say little after a month; the others are the record of their batch.
KEEP_EMPTY = timedelta(days=30)


def nights_open(*, now: datetime, tell_workers: bool = True) -> int:
    """Open tonight's run in every namespace that has anything to look at; returns how many live ones there are."""
    nights_tidy(now=now)
    opened = {night_open(namespace=namespace, now=now).pk for namespace in _active()}
    if tell_workers:
        nights_nudge(now=now)
    return len(opened)


def _active() -> QuerySet[Namespace]:
    """Not paused, and with memories, requests or notes."""
    here = {"namespace": OuterRef("pk")}
    anything = (
        Exists(Memory.objects.active().filter(**here))
        | Exists(Request.objects.filter(**here))
        | Exists(Knowledge.objects.filter(**here))
    )
    return Namespace.objects.filter(anything, paused_at=None).order_by("pk")


def nights_due(*, now: datetime) -> list[uuid.UUID]:
    """What a worker may claim, the longest due first: new nights, those to try again, those whose worker died."""
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    due = ConsolidationRun.objects.live().filter(free, due_at__lte=now, namespace__paused_at=None)
    return list(due.order_by("due_at", "pk").values_list("pk", flat=True))


def nights_nudge(*, now: datetime) -> int:
    """Tell workers of each; returns how many."""
    due = nights_due(now=now)
    for pk in due:
        nudge(TASK, str(pk), queue=QUEUE)
    return len(due)


@transaction.atomic
def night_now(*, namespace_id: uuid.UUID, user: User, now: datetime) -> ConsolidationRun:
    """An owner asks for a night now. Raises NotFound (strangers), Forbidden (other members), Paused."""
    namespace = Namespace.objects.visible_to(user).filter(pk=namespace_id).first()
    if namespace is None:
        raise NotFound(_("There is no such namespace."))
    if not Namespace.objects.owned_by(user).filter(pk=namespace_id).exists():
        raise Forbidden(_("Only an owner can start a night."))
    if namespace.is_paused:
        raise Paused(
            _("%(name)s is paused: nothing is stored there.") % {"name": namespace}, field="namespace"
        )
    run = night_open(namespace=namespace, now=now, user=user)
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="night.asked",
        actor=Actor.person(user),
        object_type="night",
        object_id=run.pk,
        to_state=run.state,
        group=run.pk,
        now=now,
    )
    nudge(TASK, str(run.pk), queue=QUEUE)
    return run


def nights_tidy(*, now: datetime) -> int:
    """Forget nights without a proposal after a month, but for each namespace's latest: it holds the watermark."""
    newer = ConsolidationRun.objects.filter(
        namespace=OuterRef("namespace"),
        state__in=("done", "undone"),
        until_event__gte=OuterRef("until_event"),
    ).exclude(pk=OuterRef("pk"))
    old = ConsolidationRun.objects.filter(
        state__in=("done", "failed"), proposed=0, ended_at__lte=now - KEEP_EMPTY
    )
    return old.filter(Exists(newer.filter(opened_at__gt=OuterRef("opened_at")))).delete()[0]

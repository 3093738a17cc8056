"""What a person keeps choosing: one row for each recurring question, with what is known about it today."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _

from core.errors import NotFound
from core.models import Namespace
from decisions.learning.types import Prediction, Settings
from decisions.models import DecisionPoint, LearningSetting, Option, Quarantine
from decisions.models.point import PointQuerySet
from review.selectors.knowing import Log, logs_of
from review.selectors.paging import Cursor, Page, page

PAGE = 50
NOWHERE = "none"  # the filter's word for "outside of any workspace"
# A state is computed, not stored: so many candidates are looked at for one page of a state that is rare.
CANDIDATES = 4


@dataclass(frozen=True)
class ChoicesFilter:
    """``workspace`` is an id or ``none``; ``state`` is static, warm or mature."""

    workspace: str = ""
    category: str = ""
    state: str = ""
    text: str = ""

    def __bool__(self) -> bool:
        return any((self.workspace, self.category, self.state, self.text))


@dataclass(frozen=True)
class Row:
    """A question, its log, and what follows from it.

    ``usual`` is the key of what is picked most and ``share`` its share; ``preferred`` is a label, "" for none.
    """

    point: DecisionPoint
    log: Log
    known: Prediction
    usual: str | None
    share: float
    preferred: str


def narrow(rows: PointQuerySet, wanted: ChoicesFilter) -> PointQuerySet:
    if wanted.workspace:
        here = None if wanted.workspace == NOWHERE else uuid.UUID(wanted.workspace)
        rows = rows.filter(workspace_id=here)
    if wanted.category:
        rows = rows.filter(Q(category_set=wanted.category) | Q(category_set="", category=wanted.category))
    if wanted.text:
        said = Option.objects.filter(point=OuterRef("pk"), label__icontains=wanted.text)
        rows = rows.filter(Q(question__icontains=wanted.text) | Q(name__icontains=wanted.text) | Exists(said))
    return rows


def points(
    *,
    user: User,
    wanted: ChoicesFilter,
    after: Cursor | None,
    numbers: Settings,
    now: datetime,
    size: int = PAGE,
) -> tuple[list[Row], str]:
    """The person's questions, the latest choice first, and where the next page starts ("": this is the last).

    The same number of queries however many there are. A page of a rare state may hold fewer rows than fit.
    """
    rows = narrow(DecisionPoint.objects.visible_to(user).live().exclude(last_choice_at=None), wanted)
    rows = _that_may_be(rows, wanted.state, numbers, now).select_related("workspace__owner")
    found = page(
        rows,
        field="last_choice_at",
        after=after,
        size=size * (CANDIDATES if wanted.state else 1),
        at=lambda row: row.last_choice_at or now,
        down=True,
    )
    logs = logs_of(user=user, points=found.rows, numbers=numbers, now=now)
    shown: list[Row] = []
    for point in found.rows:
        log = logs[point.pk]
        known = log.known()
        if wanted.state and known.state != wanted.state:
            continue
        if len(shown) == size:  # the rest of the candidates begin the next page
            last = shown[-1].point
            return shown, str(Cursor(last.last_choice_at or now, last.pk))
        shown.append(Row(point, log, known, *log.usual(known), log.label(log.preferred)))
    return shown, found.next


def _that_may_be(rows: PointQuerySet, state: str, numbers: Settings, now: datetime) -> PointQuerySet:
    """Those whose number of choices allows the state; the rest is decided by what they say."""
    if not state:
        return rows
    fresh = Q(
        choices__outcome="observed",
        choices__archived_at=None,
        choices__reset=None,
        choices__at__gt=now - numbers.archive_after,
    )
    counted = rows.annotate(
        n=Count("choices", filter=fresh), own=Count("choices", filter=fresh & Q(choices__followed=False))
    )
    if state == "static":
        return counted.filter(n__lt=numbers.n_static)
    if state == "mature":
        return counted.filter(own__gt=numbers.n_mature)
    return counted.filter(n__gte=numbers.n_static)


def point_for(*, user: User, point_id: uuid.UUID) -> DecisionPoint:
    """The person's own question. Raises NotFound for everybody else's, members of its workspace included."""
    rows = DecisionPoint.objects.visible_to(user).select_related("workspace__owner")
    found = rows.filter(pk=point_id).first()
    if found is None:
        raise NotFound(_("There is no such question."))
    return found


def workspaces_of(*, user: User) -> list[Namespace]:
    """Where this person was asked: the choices of the filter."""
    own = DecisionPoint.objects.visible_to(user).live().filter(workspace=OuterRef("pk"))
    return list(
        Namespace.objects.visible_to(user).filter(Exists(own)).select_related("owner").order_by("name")
    )


@dataclass(frozen=True)
class Allowance:
    """May questions be settled without asking there? ``workspace`` None: wherever no workspace says otherwise."""

    workspace: Namespace | None
    allowed: bool


def allowances(*, user: User) -> list[Allowance]:
    """Everywhere first, then each workspace in which the person was asked, or once said something about it."""
    rows = LearningSetting.objects.visible_to(user).values_list("workspace_id", "resolve_allowed")
    everywhere, said = True, dict[uuid.UUID, bool]()
    for place, allowed in rows:
        if place is None:
            everywhere = allowed
        else:
            said[place] = allowed
    spaces = {each.pk: each for each in workspaces_of(user=user)}
    named = (
        Namespace.objects.visible_to(user).filter(pk__in=said.keys() - spaces.keys()).select_related("owner")
    )
    spaces |= {each.pk: each for each in named}
    own = sorted(spaces.values(), key=lambda each: (each.name, each.owner_id))
    return [Allowance(None, everywhere), *(Allowance(each, said.get(each.pk, everywhere)) for each in own)]


def quarantined(*, user: User) -> int:
    """How many calls wait to be understood: the number beside the tab."""
    return Quarantine.objects.visible_to(user).waiting().count()


def waiting_calls(*, user: User, after: Cursor | None, size: int = PAGE) -> Page[Quarantine]:
    rows = Quarantine.objects.visible_to(user).waiting().select_related("agent_key")
    return page(rows, field="received_at", after=after, size=size, at=lambda row: row.received_at, down=True)

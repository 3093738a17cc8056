"""What the night shift's pages show: each namespace's latest night, those that proposed something, and one report."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from core.errors import NotFound
from core.models import Membership, Namespace
from knowledge.models import ConsolidationRun, Proposal
from knowledge.selectors.proposals import Shown, shown
from knowledge.services.night.skips import Skip
from review.selectors.paging import Cursor, Page, page

SIZE = 25
LISTED = 60  # proposals of one night on its page


@dataclass(frozen=True)
class Place:
    """A namespace with its latest night (None: it had none) and whether the person may start one."""

    namespace: Namespace
    last: ConsolidationRun | None
    owned: bool


@dataclass(frozen=True)
class Report:
    """One night. ``proposals`` and ``states`` are for those who may decide; readers see numbers alone."""

    run: ConsolidationRun
    skipped: Sequence[tuple[str, int]]
    proposals: Sequence[Shown]
    states: Sequence[tuple[str, int]]
    hidden: int
    may_decide: bool

    @property
    def undoable(self) -> bool:
        return self.may_decide and self.run.state in ("done", "failed") and self.run.proposed > 0


def places(*, user: User) -> list[Place]:
    """Every namespace of the person: three queries."""
    latest = ConsolidationRun.objects.filter(namespace=OuterRef("namespace")).order_by("-opened_at", "-pk")
    rows = Membership.objects.filter(user=user).select_related("namespace__owner")
    found = list(
        rows.annotate(night=Subquery(latest.values("pk")[:1])).order_by("namespace__type", "namespace__name")
    )
    runs = ConsolidationRun.objects.visible_to(user).in_bulk([row.night for row in found if row.night])
    return [Place(row.namespace, runs.get(row.night), row.role == "owner") for row in found]


def with_proposals(*, user: User, after: Cursor | None) -> Page[ConsolidationRun]:
    """Nights that proposed something, the latest first."""
    rows = ConsolidationRun.objects.visible_to(user).filter(proposed__gt=0)
    return page(
        rows.select_related("namespace__owner"),
        field="opened_at",
        after=after,
        size=SIZE,
        at=lambda run: run.opened_at,
        down=True,
    )


def report(*, user: User, run_id: uuid.UUID) -> Report:
    """One night, for a member. Raises NotFound for strangers."""
    rows = ConsolidationRun.objects.visible_to(user).select_related(
        "namespace__owner", "asked_by", "undone_by"
    )
    run = rows.filter(pk=run_id).first()
    if run is None:
        raise NotFound(_("There is no such night."))
    labels = dict(Skip.choices)
    skipped = [
        (str(labels.get(name, name)), count)
        for name, count in sorted(run.skipped.items(), key=lambda each: (-each[1], each[0]))
        if count
    ]
    batch = Proposal.objects.reviewable_by(user).filter(batch=run.pk)
    states = Counter(batch.values_list("state", flat=True))
    listed = list(batch.select_related("namespace__owner").order_by("kind", "created_at", "pk")[:LISTED])
    return Report(
        run=run,
        skipped=skipped,
        proposals=shown(listed),
        states=[
            (state, states[state]) for state in ("open", "accepted", "refused", "withdrawn") if states[state]
        ],
        hidden=sum(states.values()) - len(listed),
        may_decide=ConsolidationRun.objects.reviewable_by(user).filter(pk=run.pk).exists(),
    )

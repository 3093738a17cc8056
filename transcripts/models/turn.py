"""One exchange, opened by a prompt; and what holds it against purging."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from transcripts.models.scan import Scan
from transcripts.models.session import AgentSession


class TurnQuerySet(models.QuerySet["Turn"]):
    def visible_to(self, user: object) -> TurnQuerySet:
        pk = getattr(user, "pk", None)
        return self.filter(session__user_id=pk) if pk else self.none()

    def before(self, turn: Turn) -> TurnQuerySet:
        """What came earlier in its session, the nearest first. Turns of one moment are ordered by their ids."""
        earlier = models.Q(opened_at__lt=turn.opened_at) | models.Q(opened_at=turn.opened_at, pk__lt=turn.pk)
        return self.filter(earlier, session=turn.session_id).order_by("-opened_at", "-pk")

    def after(self, turn: Turn) -> TurnQuerySet:
        """What came later in its session, the nearest first."""
        later = models.Q(opened_at__gt=turn.opened_at) | models.Q(opened_at=turn.opened_at, pk__gt=turn.pk)
        return self.filter(later, session=turn.session_id).order_by("opened_at", "pk")


class Turn(Scan):
    """A turn is scanned once it is closed; its scan states are drawn in ``Scan``.

    ``opened_at`` is the client's time where it gives one: the order of turns within their session.
    """

    session = models.ForeignKey(AgentSession, on_delete=models.CASCADE, related_name="turns", db_index=False)
    key = models.CharField(_("turn key"), max_length=200)
    opened_at = models.DateTimeField(_("opened"))
    closed_at = models.DateTimeField(_("closed"), null=True)
    received_at = models.DateTimeField(_("received"))

    objects = TurnQuerySet.as_manager()

    if TYPE_CHECKING:
        session_id: uuid.UUID

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="transcripts_turn_key"),
            models.CheckConstraint(
                condition=models.Q(scan_state__in=["waiting", "leased", "done", "dead"]),
                name="transcripts_turn_state",
            ),
        ]
        indexes = [
            # The sweeper's claim, and queue age: only turns that still have work, which are few.
            models.Index(
                fields=["backlog", "due_at"],
                name="transcripts_turn_due",
                condition=models.Q(scan_state__in=["waiting", "leased"], closed_at__isnull=False),
            ),
            # A session in order: the Sessions page, context of a scan, "is an earlier turn unfinished?"
            models.Index(fields=["session", "opened_at", "id"], name="transcripts_turn_order"),
            # Purge reads only age (and pins).
            models.Index(fields=["received_at"], name="transcripts_turn_age"),
            # Dead turns stay visible with a retry; they are rare.
            models.Index(
                fields=["due_at"], name="transcripts_turn_dead", condition=models.Q(scan_state="dead")
            ),
        ]

    def __str__(self) -> str:
        return self.key


class TurnPin(models.Model):
    """Keeps a turn while something cites it (design section 3). ``holder`` is e.g. ``candidate:<id>``."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="pins", db_index=False)
    holder = models.CharField(max_length=80)

    class Meta:
        verbose_name = _("pin")
        verbose_name_plural = _("pins")
        constraints = [models.UniqueConstraint(fields=["turn", "holder"], name="transcripts_turnpin_once")]
        indexes = [models.Index(fields=["holder"], name="transcripts_turnpin_holder")]  # unpinning by holder

    def __str__(self) -> str:
        return self.holder

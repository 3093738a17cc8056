"""What a person did in the queue, so that it can be undone as a whole."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from memory.models import Candidate


class ActQuerySet(models.QuerySet["Act"]):
    def visible_to(self, user: object) -> ActQuerySet:
        """Undo is personal: a person sees the own acts."""
        pk = getattr(user, "pk", None)
        return self.filter(user_id=pk) if pk else self.none()


class Act(models.Model):
    """One decision of a person over one or many items; its id is the audit events' ``group``.

    ``items`` lists ``{"type", "id", "version"}``: the item and its version after the act, so that undo leaves alone
    what somebody touched later; a moved one also says where it ``was`` (``namespace``, ``conflicts_with``).
    States: done → undone.
    """

    VERBS = [
        ("approve", _("approved")),
        ("reject", _("rejected")),
        ("set_aside", _("set aside")),
        ("merge", _("merged")),
        ("move", _("moved")),
        ("accept", _("accepted")),
        ("refuse", _("refused")),
        ("retire", _("retired")),
    ]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    verb = models.CharField(max_length=10, choices=VERBS)
    items = models.JSONField(default=list)
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    objects = ActQuerySet.as_manager()

    class Meta:
        verbose_name = _("act")
        verbose_name_plural = _("acts")
        indexes = [
            # "Undo the last thing I did": the person's acts that still stand, the latest first.
            models.Index(
                fields=["user", "-at"], name="review_act_undoable", condition=models.Q(undone_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verb} × {len(self.items)}"

    @property
    def label(self) -> str:
        """The text of the one candidate it was about, as it reads now; empty for many, or once that is deleted.

        Read and never kept: a copy here would outlive the memory that somebody deletes (design section 8).
        """
        if len(self.items) != 1 or self.items[0]["type"] != "candidate":
            return ""
        found = Candidate.objects.visible_to(self.user).filter(pk=self.items[0]["id"])
        return found.values_list("content", flat=True).first() or ""

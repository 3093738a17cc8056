"""What was decided, by whom: kept for ever, without the texts."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _


class AuditEvent(models.Model):
    """One state change: ids, actor, states and SHA-256 of texts, never the text (design section 4).

    Append-only, enforced by triggers in the database. Events of one stream (a namespace, or a person's
    account) form a chain: each ``mac`` covers the row and the ``mac`` before it, so that ``audit_verify``
    finds a changed, inserted or missing row. ``group`` joins the events of one act, such as a bulk
    approval. Names are stored beside ids, so that the history survives a deletion.
    """

    PERSON = "person"
    POLICY = "policy"
    OPERATOR = "operator"
    KEY = "key"
    SYSTEM = "system"
    ACTORS = [
        (PERSON, _("person")),
        (POLICY, _("auto-approve policy")),
        (OPERATOR, _("operator")),
        (KEY, _("agent key")),
        (SYSTEM, _("Hikae")),
    ]

    id = models.BigAutoField(primary_key=True)
    stream = models.CharField(max_length=80)
    seq = models.BigIntegerField()
    at = models.DateTimeField()
    verb = models.CharField(max_length=60)
    actor_type = models.CharField(max_length=8, choices=ACTORS)
    actor_id = models.CharField(max_length=64, blank=True)
    actor_label = models.CharField(max_length=200, blank=True)
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64)
    from_state = models.CharField(max_length=20, blank=True)
    to_state = models.CharField(max_length=20, blank=True)
    group = models.UUIDField(null=True, blank=True)
    data = models.JSONField(default=dict)
    mac = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["stream", "seq"], name="core_auditevent_chain"),
        ]
        indexes = [
            # An item's timeline on the review page.
            models.Index(fields=["object_type", "object_id", "id"], name="core_auditevent_object"),
            # The events of one act, for undo and History; most events stand alone.
            models.Index(
                fields=["group"], name="core_auditevent_group", condition=models.Q(group__isnull=False)
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
            pgtrigger.Trigger(
                name="no_truncate",
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                operation=pgtrigger.Truncate,
                func="RAISE EXCEPTION 'pgtrigger: core_auditevent is append-only';",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.object_type} {self.object_id}"

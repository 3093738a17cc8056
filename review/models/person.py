"""What a person set for themselves: filters, language, keys, reminders."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id


class SavedFilterQuerySet(models.QuerySet["SavedFilter"]):
    def visible_to(self, user: object) -> SavedFilterQuerySet:
        pk = getattr(user, "pk", None)
        return self.filter(user_id=pk) if pk else self.none()


class SavedFilter(models.Model):
    """A filter of the queue under a name of its own; ``query`` is what the address bar shows."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_filters", db_index=False
    )
    name = models.CharField(_("name"), max_length=60)
    query = models.TextField(_("filter"), blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()

    objects = SavedFilterQuerySet.as_manager()

    class Meta:
        verbose_name = _("saved filter")
        verbose_name_plural = _("saved filters")
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "name"], name="review_savedfilter_name"),
        ]

    def __str__(self) -> str:
        return self.name


class PersonSettings(models.Model):
    """One person's own settings; a person without a row has the defaults.

    ``key_map`` holds changed keys alone (``review.keys``). ``language``, ``theme`` and ``time_zone`` empty: as the
    browser or the server says. A digest goes to the address and the webhook that are filled in, first at the next
    moment after ``digest_since``. The webhook's secret is derived from ``webhook_nonce`` and never stored.
    """

    THEMES = [("", _("as the system")), ("light", _("light")), ("dark", _("dark"))]
    FREQUENCIES = [("off", _("off")), ("daily", _("daily")), ("weekly", _("weekly, on Mondays"))]

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="hikae_settings"
    )
    language = models.CharField(_("language"), max_length=5, blank=True)
    theme = models.CharField(_("theme"), max_length=5, choices=THEMES, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=60, blank=True)
    keys_off = models.BooleanField(_("single keys are off"), default=False)
    key_map = models.JSONField(_("keys"), default=dict, blank=True)
    digest = models.CharField(_("reminder"), max_length=6, choices=FREQUENCIES, default="off")
    digest_email = models.EmailField(_("e-mail"), blank=True)
    digest_webhook = models.CharField(_("webhook"), max_length=500, blank=True)
    digest_since = models.DateTimeField(null=True)
    webhook_nonce = models.CharField(max_length=32, blank=True, editable=False)
    changed_at = models.DateTimeField()

    if TYPE_CHECKING:
        user_id: int

    class Meta:
        verbose_name = _("personal settings")
        verbose_name_plural = _("personal settings")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(digest__in=["off", "daily", "weekly"]), name="review_personsettings_digest"
            ),
            models.CheckConstraint(
                condition=models.Q(theme__in=["", "light", "dark"]), name="review_personsettings_theme"
            ),
        ]
        indexes = [
            # The hourly task looks at those alone who want a digest.
            models.Index(
                fields=["user"], name="review_personsettings_wants", condition=~models.Q(digest="off")
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)


class DigestRun(models.Model):
    """One reminder of one period; the row is what keeps it from going out twice.

    ``period`` is a date (daily) or an ISO week (weekly) in the person's zone. States: ``sending`` → ``sent`` |
    ``nothing`` (nothing waited) | ``failed``; ``failed`` → ``sending`` at the next hour, at most three times. Each
    channel that has succeeded is not used again. A run that died in ``sending`` is not repeated: rather none than two.
    """

    STATES = [
        ("sending", _("sending")),
        ("sent", _("sent")),
        ("nothing", _("nothing waited")),
        ("failed", _("failed")),
    ]

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="digests", db_index=False
    )
    period = models.CharField(max_length=12)
    state = models.CharField(max_length=7, choices=STATES, default="sending")
    attempts = models.PositiveSmallIntegerField(default=1)
    email_at = models.DateTimeField(null=True)
    webhook_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "period"], name="review_digestrun_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["sending", "sent", "nothing", "failed"]),
                name="review_digestrun_state",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.period} {self.state}"

    if TYPE_CHECKING:
        user_id: int

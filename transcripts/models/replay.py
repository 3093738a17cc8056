"""What a client could not deliver in time, while it is coming in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Replay(models.Model):
    """The late deliveries of one machine of a person (design section 8).

    ::

        (none) --something late arrives--> held --all of it is here, or nothing came for a while--> catching up
        catching up --all that was said up to ``through`` is scanned--> (none)

    Which of two wordings becomes the candidate depends on which is scanned first. So while a row is there, nothing of
    the person is scanned before ``wait_until``, and then one scan at a time, in the order in which it happened.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    machine = models.CharField(max_length=200, blank=True)
    since = models.DateTimeField()
    wait_until = models.DateTimeField()
    through = models.DateTimeField()

    if TYPE_CHECKING:
        user_id: int

    class Meta:
        verbose_name = _("replay")
        verbose_name_plural = _("replays")
        constraints = [
            models.UniqueConstraint(fields=["user", "machine"], name="transcripts_replay_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.machine}"

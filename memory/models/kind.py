"""The closed set of six kinds (design section 2); CHECK constraints hold it closed."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    PREFERENCE = "preference", _("preference")
    FACT = "fact", _("fact")
    DECISION = "decision", _("decision")
    PATTERN = "pattern", _("pattern")
    POSTMORTEM = "postmortem", _("postmortem")
    EVENT = "event", _("event")


KINDS: tuple[str, ...] = tuple(Kind.values)

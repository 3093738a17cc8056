"""Why something that a stage looked at became no proposal: the words of the report."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Skip(models.TextChoices):
    """One member for each reason that any stage counts."""

    ALREADY_FILED = "already_filed", _("proposed before")
    REFUSED_BEFORE = "refused_before", _("a person refused it, or undid its night")
    BUSY = "busy", _("waits in an open proposal")
    CHANGED_MEANWHILE = "changed_meanwhile", _("changed while the night ran")
    ENOUGH = "enough", _("enough for one night; comes back in the next")
    CONFLICT_IN_CLUSTER = "conflict_in_cluster", _("alike, but one of them says otherwise")
    CONTRADICTION = "contradiction", _("they contradict each other, and nothing says which is true now")
    UNSURE = "unsure", _("not sure enough")
    PROTECTED = "protected", _("used in the last 30 days")
    TEMPLATE = "template", _("in the template's words: the model gave none that stand in the sources")
    NO_VECTOR = "no_vector", _("alike by words, but without a vector yet; compared again in the next")

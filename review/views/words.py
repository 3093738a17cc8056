"""Sentences about acts: what was done, and who was faster."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from core.errors import DomainError
from review.models import Act

SHORT = 60


def short(text: str) -> str:
    """One line for a toast."""
    line = " ".join(text.split())
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"


def done_sentence(act: Act) -> str:
    said = {
        "approve": _("Approved: “%(text)s”"),
        "reject": _("Rejected: “%(text)s”"),
    }
    return said[act.verb] % {"text": short(act.label)}


def somebody_was_faster(error: DomainError) -> str:
    """ "Already approved by Alice, 10:02." (review-ux line 8); other conflicts say their own sentence."""
    said = {
        "approved": _("Already approved by %(who)s, %(when)s."),
        "rejected": _("Already rejected by %(who)s, %(when)s."),
        "archived": _("Archived by %(who)s, %(when)s."),
        "pending": _("Changed by %(who)s, %(when)s. This is how it reads now."),
    }.get(str(error.details.get("status", "")))
    if error.code != "already_decided" or said is None or not error.details.get("at"):
        return error.message
    at = timezone.localtime(datetime.fromisoformat(str(error.details["at"])))
    same_day = at.date() == timezone.localtime(timezone.now()).date()
    moment = formats.time_format(at, "H:i")
    if not same_day:
        moment = f"{formats.date_format(at, 'MONTH_DAY_FORMAT')} {moment}"
    return said % {"who": error.details.get("by") or _("somebody"), "when": moment}

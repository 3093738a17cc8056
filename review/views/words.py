"""Sentences about acts: what was done, and who was faster."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import DomainError
from review.models import Act
from review.services.results import ActResult

SHORT = 60


def short(text: str) -> str:
    """One line for a toast."""
    line = " ".join(text.split())
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"


def done_sentence(act: Act) -> str:
    said = {
        "approve": _("Approved: “%(text)s”"),
        "reject": _("Rejected: “%(text)s”"),
        "set_aside": _("Set aside until tomorrow; its days go on: “%(text)s”"),
        "merge": _("Merged as a duplicate: “%(text)s”"),
        "move": _("Moved: “%(text)s”"),
        "accept": _("Accepted: done as proposed."),
        "refuse": _("Refused: everything stays as it is."),
        "retire": _("Retired: agents no longer recall it. You can restore it here."),
    }
    return said[act.verb] % {"text": short(act.label)}


def undone_sentence(result: ActResult) -> str:
    """What undo brought back, and whether something was left alone."""
    n, verb = len(result.done), result.act.verb if result.act else ""
    if verb == "retire":
        text = _("Restored: agents recall it again.") if n else _("Nothing was restored.")
    elif verb in ("accept", "refuse"):
        text = ngettext("Undone: %(n)s proposal waits again.", "Undone: %(n)s proposals wait again.", n)
    else:
        text = ngettext("Undone: %(n)s candidate waits again.", "Undone: %(n)s candidates wait again.", n)
    left = " " + _("What somebody changed since was left alone.") if result.changed else ""
    return text % {"n": n} + left


def bulk_sentence(result: ActResult, *, verb: str) -> str:
    """ "118 approved, 8 left out, 2 changed": what happened to each, as numbers."""
    done = {
        "approve": _("%(n)s approved"),
        "reject": _("%(n)s rejected"),
        "set_aside": _("%(n)s set aside until tomorrow"),
        "move": _("%(n)s moved"),
    }[verb] % {"n": len(result.done)}
    parts = [done]
    if result.left_out:
        parts.append(
            _("%(n)s left out (decisions and postmortems deserve a look each)") % {"n": len(result.left_out)}
        )
    if result.changed:
        parts.append(_("%(n)s changed meanwhile") % {"n": len(result.changed)})
    if result.remaining:
        parts.append(_("%(n)s more match") % {"n": result.remaining})
    return _(", ").join(parts)


def reason_sentence(reason: str) -> str:
    return _("Rejected as %(reason)s.") % {"reason": reason_words(reason)}


def reason_words(code: str) -> str:
    """Why something was rejected or retired; an unknown reason as it is."""
    return {
        "wrong": _("wrong"),
        "outdated": _("outdated"),
        "private": _("private"),
        "trivial": _("trivial"),
        "duplicate": _("duplicate"),
        "withdrawn": _("withdrawn in the conversation"),
    }.get(code, code)


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

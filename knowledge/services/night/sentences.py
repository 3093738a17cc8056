"""Why something is proposed, in one sentence, in the language of the memory that it is about."""

from __future__ import annotations

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from knowledge.night.clusters import Change
from knowledge.night.facts import Fact
from knowledge.night.fading import Faded
from knowledge.night.limits import UNUSED_AFTER
from knowledge.night.material import Changed, Drafted
from knowledge.night.summarising import Summary


def of_change(change: Change) -> str:
    """For a merge or a supersede."""
    with override(_spoken(change.stays.language)):
        if change.why == "same":
            return _(
                "They say the same in other words. The fuller text stays; the others remain as its history."
            )
        if change.why == "nearly":
            return _("They nearly say the same: the words that matter agree. Please compare.")
        old = change.leaves[0]
        if change.why == "says_so":
            return _("The newer one says that this has changed. The older one stays as what was true before.")
        days = max(1, (change.stays.said_at - old.said_at).days)
        return ngettext(
            "Both cannot be true, and one was said %(days)d day later. Is it the one that holds now?",
            "Both cannot be true, and one was said %(days)d days later. Is it the one that holds now?",
            days,
        ) % {"days": days}


def of_faded(fact: Fact, faded: Faded) -> str:
    """For a retirement: the category by name, and what speaks for it."""
    with override(_spoken(fact.language)):
        if faded.category == "outdated" and faded.until is not None:
            return _("Outdated: the text itself says until %(day)s.") % {"day": date_format(faded.until)}
        if faded.category == "superseded":
            return _("Superseded: the very same words were replaced or retired elsewhere since.")
        if faded.category == "noisy":
            return _("Noisy: it tells what was done once, and nothing that holds for the next time.")
        return _("Unused: for %(days)d days no agent asked for it, and recall never showed it.") % {
            "days": UNUSED_AFTER.days
        }


def _spoken(language: str) -> str:
    return "ja" if language == "ja" else "en"


def of_note(drafted: Drafted) -> str:
    """For a new note: how much is known, and how often it was asked for."""
    asked = max((each.sessions for each in drafted.recurring), default=0)
    memories = sum(piece.type == "memory" for piece in drafted.pieces)
    said = []
    with override(_spoken(drafted.language)):
        if memories:
            told = ngettext(
                "%(count)d approved memory is about the same subject.",
                "%(count)d approved memories are about the same subject.",
                memories,
            )
            said.append(told % {"count": memories})
        if memories < len(drafted.pieces):
            said.append(_("You keep choosing the same there."))
        if asked:
            often = ngettext(
                "It was asked for in %(sessions)d session.",
                "It was asked for in %(sessions)d sessions.",
                asked,
            )
            said.append(often % {"sessions": asked})
        return " ".join(said)


def of_update(changed: Changed) -> str:
    """For a change of a note: what comes, and what is no longer true."""
    language = (
        changed.added[0].language if changed.added else "ja" if changed.description.endswith("。") else "en"
    )
    said = []
    with override(_spoken(language)):
        if changed.added:
            said.append(
                ngettext(
                    "%(count)d newly approved memory belongs to this note.",
                    "%(count)d newly approved memories belong to this note.",
                    len(changed.added),
                )
                % {"count": len(changed.added)}
            )
        if changed.gone:
            said.append(
                ngettext(
                    "%(count)d of its lines is no longer true.",
                    "%(count)d of its lines are no longer true.",
                    len(changed.gone),
                )
                % {"count": len(changed.gone)}
            )
        return " ".join(said)


def of_summary(fresh: Summary, language: str) -> str:
    """For a refresh: how many lines come and go."""
    said = []
    with override(_spoken(language)):
        if fresh.added:
            said.append(
                ngettext(
                    "%(count)d line from approved memories is new.",
                    "%(count)d lines from approved memories are new.",
                    fresh.added,
                )
                % {"count": fresh.added}
            )
        if fresh.removed:
            said.append(
                ngettext(
                    "%(count)d line is no longer true and goes.",
                    "%(count)d lines are no longer true and go.",
                    fresh.removed,
                )
                % {"count": fresh.removed}
            )
        said.append(_("The other lines stay as they are."))
        return " ".join(said)

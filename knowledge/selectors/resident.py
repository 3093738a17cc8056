"""What is put before every session (design section 6): the summary and resident Knowledge descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from core.errors import Forbidden
from core.models import Namespace
from core.redact import redact
from core.text import tokens
from knowledge.models import Knowledge, Summary
from knowledge.notes.resident import shorten
from transcripts.inputs import Shown
from transcripts.models import AgentSession


@dataclass(frozen=True)
class Section:
    """One part of the resident context; ``cut`` says how to read the rest of a shortened text."""

    type: str
    slug: str | None
    text: str
    tokens: int
    cut: str


@dataclass(frozen=True)
class Resident:
    """The sections in order, and the records behind them as they were shown."""

    sections: tuple[Section, ...] = ()
    shown: tuple[Shown, ...] = ()


def resident(
    *, homes: Sequence[Namespace], session: AgentSession | None, characters: int | None = None
) -> Resident:
    """The summaries and resident descriptions of these namespaces, in their order. A missing part is simply absent.

    ``characters`` caps the whole. Raises Forbidden (``internal_session``): a sub-task must not be steered by them.
    """
    if session is not None and session.internal:
        raise Forbidden(
            _("Internal sessions get no resident context."), code="internal_session", field="session"
        )
    order = {home.pk: number for number, home in enumerate(homes)}
    sections: list[Section] = []
    shown: list[Shown] = []
    left = characters
    budget = settings.SUMMARY_TOKENS
    summaries = Summary.objects.filter(namespace__in=order).exclude(body="")
    for summary in sorted(summaries, key=lambda each: order[each.namespace_id]):
        section = _summary_section(summary, budget=budget, characters=left)
        if section.text:
            shown.append(Shown("summary", str(summary.pk), summary.version, section.text))
        budget -= section.tokens
        left = None if left is None else max(0, left - len(section.text) - len(section.cut))
        sections.append(section)
    notes = Knowledge.objects.resident().filter(namespace__in=order)
    for note in sorted(notes, key=lambda each: (order[each.namespace_id], each.slug)):
        line = redact(f"#{note.slug}: {note.description}").text
        if left is not None:
            if len(line) > left:
                cut = _("Left out for want of room; read it with GET knowledge/%(slug)s/") % {
                    "slug": note.slug
                }
                sections.append(Section("knowledge", note.slug, "", 0, cut))
                continue
            left -= len(line)
        sections.append(Section("knowledge", note.slug, line, tokens(line), ""))
        shown.append(Shown("knowledge", str(note.pk), note.version, line))
    return Resident(tuple(sections), tuple(shown))


def _summary_section(summary: Summary, *, budget: int, characters: int | None) -> Section:
    body = redact(summary.body).text
    part = shorten(body, budget=max(0, budget), characters=characters)
    cut = ""
    if part != body:
        cut = _("Cut: %(kept)s of %(all)s tokens. A person finds the rest under Knowledge in Hikae.") % {
            "kept": tokens(part),
            "all": tokens(body),
        }
    return Section("summary", None, part, tokens(part), cut)

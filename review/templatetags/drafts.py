"""Drafted notes and summaries in templates: what differs, how it will look, what it was made from."""

from __future__ import annotations

from collections import Counter

from django import template
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.markdown import render as markdown
from knowledge.models import Proposal
from knowledge.note_payloads import KINDS, NotePayload, Update
from knowledge.selectors.proposals import Shown
from review.diff import Line, Piece, lines, pieces

register = template.Library()
FEW = 14  # changed lines in the queue; the page shows all


@register.filter
def is_draft(proposal: Proposal) -> bool:
    """About a note or the summary, not about memories."""
    return proposal.kind in KINDS


@register.filter
def accept_word(proposal: Proposal) -> str:
    """What the button does."""
    return {
        "merge": _("Merge"),
        "supersede": _("Replace"),
        "create": _("Create the note"),
        "update": _("Change the note"),
        "summary": _("Use this summary"),
    }.get(proposal.kind, _("Retire"))


@register.filter
def draft_lines(item: Shown) -> list[Line]:
    """What would differ in the text, line by line."""
    if not isinstance(item.payload, NotePayload):
        return []
    body = item.payload.body
    if not item.before:  # nothing to compare with: all of it is new
        return [Line("+", line) for line in body.split("\n")]
    return lines(item.before, body, context=1)


@register.filter
def few(found: list[Line]) -> list[Line]:
    return found if len(found) <= FEW else [*found[: FEW - 1], Line("@", "")]


@register.filter
def description_pieces(item: Shown) -> list[Piece]:
    """What would differ in the description of a note; nothing when it stays."""
    if not isinstance(item.payload, Update) or item.note is None:
        return []
    after = item.payload.description
    return pieces(item.note.description, after) if after != item.note.description else []


@register.filter
def draft_html(item: Shown) -> str:
    """The text as it will look. core.markdown lets no HTML of the author's through."""
    return as_html(item.payload.body if isinstance(item.payload, NotePayload) else "")


@register.filter
def as_html(text: str) -> str:
    """Markdown as it will look, whoever wrote it."""
    return mark_safe(markdown(text))  # noqa: S308


@register.filter
def also_from(proposal: Proposal) -> str:
    """What it was made from besides memories, counted: requests and choices stay with the person who made them."""
    counts = Counter(str(each.get("type")) for each in proposal.sources)
    said = []
    if counts["request"]:
        said.append(ngettext("%(n)s request", "%(n)s requests", counts["request"]) % {"n": counts["request"]})
    if counts["point"]:
        said.append(
            ngettext("%(n)s repeated choice", "%(n)s repeated choices", counts["point"])
            % {"n": counts["point"]}
        )
    return _(", ").join(said)

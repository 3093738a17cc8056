"""Small words of the templates: where am I, how is a namespace written, what does the toast say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypedDict
from urllib.parse import urlencode

from django import template
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest
from django.template import RequestContext
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from core.models import AuditEvent, Namespace
from memory.models import Candidate, Memory
from review.phrases import dropped_in_words, in_words, likeness_in_words
from review.services.acts import HEAVY
from review.views.words import reason_words

register = template.Library()

# Which entry of the side bar a page belongs to.
PLACES = {
    "review": ("review", "candidate", "proposal", "history", "memory-new"),
    "memories": ("memories", "memory"),
    "knowledge": ("knowledge", "note", "summary"),
    "choices": ("choices", "point", "quarantine"),
    "sessions": ("session",),
    "insights": ("insights",),
    "settings": (
        "claude-code",
        "settings",
        "keys",
        "key",
        "namespace",
        "prompt",
        "night",
        "data",
        "policy",
        "account",
        "member",
        "persona",
        "reminder",
    ),
}


class Toast(TypedDict):
    text: str
    tone: str
    act: str
    reasons: bool
    link: str


@register.simple_tag(takes_context=True)
def here(context: RequestContext, place: str) -> SafeString:
    """``aria-current`` when the page belongs to this entry of the side bar."""
    request: HttpRequest | None = context.get("request")
    match = getattr(request, "resolver_match", None)
    name = (match.url_name or "") if match else ""
    found = max(
        (
            (len(start), entry)
            for entry, starts in PLACES.items()
            for start in starts
            if name.startswith(start)
        ),
        default=(0, ""),
    )[1]
    return mark_safe(' aria-current="page"') if found == place else SafeString("")


@register.simple_tag(takes_context=True)
def ns(context: RequestContext, namespace: Namespace) -> str:
    """How the reader writes the namespace; needs ``select_related("owner")``."""
    return namespace.reference_for(context["request"].user.pk, namespace.owner.get_username())


@register.simple_tag(takes_context=True)
def return_address(context: RequestContext) -> str:
    """Where an act leads back to: the page that the browser shows, or the one a link named in ``next``."""
    request: HttpRequest = context["request"]
    htmx = getattr(request, "htmx", None)
    return (htmx and htmx.current_url_abs_path) or request.GET.get("next") or request.get_full_path()


@register.simple_tag(takes_context=True)
def query(context: RequestContext, **changes: Any) -> str:
    """The page's query string with some fields changed; empty ones leave it."""
    request: HttpRequest = context["request"]
    fields = {key: value for key, value in request.GET.items() if key not in changes and value}
    fields |= {key: value for key, value in changes.items() if value not in (None, "")}
    return "?" + urlencode(fields)


@register.filter
def toast(messages: Iterable[Message] | None) -> Toast | None:
    """The latest message as a toast; the act it can take back rides in its tags."""
    waiting = list(messages or ())  # reading them takes them off the queue
    if not waiting:
        return None
    last = waiting[-1]
    tone = "bad" if last.level_tag in ("warning", "error") else "ok"
    more = json.loads(last.extra_tags) if (last.extra_tags or "").startswith("{") else {}
    return {"act": "", "reasons": False, "link": "", **more, "text": str(last.message), "tone": tone}


@register.filter
def when(moment: datetime | None) -> SafeString:
    """A moment in the reader's zone: the time today, else the day, with the exact time for machines."""
    if moment is None:
        return SafeString("")
    local = timezone.localtime(moment)
    today = timezone.localtime(timezone.now())
    if local.date() == today.date():
        text = formats.time_format(local, "H:i")
    elif local.year == today.year:
        text = f"{formats.date_format(local, 'MONTH_DAY_FORMAT')} {formats.time_format(local, 'H:i')}"
    else:
        text = formats.date_format(local, "DATE_FORMAT")
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(), full(moment), text)


@register.filter
def full(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'DATE_FORMAT')} {formats.time_format(local, 'H:i')}"


@register.filter
def lang(code: str) -> SafeString:
    """The text's own language for screen readers and fonts; undetermined texts carry none."""
    return format_html(' lang="{}"', code) if code in ("ja", "en") else SafeString("")


@register.filter
def redacted(kind: str) -> str:
    """``api-key`` as words for a chip."""
    return _("redacted: %(kind)s") % {"kind": kind.replace("-", " ")}


@register.filter
def speaker(origin: str) -> str:
    """Who speaks in a conversation, in words."""
    return {
        "human": _("You, typed"),
        "agent": _("Agent"),
        "tool": _("Tool output"),
        "system": _("Host"),
        "injected": _("Put there by Hikae or the host"),
        "unknown": _("Unknown"),
    }.get(origin, origin)


@register.filter
def happened(verb: str) -> str:
    """An audit verb in words; an unknown one as it is, so that nothing is hidden."""
    return {
        "candidate.created": _("Proposed"),
        "candidate.sighted": _("Seen again"),
        "candidate.edited": _("Edited"),
        "candidate.approved": _("Approved"),
        "candidate.rejected": _("Rejected"),
        "candidate.archived": _("Archived"),
        "candidate.reopened": _("Reopened"),
        "candidate.undone": _("Decision undone"),
        "candidate.withdrawn": _("Withdrawn in the conversation"),
        "candidate.suppressed": _("Suppressed"),
        "candidate.set_aside": _("Set aside until the next day"),
        "candidate.brought_back": _("Back from being set aside"),
        "candidate.moved": _("Moved to another namespace"),
        "candidate.merged": _("Merged as a duplicate"),
        "candidate.promotion_failed": _("Could not be stored"),
        "memory.created": _("Became a memory"),
        "memory.loaded": _("Loaded by an operator"),
        "memory.edited": _("Edited"),
        "memory.retired": _("Retired"),
        "memory.superseded": _("Replaced by a newer memory"),
        "memory.restored": _("Restored"),
        "memory.deleted": _("Deleted"),
        "memory.undone": _("Approval undone"),
        "memory.reported": _("Reported by an agent"),
        "night.asked": _("Night asked for"),
        "night.done": _("Night over"),
        "night.failed": _("Night failed"),
        "night.undone": _("Night undone"),
        "proposal.filed": _("Filed"),
        "proposal.accepted": _("Accepted"),
        "proposal.refused": _("Refused"),
        "proposal.moved": _("Moved to another namespace"),
        "proposal.undone": _("Decision undone"),
        "proposal.withdrawn": _("Withdrawn"),
    }.get(verb, verb)


@register.filter
def actor(event: AuditEvent) -> str:
    """By whom: names of people and keys as stored, the rest in words."""
    if event.actor_type in (AuditEvent.PERSON, AuditEvent.KEY, AuditEvent.OPERATOR) and event.actor_label:
        return f"{event.actor_label} ({event.get_actor_type_display()})"
    return event.get_actor_type_display()


register.filter("spoken", in_words)


register.filter("reason", reason_words)
register.filter("likeness", likeness_in_words)
register.filter("dropped", dropped_in_words)


@register.filter
def heavy(row: Candidate | Memory) -> bool:
    """Decisions and postmortems weigh more."""
    return row.kind in HEAVY


@register.filter
def left_out(code: str) -> str:
    """Why a line of a transcript was left out on purpose, in words; an unknown reason as it is."""
    return {
        "before_first_prompt": _("before the first prompt"),
        "before_first_session": _("before the first session"),
        "dead_branch": _("abandoned branch of the conversation"),
        "duplicate_line": _("repeated line"),
        "end_of_long_text": _("end of a very long text"),
        "future_time": _("time in the future"),
        "half_written_last_line": _("half-written last line"),
        "interrupt": _("interruption"),
        "more_problems": _("further problems"),
        "not_conversation": _("not part of the conversation"),
        "reading_stopped": _("rest of the file: reading stopped"),
        "session_without_prompt": _("session without a prompt"),
        "sidechain": _("side conversation of a subagent"),
        "thinking": _("thoughts of the model"),
        "unknown_block": _("unknown kind of block"),
        "unknown_type": _("unknown kind of line"),
        "zone_missing_taken_as_utc": _("time without a zone, taken as UTC"),
    }.get(code, code)

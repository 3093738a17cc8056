"""Where do the words stand, and who said them? (design section 4, Ground)"""

from __future__ import annotations

from core import text
from memory.inputs import SpanIn
from memory.models import TrustTier
from transcripts.models import AgentSession, Message, Origin

LOOK_BACK = 400  # messages of the session, the latest first


def ground_quote(*, session: AgentSession, content: str, quote: str) -> tuple[tuple[SpanIn, ...], str]:
    """Evidence and trust tier for an explicit remember.

    The quote (or the content itself) verbatim in a human message: one span, *human*. Else in tool output:
    *tool*. Else *agent*.
    """
    recent = list(session.messages.order_by("-id")[:LOOK_BACK])
    for wanted in filter(None, (quote, content)):
        for message in recent:
            if message.origin == Origin.HUMAN and (span := span_in(message, wanted)):
                return (span,), TrustTier.HUMAN
    for wanted in filter(None, (quote, content)):
        for message in recent:
            if message.origin == Origin.TOOL and _stands_in(wanted, message.text):
                return (), TrustTier.TOOL
    return (), TrustTier.AGENT


def span_in(message: Message, quote: str, *, role: str = "statement") -> SpanIn | None:
    """The quote as a verbatim span of the message, outside injected parts; None where it does not stand."""
    place = text.find_span(quote, message.text)
    if place is None or any(start < place[1] and place[0] < end for start, end in message.injected):
        return None
    return SpanIn(
        message=message,
        role=role,
        origin=message.origin,
        quote=message.text[place[0] : place[1]],
        start=place[0],
        end=place[1],
        at=message.at,
    )


def _stands_in(wanted: str, where: str) -> bool:
    """Verbatim, or nearly: a light rewording of a tool's text is still the tool's."""
    if text.find_span(wanted, where):
        return True
    return text.containment(text.shingles(wanted), text.shingles(where)) >= 0.7

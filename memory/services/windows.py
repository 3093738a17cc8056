"""Stored messages as an extractor sees them."""

from __future__ import annotations

from collections.abc import Sequence

from memory.extractors.base import Utterance, Window
from transcripts.models import AgentSession
from transcripts.selectors.windows import WindowMessage


def window_for(*, session: AgentSession, messages: Sequence[WindowMessage], mode: str) -> Window:
    """``session`` comes with persona and workspace, ``messages`` in the order of the conversation."""
    return Window(
        utterances=tuple(_utterance(each) for each in messages),
        persona=session.persona.name,
        workspace=session.workspace.name if session.workspace else None,
        mode=mode,
    )


def _utterance(each: WindowMessage) -> Utterance:
    message = each.message
    return Utterance(
        ref=str(message.pk),
        role=message.role,
        origin=message.origin,
        text=message.text,
        in_scope=each.in_scope,
        at=message.at,
        injected=tuple((start, end) for start, end in message.injected),
    )

"""The stage that refreshes the summary of a namespace from approved memories (design section 6)."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from knowledge.models import Summary
from knowledge.night.material import Piece
from knowledge.night.summarising import Line, refresh
from knowledge.services.night import sentences
from knowledge.services.night.material import memories_of
from knowledge.services.night.stage import Draft, Findings, Night, Source

FIRST = 3  # so many memories are worth a first summary
CONFIDENCE = 0.8


class SummaryRefresh:
    """One proposal at most, with the whole new text; nothing when it reads so already.

    A session may start with two summaries, its persona's and its workspace's: each takes half of the room.
    """

    name = "summary"

    def __call__(self, night: Night) -> Findings:
        pieces = memories_of(night)
        found = Findings(looked_at=len(pieces))
        held = Summary.objects.filter(namespace=night.namespace).first()
        body = held.body if held else ""
        if not body and len(pieces) < FIRST:
            return found
        lines = [Line(each["id"], each["version"], each.get("sha256", "")) for each in _own(held)]
        fresh = refresh(
            body,
            lines=lines,
            pieces=pieces,
            budget=settings.SUMMARY_TOKENS // 2,
            characters=settings.RESIDENT_CHARS // 2,
            language=_language(pieces),
        )
        if fresh is None or not fresh.lines:
            return found
        found.drafts.append(
            Draft(
                "summary",
                {"version": held.version if held else 0, "body": fresh.body},
                sentences.of_summary(fresh, _language(pieces)),
                CONFIDENCE,
                tuple(Source("memory", line.id, line.version, line.digest) for line in fresh.lines),
            )
        )
        return found


def _own(held: Summary | None) -> list[dict[str, Any]]:
    return [each for each in held.lines if each.get("type") == "memory"] if held else []


def _language(pieces: list[Piece]) -> str:
    japanese = sum(piece.language == "ja" for piece in pieces)
    return "ja" if japanese * 2 > len(pieces) else "en"

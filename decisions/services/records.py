"""The plain record as JSON (for the quarantine) and as a question that was answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from decisions.capture import limits, reasons
from decisions.capture.answers import answer_of
from decisions.capture.context import tidy
from decisions.capture.questions import options_of, text_of
from decisions.capture.shapes import Asked
from decisions.inputs import RecordIn
from decisions.learning.types import OptionIn


def payload_of(record: RecordIn) -> dict[str, Any]:
    """As the contract writes it; options with their descriptions."""
    return {
        "session": record.session,
        "decision_id": record.decision_id,
        "timestamp": record.at.isoformat(),
        "question": record.question,
        "user_choice": record.answer if isinstance(record.answer, str) else list(record.answer),
        "all_options": [asdict(option) for option in record.options],
        "context": dict(record.context),
    }


def record_of(payload: Mapping[str, Any]) -> RecordIn:
    """Back from ``payload_of``."""
    answer = payload["user_choice"]
    return RecordIn(
        decision_id=payload["decision_id"],
        at=datetime.fromisoformat(payload["timestamp"]),
        question=payload["question"],
        options=tuple(OptionIn(each["label"], each["description"]) for each in payload["all_options"]),
        answer=answer if isinstance(answer, str) else tuple(answer),
        session=payload["session"],
        context=payload["context"],
    )


def asked_of(record: RecordIn) -> tuple[Asked, str]:
    """The question with its answer, and why it does not count (settled without a person), or "". Raises Odd.

    Several labels mean that several could be chosen. ``context`` may name the category.
    """
    context = tidy(record.context)
    asked = Asked(
        text=text_of(record.question, "question", limits.MAX_QUESTION_CHARS),
        options=options_of(record.options, "all_options"),
        header=context.get("header", "")[: limits.MAX_HEADER_CHARS],
        multi=not isinstance(record.answer, str) and len(record.answer) > 1,
        category=context.get("category", ""),
    )
    raw = record.answer if isinstance(record.answer, str) else list(record.answer)
    automatic = any(context.get(name) == "true" for name in ("auto_resolved", "resolved"))
    answered = Asked(**{**vars(asked), "answer": answer_of(asked, raw)})
    return answered, reasons.AUTO if automatic else ""

"""Keep what was said, so that the choice it leads to can be told from one that we had no part in."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection

from decisions.asked import Advised, Recommended
from decisions.models import Fate, Recommendation


def recommendations_store(
    *,
    user_id: int,
    session_id: uuid.UUID,
    answer: Recommended,
    signatures: Sequence[str],
    context: Mapping[str, str],
    seen: bool,
    now: datetime,
) -> None:
    """One row a question, inside the caller's transaction. ``seen`` False: nobody was shown a label of ours.

    One statement that takes the rows as one value: an agent waits for this, and hundreds of parameters cost more than
    the row.
    """
    rows = [
        _row(each, signature, seen)
        | {
            "call": str(answer.id),
            "index": index,
            "user_id": user_id,
            "session_id": str(session_id),
            "context": dict(context),
            "issued_at": now.isoformat(),
        }
        for index, (each, signature) in enumerate(zip(answer.questions, signatures, strict=True))
    ]
    with connection.cursor() as cursor:
        cursor.execute(_statement(tuple(rows[0])), [json.dumps(rows, ensure_ascii=False)])


@cache
def _statement(columns: tuple[str, ...]) -> str:
    table, names = Recommendation._meta.db_table, ", ".join(f'"{name}"' for name in columns)
    return (
        f"INSERT INTO {table} ({names}) "  # noqa: S608 (our own names; the rows are bound)
        f"SELECT {names} FROM jsonb_populate_recordset(NULL::{table}, %s::jsonb)"
    )


def _row(each: Advised, signature: str, seen: bool) -> dict[str, Any]:
    advice, prediction = each.advice, each.prediction
    return {
        "id": str(each.id),
        "point_id": str(each.point) if each.point else None,
        "signature": signature,
        "question": each.question.text,
        "category": each.category,
        "options": [vars(option) for option in advice.options],
        "labelled": advice.labelled and seen,
        "probe": advice.probe and seen,
        "state": prediction.state,
        "layer": prediction.layer,
        "leader": advice.leader or "",
        "clear": prediction.clear,
        "n": prediction.n,
        "n_effective": prediction.n_effective,
        "share": prediction.share,
        "p": prediction.p,
        "lead": prediction.lead,
        "confidence": prediction.confidence_value,
        "age_days": prediction.age_days,
        "strength": advice.strength,
        "premise": advice.premise,
        "action": advice.action,
        "reason": advice.reason,
        "text": advice.text,
        "defects": list(each.defects),
        "evidence": list(each.evidence),
        "fate": Fate.RESOLVED.value if advice.action == "resolve" else Fate.OPEN.value,
    }

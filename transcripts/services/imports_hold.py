"""Keep a transcript that was read between its plan and the word to go (``core.services.parked``).

What is kept is redacted, and carries the digests that tell a repeated import from a changed text.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from core.services.parked import parked, parked_forget, parked_keep
from transcripts.readers.shapes import Problem
from transcripts.services.imports_read import FileSession, FileTurn, Transcript
from transcripts.services.prepare import Prepared

_KIND = "transcript"


def transcript_keep(*, user: User, transcript: Transcript) -> str:
    """The token under which it waits for an hour. Raises Busy, Invalid (``too_large``)."""
    return parked_keep(user=user, kind=_KIND, value=_plain(transcript), field="file")


def transcript_kept(*, user: User, token: str) -> Transcript:
    """What was kept. Raises Busy, Invalid (``gone``)."""
    return _transcript(parked(user=user, kind=_KIND, token=token, field="file"))


def transcript_forget(*, user: User, token: str) -> None:
    parked_forget(user=user, kind=_KIND, token=token)


def _plain(transcript: Transcript) -> dict[str, Any]:
    # asdict would make a Counter of pairs out of a Counter.
    plain = {**asdict(replace(transcript, skipped=Counter())), "skipped": dict(transcript.skipped)}
    for session in plain["sessions"]:
        session["started_at"] = _written(session["started_at"])
        for turn in session["turns"]:
            for message in turn["messages"]:
                message["at"] = _written(message["at"])
    return plain


def _transcript(plain: dict[str, Any]) -> Transcript:
    sessions = [
        FileSession(
            **{
                **session,
                "started_at": _moment(session["started_at"]),
                "turns": tuple(
                    FileTurn(
                        turn["key"],
                        tuple(
                            Prepared(**{**message, "at": _moment(message["at"])})
                            for message in turn["messages"]
                        ),
                    )
                    for turn in session["turns"]
                ),
            }
        )
        for session in plain["sessions"]
    ]
    problems = [Problem(**problem) for problem in plain["problems"]]
    kept = {**plain, "sessions": sessions, "problems": problems, "skipped": Counter(plain["skipped"])}
    return Transcript(**kept)


def _written(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _moment(at: str | None) -> datetime | None:
    return datetime.fromisoformat(at) if at else None

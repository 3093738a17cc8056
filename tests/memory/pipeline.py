"""The pipeline as a worker drives it, for tests that say something and look at the queue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from unittest import mock

from django.utils import timezone

from core.models import AgentKey
from core.services.namespaces import persona_default
from memory.extractors.base import Extraction as Result
from memory.extractors.base import Proposal, Span, Window
from memory.inputs import Outcome
from memory.models import Candidate, Extraction, Sighting
from memory.services import extractors
from memory.services.extraction import scan_next
from tests import build
from transcripts.inputs import MessageIn
from transcripts.models import AgentSession, Turn


def scan_all(now: datetime | None = None) -> int:
    """Scan what is due, as a sweep does; how many jobs ran."""
    done = 0
    while scan_next(now=now or timezone.now()):
        done += 1
    return done


def only(outcome: Outcome) -> Candidate:
    """The candidate of an outcome that has one."""
    assert outcome.candidate is not None
    return outcome.candidate


def last_run() -> Extraction:
    """The record of the latest scan."""
    run = Extraction.objects.order_by("-pk").first()
    assert run is not None
    return run


def ledger() -> tuple[int, int]:
    """Candidates and sightings: what self-feeding would make grow."""
    return Candidate.objects.count(), Sighting.objects.count()


@dataclass
class Talk:
    """A conversation: each ``say`` is one closed turn a minute after the last, scanned at once."""

    key: AgentKey
    name: str = "s1"
    workspace: str = "api"
    at: datetime = field(default_factory=timezone.now)
    turns: int = 0

    def __post_init__(self) -> None:
        persona_default(user=self.key.user, now=self.at)
        self.session: AgentSession = build.session(self.key, self.name, workspace=self.workspace, now=self.at)

    def say(self, *messages: MessageIn | str) -> Turn:
        """Store one closed turn, plain strings being typed by the person, and scan what is due."""
        self.turns += 1
        self.at += timedelta(minutes=1)
        turn = build.turn(self.key, *messages, session=self.name, name=f"t{self.turns}", now=self.at)
        scan_all(self.at)
        return turn


@contextmanager
def every_statement_is_proposed() -> Iterator[None]:
    """An extractor that takes each new message of the person for a fact: for tests that judge not the judge."""

    def run(*, window: Window, **_unused: object) -> extractors.Run:
        said = [u for u in window.utterances if u.in_scope and u.origin == "human" and not u.injected]
        found = [
            Proposal(
                "fact",
                u.text,
                "workspace",
                0.8,
                (Span(u.ref, u.text, 0, len(u.text), "statement"),),
                "it was said",
            )
            for u in said
        ]
        return extractors.Run(Result(tuple(found)), "everything")

    with mock.patch.object(extractors, "run", run):
        yield


def proposals() -> list[Candidate]:
    """All candidates, oldest first."""
    return list(Candidate.objects.order_by("pk"))

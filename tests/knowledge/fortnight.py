"""Two weeks of one workspace in Japanese and English: said, extracted, approved and asked for through the services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from unittest import mock

from django.contrib.auth.models import User
from django.utils import timezone

from core.models import AgentKey, Namespace
from memory.extractors.base import Extraction, Proposal, RequestNote, Span, Window
from memory.models import Candidate
from memory.services import extractors
from memory.services.gate import candidate_approve
from tests import build
from tests.decisions.choosing import clicked
from tests.memory.pipeline import Talk

# One list a day, one turn each: what the person typed, and what an extractor takes it for ("ask": a request).
DAYS: tuple[tuple[tuple[str, str], ...], ...] = (
    (
        ("decision", "We decided to deploy to production from the main branch only."),
        ("pattern", "Before every deploy to staging, always run the migrations first."),
    ),
    (
        ("decision", "請求書のPDFはWeasyPrintで作ることに決めた。"),
        ("pattern", "請求書の番号は年度ごとの連番で振るルールにしている。"),
    ),
    (
        ("ask", "Please deploy the api to staging."),
        ("fact", "Logs go to Grafana Loki and are kept for 30 days."),
    ),
    (
        (
            "postmortem",
            "The production deploy failed because the migrations ran after the workers had started: migrate "
            "before the workers restart.",
        ),
    ),
    (
        ("ask", "請求書のPDFを直して。"),
        ("pattern", "請求書のPDFを変更したら、必ずサンプルを3件目視で確認すること。"),
    ),
    (
        ("decision", "We use Playwright for the end-to-end tests, because Cypress could not open two tabs."),
        (
            "pattern",
            "When a Playwright test is flaky, rerun it ten times with the trace on before changing it.",
        ),
    ),
    (
        ("ask", "Deploy the api to staging please."),
        ("pattern", "From now on tag the release before each production deploy."),
    ),
    (
        ("ask", "請求書のPDFを作り直して。"),
        ("postmortem", "請求書の消費税の端数は必ず切り捨てにする。切り上げで返金が発生したから。"),
    ),
    (
        ("fact", "Playwright tests run against a copy of the staging database."),
        ("pattern", "Whenever an alert fires, first look at the Loki dashboard, then at the traces."),
    ),
    (
        ("pattern", "返品の受付は注文から30日以内とする。"),
        ("pattern", "返品が届いたら、在庫を増やしてから返金する。"),
    ),
    (
        ("ask", "Please deploy to staging again."),
        ("pattern", "Loki queries must always filter by the service label first."),
    ),
    (
        ("ask", "請求書のPDFを直してください。"),
        ("decision", "返品の送料はお客様の負担にすることに決めた。"),
    ),
    (("fact", "Loki log lines are JSON and carry a trace id."),),
    (("preference", "Keep pull requests under 400 lines."), ("event", "The office moves on 1 May.")),
)
ASKED = "Which kind of test should cover this change?"
USUAL = "Unit test"


@dataclass(frozen=True)
class Fortnight:
    """The person, their key, and the workspace with everything that was proposed in it approved."""

    user: User
    key: AgentKey
    home: Namespace
    night: datetime


def lived(name: str = "alice") -> Fortnight:
    """Two weeks until today, each day a session; the person approves what was proposed, at the end of each day."""
    tonight = timezone.now()
    user = build.person(name)
    key = build.key(user).key
    for number, lines in enumerate(DAYS):
        at = tonight - timedelta(days=len(DAYS) - number)
        with scripted():
            talk = Talk(key, f"day-{number}", workspace="shop", at=at)
            for _kind, said in lines:
                talk.say(said)
        approve_all(user, at + timedelta(hours=8))
    return Fortnight(user, key, Namespace.objects.get(name="shop"), tonight)


@contextmanager
def scripted() -> Iterator[None]:
    """An extractor that knows what each line is, so that these tests judge the night and not the extractor."""
    kinds = {said: kind for lines in DAYS for kind, said in lines}

    def run(*, window: Window, **_unused: object) -> extractors.Run:
        said = [u for u in window.utterances if u.in_scope and u.origin == "human" and u.text in kinds]
        found = tuple(
            Proposal(
                kinds[u.text],
                u.text,
                "workspace",
                0.9,
                (Span(u.ref, u.text, 0, len(u.text), "statement"),),
                "",
            )
            for u in said
            if kinds[u.text] != "ask"
        )
        asked = tuple(RequestNote(u.ref, "do", "", u.text) for u in said if kinds[u.text] == "ask")
        return extractors.Run(Extraction(found, asked), "scripted")

    with mock.patch.object(extractors, "run", run):
        yield


def approve_all(user: User, now: datetime) -> int:
    """Everything that waits, as a person who agrees with all of it."""
    waiting = list(Candidate.objects.reviewable_by(user).filter(status="pending").order_by("pk"))
    for candidate in waiting:
        candidate_approve(candidate_id=candidate.pk, version=candidate.version, user=user, now=now)
    return len(waiting)


def chose(fortnight: Fortnight, times: int = 8) -> None:
    """A habit: the same answer to the same question, seen by the hook."""
    for number in range(times):
        clicked(
            fortnight.key,
            USUAL,
            ago=timedelta(hours=6 * (number + 1)),
            text=ASKED,
            labels=(USUAL, "Playwright test", "Both"),
            workspace="shop",
        )

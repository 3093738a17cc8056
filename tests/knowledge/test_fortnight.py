"""What a two-week workspace is worth the next morning: the validation criteria of the night shift, end to end.

- Knowledge is proposed after the first night, with no usage data: ``test_the_first_night_proposes_…``
- One approval makes one active note: ``test_one_approval_makes_one_active_note_…``
- The summary is in ``context/`` without a tool call: ``test_the_summary_stands_before_the_next_session_…``
- No prompt presupposes a way of managing work: ``tests/memory/test_prompts.py``
- Every description says when to read it, and tasks find their note by it: ``test_every_description_…``,
  ``test_nine_of_ten_tasks_…``
- No machine turns ``model_invocation`` on: ``test_no_machine_path_ever_turns_residency_on``
- Usage is recorded on all three paths: ``test_usage_is_recorded_on_all_three_paths``
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.text import tokens
from knowledge.models import Knowledge, KnowledgeUse, Proposal, Summary
from knowledge.night import answers
from knowledge.services.night.notes import Notes
from knowledge.services.night.summary import SummaryRefresh
from knowledge.services.proposals import proposal_accept
from knowledge.services.vectors import notes_fill_due
from memory.models import Memory
from tests import build
from tests.knowledge.fortnight import ASKED, USUAL, Fortnight, chose, lived
from tests.knowledge.nights import night
from tests.knowledge.tasking import misses, rivals, tasks
from tests.memory.recalling import model
from tests.review.scene import remembered, share
from transcripts.models import Exposure

pytestmark = pytest.mark.django_db
STAGES = (Notes(), SummaryRefresh())


@pytest.fixture
def weeks() -> Fortnight:
    """Two weeks, and the first night over them, with no usage data at all."""
    lived_ = lived()
    chose(lived_)
    assert not KnowledgeUse.objects.exists()
    run = night(lived_.home, lived_.night, STAGES)
    assert run.state == "done"
    return lived_


def drafts(kind: str = "create") -> list[Proposal]:
    return list(Proposal.objects.filter(kind=kind, state="open").order_by("created_at", "pk"))


def accept(weeks: Fortnight, *proposals: Proposal) -> None:
    for proposal in proposals:
        proposal_accept(proposal_id=proposal.pk, version=proposal.version, user=weeks.user, now=weeks.night)


def test_the_first_night_proposes_a_handful_of_notes_and_a_summary_and_changes_nothing(
    weeks: Fortnight,
) -> None:
    assert 3 <= len(drafts()) <= 5
    assert len(drafts("summary")) == 1
    assert not Knowledge.objects.exists()
    assert not Summary.objects.exists()
    assert {each.payload["slug"] for each in drafts()} >= {"deploy-production", "invoice-pdf"}
    for each in drafts():
        assert each.reason
        assert 0.5 <= each.confidence <= 1
        memories = Memory.objects.filter(pk__in=[s["id"] for s in each.sources if s["type"] == "memory"])
        assert memories.count()
        assert set(memories.values_list("status", flat=True)) == {"active"}


def test_every_description_says_when_to_read_in_the_language_of_its_sources(weeks: Fortnight) -> None:
    for each in drafts():
        description = each.payload["description"]
        said_when = "Read it" in description or "前に読む。" in description
        assert said_when, description
    kinds = {each.payload["description"].endswith("。") for each in drafts()}
    assert kinds == {True, False}


def test_a_repeated_choice_is_told_in_the_note_that_it_belongs_to(weeks: Fortnight) -> None:
    bodies = [each.payload["body"] for each in drafts()]
    assert [body for body in bodies if ASKED in body and USUAL in body]


def test_a_choice_is_nobody_elses_to_see(weeks: Fortnight) -> None:
    share(weeks.home, weeks.user, build.person("bob"), "reader")
    chose(weeks, 3)
    night(weeks.home, weeks.night + timedelta(days=1), STAGES)
    shared = [each for each in drafts() if each.created_at > weeks.night]
    assert not [each for each in shared if ASKED in each.payload["body"]]


def test_one_approval_makes_one_active_note_which_is_found_called_and_counted(weeks: Fortnight) -> None:
    accept(weeks, drafts()[0])
    made = Knowledge.objects.get()
    assert (made.status, made.model_invocation) == ("active", False)
    client = build.api(build.key(weeks.user, name="other").secret)
    opened = {"key": "now", "client": "test", "workspace": {"name": "shop"}}
    client.post("/api/v1/sessions/", opened)
    found = client.get("/api/v1/knowledge/", {"q": "deploy the api to production", "session": "now"}).json()
    assert found["notes"][0]["slug"] == made.slug
    read = client.get(f"/api/v1/knowledge/{made.slug}/", {"session": "now"}).json()
    assert "Tag the release" in read["body"]
    client.post("/api/v1/expand/", {"session": "now", "text": f"Please follow #{made.slug} here."})
    assert set(KnowledgeUse.objects.values_list("path", flat=True)) == {"read", "slug"}


def test_the_summary_stands_before_the_next_session_without_a_tool_call(weeks: Fortnight) -> None:
    accept(weeks, *drafts("summary"))
    client = build.api(build.key(weeks.user, name="other").secret)
    client.post("/api/v1/sessions/", {"key": "now", "client": "test", "workspace": {"name": "shop"}})
    sections = client.get("/api/v1/context/", {"session": "now"}).json()["sections"]
    assert [each["type"] for each in sections] == ["summary"]
    assert "Tag the release before each production deploy." in sections[0]["text"]
    assert "請求書のPDFはWeasyPrintで作る。" in sections[0]["text"]
    assert sections[0]["tokens"] == tokens(sections[0]["text"])
    assert Exposure.objects.filter(record_type="summary").exists()


def test_usage_is_recorded_on_all_three_paths(weeks: Fortnight) -> None:
    """Resident, called by name, read or found by an agent: each leaves its record."""
    accept(weeks, *drafts()[:1], *drafts("summary"))
    made = Knowledge.objects.get()
    client = build.api(build.key(weeks.user, name="other").secret)
    client.post("/api/v1/sessions/", {"key": "now", "client": "test", "workspace": {"name": "shop"}})
    client.get("/api/v1/context/", {"session": "now"})
    client.post("/api/v1/expand/", {"session": "now", "text": f"see #{made.slug}"})
    client.get(f"/api/v1/knowledge/{made.slug}/", {"session": "now"})
    shown = set(
        Exposure.objects.filter(record_type__in=["summary", "knowledge"]).values_list("path", flat=True)
    )
    assert len(shown) == 3
    assert set(KnowledgeUse.objects.values_list("path", flat=True)) == {"slug", "read"}


def test_a_night_with_nothing_new_proposes_nothing(weeks: Fortnight) -> None:
    for again in range(1, 4):
        run = night(weeks.home, weeks.night + timedelta(days=again), STAGES)
        assert (run.state, run.proposed) == ("done", 0)
    accept(weeks, *drafts(), *drafts("summary"))
    for again in range(4, 6):
        run = night(weeks.home, weeks.night + timedelta(days=again), STAGES)
        assert (run.state, run.proposed) == ("done", 0)


def test_what_is_learnt_later_goes_into_the_note_that_exists(weeks: Fortnight) -> None:
    accept(weeks, *drafts())
    at = weeks.night + timedelta(hours=1)
    remembered(
        weeks.user,
        weeks.home,
        "Deploys to production need a release tag and green migrations.",
        kind="pattern",
    )
    before = {row.pk: row.body for row in Knowledge.objects.all()}
    night(weeks.home, at + timedelta(days=1), STAGES)
    assert not drafts()
    [change] = drafts("update")
    note = Knowledge.objects.get(pk=change.payload["note"]["id"])
    assert note.slug == "deploy-production"
    added = set(change.payload["body"].split("\n")) - set(before[note.pk].split("\n"))
    assert "- Deploys to production need a release tag and green migrations." in added
    assert set(before[note.pk].split("\n")) <= set(change.payload["body"].split("\n"))
    accept(weeks, change)
    assert Knowledge.objects.count() == len(before)


def test_no_machine_path_ever_turns_residency_on(weeks: Fortnight) -> None:
    accept(weeks, *drafts())
    night(weeks.home, weeks.night + timedelta(days=1), STAGES)
    accept(weeks, *drafts("update"), *drafts())
    assert Knowledge.objects.exists()
    assert not Knowledge.objects.filter(model_invocation=True).exists()
    assert "model_invocation" not in answers.NoteAnswer.model_fields


@pytest.mark.parametrize("name", ["none", "use", "e5"])
def test_nine_of_ten_tasks_in_both_languages_find_their_drafted_note_among_the_first_three(
    weeks: Fortnight, name: str
) -> None:
    accept(weeks, *drafts())
    assert rivals(weeks.home, weeks.user) == 10
    with model(name):
        assert notes_fill_due() == (0 if name == "none" else Knowledge.objects.count())
        missed = misses(weeks.home)
    assert len(tasks()) == 20
    assert len(missed) <= 2, missed

"""Notes are found by the task at hand, from descriptions alone; words go on when there are no vectors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from core.embed import EmbedUnavailable
from core.models import Namespace
from knowledge.models import Knowledge, KnowledgeVector
from knowledge.notes.ranking import shared_words
from knowledge.selectors.finding import found
from knowledge.services import notes
from knowledge.services.reading import knowledge_find
from knowledge.services.rehousing import knowledge_rehouse
from knowledge.services.vectors import notes_fill_due
from knowledge.tasks import index_due
from memory import embedder
from tests import build
from tests.knowledge import make
from tests.memory.recalling import model

DATA = Path(__file__).parent.parent / "data" / "knowledge"
db = pytest.mark.django_db


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def home(alice: User) -> Namespace:
    home = build.workspace(alice, "api")
    for row in rows("notes.jsonl"):
        make.knowledge(home, alice, row["slug"], title=row["title"], description=row["description"])
    return home


def slugs(home: Namespace, task: str) -> list[str]:
    return [note.slug for note in found(scope=Namespace.objects.filter(pk=home.pk).scope(), q=task).notes]


@db
@pytest.mark.parametrize("name", ["none", "use", "e5"])
def test_nine_of_ten_tasks_in_both_languages_find_their_note_among_the_first_three(
    home: Namespace, name: str
) -> None:
    tasks = rows("tasks.jsonl")
    assert len(tasks) == 20
    with model(name):
        assert notes_fill_due() == (0 if name == "none" else 16)
        missed = [each["task"] for each in tasks if each["slug"] not in slugs(home, each["task"])[:3]]
    assert len(missed) <= 2, missed


@db
def test_a_question_about_something_else_brings_little(home: Namespace) -> None:
    with model("use"):
        notes_fill_due()
        many = [
            len(slugs(home, q)) for q in ("How tall is Mount Fuji?", "今夜の献立を考えて", "Tell me a joke")
        ]
    assert max(many) <= 3


@db
def test_words_alone_find_notes_when_there_is_no_model(home: Namespace) -> None:
    with model("none"):
        assert notes_fill_due() == 0
        assert slugs(home, "消費税の丸め")[0] == "invoice-rounding"
        assert slugs(home, "zebra") == []
        assert len(slugs(home, " ")) == 16


@db
def test_an_answer_says_when_words_alone_decided(alice: User, home: Namespace) -> None:
    client = build.api(build.key(alice).secret)
    client.post("/api/v1/sessions/", {"key": "s1", "client": "test", "workspace": {"name": "api"}})

    def degraded(q: str) -> bool:
        return bool(client.get("/api/v1/knowledge/", {"q": q, "session": "s1"}).json()["degraded"])

    with model("none"):
        assert degraded("deploy")
        assert not degraded("")  # all of them, by slug: nothing was searched
    with model("use"):
        assert degraded("deploy")
        notes_fill_due()
        assert not degraded("deploy")
        make.knowledge(home, alice, "brand-new")
        assert degraded("deploy")


@db
def test_a_vector_is_of_the_text_as_it_is_now(alice: User, home: Namespace) -> None:
    note = Knowledge.objects.get(slug="on-call")
    with model("use"):
        index_due()
        kept = KnowledgeVector.objects.get(knowledge=note)
        assert (kept.version, kept.space) == (1, "use-multilingual-v3/512")
        changed = make.note("on-call", description="When the cat wants food.")
        notes.knowledge_edit(knowledge_id=note.pk, version=1, user=alice, note=changed, now=timezone.now())
        assert not KnowledgeVector.objects.current(kept.space).filter(knowledge=note).exists()
        assert notes_fill_due() == 1
        assert notes_fill_due() == 0
        notes.knowledge_retire(knowledge_id=note.pk, version=2, user=alice, now=timezone.now())
        assert "on-call" not in slugs(home, "When the cat wants food.")


@db
def test_one_refused_text_does_not_keep_the_others_waiting(home: Namespace) -> None:
    class Picky:
        space, dims = "picky/2", 2

        def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
            if any("当番" in text for text in texts):
                raise EmbedUnavailable("not this one")
            return [[1.0, 0.0] for _text in texts]

    with mock.patch.object(embedder, "embedder", return_value=Picky()):
        assert notes_fill_due() == 15


@db
def test_reindex_makes_the_vectors_of_notes_anew(home: Namespace) -> None:
    said = StringIO()
    with model("use"):
        notes_fill_due()
        call_command("reindex", vectors=True, namespace=["workspace:api"], stdout=said)
    assert "16 vectors of notes are computed." in said.getvalue()


@db
def test_vectors_move_with_their_notes_and_strangers_find_none(alice: User, home: Namespace) -> None:
    other, mallory = build.workspace(alice, "web"), build.person("mallory")
    with model("use"):
        notes_fill_due()
        key = build.key(mallory).key
        build.session(key)
        assert knowledge_find(agent_key=key, q="deploy", references=(), session="s1").notes == []
        knowledge_rehouse(source=home, target=other)
        notes_fill_due()
        assert slugs(other, "roll out a new version")[0] == "deploy-checklist"
        assert slugs(home, "roll out a new version") == []


WORDS = st.lists(st.sampled_from(["deploy", "the", "請求", "tests", "logs", "が"]), max_size=6).map(" ".join)


@given(WORDS, st.lists(WORDS, max_size=6))
def test_shared_words_are_a_part_of_the_task(task: str, texts: list[str]) -> None:
    for text, shared in zip(texts, shared_words(task, texts), strict=True):
        assert 0 <= shared.coverage <= 1 + 1e-9
        assert (shared.score > 0) == (shared.coverage > 0)
        assert shared.coverage == 0 or set(text.split()) & set(task.split())

"""Notes and summaries through their services: one at a time, by people, with history."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from core.errors import Conflict, Forbidden, Invalid, NotFound, Paused
from core.models import AuditEvent, Namespace
from core.services.members import member_set
from core.services.namespaces import namespace_pause
from knowledge.models import Knowledge, Summary
from knowledge.services import notes as services
from knowledge.services.rehousing import knowledge_erase
from review.services.workspaces import namespace_merge
from tests import build
from tests.knowledge import make

pytestmark = pytest.mark.django_db
SECRET = "ghp_EXAMPLE0000000000000000000000000000000"


@pytest.fixture
def home(alice: User) -> Namespace:
    return build.workspace(alice)


def test_a_note_is_made_as_written_and_never_resident_by_itself(alice: User, home: Namespace) -> None:
    made = make.knowledge(home, alice, title="デプロイ手順", body=f"token {SECRET}\n")
    assert (made.slug, made.status, made.version, made.language) == ("deploy-checklist", "active", 1, "ja")
    assert (made.model_invocation, made.user_invocable) == (False, True)
    assert SECRET not in made.body
    assert made.history.count() == 1  # type: ignore[attr-defined]
    assert AuditEvent.objects.filter(verb="knowledge.created", object_id=str(made.pk)).count() == 1


def test_everything_wrong_is_said_at_once_and_nothing_is_written(alice: User, home: Namespace) -> None:
    with pytest.raises(Invalid) as refused:
        make.knowledge(home, alice, "手順", title=" ", body="x" * 9_000)
    problems = refused.value.details["problems"]
    assert [(each["field"], each["code"]) for each in problems] == [
        ("title", "empty"),
        ("body", "too_long"),
        ("slug", "characters"),
    ]
    assert all(each["message"] for each in problems)
    assert not Knowledge.objects.exists()


def test_a_slug_is_one_note_of_a_namespace(alice: User, home: Namespace) -> None:
    make.knowledge(home, alice)
    with pytest.raises(Invalid) as refused:
        make.knowledge(home, alice)
    assert refused.value.code == "slug_taken"
    other = make.knowledge(build.persona(alice, "ops"), alice)
    assert other.slug == "deploy-checklist"


def test_an_edit_needs_the_version_that_was_seen(alice: User, home: Namespace) -> None:
    made = make.knowledge(home, alice)
    new = make.note(body="changed", model_invocation=True)
    edited = services.knowledge_edit(
        knowledge_id=made.pk, version=1, user=alice, note=new, now=timezone.now()
    )
    assert (edited.body, edited.version, edited.model_invocation) == ("changed", 2, True)
    with pytest.raises(Conflict):
        services.knowledge_edit(knowledge_id=made.pk, version=1, user=alice, note=new, now=timezone.now())
    assert [row.body for row in made.history.order_by("pgh_id")] == [made.body, "changed"]  # type: ignore[attr-defined]


def test_a_replaced_note_leads_to_the_living_one_and_can_come_back(alice: User, home: Namespace) -> None:
    old, new = make.knowledge(home, alice, "old-way"), make.knowledge(home, alice, "new-way")
    replaced = services.knowledge_replace(
        knowledge_id=old.pk, version=1, user=alice, by_id=new.pk, now=timezone.now()
    )
    assert (replaced.status, replaced.replaced_by_id) == ("replaced", new.pk)
    with pytest.raises(Invalid):  # the other way round would be a circle
        services.knowledge_replace(
            knowledge_id=new.pk, version=1, user=alice, by_id=old.pk, now=timezone.now()
        )
    with pytest.raises(Invalid):
        services.knowledge_replace(
            knowledge_id=new.pk, version=1, user=alice, by_id=new.pk, now=timezone.now()
        )
    with pytest.raises(Conflict) as refused:
        services.knowledge_delete(knowledge_id=new.pk, version=1, user=alice, now=timezone.now())
    assert refused.value.code == "still_leads"
    restored = services.knowledge_restore(knowledge_id=old.pk, version=2, user=alice, now=timezone.now())
    assert (restored.status, restored.replaced_by_id) == ("active", None)


def test_a_retired_note_is_no_longer_resident_and_a_deleted_one_leaves_nothing(
    alice: User, home: Namespace
) -> None:
    made = make.knowledge(home, alice, model_invocation=True)
    retired = services.knowledge_retire(knowledge_id=made.pk, version=1, user=alice, now=timezone.now())
    assert (retired.status, retired.model_invocation) == ("retired", False)
    services.knowledge_delete(knowledge_id=made.pk, version=2, user=alice, now=timezone.now())
    assert not Knowledge.objects.exists()
    assert not Knowledge.history.rel.related_model.objects.exists()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "columns",
    [
        {"slug": "2024-10"},
        {"slug": "Bad"},
        {"status": "replaced"},
        {"status": "retired", "model_invocation": True},
        {"status": "gone"},
    ],
)
def test_the_database_refuses_what_the_service_would_never_write(
    alice: User, home: Namespace, columns: dict[str, object]
) -> None:
    made = make.knowledge(home, alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Knowledge.objects.filter(pk=made.pk).update(**columns)


def test_strangers_and_readers_change_nothing(alice: User, home: Namespace) -> None:
    made = make.knowledge(home, alice)
    mallory, reader = build.person("mallory"), build.person("reader")
    member_set(namespace=home, by=alice, user=reader, role="reader", now=timezone.now())
    for user, error in ((mallory, NotFound), (reader, Forbidden)):
        seen: dict[str, Any] = {
            "knowledge_id": made.pk,
            "version": 1,
            "user": user,
            "now": timezone.now(),
        }
        with pytest.raises(error):
            make.knowledge(home, user, "another")
        with pytest.raises(error):
            make.summary(home, user, "mine")
        with pytest.raises(error):
            services.knowledge_edit(**seen, note=make.note())
        with pytest.raises(error):
            services.knowledge_retire(**seen)
        with pytest.raises(error):
            services.knowledge_delete(**seen)
    assert list(Knowledge.objects.visible_to(mallory)) == []
    assert Knowledge.objects.get().version == 1


def test_a_paused_namespace_takes_no_note(alice: User, home: Namespace) -> None:
    namespace_pause(namespace=home, user=alice, paused=True, now=timezone.now())
    with pytest.raises(Paused):
        make.knowledge(home, alice)


def test_a_summary_is_written_as_a_whole_and_keeps_its_history(alice: User, home: Namespace) -> None:
    first = make.summary(home, alice, "---\nname: x\n---\n# 概要\n\nBuilds run on Linux.")
    assert (first.body, first.version) == ("# 概要\n\nBuilds run on Linux.", 1)
    second = make.summary(home, alice, "shorter", version=1)
    assert (second.body, second.version, second.history.count()) == ("shorter", 2, 2)  # type: ignore[attr-defined]
    with pytest.raises(Conflict):
        make.summary(home, alice, "late", version=1)
    with pytest.raises(Invalid):
        make.summary(home, alice, "x" * 20_001, 2)
    assert Summary.objects.get().body == "shorter"


def test_a_merge_takes_notes_along_and_joins_the_summaries(alice: User, home: Namespace) -> None:
    other = build.workspace(alice, "site")
    make.knowledge(home, alice)
    old = make.knowledge(other, alice)
    make.knowledge(other, alice, "only-there")
    make.summary(home, alice, "About the api.")
    make.summary(other, alice, "About the site.")
    namespace_merge(source_id=other.pk, target_id=home.pk, user=alice, typed_name="site", now=timezone.now())
    assert sorted(Knowledge.objects.filter(namespace=home).values_list("slug", flat=True)) == [
        "deploy-checklist",
        "deploy-checklist-2",
        "only-there",
    ]
    old.refresh_from_db()
    assert old.slug == "deploy-checklist-2"
    assert Summary.objects.get().body == "About the api.\n\nAbout the site."


def test_erasing_a_namespace_leaves_neither_notes_nor_their_history(alice: User, home: Namespace) -> None:
    old, new = make.knowledge(home, alice, "old-way"), make.knowledge(home, alice, "new-way")
    services.knowledge_replace(knowledge_id=old.pk, version=1, user=alice, by_id=new.pk, now=timezone.now())
    make.summary(home, alice, "About the api.")
    assert knowledge_erase(namespace=home) == 2
    assert not Knowledge.objects.exists()
    assert not Summary.objects.exists()

"""Notes and summaries in the admin: changed through the services, with a reason; never put before sessions there."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from core.models import AuditEvent, Namespace
from knowledge.models import Knowledge, Summary
from tests import build
from tests.knowledge import make
from tests.review.scene import signed_in

pytestmark = pytest.mark.django_db

WHY = "asked for by its owner"


@pytest.fixture
def home(alice: User) -> Namespace:
    return build.workspace(alice, "api")


@pytest.fixture
def page() -> Client:
    return signed_in(User.objects.create_superuser("boss"))


def repair(page: Client, row: Any, **typed: Any) -> Any:
    name = f"admin:knowledge_{row._meta.model_name}_repair"
    return page.post(reverse(name, args=[row.pk]), {"version": row.version, "reason": WHY, **typed})


def test_a_note_is_repaired_with_a_reason_and_stays_as_resident_as_it_was(
    page: Client, alice: User, home: Namespace
) -> None:
    note = make.knowledge(home, alice, model_invocation=True)
    typed = {
        "title": "T",
        "slug": "deploy-checklist",
        "description": "When.",
        "body": "New.",
        "user_invocable": "on",
    }
    assert repair(page, note, **typed).status_code == 302
    note.refresh_from_db()
    assert (note.body, note.model_invocation) == ("New.", True)
    event = AuditEvent.objects.get(verb="knowledge.edited")
    assert (event.actor_type, event.data["because"]) == ("operator", WHY)
    late = repair(page, Knowledge(pk=note.pk, version=1), **typed)
    assert late.status_code == 409
    assert repair(page, note, **typed | {"slug": "Not A Slug"}).status_code == 422


def test_notes_are_retired_and_restored_from_the_list(page: Client, alice: User, home: Namespace) -> None:
    note = make.knowledge(home, alice)
    for verb, status in (("retire", "retired"), ("restore", "active")):
        form = {"action": verb, "apply": "1", "reason": WHY, "_selected_action": [str(note.pk)]}
        page.post("/admin/knowledge/knowledge/", form | {"item": [f"{note.pk}.{note.version}"]})
        note.refresh_from_db()
        assert note.status == status


def test_a_summary_is_repaired_with_a_reason(page: Client, alice: User, home: Namespace) -> None:
    summary = make.summary(home, alice, "Old.")
    assert repair(page, summary, body="New.").status_code == 302
    assert Summary.objects.get().body == "New."
    assert AuditEvent.objects.filter(verb="summary.written", actor_type="operator").count() == 1


def test_people_without_the_right_change_nothing(alice: User, home: Namespace) -> None:
    note = make.knowledge(home, alice)
    staff = User.objects.create_user("staff", is_staff=True)
    for client in (signed_in(staff), signed_in(alice)):
        assert repair(client, note, title="T", slug="t-t", description="d", body="x").status_code in (
            302,
            403,
        )
    note.refresh_from_db()
    assert note.version == 1

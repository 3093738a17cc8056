"""The audit trail: appended, chained, never changed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from core.actor import Actor
from core.models import AuditEvent
from core.services import audit

pytestmark = pytest.mark.django_db


def _record(verb: str) -> AuditEvent:
    return audit.record(
        stream="user:1", verb=verb, actor=Actor.system(), object_type="user", object_id=1, now=timezone.now()
    )


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE core_auditevent SET verb = 'x'",
        "DELETE FROM core_auditevent",
    ],
)
def test_the_database_refuses_to_change_or_remove_an_event(sql: str) -> None:
    _record("a")
    with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


def test_the_database_refuses_to_empty_the_trail() -> None:
    with (
        connection.cursor() as cursor,
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
    ):
        cursor.execute("TRUNCATE core_auditevent CASCADE")


def test_an_unbroken_chain_verifies() -> None:
    for verb in "abc":
        _record(verb)
    assert audit.verify() == []


def test_verification_names_a_changed_and_a_missing_row() -> None:
    events = [_record(verb) for verb in "abcd"]
    with connection.cursor() as cursor:  # somebody with the operator's account, past the triggers
        cursor.execute("ALTER TABLE core_auditevent DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE core_auditevent SET actor_label = 'someone else' WHERE id = %s", [events[1].pk]
        )
        cursor.execute("DELETE FROM core_auditevent WHERE id = %s", [events[2].pk])
        cursor.execute("ALTER TABLE core_auditevent ENABLE TRIGGER USER")
    problems = audit.verify()
    assert "user:1: event 2 (b) was changed" in problems
    assert "user:1: events 3 to 3 are missing" in problems


def test_names_survive_the_object(django_user_model: type[User]) -> None:
    user = django_user_model.objects.create_user("mika")
    event = audit.record(
        stream=f"user:{user.pk}",
        verb="key.created",
        actor=Actor.person(user),
        object_type="agent_key",
        object_id="x",
        now=timezone.now(),
    )
    user.delete()
    event.refresh_from_db()
    assert event.actor_label == "mika"

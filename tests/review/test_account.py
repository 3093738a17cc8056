"""Deleting an account: what was one's own is gone, what is shared is not, and strangers notice nothing."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection

from core.errors import Conflict, Invalid
from core.models import AgentKey, AuditEvent, Membership, Namespace
from core.services import audit
from core.services.members import member_remove
from core.services.workspaces import namespace_transfer
from knowledge.services.proposals import proposal_file
from memory.models import Candidate, Memory
from memory.services import gate
from memory.services.policy import policy_set
from review.services import acts
from review.services.account import account_delete, shared_namespaces
from review.services.filters import saved_filter_save
from review.services.person import SettingsIn, person_settings_set
from tests import build
from tests.review.scene import propose, remembered, share
from transcripts.inputs import Shown
from transcripts.models import AgentSession, Message
from transcripts.services.exposures import exposure_record

pytestmark = pytest.mark.django_db
WORD = "Zanzibar"  # stands in every text of the person who goes, and nowhere else


def busy(user: User, now: datetime) -> Namespace:
    """Something in every corner."""
    api = build.workspace(user, "api")
    laptop = build.key(user).key
    build.session(laptop, "s1", workspace="api", fingerprints=["r:aaaaaaaa1"])
    turn = build.turn(laptop, f"{WORD} is the code name.", f"Please rename it to {WORD}.", session="s1")
    waiting = propose(api, f"{WORD} is the code name.", kind="fact", turn=turn)
    memory = remembered(user, api, f"{WORD} ships in May.", kind="fact")
    rejected = propose(api, f"{WORD} is a bird.", kind="fact")
    gate.candidate_reject(candidate_id=rejected.pk, version=1, user=user, now=now)
    exposure_record(
        session=turn.session,
        agent_key=laptop,
        path="recall",
        items=[Shown("memory", str(memory.pk), memory.version, memory.content)],
        now=now,
    )
    proposal_file(
        namespace=api,
        kind="retire",
        payload={"memory": {"id": str(memory.pk), "version": memory.version}, "as": "outdated"},
        reason=f"{WORD} has shipped.",
        now=now,
    )
    policy_set(
        namespace=api,
        user=user,
        enabled=True,
        min_sessions=3,
        min_confidence=0.9,
        min_age_hours=24,
        kinds=["fact"],
        typed_name="api",
        now=now,
    )
    saved_filter_save(user=user, name=WORD, query=f"q={WORD}", now=now)
    person_settings_set(user=user, changes=SettingsIn(digest_email="alice@example.org"), now=now)
    acts.act_set_aside(user=user, items=[acts.ItemRef(waiting.pk, waiting.version)], now=now)
    return api


def tables_with(word: str) -> list[str]:
    """Every table of the database in which some row holds the word, whatever the column."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            name = connection.ops.quote_name(table)
            cursor.execute(f"SELECT count(*) FROM {name} AS row WHERE row::text ILIKE %s", [f"%{word}%"])
            if cursor.fetchone()[0]:
                found.append(table)
    return found


def test_erases_every_word_that_was_the_persons_own(alice: User, now: datetime) -> None:
    busy(alice, now)
    assert len(tables_with(WORD)) > 5
    result = account_delete(user=alice, typed_name="alice", now=now)
    assert (result.namespaces, result.memories, result.sessions, result.keys) == (2, 1, 1, 1)
    assert tables_with(WORD) == []
    assert not User.objects.filter(username="alice").exists()
    assert not any(
        model.objects.exists() for model in (Namespace, Membership, AgentKey, Memory, Candidate, Message)
    )
    event = AuditEvent.objects.get(verb="account.deleted")
    assert event.actor_label == "alice"
    assert audit.verify() == []


def test_needs_the_name_typed(alice: User, now: datetime) -> None:
    busy(alice, now)
    for typed in ("", "Alice", "bob"):
        with pytest.raises(Invalid):
            account_delete(user=alice, typed_name=typed, now=now)
    assert Memory.objects.active().exists()


def test_what_is_shared_needs_another_owner_first(alice: User, now: datetime) -> None:
    api = busy(alice, now)
    bob = build.person("bob")
    share(api, alice, bob, "reader")
    with pytest.raises(Conflict) as caught:
        account_delete(user=alice, typed_name="alice", now=now)
    assert (caught.value.code, caught.value.details["namespaces"]) == ("shared", [str(api.pk)])
    assert [each.pk for each in shared_namespaces(user=alice)] == [api.pk]
    namespace_transfer(namespace_id=api.pk, user=alice, to=bob, now=now)
    account_delete(user=alice, typed_name="alice", now=now)
    assert Namespace.objects.get(pk=api.pk).owner == bob
    memory = Memory.objects.active().get()
    assert (memory.namespace_id, memory.content) == (api.pk, f"{WORD} ships in May.")
    quotes = Candidate.objects.get(status="pending").evidence.all()
    assert [(each.quote, each.message, each.session) for each in quotes] == [
        (f"{WORD} is the code name.", None, None)
    ]


def test_a_former_member_keeps_the_own_conversation(alice: User, now: datetime) -> None:
    api = build.workspace(alice, "api")
    bob = build.person("bob")
    share(api, alice, bob, "reader")
    laptop = build.key(bob).key
    build.session(laptop, "his", workspace="alice/api")
    build.turn(laptop, "Bob said this.", session="his")
    member_remove(namespace=api, by=alice, user=bob, now=now)
    account_delete(user=alice, typed_name="alice", now=now)
    session = AgentSession.objects.get(key="his")
    assert (session.user, session.workspace) == (bob, None)
    assert session.messages.get().text == "Bob said this."


def test_touches_nothing_of_anybody_else(alice: User, now: datetime) -> None:
    bob = build.person("bob")
    kept = remembered(bob, build.workspace(bob, "api"), "Logs go to Loki.", kind="fact")
    key = build.key(bob).key
    build.turn(key, "Bob said this.", session="his")
    busy(alice, now)
    account_delete(user=alice, typed_name="alice", now=now)
    kept.refresh_from_db()
    assert kept.status == "active"
    assert AgentKey.objects.get() == key
    assert Message.objects.get().text == "Bob said this."

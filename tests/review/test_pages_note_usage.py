"""What notes are worth: the page of a namespace, the record of a note, and the switch that costs tokens."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.errors import Invalid
from core.models import AgentKey, AuditEvent, Namespace
from core.text import tokens
from knowledge.models import Knowledge
from knowledge.services import notes
from knowledge.services.context import context_serve
from knowledge.services.expand import expand
from knowledge.services.reading import knowledge_read
from memory.models import Request
from memory.recall.serve import Ask, memory_get, recall_for_key
from review.selectors.note_candidates import asked_often, recalled_often
from review.selectors.note_slugs import offers
from review.selectors.note_usage import paid_by_sessions, usage_of_notes
from tests import build
from tests.knowledge import make
from tests.memory.recalling import model, remember
from tests.review.scene import remembered, share

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(key: AgentKey) -> Namespace:
    workspace = build.session(key).workspace
    assert workspace is not None
    return workspace


def started(key: AgentKey, name: str, days_ago: float) -> datetime:
    """A session of that day with what it starts with."""
    at = timezone.now() - timedelta(days=days_ago)
    build.session(key, name, now=at)
    context_serve(agent_key=key, session=name, now=at)
    return at


def test_all_three_paths_are_counted_apart(alice: User, key: AgentKey, home: Namespace) -> None:
    note = make.knowledge(home, alice, model_invocation=True)
    now = timezone.now()
    for number in range(3):
        started(key, f"d{number}", number)
    expand(agent_key=key, session="s1", text="see #deploy-checklist", now=now - timedelta(days=1))
    knowledge_read(agent_key=key, slug="deploy-checklist", references=(), session="s1", now=now)
    (row,) = usage_of_notes(notes=[note])
    assert (row.called, row.read, row.shown) == (1, 1, {"resident": 3, "expansion": 1, "get": 1})
    assert row.ratio == 2 / 5
    assert row.paid == 3 * row.line + 2 * row.body
    assert row.last_use == now
    assert row.protected_until(now) == now + timedelta(days=30)
    assert row.protected_until(now + timedelta(days=31)) is None


def test_looking_at_pages_is_no_use(hers: Client, alice: User, home: Namespace) -> None:
    note = make.knowledge(home, alice)
    for name, pk in (
        ("note", note.pk),
        ("note-edit", note.pk),
        ("note-resident", note.pk),
        ("note-usage", home.pk),
    ):
        hers.get(reverse(name, args=[pk]))
    (row,) = usage_of_notes(notes=[note])
    assert (row.uses, row.exposures) == (0, 0)


def test_the_price_of_sessions_is_their_summary_and_lines(
    alice: User, key: AgentKey, home: Namespace
) -> None:
    make.summary(home, alice, "About the api.")
    started(key, "a", 5)
    note = make.knowledge(home, alice, model_invocation=True)
    started(key, "b", 2)
    started(key, "long-ago", 120)
    line, body = tokens(f"#{note.slug}: {note.description}"), tokens("About the api.")
    assert [each.tokens for each in paid_by_sessions(namespace=home, now=timezone.now())] == [
        body,
        body + line,
    ]


def test_the_page_shows_pictures_records_and_what_nobody_used(
    hers: Client, alice: User, key: AgentKey, home: Namespace
) -> None:
    make.knowledge(home, alice, model_invocation=True)
    make.knowledge(home, alice, "never-needed")
    started(key, "a", 3)
    started(key, "b", 1)
    expand(agent_key=key, session="b", text="#deploy-checklist", now=timezone.now())
    answer = hers.get(reverse("note-usage", args=[home.pk]))
    assert [row.note.slug for row in answer.context["never"]] == ["never-needed"]
    assert answer.context["cost_picture"].count("<circle") == 2
    assert 'class="used"' in answer.context["earn_picture"]
    assert "style=" not in answer.text
    empty = hers.get(reverse("note-usage", args=[build.workspace(alice, "new").pk])).text
    assert "No session has started" in empty


def test_the_switch_shows_use_and_price_first_and_is_audited(
    hers: Client, alice: User, key: AgentKey, home: Namespace
) -> None:
    note = make.knowledge(home, alice)
    make.summary(home, alice, "About.")
    expand(agent_key=key, session="s1", text="#deploy-checklist", now=timezone.now())
    address = reverse("note-resident", args=[note.pk])
    shown = hers.get(address)
    line = tokens(f"#{note.slug}: {note.description}")
    assert (shown.context["cost"], shown.context["after"]) == (2, 2 + line)
    assert (shown.context["row"].uses, shown.context["row"].exposures) == (1, 1)
    assert (shown.context["sessions"], shown.context["monthly"]) == (1, line)
    assert hers.post(address, {"version": "1", "on": "1"}).status_code == 302
    note.refresh_from_db()
    assert note.model_invocation
    assert AuditEvent.objects.filter(verb="knowledge.resident_on").count() == 1
    assert hers.post(address, {"version": "1", "on": "0"}).status_code == 409
    hers.post(address, {"version": "2", "on": "0"})
    note.refresh_from_db()
    assert not note.model_invocation


def test_a_retired_note_cannot_stand_before_sessions(hers: Client, alice: User, home: Namespace) -> None:
    note = make.knowledge(home, alice)
    notes.knowledge_retire(knowledge_id=note.pk, version=1, user=alice, now=timezone.now())
    address = reverse("note-resident", args=[note.pk])
    assert hers.get(address).status_code == 409
    assert hers.post(address, {"version": "2", "on": "1"}).status_code == 409


def test_what_is_recalled_in_three_sessions_and_has_no_note_is_reported(
    hers: Client, alice: User, key: AgentKey, home: Namespace
) -> None:
    wanted = remember(home, "The staging database is restored every Monday.")
    rare = remember(home, "Invoices are numbered by year.")
    with model("none"):
        for number in range(3):
            name = f"r{number}"
            build.session(key, name)
            ask = Ask("when is the staging database restored", session=name)
            recall_for_key(agent_key=key, ask=ask, now=timezone.now())
    memory_get(agent_key=key, memory_id=rare.pk, now=timezone.now())
    (found,) = recalled_often(namespace=home, now=timezone.now())
    assert (found.memory, found.sessions, found.times) == (wanted, 3, 3)
    page = hers.get(reverse("note-usage", args=[home.pk])).text
    start = f"{reverse('note-new', args=[home.pk])}?memory={wanted.pk}"
    assert start in page
    assert wanted.content in hers.get(start).text
    form = {
        "title": "Staging data",
        "description": "When to expect old data.",
        "body": "Mondays.",
        "version": "0",
    }
    hers.post(reverse("note-new", args=[home.pk]), form | {"memory": str(wanted.pk), "user_invocable": "on"})
    assert Knowledge.objects.get().last_sources == [{"type": "memory", "id": str(wanted.pk)}]
    assert recalled_often(namespace=home, now=timezone.now()) == []


def test_what_is_asked_for_in_three_sessions_is_reported_to_who_asked(
    alice: User, key: AgentKey, home: Namespace
) -> None:
    bob, now = build.person("bob"), timezone.now()
    share(home, alice, bob, "reviewer")
    for number in range(3):
        build.session(key, f"q{number}")
        turn = build.turn(key, "Write the release notes.", session=f"q{number}")
        Request.objects.create(
            session=turn.session,
            message=build.messages(turn)[0],
            namespace=home,
            intent="write",
            target="release notes",
            summary="Write the release notes.",
            at=now,
        )
    (found,) = asked_often(user=alice, namespace=home, now=now)
    assert (found.text, found.sessions) == ("Write the release notes.", 3)
    assert asked_often(user=bob, namespace=home, now=now) == []
    make.knowledge(
        home, alice, "release-notes", title="Release notes", description="How to write release notes."
    )
    assert asked_often(user=alice, namespace=home, now=now) == []


def test_what_keeps_any_talk_going_is_no_missing_note(alice: User, key: AgentKey, home: Namespace) -> None:
    now = timezone.now()
    said = {
        "Yes, please go on.": False,
        "fix that one": False,
        "run the tests again": False,
        "コミットして": False,
        "PR を出して。": False,
        "続けて": False,
        "Fix the receipt of the gift card": True,
        "領収書の宛名を直して": True,
    }
    for number in range(3):
        build.session(key, f"t{number}")
        turn = build.turn(key, "Hello.", session=f"t{number}")
        for place, text in enumerate(said):
            Request.objects.create(
                session=turn.session,
                message=build.messages(turn)[0],
                namespace=home,
                intent=f"do {place}",
                target="",
                summary=text,
                at=now,
            )
    asked = {each.text for each in asked_often(user=alice, namespace=home, now=now)}
    assert asked == {text for text, is_work in said.items() if is_work}


def test_a_foreign_memory_begins_no_note(hers: Client, home: Namespace) -> None:
    mallory = build.person("mallory")
    secret = remembered(mallory, build.workspace(mallory, "vault"), "The vault opens at nine.")
    page = hers.get(reverse("note-new", args=[home.pk]), {"memory": str(secret.pk)}).text
    assert "vault" not in page
    form = {
        "title": "T",
        "slug": "t-t",
        "description": "When?",
        "body": "B",
        "version": "0",
        "memory": str(secret.pk),
    }
    hers.post(reverse("note-new", args=[home.pk]), form)
    assert Knowledge.objects.get().last_sources == []


def test_slugs_are_offered_nearest_first_and_never_a_strangers(
    hers: Client, alice: User, home: Namespace
) -> None:
    other, mallory = build.workspace(alice, "web"), build.person("mallory")
    make.knowledge(other, alice, "deploy-web")
    make.knowledge(other, alice, "deploy-checklist", title="The other one")
    make.knowledge(home, alice, "deploy-checklist", title="本番デプロイ")
    make.knowledge(home, alice, "redeploy", user_invocable=False)
    make.knowledge(build.workspace(mallory, "vault"), mallory, "deploy-vault")
    answer = hers.get(reverse("note-slugs"), {"q": "dep", "in": str(home.pk)}).json()["notes"]
    assert [(each["slug"], each["namespace"]) for each in answer] == [
        ("deploy-checklist", "workspace:api"),
        ("deploy-web", "workspace:web"),
    ]
    assert [each.slug for each in offers(user=alice, typed="#デプロ", home=home.pk)] == ["deploy-checklist"]
    assert offers(user=build.person("nobody"), typed="") == []
    assert hers.get(reverse("note-slugs"), {"q": "%", "in": "x"}).json() == {"notes": []}


def test_nobody_closes_a_circle_of_replacements(hers: Client, alice: User, home: Namespace) -> None:
    first, second = make.knowledge(home, alice, "first-way"), make.knowledge(home, alice, "second-way")
    hers.post(reverse("note-replace", args=[first.pk]), {"version": 1, "by": str(second.pk)})
    back = hers.post(reverse("note-replace", args=[second.pk]), {"version": 1, "by": str(first.pk)})
    assert back.status_code == 422
    with pytest.raises(Invalid):
        notes.knowledge_replace(
            knowledge_id=second.pk, version=1, user=alice, by_id=second.pk, now=timezone.now()
        )


def test_the_database_refuses_a_circle_that_a_data_fix_would_close(alice: User, home: Namespace) -> None:
    rows = [make.knowledge(home, alice, f"way-{name}") for name in ("one", "two", "three")]
    for row, by in itertools.pairwise(rows):
        Knowledge.objects.filter(pk=row.pk).update(status="replaced", replaced_by=by)
    with pytest.raises(IntegrityError), transaction.atomic():
        Knowledge.objects.filter(pk=rows[2].pk).update(status="replaced", replaced_by=rows[0])


def test_sources_that_are_no_ids_are_shown_and_break_nothing(
    hers: Client, alice: User, home: Namespace
) -> None:
    note = make.knowledge(home, alice, sources=(("memory", "../x"), ("wish", "1")))
    assert "wish" in hers.get(reverse("note", args=[note.pk])).text

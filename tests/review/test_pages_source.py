"""Where a candidate comes from, and the stored conversation."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.models import AgentKey
from tests import build
from tests.review.scene import propose, share, signed_in
from transcripts.models import AgentSession, Message, Turn
from transcripts.services import scans

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def key(alice: User) -> AgentKey:
    made = build.key(alice).key
    build.session(made, workspace="shop")
    return made


def _talk(key: AgentKey) -> list[Turn]:
    start = timezone.now() - timedelta(hours=1)
    secret = "sk_" + "live_EXAMPLE0EXAMPLE0EXAMPLE0"
    cited = f"From now on use pnpm here. My key is {secret}"
    texts = ["one", "two", "three", cited, "five", "six", "seven"]
    return [
        build.turn(
            key,
            build.human(text, at=start + timedelta(minutes=number)),
            build.agent(f"answer to {number}", at=start + timedelta(minutes=number, seconds=5)),
            name=f"t{number}",
        )
        for number, text in enumerate(texts)
    ]


def test_the_panel_marks_the_evidence_between_two_turns_each_side(hers: Client, key: AgentKey) -> None:
    turns = _talk(key)
    home = turns[3].session.home
    waiting = propose(home, "Use pnpm.", turn=turns[3], quote="From now on use pnpm here")
    answer = hers.get(reverse("candidate-source", args=[waiting.pk]), headers=HTMX)
    said = answer.content.decode()
    assert "<mark>From now on use pnpm here</mark>" in said
    shown = [item.message.turn_id for item in answer.context["panel"].talk]
    assert sorted(set(shown)) == sorted(turn.pk for turn in turns[1:6])
    assert 'class="chip">redacted: stripe key' in said
    assert f'id="seen-{waiting.pk}" value="1" hx-swap-oob="true"' in said
    assert "States a standing rule" in said


def test_the_source_has_an_address_of_its_own(hers: Client, key: AgentKey) -> None:
    turns = _talk(key)
    waiting = propose(turns[3].session.home, "Use pnpm.", turn=turns[3], quote="use pnpm here")
    said = hers.get(reverse("candidate-source", args=[waiting.pk])).content.decode()
    assert "<html" in said
    assert "<mark>use pnpm here</mark>" in said


def test_a_purged_conversation_leaves_the_quote_and_says_so(hers: Client, key: AgentKey) -> None:
    turns = _talk(key)
    waiting = propose(turns[3].session.home, "Use pnpm.", turn=turns[3], quote="use pnpm here")
    Message.objects.all().delete()
    said = hers.get(reverse("candidate", args=[waiting.pk])).content.decode()
    assert "was purged" in said
    assert "use pnpm here" in said


def test_another_members_conversation_shows_the_quote_alone(alice: User, key: AgentKey) -> None:
    bob = build.person("bob")
    turns = _talk(key)
    share(turns[3].session.home, alice, bob, "reviewer")
    waiting = propose(turns[3].session.home, "Use pnpm.", turn=turns[3], quote="use pnpm here")
    said = signed_in(bob).get(reverse("candidate", args=[waiting.pk])).content.decode()
    assert "use pnpm here" in said
    assert "belongs to another member" in said
    assert "answer to 3" not in said


def test_the_session_page_opens_at_the_message(hers: Client, key: AgentKey) -> None:
    turns = _talk(key)
    message = build.messages(turns[3])[0]
    propose(turns[3].session.home, "Use pnpm.", turn=turns[3], quote="use pnpm here")
    answer = hers.get(reverse("session", args=[turns[3].session_id]), {"message": message.pk})
    said = answer.content.decode()
    assert f'id="m-{message.pk}"' in said
    assert "<mark>use pnpm here</mark>" in said
    assert [view.turn.pk for view in answer.context["talk"].turns][:3] == [turn.pk for turn in turns[1:4]]


@pytest.mark.parametrize("count", [1, 30])
def test_a_long_conversation_costs_no_more_queries(
    hers: Client, key: AgentKey, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        build.turn(key, f"message {number}", name=f"t{number}")
    address = reverse("session", args=[AgentSession.objects.get().pk])
    with django_assert_num_queries(12):
        hers.get(address)


@pytest.mark.parametrize("count", [1, 30])
def test_many_sessions_cost_no_more_queries(
    hers: Client, key: AgentKey, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        build.session(key, f"more-{number}")
        build.turn(key, "hello", session=f"more-{number}")
    with django_assert_num_queries(6):  # session, user, rows with their counts, settings, side bar
        answer = hers.get(reverse("sessions"))
    assert answer.context["rows"][0].turn_count == 1


def test_a_dead_scan_shows_its_error_and_is_retried(hers: Client, key: AgentKey) -> None:
    turn = build.turn(key, "hello")
    now = timezone.now() + timedelta(minutes=5)
    while turn.scan_state != "dead":
        job = scans.claim(now=now)
        assert job is not None
        scans.fail(job, error="the model answered with a poem", now=now)
        turn.refresh_from_db()
        now += timedelta(days=1)
    said = hers.get(reverse("session", args=[turn.session_id])).content.decode()
    assert "the model answered with a poem" in said
    hers.post(reverse("scan-retry", args=[turn.session_id, "turn", turn.pk]))
    turn.refresh_from_db()
    assert (turn.scan_state, turn.attempts) == ("waiting", 0)

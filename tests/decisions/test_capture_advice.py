"""What we recommended is recognised when the answer comes, under every text that we gave it (design section 5)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.ids import new_id
from decisions.capture.identity import Identity
from decisions.learning.types import OptionIn, Question
from decisions.models import Choice, DecisionPoint, Fate, Recommendation
from tests import build
from tests.decisions.capture import SESSION, choices, post, pre, question, sent
from transcripts.models import AgentSession

pytestmark = pytest.mark.django_db
LABELLED = "Tier M (推奨) — 直近の選択 60% に基づく"
UNCLEAR = "Tier M — 観察ベース（明確な傾向なし）"


@pytest.fixture
def session(alice: User) -> AgentSession:
    return build.session(build.key(alice).key, SESSION)


@pytest.fixture
def client(alice: User, session: AgentSession) -> APIClient:
    return build.api(build.key(alice, name="hook").secret)


def advise(session: AgentSession, display: str, **fields: Any) -> Recommendation:
    """As ``recommend`` leaves it behind: Tier M leads and was displayed like that."""
    asked = Question("Which tier?", tuple(OptionIn(label) for label in ("Tier S", "Tier M", "Tier L")))
    shown = {"Tier M": display}
    options = [
        {
            "key": option.label.lower(),
            "label": option.label,
            "display": shown.get(option.label, option.label),
            "recommended": option.label in shown,
            "share": 0.6,
        }
        for option in asked.options
    ]
    return Recommendation.objects.create(
        call=new_id(),
        user=session.user,
        session=session,
        signature=Identity.of(asked).signature,
        question=asked.text,
        category="tier",
        options=options,
        issued_at=timezone.now(),
        **{
            "labelled": True,
            "state": "warm",
            "layer": "L2",
            "leader": "tier m",
            "strength": "strong",
            "action": "ask",
            "context": {"phase": "plan"},
            **fields,
        },
    )


def only(user: User) -> Choice:
    (row,) = choices(user)
    return row


def ask(client: APIClient, display: str, answer: str) -> None:
    sent(client, post({"Which tier?": answer}, question(labels=["Tier S", display, "Tier L"])))


@pytest.mark.parametrize("answer", [LABELLED, "Tier M", "Tier M (推奨)"])
def test_following_our_label_is_known_as_following(
    alice: User, client: APIClient, session: AgentSession, answer: str
) -> None:
    advice = advise(session, LABELLED)
    ask(client, LABELLED, answer)
    row = only(alice)
    assert (row.chosen, row.labelled, row.followed, row.strength) == (["tier m"], True, True, "strong")
    assert (row.marked, row.marked_by) == ("tier m", "hikae")
    assert row.context["phase"] == "plan"
    advice.refresh_from_db()
    assert (advice.fate, advice.choice, advice.point) == (Fate.FOLLOWED, row, row.point)


def test_overriding_it_is_known_as_overriding(alice: User, client: APIClient, session: AgentSession) -> None:
    advice = advise(session, LABELLED)
    ask(client, LABELLED, "Tier L")
    assert (only(alice).labelled, only(alice).followed) == (True, False)
    advice.refresh_from_db()
    assert advice.fate == Fate.OVERRIDDEN


def test_a_text_without_a_marker_is_recognised_too(
    alice: User, client: APIClient, session: AgentSession
) -> None:
    """Else the same question would be another one as soon as there is no clear leader."""
    advise(session, UNCLEAR, labelled=False)
    ask(client, UNCLEAR, UNCLEAR)
    row = only(alice)
    assert (row.chosen, row.labelled, row.followed) == (["tier m"], False, False)
    sent(client, post({"Which tier?": "Tier M"}, tool_use="toolu_2"))
    assert DecisionPoint.objects.count() == 1


def test_a_probe_is_a_choice_of_ones_own(alice: User, client: APIClient, session: AgentSession) -> None:
    advise(session, "Tier M", labelled=False, probe=True)
    ask(client, "Tier M", "Tier M")
    assert (only(alice).probe, only(alice).labelled, only(alice).followed) == (True, False, False)


def test_what_was_settled_and_asked_all_the_same_counts(
    alice: User, client: APIClient, session: AgentSession
) -> None:
    advice = advise(session, "Tier M", labelled=False, action="resolve", state="mature", fate=Fate.RESOLVED)
    ask(client, "Tier M", "Tier S")
    advice.refresh_from_db()
    assert (only(alice).outcome, advice.fate) == ("observed", Fate.OVERRIDDEN)


def test_advice_for_another_session_or_person_is_not_this_one(
    alice: User, client: APIClient, session: AgentSession
) -> None:
    bob = build.person("bob")
    for other in (
        build.session(build.key(bob).key, SESSION),
        build.session(build.key(alice, name="k3").key, "elsewhere"),
    ):
        advise(other, LABELLED)
    ask(client, "Tier M (推奨)", "Tier M")
    assert (only(alice).labelled, only(alice).marked_by) == (False, "asker")
    assert set(Recommendation.objects.values_list("fate", flat=True)) == {Fate.OPEN}


def test_a_skipped_question_leaves_the_advice_open(
    alice: User, client: APIClient, session: AgentSession
) -> None:
    advice = advise(session, LABELLED)
    asked = question(labels=["Tier S", LABELLED, "Tier L"])
    sent(client, post({"Which tier?": "Tier M"}, asked, agent_id="a1"))
    advice.refresh_from_db()
    assert (advice.fate, advice.choice) == (Fate.OPEN, None)
    assert only(alice).followed is False


def test_a_late_prefill_opens_the_advice_again(alice: User, client: APIClient, session: AgentSession) -> None:
    advice = advise(session, LABELLED)
    ask(client, LABELLED, LABELLED)
    sent(client, pre({"Which tier?": LABELLED}))
    advice.refresh_from_db()
    assert (advice.fate, advice.choice) == (Fate.OPEN, None)

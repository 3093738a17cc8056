"""What counts and what does not, beyond the golden payloads (design section 5)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import AuditEvent
from core.services.namespaces import namespace_pause
from decisions.models import AskSeen, Choice, DecisionPoint, Quarantine
from decisions.services.capture import hook_capture
from tests import build
from tests.decisions.capture import SESSION, URL, choices, post, pre, question, sent
from transcripts.models import AgentSession, Message

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def only(user: User) -> Choice:
    (row,) = choices(user)
    return row


def error(answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = answer.json()["error"]
    return found


def test_a_choice_keeps_what_was_shown_and_in_which_order(alice: User, client: APIClient) -> None:
    asked = question(labels=["Tier S", "Tier M (Recommended)", "Tier L"])
    sent(client, post({"Which tier?": "Tier L"}, asked))
    row = only(alice)
    assert [option["label"] for option in row.offered] == ["Tier S", "Tier M (Recommended)", "Tier L"]
    assert [option["key"] for option in row.offered] == ["tier s", "tier m", "tier l"]
    assert (row.first, row.marked, row.marked_by) == ("tier s", "tier m", "asker")
    assert (row.source, row.labelled, row.followed, row.chosen) == ("hook", False, False, ["tier l"])
    assert row.point is not None
    assert (row.point.category, row.point.user) == ("tier", alice)


def test_markers_do_not_count_on_either_side(alice: User, client: APIClient) -> None:
    asked = question(labels=["Tier S", "Tier M（推奨）", "[Recommended] Tier L"])
    sent(client, post({"Which tier?": "Tier M"}, asked))
    sent(client, post({"Which tier?": "ＴＩＥＲ Ｌ (권장)"}, asked, tool_use="toolu_2"))
    assert [row.chosen for row in choices(alice)] == [["tier m"], ["tier l"]]
    assert DecisionPoint.objects.count() == 1


def test_words_without_brackets_are_no_marker(alice: User, client: APIClient) -> None:
    asked = question("Which settings?", ["Recommended settings", "Own settings"])
    sent(client, post({"Which settings?": "Recommended settings"}, asked))
    assert only(alice).chosen == ["recommended settings"]
    assert only(alice).marked == ""


def test_two_labels_as_one_string_are_no_answer_to_a_single_choice(alice: User, client: APIClient) -> None:
    sent(client, post({"Which tier?": "Tier S, Tier M"}))
    assert (only(alice).chosen, only(alice).other_text) == (["other"], "Tier S, Tier M")


def test_what_the_client_mirrors_or_the_model_writes_into_the_input_is_ignored(
    alice: User, client: APIClient
) -> None:
    event = post({"Which tier?": "Tier M"})
    event["tool_input"]["answers"] = {"Which tier?": "Tier L", "Nobody asked": "x"}
    sent(client, event)
    assert only(alice).chosen == ["tier m"]


def test_another_answer_to_a_known_question_is_a_conflict_and_the_first_stays(
    alice: User, client: APIClient
) -> None:
    sent(client, post({"Which tier?": "Tier M"}))
    for answers in ({"Which tier?": "Tier L"}, {"Which tier?": "something else"}, {}, {"Which tier?": ""}):
        refused = client.post(URL, post(answers))
        assert (refused.status_code, error(refused)["code"]) == (409, "choice_changed")
    assert only(alice).chosen == ["tier m"]


def test_another_question_under_a_known_tool_use_is_a_conflict_too(alice: User, client: APIClient) -> None:
    sent(client, post({"Which tier?": "Tier M"}))
    again = post({"Which level?": "Tier M"}, question("Which level?"))
    assert error(client.post(URL, again))["code"] == "choice_changed"
    assert only(alice).question == "Which tier?"


def test_the_same_answer_in_another_notation_is_a_replay(alice: User, client: APIClient) -> None:
    first = sent(client, post({"Which tier?": "Tier M"}), 201)
    assert sent(client, post({"Which tier?": ["Tier M (推奨)"]}), 200) == first


def test_one_changed_answer_of_four_changes_nothing(alice: User, client: APIClient) -> None:
    one, two = question("Which tier?"), question("Which model?", ["Opus", "Sonnet"])
    sent(client, post({"Which tier?": "Tier M"}, one))
    refused = client.post(URL, post({"Which tier?": "Tier S", "Which model?": "Opus"}, one, two))
    assert refused.status_code == 409
    assert len(choices(alice)) == 1


@pytest.mark.parametrize("odd", [["x"], "x", 7, True])
def test_prefilled_answers_that_cannot_be_read_count_for_every_question(
    alice: User, client: APIClient, odd: Any
) -> None:
    sent(client, pre(odd))
    sent(client, post({"Which tier?": "Tier M"}))
    assert (only(alice).outcome, only(alice).reason) == ("skipped", "prefilled")


def test_prefills_of_two_deliveries_add_up(alice: User, client: APIClient) -> None:
    two = question("Which model?", ["Opus", "Sonnet"])
    for answers in ({"Which tier?": "Tier M"}, {"Which model?": "Opus"}, None):
        sent(client, pre(answers, question(), two))
    sent(client, post({"Which tier?": "Tier M", "Which model?": "Opus"}, question(), two))
    assert {row.reason for row in choices(alice)} == {"prefilled"}
    assert AskSeen.objects.get().prefilled == ["Which tier?", "Which model?"]


def test_a_late_pretooluse_takes_the_choice_out_and_leaves_a_trace(alice: User, client: APIClient) -> None:
    sent(client, post({"Which tier?": "Tier M"}))
    assert sent(client, pre({"Which tier?": "Tier M"})) == [
        {
            "id": str(only(alice).pk),
            "question": "Which tier?",
            "outcome": "skipped",
            "reason": "prefilled",
        }
    ]
    assert DecisionPoint.objects.get().last_choice_at is None
    event = AuditEvent.objects.get(verb="choice.rejudge")
    assert (event.from_state, event.to_state, event.object_id) == ("observed", "skipped", str(only(alice).pk))


def test_a_prefill_of_another_session_says_nothing(alice: User, client: APIClient) -> None:
    sent(client, pre({"Which tier?": "Tier M"}) | {"session_id": "another"})
    sent(client, post({"Which tier?": "Tier M"}))
    assert only(alice).outcome == "observed"


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ({"agent_id": "a1"}, "subagent"),
        ({"agent_id": ""}, "subagent"),
        ({"agent_id": 5}, "subagent"),
        ({"tool_response": None}, "empty_response"),
        ({"tool_response": ""}, "empty_response"),
        ({"response": {"is_error": True}}, "failed"),
        ({"response": {"afkTimeoutMs": 0}}, "idle_timer"),
        ({"response": {"annotations": {"Which tier?": {"afkTimeoutMs": 9}}}}, "idle_timer"),
        ({"response": {"annotations": {"Which tier?": {"unanswered": "dismissed"}}}}, "dismissed"),
    ],
)
def test_an_answer_that_nobody_gave_is_no_observation(
    alice: User, client: APIClient, extra: dict[str, Any], reason: str
) -> None:
    (choice,) = sent(client, post({"Which tier?": "Tier M"}, **extra))
    assert (choice["outcome"], choice["reason"]) == ("skipped", reason)
    assert not DecisionPoint.objects.exists()


def test_an_automatic_source_is_no_person(alice: User, client: APIClient) -> None:
    event = post({"Which tier?": "Tier M"})
    event["tool_input"]["metadata"] = {"source": "auto"}
    assert sent(client, event)[0]["reason"] == "auto_resolved"


def test_a_key_that_does_not_speak_for_its_person_only_reports(alice: User) -> None:
    quiet = build.api(build.key(alice, speaks_for_person=False).secret)
    sent(quiet, post({"Which tier?": "something of my own"}))
    assert only(alice).source == "reported"
    assert set(Message.objects.filter(role="user").values_list("origin", flat=True)) == {"unknown"}


class TestTypedWords:
    def test_free_text_and_notes_are_stored_as_the_persons_message(
        self, alice: User, client: APIClient
    ) -> None:
        notes = {"annotations": {"Which tier?": {"notes": "Never on Fridays"}}}
        sent(client, post({"Which tier?": "Something between"}, response=notes))
        said = list(Message.objects.order_by("index").values_list("role", "origin", "text"))
        assert said == [
            ("assistant", "agent", "Which tier?\n- Tier S\n- Tier M\n- Tier L"),
            ("user", "human", "Something between"),
            ("user", "human", "Never on Fridays"),
        ]
        turn = Message.objects.all()[0].turn
        assert turn.closed_at is not None
        assert turn.scan_state == "waiting"

    def test_a_reply_instead_of_a_choice_is_kept_with_its_question(
        self, alice: User, client: APIClient
    ) -> None:
        sent(client, post({}, response={"response": "Let us talk first"}))
        assert only(alice).reason == "replied"
        assert list(Message.objects.order_by("index").values_list("origin", "text"))[-1] == (
            "human",
            "Let us talk first",
        )

    def test_sent_twice_it_is_said_once(self, alice: User, client: APIClient) -> None:
        for _ in range(2):
            sent(client, post({"Which tier?": "Something between"}))
        assert Message.objects.filter(role="user").count() == 1

    def test_a_plain_click_stores_no_message(self, alice: User, client: APIClient) -> None:
        sent(client, post({"Which tier?": "Tier M"}))
        assert not Message.objects.exists()

    def test_what_a_subagent_typed_is_nobodys_word(self, alice: User, client: APIClient) -> None:
        sent(client, post({"Which tier?": "Something between"}, agent_id="a1"))
        assert not Message.objects.exists()


class TestSecrets:
    SECRET = "ghp_EXAMPLE" + "a1B2c3D4" * 4

    def test_no_secret_is_stored_wherever_it_stood(self, alice: User, client: APIClient) -> None:
        text = f"Use {self.SECRET} or Tier M?"
        asked = question(text, [f"With {self.SECRET}", "Tier M"])
        sent(client, post({text: f"With {self.SECRET}"}, asked))
        sent(client, post({text: f"No, take {self.SECRET}"}, asked, tool_use="toolu_2"))
        sent(client, post({text: 3}, asked, tool_use="toolu_3"))
        first, second = choices(alice)
        assert first.chosen == [first.first]
        assert second.chosen == ["other"]
        with connection.cursor() as cursor:
            for table in ("choice", "decisionpoint", "wording", "option", "quarantine"):
                cursor.execute(
                    f"SELECT count(*) FROM decisions_{table} t WHERE t::text LIKE %s", ["%a1B2c3D4%"]
                )
                assert cursor.fetchone() == (0,), table
        assert not Message.objects.filter(text__contains="a1B2c3D4").exists()
        assert Quarantine.objects.count() == 1

    def test_ids_that_look_like_secrets_stay_apart(self, alice: User, client: APIClient) -> None:
        for n in range(2):
            sent(client, post({"Which tier?": "Tier M"}, tool_use=f"{self.SECRET}{n}"))
        assert len(choices(alice)) == 2


class TestContext:
    def test_it_comes_from_the_prompt_the_mode_and_the_branch(self, alice: User) -> None:
        key = build.key(alice).key
        build.turn(key, "/moai:2-run SPEC-AUTH-001 please", session=SESSION, name="p1", closed=False)
        payload = post({"Which tier?": "Tier M"}, permission_mode="plan", prompt_id="p1")
        hook_capture(agent_key=key, payload=payload, now=timezone.now(), context={"branch": "feature/x"})
        assert only(alice).context == {
            "workflow": "/moai:2-run",
            "phase": "run",
            "spec": "SPEC-AUTH-001",
            "permission_mode": "plan",
            "branch": "feature/x",
        }

    def test_the_prompt_is_that_of_the_question_when_events_come_late(self, alice: User) -> None:
        key = build.key(alice).key
        build.turn(key, "/plan something", session=SESSION, name="p1")
        build.turn(key, "/sync everything", session=SESSION, name="p2")
        payload = post({"Which tier?": "Tier M"}, prompt_id="p1")
        hook_capture(agent_key=key, payload=payload, now=timezone.now())
        assert only(alice).context["phase"] == "plan"

    @pytest.mark.parametrize("odd", [5, None, [], {"a": 1}, "x" * 9_000])
    def test_odd_context_makes_no_choice_wrong(self, alice: User, client: APIClient, odd: Any) -> None:
        sent(client, post({"Which tier?": "Tier M"}, permission_mode=odd, effort=odd, gitBranch=odd))
        assert only(alice).chosen == ["tier m"]
        assert all(len(value) <= 200 for value in only(alice).context.values())


class TestPlaces:
    def test_a_paused_workspace_stores_nothing_and_says_so(self, alice: User) -> None:
        key = build.key(alice)
        session = build.session(key.key, SESSION)
        assert session.workspace is not None
        namespace_pause(namespace=session.workspace, user=alice, paused=True, now=timezone.now())
        client = build.api(key.secret)
        for body in (post({"Which tier?": "Tier M"}), pre({}), post({"Which tier?": 3})):
            refused = client.post(URL, body)
            assert (refused.status_code, error(refused)["code"]) == (409, "paused")
        assert not Choice.objects.exists()
        assert not Quarantine.objects.exists()
        assert not AskSeen.objects.exists()

    def test_an_unknown_session_is_opened(self, alice: User, client: APIClient) -> None:
        sent(client, post({"Which tier?": "Tier M"}))
        assert AgentSession.objects.get().key == SESSION

    def test_the_choice_belongs_to_the_sessions_workspace(self, alice: User) -> None:
        key = build.key(alice)
        session = build.session(key.key, SESSION)
        sent(build.api(key.secret), post({"Which tier?": "Tier M"}))
        assert DecisionPoint.objects.get().workspace == session.workspace

    def test_a_key_out_of_reach_stores_nothing(self, alice: User) -> None:
        build.session(build.key(alice).key, SESSION)
        other = build.workspace(alice, "other")
        short = build.api(build.key(alice, name="short", reach="list", namespaces=[other]).secret)
        assert short.post(URL, post({"Which tier?": "Tier M"})).status_code == 403
        assert not Choice.objects.exists()

    def test_two_persons_in_one_workspace_never_meet(self, alice: User, client: APIClient) -> None:
        bob = build.person("bob")
        sent(client, post({"Which tier?": "Tier M"}))
        sent(build.api(build.key(bob).secret), post({"Which tier?": "Tier L"}))
        assert only(alice).chosen == ["tier m"]
        assert only(bob).chosen == ["tier l"]
        assert only(alice).point != only(bob).point


def test_an_event_of_long_ago_is_archived_at_once(alice: User) -> None:
    now = timezone.now()
    for n, age in enumerate((timedelta(days=90), timedelta(days=90) - timedelta(seconds=1))):
        payload = post({"Which tier?": "Tier M"}, tool_use=f"toolu_{n}")
        hook_capture(agent_key=build.key(alice, name=f"k{n}").key, payload=payload, now=now, at=now - age)
    old, young = Choice.objects.order_by("at")
    assert (old.archived_at, young.archived_at) == (now, None)
    assert list(Choice.objects.visible_to(alice).counted(now)) == [young]


def test_a_repeated_question_costs_few_queries(alice: User, client: APIClient) -> None:
    two = question("Which model?", ["Opus", "Sonnet"])
    answers = {"Which tier?": "Tier M", "Which model?": "Opus"}
    sent(client, post(answers, question(), two))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        sent(client, post(answers, question(), two, tool_use="toolu_2"))
    assert len(queries) <= 20, [query["sql"][:90] for query in queries]

"""The doors: ``recall/``, ``memories/{id}/`` and its ``report/`` (design section 7)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import AuditEvent, Namespace
from core.services.namespaces import namespace_pause
from core.text import tokens
from memory.models import Memory, MemoryReport
from memory.services import memories
from tests import build
from tests.memory.recalling import load, model, remember, row
from transcripts.models import Exposure
from transcripts.readers.fences import fence
from transcripts.services.markers import fence_marker

pytestmark = pytest.mark.django_db
PNPM = "Use pnpm instead of npm in every repository of this team."


@pytest.fixture(autouse=True)
def _words_alone() -> Iterator[None]:
    with model("none"):
        yield


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def recall(client: APIClient, status: int = 200, **body: Any) -> Any:
    response = client.post("/api/v1/recall/", body)
    assert response.status_code == status, response.content
    return response.json()


def error(client: APIClient, status: int = 422, **body: Any) -> Any:
    return recall(client, status, **body)["error"]


def test_a_hit_carries_all_that_the_agreement_names(alice: User, client: APIClient, api: Namespace) -> None:
    load(alice, [row("note-1", PNPM, kind="decision", at="2026-02-03T04:05:06Z")])
    answer = recall(client, q="npm or pnpm?", namespace="workspace:api")
    (hit,) = answer["hits"]
    memory = Memory.objects.get()
    assert hit.pop("score") > 0
    why = hit.pop("why")
    assert set(why["terms"]) == {"npm", "pnpm"}
    assert why["meaning"] is None
    assert hit == {
        "id": str(memory.pk),
        "external_id": "note-1",
        "kind": "decision",
        "namespace": "workspace:api",
        "content": PNPM,
        "trust": "human",
        "at": "2026-02-03T04:05:06Z",
        "valid_from": "2026-02-03T04:05:06Z",
    }
    assert answer["degraded"] is True
    assert answer["omitted"] == 0
    assert answer["paused"] == []


def test_get_answers_the_same_as_post(alice: User, client: APIClient, api: Namespace) -> None:
    build.workspace(alice, "web")
    load(alice, [row("a", PNPM), row("b", "The web shop uses npm.", namespace="workspace:web")])
    response = client.get(
        "/api/v1/recall/",
        {
            "q": "npm",
            "namespace": ["workspace:api", "workspace:web"],
            "k": "5",
            "budget": "100",
            "floor": "none",
        },
    )
    assert response.status_code == 200, response.content
    posted = recall(
        client, q="npm", namespace=["workspace:api", "workspace:web"], k=5, budget=100, floor="none"
    )
    assert response.json() == posted
    assert {hit["external_id"] for hit in posted["hits"]} == {"a", "b"}


def test_the_default_scope_is_the_sessions_persona_and_workspace(alice: User, api: Namespace) -> None:
    made = build.key(alice)
    client = build.api(made.secret)
    persona = Namespace.objects.get(owner=alice, type="persona")
    remember(persona, "Tea is my drink at work.")
    remember(api, "The tea timer listens on port 4000.")
    remember(build.workspace(alice, "web"), "The tea page is blue.")
    build.session(made.key, "chat", workspace="api")
    in_session = {hit["namespace"] for hit in recall(client, q="tea", session="chat")["hits"]}
    assert in_session == {"persona:default", "workspace:api"}
    alone = {hit["namespace"] for hit in recall(client, q="tea")["hits"]}
    assert alone == {"persona:default"}


def test_a_stranger_gets_nothing(alice: User, api: Namespace) -> None:
    memory = remember(api, PNPM)
    build.session(build.key(alice).key, "s1", workspace="api")
    charlie = build.api(build.key(build.person("charlie")).secret)
    assert recall(charlie, q="pnpm")["hits"] == []
    for name in ("workspace:api", "workspace:alice/api", "workspace:nowhere", "api", "workspace:"):
        assert error(charlie, 404, q="pnpm", namespace=name)["code"] == "namespace_not_found"
    assert error(charlie, 404, q="pnpm", session="s1")["code"] == "session_not_found"
    assert charlie.get(f"/api/v1/memories/{memory.pk}/").status_code == 404
    assert charlie.post(f"/api/v1/memories/{memory.pk}/report/", {"reason": "wrong"}).status_code == 404
    assert not Exposure.objects.exists()
    assert not MemoryReport.objects.exists()


def test_a_key_of_short_reach_recalls_only_its_list(alice: User, api: Namespace) -> None:
    web = build.workspace(alice, "web")
    remember(api, PNPM)
    remember(web, "The shop uses npm.")
    build.session(build.key(alice).key, "s1", workspace="api")
    client = build.api(build.key(alice, name="short", reach="list", namespaces=[web]).secret)
    assert recall(client, q="npm", namespace="workspace:web")["hits"]
    assert error(client, 404, q="npm", namespace="workspace:api")["code"] == "namespace_not_found"
    assert error(client, 403, q="npm", session="s1")["code"] == "out_of_reach"


def test_the_scope_of_the_key_is_needed(alice: User) -> None:
    client = build.api(build.key(alice, scopes=["ingest"]).secret)
    assert error(client, 403, q="npm")["code"] == "missing_scope"
    assert client.get("/api/v1/recall/", {"q": "npm"}).status_code == 403
    assert APIClient().get("/api/v1/recall/", {"q": "npm"}).status_code == 401


def test_a_paused_namespace_contributes_nothing_and_is_named(
    alice: User, client: APIClient, api: Namespace
) -> None:
    memory = remember(api, PNPM)
    namespace_pause(namespace=api, user=alice, paused=True, now=timezone.now())
    answer = recall(client, q="pnpm", namespace="workspace:api", floor="none")
    assert answer["hits"] == []
    assert answer["paused"] == ["workspace:api"]
    assert client.get(f"/api/v1/memories/{memory.pk}/").status_code == 409


def test_the_budget_is_exact_and_says_what_it_left_out(
    alice: User, client: APIClient, api: Namespace
) -> None:
    contents = [f"Port {n} belongs to service {'x' * n}." for n in range(1, 9)]
    load(alice, [row(str(n), content) for n, content in enumerate(contents)])
    everything = recall(client, q="port service", namespace="workspace:api", k=8)["hits"]
    costs = [tokens(hit["content"]) for hit in everything]
    for budget in (0, 1, costs[0], costs[0] + costs[1], sum(costs) - 1, sum(costs)):
        answer = recall(client, q="port service", namespace="workspace:api", k=8, budget=budget)
        spent = sum(tokens(hit["content"]) for hit in answer["hits"])
        assert spent <= budget
        assert len(answer["hits"]) + answer["omitted"] == len(everything)
        left = [hit for hit in everything if hit not in answer["hits"]]
        assert all(tokens(hit["content"]) > budget - spent for hit in left)


def test_what_was_served_is_recorded_and_comes_back_as_injected(alice: User, api: Namespace) -> None:
    made = build.key(alice)
    client = build.api(made.secret)
    memory = remember(api, PNPM)
    held = build.session(made.key, "s1", workspace="api")
    response = client.get("/api/v1/recall/", {"q": "pnpm", "session": "s1"})
    assert [hit["content"] for hit in response.json()["hits"]] == [PNPM]
    (exposure,) = Exposure.objects.all()
    assert (exposure.session_id, exposure.path, exposure.record_type) == (held.pk, "recall", "memory")
    assert (exposure.record_id, exposure.version, exposure.tokens) == (str(memory.pk), 1, tokens(PNPM))
    turn = build.turn(made.key, PNPM, fence(PNPM, fence_marker()))
    assert [message.origin for message in build.messages(turn)] == ["injected", "injected"]


def test_without_a_session_the_key_holds_the_exposure(alice: User, client: APIClient, api: Namespace) -> None:
    remember(api, PNPM)
    recall(client, q="pnpm", namespace="workspace:api")
    (exposure,) = Exposure.objects.all()
    assert exposure.session_id is None
    assert exposure.agent_key is not None


def test_a_secret_that_got_in_does_not_get_out(client: APIClient, api: Namespace) -> None:
    memory = remember(api, "The deploy token is kept by ops.")
    secret = "ghp_" + "EXAMPLE" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5"[:29]
    Memory.objects.filter(pk=memory.pk).update(content=f"The deploy token is {secret}.")
    (hit,) = recall(client, q="deploy token", namespace="workspace:api")["hits"]
    assert secret not in hit["content"]
    assert "[redacted:" in hit["content"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "q"),
        ({"q": ""}, "q"),
        ({"q": "x" * 20_001}, "q"),
        ({"q": ["a"]}, "q"),
        ({"q": "a", "k": 0}, "k"),
        ({"q": "a", "k": -1}, "k"),
        ({"q": "a", "k": 51}, "k"),
        ({"q": "a", "k": "many"}, "k"),
        ({"q": "a", "budget": -1}, "budget"),
        ({"q": "a", "as_of": "yesterday"}, "as_of"),
        ({"q": "a", "as_of": "2026-13-40"}, "as_of"),
        ({"q": "a", "as_of": 5}, "as_of"),
        ({"q": "a", "floor": "low"}, "floor"),
        ({"q": "a", "namespace": []}, "namespace"),
        ({"q": "a", "namespaces": "persona:default"}, "namespaces"),
    ],
)
def test_each_mistake_has_one_clear_error(client: APIClient, body: dict[str, Any], field: str) -> None:
    problem = error(client, 422, **body)
    assert problem["code"] == "invalid"
    assert problem["details"]["field"].startswith(field)


def test_what_no_database_can_store_is_refused_in_both_forms(client: APIClient) -> None:
    assert client.get("/api/v1/recall/?q=a%00b").status_code == 400
    raw = client.post("/api/v1/recall/", b'{"q": "a\\u0000b"}', content_type="application/json")
    assert raw.status_code == 400
    raw = client.post("/api/v1/recall/", b'{"q": "\\ud800"}', content_type="application/json")
    assert raw.status_code == 400
    assert client.post("/api/v1/recall/", b"[1]", content_type="application/json").status_code == 422


@pytest.mark.parametrize(
    "question",
    [
        "'; DROP TABLE memory_memory; --",
        "a & !b | <-> :*",
        '"' * 50,
        "🎉",
        "   ",
        "y" * 10_240,
        "%s %(x)s {} \\",
    ],
)
def test_hostile_questions_are_answered_like_any_other(
    client: APIClient, api: Namespace, question: str
) -> None:
    remember(api, PNPM)
    assert recall(client, q=question, namespace="workspace:api")["hits"] == []
    assert recall(client, q="pnpm", namespace="workspace:api")["hits"]


def test_as_of_is_read_in_the_sessions_zone_and_a_date_means_its_end(alice: User, api: Namespace) -> None:
    made = build.key(alice)
    client = build.api(made.secret)
    build.session(made.key, "s1", workspace="api", tz="Asia/Tokyo")
    load(alice, [row("a", PNPM, at="2026-03-01T23:00:00+09:00")])

    def found(**when: Any) -> bool:
        return bool(recall(client, q="pnpm", namespace="workspace:api", **when)["hits"])

    assert found(as_of="2026-03-01", session="s1")
    assert not found(as_of="2026-02-28", session="s1")
    assert not found(as_of="2026-03-01T22:59:00", session="s1")
    assert found(as_of="2026-03-01T23:00:00", session="s1")
    assert not found(as_of="2026-03-01T13:59:59Z")
    assert found(as_of="2026-03-01T14:00:00")
    assert not found(as_of="0001-01-01")
    raw = client.get("/api/v1/recall/?q=pnpm&namespace=workspace:api&as_of=2026-03-01T23:00:00+09:00")
    assert raw.json()["hits"]


def test_a_memory_tells_where_it_comes_from(alice: User, client: APIClient, api: Namespace) -> None:
    old = load(alice, [row("old", "We use npm.", at="2026-01-01", superseded_by="new"), row("new", PNPM)])
    answer = client.get(f"/api/v1/memories/{old['new'].pk}/").json()
    assert (answer["content"], answer["status"], answer["let_in_by"]) == (PNPM, "active", "operator")
    assert answer["supersedes"] == [str(old["old"].pk)]
    assert answer["evidence"] == []
    former = client.get(f"/api/v1/memories/{old['old'].pk}/").json()
    assert former["status"] == "superseded"
    assert former["superseded_by"] == str(old["new"].pk)
    assert former["valid_to"] is not None
    assert set(Exposure.objects.values_list("path", flat=True)) == {"get"}


def test_the_evidence_is_told_with_its_date_and_recorded_as_shown(
    alice: User, client: APIClient, api: Namespace
) -> None:
    memory = remember(api, PNPM)
    at = datetime(2026, 5, 1, 12, tzinfo=UTC)
    quote = "from now on always pnpm please, npm broke the lockfile twice"
    memory.candidates.get().evidence.create(
        role="statement", origin="human", quote=quote, sha256="0" * 64, start=0, end=len(quote), at=at
    )
    (evidence,) = client.get(f"/api/v1/memories/{memory.pk}/").json()["evidence"]
    assert evidence == {"quote": quote, "role": "statement", "origin": "human", "at": "2026-05-01T12:00:00Z"}
    assert Exposure.objects.get().tokens == tokens(f"{PNPM}\n{quote}")


def test_what_was_wrong_is_not_handed_out_to_who_kept_its_id(
    alice: User, client: APIClient, api: Namespace
) -> None:
    memory = remember(api, PNPM)
    memories.memory_retire(memory_id=memory.pk, version=1, user=alice, reason="wrong", now=timezone.now())
    assert client.get(f"/api/v1/memories/{memory.pk}/").status_code == 404
    assert client.get(f"/api/v1/memories/{uuid.uuid4()}/").status_code == 404


def test_a_report_is_kept_for_a_person_and_changes_nothing(client: APIClient, api: Namespace) -> None:
    memory = remember(api, PNPM)
    address = f"/api/v1/memories/{memory.pk}/report/"
    first = client.post(address, {"reason": "outdated since June", "text": "Use bun."})
    assert first.status_code == 202
    report = MemoryReport.objects.get(pk=first.json()["id"])
    assert (report.reason, report.text, report.state) == ("outdated since June", "Use bun.", "open")
    assert client.post(address, {"reason": "outdated since June", "text": "Use bun."}).json() == first.json()
    assert client.post(address, {"reason": "it is bun now"}).json() != first.json()
    events = AuditEvent.objects.filter(verb="memory.reported")
    assert events.count() == 2
    assert not any("outdated" in str(event.data) for event in events)
    assert recall(client, q="pnpm", namespace="workspace:api")["hits"]


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "x" * 501}, {"reason": "a", "texts": "b"}])
def test_a_report_without_a_reason_is_refused(
    client: APIClient, api: Namespace, body: dict[str, str]
) -> None:
    memory = remember(api, PNPM)
    assert client.post(f"/api/v1/memories/{memory.pk}/report/", body).status_code == 422
    assert not MemoryReport.objects.exists()


def test_reports_go_with_the_memory_they_are_about(alice: User, client: APIClient, api: Namespace) -> None:
    memory = remember(api, PNPM)
    client.post(f"/api/v1/memories/{memory.pk}/report/", {"reason": "wrong", "text": "Use bun."})
    later = timezone.now() + timedelta(seconds=1)
    memories.memory_delete(memory_id=memory.pk, version=1, user=alice, now=later)
    assert not MemoryReport.objects.exists()

"""``POST candidates/`` and ``GET candidates/{id}/``: what an agent is told (design section 7, lessons row 24)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import AuditEvent
from memory.models import Candidate, Memory
from memory.services import gate
from tests import build

pytestmark = pytest.mark.django_db

BODY = {"kind": "fact", "content": "Production runs on Python 3.12."}


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def propose(client: APIClient, status: int = 201, **change: Any) -> dict[str, Any]:
    response = client.post("/api/v1/candidates/", {**BODY, **change})
    assert response.status_code == status, response.content
    answer: dict[str, Any] = response.json()
    return answer


def look(client: APIClient, id: str) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"/api/v1/candidates/{id}/").json()
    return answer


def test_a_proposal_is_answered_with_its_id_and_what_happens_next(client: APIClient) -> None:
    answer = propose(client, confidence=0.7)
    candidate = Candidate.objects.get()
    assert answer["id"] == str(candidate.pk)
    assert answer["status"] == "pending"
    assert "A person decides" in answer["notice"]
    assert (candidate.confidence, candidate.source, candidate.trust) == (0.7, "remember", "agent")
    assert not Memory.objects.exists()


def test_without_a_confidence_it_is_one_half(client: APIClient) -> None:
    propose(client)
    assert Candidate.objects.get().confidence == 0.5


def test_a_repeat_answers_the_same_id_with_200(client: APIClient) -> None:
    first = propose(client)
    assert propose(client, 200)["id"] == first["id"]
    assert propose(client, 200, key="k")["id"] == first["id"]


def test_what_became_of_it_is_told_until_the_end(alice: User, client: APIClient) -> None:
    id = propose(client)["id"]
    assert (look(client, id)["status"], look(client, id)["memory"]) == ("pending", None)
    memory = gate.candidate_approve(candidate_id=id, version=1, user=alice, now=timezone.now())
    found = look(client, id)
    assert (found["status"], found["memory"]) == ("approved", str(memory.pk))
    again = propose(client, 200)
    assert (again["id"], again["status"]) == (id, "approved")
    assert "already" in again["notice"]


def test_what_a_person_rejected_is_not_proposed_again_and_the_agent_is_told(
    alice: User, client: APIClient
) -> None:
    id = propose(client)["id"]
    gate.candidate_reject(candidate_id=id, version=1, user=alice, now=timezone.now())
    answer = propose(client, 200)
    assert (answer["id"], answer["status"]) == (None, "suppressed")
    assert "rejected" in answer["notice"]
    assert look(client, id)["status"] == "rejected"


def test_no_verb_of_the_api_decides(client: APIClient) -> None:
    id = propose(client)["id"]
    for method in ("put", "patch", "delete", "post"):
        response = getattr(client, method)(f"/api/v1/candidates/{id}/", {"status": "approved"})
        assert response.status_code == 405
    for act in ("approve", "reject", "edit", "archive", "reopen"):
        assert client.post(f"/api/v1/candidates/{id}/{act}/", {}).status_code == 404
    assert Candidate.objects.get().status == "pending"


def test_a_stranger_gets_what_a_missing_one_gets(client: APIClient) -> None:
    id = propose(client)["id"]
    stranger = build.api(build.key(build.person("mallory")).secret)
    missing = stranger.get("/api/v1/candidates/00000000-0000-0000-0000-000000000000/")
    foreign = stranger.get(f"/api/v1/candidates/{id}/")
    assert (foreign.status_code, foreign.json()) == (404, missing.json())


def test_a_short_key_does_not_see_what_lies_beyond_its_reach(alice: User, client: APIClient) -> None:
    id = propose(client)["id"]
    short = build.api(build.key(alice, reach="list", namespaces=[build.workspace(alice)]).secret)
    assert short.get(f"/api/v1/candidates/{id}/").status_code == 404


def test_the_audit_names_the_key_and_keeps_no_text(client: APIClient) -> None:
    propose(client)
    event = AuditEvent.objects.get(verb="candidate.created")
    assert event.actor_type == "key"
    assert "Python" not in str(event.data)


def test_the_answer_speaks_the_language_that_is_asked_for(client: APIClient) -> None:
    response = client.post("/api/v1/candidates/", {**BODY, "kind": "wish"}, headers={"accept-language": "ja"})
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "unknown_kind"

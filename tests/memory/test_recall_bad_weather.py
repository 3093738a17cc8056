"""When input is odd or a part of recall is away: a clear answer, never an error, never another's row."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections, transaction
from rest_framework.test import APIClient

from core.embed import EmbedUnavailable
from core.models import Namespace
from memory import embedder
from memory.models import MemoryIndex, MemoryTerm, MemoryVector
from memory.services.vectors import fill_due, vectors_forget
from tests import build
from tests.memory.recalling import model, remember

pytestmark = pytest.mark.django_db

PNPM = "Use pnpm instead of npm in this repository."
ADDRESS = "/api/v1/recall/"


@pytest.fixture
def api(alice: User) -> Namespace:
    with model("use"):
        home = build.workspace(alice, "api")
        remember(home, PNPM)
        fill_due()
        return home


@pytest.fixture
def client(alice: User, api: Namespace) -> APIClient:
    theirs = build.workspace(build.person("mallory"), "theirs")
    remember(theirs, "pnpm is what the stranger uses.")
    return build.api(build.key(alice).secret)


def answer(client: APIClient, **body: Any) -> dict[str, Any]:
    response = client.post(ADDRESS, {"namespace": "workspace:api", **body}, format="json")
    assert response.status_code == 200, response.content
    assert "stranger" not in response.content.decode()
    found: dict[str, Any] = response.json()
    return found


class Away:
    """A model that is unreachable; ``space`` may be known from before."""

    dims = 512
    space = "use-multilingual-v3/512"

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        raise EmbedUnavailable("nobody answers")


def test_a_model_that_is_away_costs_the_order_and_not_the_answer(client: APIClient) -> None:
    with mock.patch.object(embedder, "embedder", return_value=Away()):
        found = answer(client, q="pnpm or npm?")
    assert [hit["content"] for hit in found["hits"]] == [PNPM]
    assert found["degraded"]


def test_vectors_that_cannot_be_read_cost_the_order_and_not_the_answer(client: APIClient) -> None:
    with model("use"):
        assert not answer(client, q="pnpm or npm?")["degraded"]
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE memory_memoryvector RENAME TO memory_away")
        found = answer(client, q="pnpm or npm?")
        assert [hit["content"] for hit in found["hits"]] == [PNPM]
        assert found["degraded"]
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE memory_away RENAME TO memory_memoryvector")
        assert not answer(client, q="pnpm or npm?")["degraded"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("lock", ["LOCK TABLE memory_memoryvector", "REINDEX TABLE memory_memoryvector"])
def test_vectors_that_somebody_rewrites_keep_no_answer_waiting(client: APIClient, lock: str) -> None:
    answers: list[dict[str, Any]] = []

    def ask() -> None:
        answers.append(answer(client, q="pnpm or npm?"))
        connections.close_all()

    with model("use"):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(lock)
            asking = threading.Thread(target=ask)
            asking.start()
            asking.join(timeout=60)  # the lock goes only after the answer
            assert answers[0]["degraded"]
            assert [hit["content"] for hit in answers[0]["hits"]] == [PNPM]
        assert not answer(client, q="pnpm or npm?")["degraded"]


def test_while_vectors_are_made_anew_recall_answers_and_says_degraded(
    client: APIClient, api: Namespace
) -> None:
    with model("use"):
        vectors_forget(scope=Namespace.objects.filter(pk=api.pk).scope())
        MemoryVector.objects.all().delete()
        found = answer(client, q="pnpm or npm?")
        assert [hit["content"] for hit in found["hits"]] == [PNPM]
        assert found["degraded"]
        fill_due()
        assert not answer(client, q="pnpm or npm?")["degraded"]


def test_while_the_words_are_away_meaning_answers(client: APIClient, api: Namespace) -> None:
    with model("use"):
        MemoryTerm.objects.all().delete()
        found = answer(client, q="which package manager do we use")
        assert [hit["content"] for hit in found["hits"]] == [PNPM]
        assert MemoryIndex.objects.filter(namespace=api).exists()


@pytest.mark.parametrize(
    "question",
    [
        "x" * 20_000,
        "認証 " * 6_666,
        "🎉🎊🎉",
        "مرحبا pnpm עברית \u202e\u2066abc\u2069",
        "pnpm' OR '1'='1'; DROP TABLE memory_memory; --",
        "(((pnpm & !npm) <-> :*",
        "\u200b\u200b",
        "%s %(x)s {0} \\",
    ],
)
@pytest.mark.parametrize("name", ["none", "use"])
def test_odd_questions_are_only_text(client: APIClient, question: str, name: str) -> None:
    with model(name):
        for floor in ("default", "none"):
            answer(client, q=question, floor=floor)
        assert [hit["content"] for hit in answer(client, q="pnpm")["hits"]] == [PNPM]


@pytest.mark.parametrize(
    ("body", "field"),
    [({"k": 0}, "k"), ({"k": 10_000}, "k"), ({"k": -1}, "k"), ({"q": ""}, "q"), ({"q": "y" * 20_001}, "q")],
)
def test_numbers_out_of_range_are_refused_by_name(
    client: APIClient, body: dict[str, Any], field: str
) -> None:
    response = client.post(ADDRESS, {"q": "pnpm", "namespace": "workspace:api", **body}, format="json")
    assert response.status_code == 422
    assert response.json()["error"]["details"]["field"].startswith(field)


def test_a_budget_of_nothing_serves_nothing_and_counts_what_it_left_out(client: APIClient) -> None:
    found = answer(client, q="pnpm", budget=0)
    assert found["hits"] == []
    assert found["omitted"] == 1


def test_before_everything_there_was_nothing(client: APIClient) -> None:
    for name in ("none", "use"):
        with model(name):
            assert answer(client, q="pnpm", as_of="0001-01-01", floor="none")["hits"] == []


@pytest.mark.parametrize("reference", ["workspace:nowhere", "workspace:mallory/theirs", "workspace:theirs"])
def test_an_unknown_namespace_and_a_foreign_one_look_the_same(client: APIClient, reference: str) -> None:
    response = client.post(ADDRESS, {"q": "pnpm", "namespace": reference}, format="json")
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "namespace_not_found"
    assert "stranger" not in response.content.decode()

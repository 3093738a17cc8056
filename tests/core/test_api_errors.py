"""How the API refuses what no view is at fault for: a busy database, a body too large."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.db import InterfaceError, OperationalError
from rest_framework.test import APIClient

from tests import build
from transcripts.models import Turn

pytestmark = pytest.mark.django_db
URL = "/api/v1/turns/"
PRIVATE = "what the person said"


@pytest.fixture
def client() -> APIClient:
    return build.api(build.key(build.person()).secret)


def turn(text: str) -> dict[str, object]:
    return {"session": "s1", "key": "t1", "messages": [{"role": "user", "text": text}]}


@pytest.mark.parametrize("kind", [OperationalError, InterfaceError])
def test_a_busy_database_is_503_and_the_row_is_not_quoted(
    client: APIClient, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def away(**_kwargs: object) -> None:
        raise kind(f"deadlock detected\nDETAIL: {PRIVATE}")

    monkeypatch.setattr("transcripts.api.turns.turns_store", away)
    answer = client.post(URL, turn(PRIVATE))
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "busy"
    assert PRIVATE not in answer.content.decode()


def test_a_body_over_the_limit_is_413_with_the_limit_and_stores_nothing(client: APIClient) -> None:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    answer = client.post(URL, turn("x" * most))
    assert answer.status_code == 413
    error = answer.json()["error"]
    assert (error["code"], error["details"]["field"]) == ("too_large", "body")
    assert str(most) in error["message"]
    assert str(most) in error["details"]["allowed"]
    assert not Turn.objects.exists()


def test_a_stranger_with_a_large_body_is_told_to_sign_in_and_no_more() -> None:
    large = json.dumps(turn("x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE))
    answer = APIClient().post(URL, large, content_type="application/json")
    assert answer.status_code == 401


def test_the_document_says_that_bytes_bind_before_counts() -> None:
    document = APIClient().get("/api/v1/schema/?format=json").json()
    operation = document["paths"][URL]["post"]
    assert str(settings.DATA_UPLOAD_MAX_MEMORY_SIZE) in operation["requestBody"]["description"]
    assert "413" in operation["responses"]["4XX"]["description"]
    assert "503" in operation["responses"]

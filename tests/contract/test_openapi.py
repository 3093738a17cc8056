"""The OpenAPI document says what the server does: a fuzzer holds one against the other, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import StringIO
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.schemas import BaseSchema

from tests import build
from tests.contract.routes import NOWHERE, ROUTES, rows

pytestmark = pytest.mark.django_db

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@cache
def _described() -> BaseSchema:
    """The product as WSGI, with its document, which takes a while to make."""
    return schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", WSGIHandler())


@pytest.fixture
def _connected() -> Iterator[None]:
    """Like Django's own test client, the server keeps the test's connection open."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def test_the_document_is_valid_and_its_generator_warns_of_nothing() -> None:
    """Programs that write clients from it refuse an invalid one; a warning is a type that was numbered or guessed."""
    call_command("spectacular", fail_on_warn=True, validate=True, stdout=StringIO(), stderr=StringIO())


def document() -> dict[str, Any]:
    response = Client().get("/api/v1/schema/?format=json")
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def test_it_names_every_operation_once_with_its_errors_and_its_credential() -> None:
    found = document()
    operations = [
        (method.upper(), path, operation)
        for path, methods in found["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) == len(ROUTES)
    assert len({operation["operationId"] for _method, _path, operation in operations}) == len(operations)
    for _method, path, operation in operations:
        assert operation["security"] == [{"agentKey": []}], path
        assert "4XX" in operation["responses"], path
        assert operation["description"], path
    assert found["components"]["securitySchemes"]["agentKey"]["scheme"] == "bearer"


def test_its_page_is_served_from_this_machine_under_our_policy() -> None:
    page = Client().get("/api/v1/docs/")
    assert page.status_code == 200
    assert "cdn" not in page.content.decode()
    assert "'self'" in page.headers["Content-Security-Policy"]


OPERATIONS = pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/me/"),
        ("POST", "/api/v1/sessions/"),
        ("PATCH", "/api/v1/sessions/{key}/"),
        ("POST", "/api/v1/turns/"),
        ("POST", "/api/v1/compactions/"),
        ("POST", "/api/v1/candidates/"),
        ("GET", "/api/v1/candidates/{candidate_id}/"),
        ("GET", "/api/v1/recall/"),
        ("POST", "/api/v1/recall/"),
        ("GET", "/api/v1/memories/{memory_id}/"),
        ("POST", "/api/v1/memories/{memory_id}/report/"),
        ("GET", "/api/v1/context/"),
        ("POST", "/api/v1/hooks/claude-code/"),
        ("POST", "/api/v1/decisions/"),
        ("POST", "/api/v1/decisions/recommend/"),
        ("GET", "/api/v1/decisions/preferences/"),
        ("POST", "/api/v1/expand/"),
        ("GET", "/api/v1/knowledge/"),
        ("GET", "/api/v1/knowledge/{slug}/"),
    ],
)


def test_every_operation_is_among_those_that_are_tried() -> None:
    tried = {tuple(each) for each in OPERATIONS.mark.args[1]}
    found = document()["paths"]
    assert tried == {(method.upper(), path) for path, methods in found.items() for method in methods}


def test_a_body_that_refuses_unknown_fields_says_so() -> None:
    bodies = {
        name: schema
        for name, schema in document()["components"]["schemas"].items()
        if name.endswith("Request") and "properties" in schema
    }
    open_ones = {name for name, schema in bodies.items() if schema.get("additionalProperties") is not False}
    assert open_ones == {"HookBodyRequest"}  # another program's event


def test_each_body_has_an_example_that_works_as_it_stands() -> None:
    client, sent = build.api(build.key(build.person()).secret), []
    for path, methods in sorted(document()["paths"].items(), key=lambda each: "sessions" not in each[0]):
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            if not content or path.endswith("/hooks/claude-code/"):  # another program's event
                continue
            [shown] = content["examples"].values()
            address = path.replace("{key}", "s1").replace("{memory_id}", str(NOWHERE))
            answer = getattr(client, method)(address, shown["value"], format="json")
            assert answer.status_code < 300 or "{memory_id}" in path, (path, answer.content)
            sent.append(path)
    assert len(sent) == 10


@pytest.mark.usefixtures("_connected")
@OPERATIONS
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_whatever_is_sent_the_answer_is_one_the_document_promises(
    method: str, path: str, mode: GenerationMode
) -> None:
    most = 25 if mode is GenerationMode.POSITIVE else 10
    _fuzz(method, path, mode, build.key(build.person()).secret, most=most)


def _fuzz(method: str, path: str, mode: GenerationMode, secret: str, *, most: int) -> None:
    """Each answer is checked against the document; a refusal must have written nothing."""
    operation = _described()[path][method]
    seen: list[int] = []

    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def fuzz(case: Case[Any]) -> None:
        case.headers.update({"Authorization": f"Bearer {secret}"})
        before = rows()
        response = case.call_and_validate(checks=CHECKS)
        seen.append(response.status_code)
        if response.status_code >= 400:
            assert rows() == before

    fuzz()
    assert seen

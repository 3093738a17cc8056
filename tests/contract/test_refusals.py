"""For every field that the OpenAPI document names: what it excludes is refused by name, with what is allowed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import jsonschema_rs
import pytest
from rest_framework.test import APIClient

from tests import build
from tests.contract.routes import API, DECISION, error_of, rows
from tests.contract.test_openapi import document

pytestmark = pytest.mark.django_db

MESSAGE = {
    "key": "m1",
    "role": "user",
    "origin": "human",
    "text": "Hello.",
    "at": "2026-01-05T10:00:00+09:00",
}
TURN = {"session": "s1", "key": "t1", "closed": True, "messages": [MESSAGE]}
MEMORY = "00000000-0000-0000-0000-000000000000"
# One request with every field that its body or query may have; a test below holds that none is missing.
FULL: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "sessions/"): {
        "key": "s1",
        "client": "mine",
        "persona": "persona:default",
        "workspace": {"name": "api", "fingerprints": ["d:0123456789abcdef"]},
        "tz": "Asia/Tokyo",
        "internal": False,
    },
    ("PATCH", "sessions/s1/"): {"ended": True},
    ("POST", "turns/"): TURN,
    ("POST", "compactions/"): {
        "session": "s1",
        "key": "c1",
        "trigger": "auto",
        "through": "m1",
        "messages": [MESSAGE],
    },
    ("POST", "candidates/"): {
        "kind": "fact",
        "content": "Production runs on Python 3.12.",
        "namespace": "persona:default",
        "session": "s1",
        "quote": "We run 3.12.",
        "confidence": 0.5,
        "key": "k1",
    },
    ("GET", "recall/"): {
        "q": "python",
        "namespace": "persona:default",
        "k": "8",
        "budget": "100",
        "as_of": "2026-03-01",
        "session": "s1",
        "floor": "none",
    },
    ("POST", "recall/"): {
        "q": "python",
        "namespace": ["persona:default"],
        "k": 8,
        "budget": 100,
        "as_of": "2026-03-01T09:00:00+09:00",
        "session": "s1",
        "floor": "none",
    },
    ("POST", f"memories/{MEMORY}/report/"): {"reason": "wrong", "text": "Better.", "session": "s1"},
    ("POST", "decisions/"): {**DECISION, "session": "s1", "context": {"phase": "plan"}},
    ("POST", "decisions/recommend/"): {
        "session": "s1",
        "questions": [
            {
                "question": "Which tier?",
                "header": "Tier",
                "options": [{"label": "S", "description": "small"}, {"label": "M"}],
                "multi": False,
                "category": "other",
                "default": "S",
                "depends_on": ["Which region?"],
                "sensitive": False,
                "premise": "a short run",
            },
            {"question": "Which region?", "options": [{"label": "A"}, {"label": "B"}]},
        ],
        "context": {"phase": "plan"},
        "lang": "en",
    },
    ("GET", "decisions/preferences/"): {"category": "other"},
    ("GET", "context/"): {"session": "s1"},
    ("POST", "expand/"): {"session": "s1", "text": "#deploy"},
    ("GET", "knowledge/"): {"q": "deploy", "namespace": "persona:default", "session": "s1"},
    ("GET", "knowledge/deploy/"): {"namespace": "persona:default", "session": "s1"},
}
ODD: list[Any] = [None, True, 0, 1, -1, 1.5, "", "maybe", "x" * 120_000, [], [[]], [7], {}, {"odd": [1]}]
ODD_WORDS = ["", "maybe", "-1", "1.5", "x" * 20_001]
CALLS = pytest.mark.parametrize(("method", "path"), list(FULL), ids=[" ".join(call) for call in FULL])


@pytest.fixture(scope="module")
def described(django_db_setup: None) -> dict[str, Any]:
    return document()


@pytest.fixture
def client() -> APIClient:
    key = build.key(build.person("alice"))
    build.session(key.key, "s1")
    return build.api(key.secret)


def _operation(described: dict[str, Any], method: str, path: str) -> dict[str, Any]:
    named = path.replace("s1/", "{key}/").replace(MEMORY, "{memory_id}").replace("deploy/", "{slug}/")
    found: dict[str, Any] = described["paths"][API + named][method.lower()]
    return found


def _fields(described: dict[str, Any], method: str, path: str) -> dict[str, dict[str, Any]]:
    """The schema of each field by its place, such as ``messages[0].role``."""
    operation = _operation(described, method, path)
    if method == "GET":
        return {each["name"]: each["schema"] for each in operation["parameters"] if each["in"] == "query"}
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return dict(_walk(described, schema, ""))


def _resolved(described: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """References followed, ``nullable`` as JSON Schema says it, and the first of several shapes of a body."""
    if "$ref" in schema:
        return _resolved(described, described["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    if "allOf" in schema:
        return _resolved(described, schema["allOf"][0])
    return schema


def _walk(
    described: dict[str, Any], schema: dict[str, Any], path: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    found = _resolved(described, schema)
    if "properties" not in found and "oneOf" in found and path == "":
        found = _resolved(described, found["oneOf"][0])
    for name, inner in found.get("properties", {}).items():
        place = f"{path}.{name}" if path else name
        yield place, inner
        item = _resolved(described, _resolved(described, inner).get("items", {}))
        yield from _walk(described, inner, place)
        if "properties" in item:
            yield from _walk(described, item, f"{place}[0]")


def _excluded(described: dict[str, Any], schema: dict[str, Any], value: Any) -> bool:
    whole = {**schema, "components": described["components"]}
    if schema.get("nullable") and value is None:
        return False
    return not jsonschema_rs.is_valid(whole, value)


def _placed(body: dict[str, Any], place: str, value: Any) -> dict[str, Any]:
    """A copy of the body with another value at this place."""
    copy = deepcopy(body)
    *way, last = place.replace("[0]", ".0").split(".")
    inner: Any = copy
    for step in way:
        inner = inner[int(step)] if step.isdecimal() else inner[step]
    inner[last] = value
    return copy


def _has(body: dict[str, Any], place: str) -> bool:
    inner: Any = body
    for step in place.replace("[0]", ".0").split("."):
        if isinstance(inner, list):
            inner = inner[int(step)]
        elif step in inner:
            inner = inner[step]
        else:
            return False
    return True


def test_every_field_of_every_operation_is_tried(described: dict[str, Any]) -> None:
    for method, path in FULL:
        missing = [p for p in _fields(described, method, path) if not _has(FULL[method, path], p)]
        assert not missing, (method, path, missing)
    named = {
        (method, path)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if "requestBody" in operation or any(p["in"] == "query" for p in operation.get("parameters", ()))
    }
    assert len(named) == len(FULL) + 1  # a hook's event is another program's


@CALLS
def test_what_the_document_excludes_is_refused_by_name_with_what_is_allowed(
    described: dict[str, Any], client: APIClient, method: str, path: str
) -> None:
    before, tried = rows(), 0
    for place, schema in _fields(described, method, path).items():
        for value in ODD_WORDS if method == "GET" else ODD:
            if not _excluded(described, schema, _as_sent(method, schema, value)):
                continue
            given = _placed(FULL[method, path], place, value)
            sent = given if method == "GET" else json.dumps(given)
            kind = {} if method == "GET" else {"content_type": "application/json"}
            answer = getattr(client, method.lower())(API + path, sent, **kind)
            assert answer.status_code == 422, (place, str(value)[:40], answer.content[:200])
            error = error_of(answer)
            problems = [error["details"], *error["details"].get("problems", ())]
            named = [each for each in problems if str(each["field"]).startswith(place)]
            assert named, (place, str(value)[:40], error)
            assert all(each.get("allowed") is not None for each in named), (place, str(value)[:40], error)
            tried += 1
    assert tried
    assert rows() == before


def _as_sent(method: str, schema: dict[str, Any], value: Any) -> Any:
    """A query holds texts only: what reads as a number is judged as one."""
    if method == "GET" and schema.get("type") in ("integer", "number"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


@pytest.mark.parametrize(
    ("path", "query", "says"),
    [
        ("recall/", {"q": "a", "floor": "maybe"}, "default, none"),
        ("recall/", {"q": "a", "k": "51"}, "1 to 50"),
        ("decisions/preferences/", {"category": ""}, "worktree_strategy"),
        ("context/", {"sessoin": "s1"}, "session"),
        ("knowledge/", {"question": "x"}, "namespace"),
    ],
)
def test_a_person_reads_what_is_allowed(
    client: APIClient, path: str, query: dict[str, str], says: str
) -> None:
    error = error_of(client.get(API + path, query), 422)
    assert says in json.dumps(error)


@pytest.mark.parametrize(
    ("given", "field"),
    [({**TURN, "messages": [{**MESSAGE, "text": "\ud800"}]}, "messages[0].text"), ("a\0b", "body")],
)
def test_text_that_no_database_holds_is_refused_by_name(client: APIClient, given: Any, field: str) -> None:
    before = rows()
    error = error_of(client.post(f"{API}turns/", json.dumps(given), content_type="application/json"), 400)
    assert (error["code"], error["details"]["field"]) == ("invalid_text", field)
    assert "NUL" in error["details"]["allowed"]
    assert rows() == before

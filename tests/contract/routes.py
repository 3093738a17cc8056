"""All REST routes with a request that works, so that no check can forget one."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

NOWHERE = uuid.UUID(int=0)
API = "/api/v1/"


@dataclass(frozen=True)
class Route:
    """``status`` is what a stranger's well-formed request to an empty installation gets.

    ``is_open``: the body is another program's event, which may grow fields that we do not know.
    """

    name: str
    method: str
    path: str
    scope: str
    body: dict[str, Any] | None = None
    status: int = 200
    is_open: bool = False

    def send(self, client: APIClient, **extra: Any) -> HttpResponse:
        given = {"data": self.body, "format": "json"} if self.method != "GET" else {"data": self.body}
        return self.raw(client, **given, **extra)

    def raw(self, client: APIClient, **extra: Any) -> HttpResponse:
        response: HttpResponse = getattr(client, self.method.lower())(API + self.path, **extra)
        return response


TURN = {"session": "s1", "key": "t1", "messages": [{"role": "user", "text": "Hello."}]}
CANDIDATE = {"kind": "fact", "content": "Production runs on Python 3.12."}
DECISION = {
    "decision_id": "d1",
    "timestamp": "2026-01-05T10:00:00+09:00",
    "question": "Which tier?",
    "user_choice": "Tier M",
    "all_options": ["Tier S", "Tier M"],
}
ASK = {
    "session": "s1",
    "questions": [{"question": "Which tier?", "options": [{"label": "S"}, {"label": "M"}]}],
}
ROUTES = [
    Route("api-me", "GET", "me/", "any"),
    Route("api-sessions", "POST", "sessions/", "ingest", {"key": "s1"}, 201),
    Route("api-session", "PATCH", "sessions/s1/", "ingest", {"ended": True}, 404),
    Route("api-turns", "POST", "turns/", "ingest", TURN, 201),
    Route("api-compactions", "POST", "compactions/", "ingest", {"session": "s1", "trigger": "auto"}, 202),
    Route("api-candidates", "POST", "candidates/", "ingest", CANDIDATE, 201),
    Route("api-candidate", "GET", f"candidates/{NOWHERE}/", "ingest", None, 404),
    Route("api-recall", "GET", "recall/", "recall", {"q": "python"}),
    Route("api-recall", "POST", "recall/", "recall", {"q": "python"}),
    Route("api-memory", "GET", f"memories/{NOWHERE}/", "recall", None, 404),
    Route("api-memory-report", "POST", f"memories/{NOWHERE}/report/", "recall", {"reason": "wrong"}, 404),
    Route("api-decisions", "POST", "decisions/", "decide", DECISION, 201),
    Route("api-recommend", "POST", "decisions/recommend/", "decide", ASK),
    Route("api-preferences", "GET", "decisions/preferences/", "decide"),
    Route("api-context", "GET", "context/", "recall"),
    Route("api-expand", "POST", "expand/", "recall", {"session": "s1", "text": "#deploy"}, 404),
    Route("api-knowledge", "GET", "knowledge/", "recall"),
    Route("api-knowledge-note", "GET", "knowledge/deploy/", "recall", None, 404),
    Route(
        "api-hook-claude-code",
        "POST",
        "hooks/claude-code/",
        "any",
        {"hook_event_name": "Stop", "session_id": "s1"},
        is_open=True,
    ),
]
WITH_BODY = [route for route in ROUTES if route.method != "GET"]


def ids(routes: list[Route]) -> list[str]:
    return [f"{route.method} {route.path.replace(str(NOWHERE), '{id}')}" for route in routes]


def api_names() -> set[str]:
    """Names of every address under /api/v1/ but for the document itself and its pages."""

    def walk(resolver: URLResolver, prefix: str) -> Iterator[tuple[str, str]]:
        for entry in resolver.url_patterns:
            path = prefix + str(entry.pattern)
            if isinstance(entry, URLPattern):
                yield path, str(entry.name)
            else:
                yield from walk(entry, path)

    found = {name for path, name in walk(get_resolver(), "/") if path.startswith(API)}
    return found - {"schema", "api-docs"}


def error_of(response: HttpResponse, status: int | None = None) -> dict[str, Any]:
    """The one error shape: code for programs, message for people, details (design section 7)."""
    assert 400 <= response.status_code < 500, (response.status_code, response.content[:300])
    assert status is None or response.status_code == status, response.content[:300]
    assert response.headers["Content-Type"].startswith("application/json"), response.content[:200]
    body = response.json()  # type: ignore[attr-defined]
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "details"}
    error: dict[str, Any] = body["error"]
    assert isinstance(error["code"], str)
    assert error["code"].isascii()
    assert " " not in error["code"]
    assert isinstance(error["message"], str)
    assert len(error["message"]) > 5
    assert "Traceback" not in error["message"]
    return error


def rows() -> dict[str, int]:
    """How many rows each table of ours holds: what a refused request must not change."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = sorted(name for (name,) in cursor.fetchall())
        cursor.execute(" UNION ALL ".join(f"SELECT '{name}', count(*) FROM \"{name}\"" for name in tables))
        return dict(cursor.fetchall())

"""Whatever is sent: one clear error, the right status, nothing half-written (issue "Bad input")."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import KEY_SCOPES
from core.services.keys import agent_key_revoke
from tests import build
from tests.contract.routes import (
    API,
    CANDIDATE,
    ROUTES,
    TURN,
    WITH_BODY,
    Route,
    api_names,
    error_of,
    ids,
    rows,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


each_route = pytest.mark.parametrize("route", ROUTES, ids=ids(ROUTES))
each_body = pytest.mark.parametrize("route", WITH_BODY, ids=ids(WITH_BODY))
CLOSED = [route for route in WITH_BODY if not route.is_open]
CLOSED_ROUTES = [route for route in ROUTES if not route.is_open]
each_closed_body = pytest.mark.parametrize("route", CLOSED, ids=ids(CLOSED))


def test_no_route_is_forgotten_here() -> None:
    assert {route.name for route in ROUTES} == api_names()


@each_route
def test_a_well_formed_request_is_answered(client: APIClient, route: Route) -> None:
    """So that the refusals below are refused for their own reason."""
    assert route.send(client).status_code == route.status


NO_KEYS = [
    "",
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "Bearer hik_nope_nope",
    "Bearer hik_\0_x",
    "Bearer \xff",
    "x" * 9_000,
]


class TestKeys:
    @each_route
    def test_without_a_known_key_nothing_is_said(self, alice: User, route: Route) -> None:
        before = rows()
        for header in NO_KEYS:
            client = APIClient()
            if header:
                client.credentials(HTTP_AUTHORIZATION=header)
            response = route.send(client)
            error_of(response, 401)
            assert response.headers["WWW-Authenticate"].startswith("Bearer")
        assert rows() == before

    @each_route
    def test_a_revoked_an_expired_and_an_inactive_persons_key_are_told_apart(
        self, alice: User, route: Route
    ) -> None:
        now = timezone.now()
        revoked = build.key(alice, name="revoked")
        agent_key_revoke(key=revoked.key, by=alice, now=now)
        expired = build.key(alice, name="expired", expires_at=now + timedelta(seconds=1), now=now)
        type(expired.key).objects.filter(pk=expired.key.pk).update(expires_at=now - timedelta(seconds=1))
        gone = build.person("gone")
        left = build.key(gone)
        gone.is_active = False
        gone.save()
        before = rows()
        codes = [error_of(route.send(build.api(key.secret)), 401)["code"] for key in (revoked, expired, left)]
        assert codes == ["key_revoked", "key_expired", "key_unknown"]
        assert rows() == before

    @pytest.mark.parametrize(
        "route", [r for r in ROUTES if r.scope != "any"], ids=lambda r: f"{r.method} {r.name}"
    )
    def test_the_wrong_scope_is_refused_before_the_body_is_read(self, alice: User, route: Route) -> None:
        others = [scope for scope in KEY_SCOPES if scope != route.scope]
        client = build.api(build.key(alice, scopes=others).secret)
        before = rows()
        error = error_of(route.send(client), 403)
        assert error["code"] == "missing_scope"
        assert route.scope in error["message"]
        assert rows() == before

    @each_route
    def test_a_browsers_session_is_no_key(self, alice: User, route: Route) -> None:
        client = APIClient()
        client.force_login(alice)
        error_of(route.send(client), 401)


class TestHttp:
    @pytest.mark.parametrize("name", sorted(api_names()))
    def test_a_wrong_method_is_named(self, client: APIClient, name: str) -> None:
        routes = [route for route in ROUTES if route.name == name]
        for method in {"get", "post", "put", "patch", "delete"} - {route.method.lower() for route in routes}:
            response = getattr(client, method)(API + routes[0].path)
            assert error_of(response, 405)["code"] == "method_not_allowed"

    @each_body
    def test_only_json_is_read(self, client: APIClient, route: Route) -> None:
        before = rows()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            error_of(route.raw(client, data=b"session=s1&key=t1", content_type=kind), 415)
        assert rows() == before

    @pytest.mark.parametrize(
        "path",
        ["nope/", "turns/1/", "candidates/1/", "memories/x/", "turns//", "..%2fadmin/"],
    )
    def test_an_unknown_address_answers_in_the_same_shape(self, client: APIClient, path: str) -> None:
        assert error_of(client.get(API + path), 404)["code"] == "not_found"

    @pytest.mark.parametrize(
        "path",
        [
            "context/?session=%00",
            "recall/?q=%00",
            "recall/?q=x&namespace=%00",
            "recall/?q=x&session=%00",
            "context/?session=%ff%fe",
            "recall/?q=x&k=99999999999999999999",
            "recall/?q=x&as_of=yesterday",
            "recall/?q=x&budget=1e999",
            "recall/?q=",
            "recall/?q=x&nope=1",
            "recall/?q=x&as_of=9999-12-31T23:59:59-14:00",
        ],
    )
    def test_query_strings_are_checked_like_bodies(self, client: APIClient, path: str) -> None:
        before = rows()
        response = client.get(API + path)
        if "9999" in path and response.status_code == 200:
            return  # a time at the edge of the calendar is a time
        error_of(response)
        assert rows() == before

    @pytest.mark.parametrize("route", CLOSED_ROUTES, ids=ids(CLOSED_ROUTES))
    def test_what_an_address_asks_in_vain_is_refused(self, client: APIClient, route: Route) -> None:
        """Beside a body, too: what nobody reads would look answered."""
        before = rows()
        asked = (
            replace(route, body={**(route.body or {}), "nope": "1"})
            if route.method == "GET"
            else replace(route, path=f"{route.path}?nope=1")
        )
        error = error_of(asked.send(client), 422)
        (problem,) = error["details"]["problems"]
        assert (problem["field"], problem["code"]) == ("nope", "unknown_field")
        assert rows() == before

    @pytest.mark.parametrize("key", ["%00", "%ED%A0%80", "%FF", "a" * 5_000, "%2e%2e/x"])
    def test_session_keys_in_paths_are_checked(self, client: APIClient, key: str) -> None:
        before = rows()
        error_of(client.patch(f"{API}sessions/{key}/", {"ended": True}, format="json"))
        assert rows() == before


NESTED = {depth: b"[" * depth + b"]" * depth for depth in (500, 950, 100_000)}
MALFORMED: dict[str, bytes] = {
    "half an object": b'{"key": ',
    "trailing comma": b'{"key": "a",}',
    "two values": b"{} {}",
    "single quotes": b"{'key': 'a'}",
    "NaN": b'{"confidence": NaN}',
    "Infinity": b'{"confidence": -Infinity}',
    "invalid UTF-8": b'{"key": "\xff\xfe"}',
    "UTF-16": '{"key": "a"}'.encode("utf-16"),
    "NUL in a value": b'{"key": "a\\u0000b"}',
    "NUL in a name": b'{"a\\u0000b": 1}',
    "lone surrogate": b'{"key": "\\ud800"}',
    "lone surrogate in a name": b'{"\\udfff": 1}',
    "an integer of 5,000 digits": b'{"k": ' + b"9" * 5_000 + b"}",
    **{f"nested {depth} deep": b'{"key": ' + value + b"}" for depth, value in NESTED.items()},
}
WRONG_SHAPE: dict[str, Any] = {
    "null": None,
    "a list": [],
    "a string": "hello",
    "a number": 7,
    "unknown field": {"nope": 1},
    "a field of the server": {"user": "alice", "id": 1, "origin": "human"},
}


class TestBodies:
    @each_body
    def test_what_is_no_json_is_refused_whole(self, client: APIClient, route: Route) -> None:
        before = rows()
        for name, body in MALFORMED.items():
            response = route.raw(client, data=body, content_type="application/json")
            error_of(response)
            # What is not too deep can be read; it is no text.
            assert response.status_code == (422 if name == "nested 500 deep" else 400), name
        assert rows() == before

    def test_there_is_no_depth_at_which_reading_breaks_half_way(self, client: APIClient) -> None:
        before = rows()
        for depth in range(600, 1_000, 9):
            body = b'{"content": ' + b'{"a":[' * (depth // 2) + b"]}" * (depth // 2) + b"}"
            error_of(client.post(f"{API}candidates/", data=body, content_type="application/json"))
        assert rows() == before

    @each_body
    def test_another_shape_is_refused(self, client: APIClient, route: Route) -> None:
        before = rows()
        for body in WRONG_SHAPE.values():
            error_of(route.raw(client, data=json.dumps(body), content_type="application/json"), 422)
        assert rows() == before

    @each_closed_body
    def test_an_unknown_field_is_named_with_what_is_allowed(self, client: APIClient, route: Route) -> None:
        before = rows()
        body = json.dumps({**(route.body or {}), "colour": "red"})
        error = error_of(route.raw(client, data=body, content_type="application/json"), 422)
        assert "colour" in json.dumps(error["details"])
        for name in route.body or {}:
            assert name in json.dumps(error)
        assert rows() == before

    @each_body
    def test_each_field_refuses_every_wrong_type_and_is_named(self, client: APIClient, route: Route) -> None:
        wrong: list[Any] = [
            None,
            [],
            {},
            [[]],
            {"a": {"b": []}},
            10**400,
            -1,
            1e308,
            True,
            "x" * 200_000,
            [None] * 9,
        ]
        before = rows()
        for field in route.body or {}:
            for value in wrong:
                body = json.dumps({**(route.body or {}), field: value})
                response = route.raw(client, data=body, content_type="application/json")
                if response.status_code < 300:  # some are a value of that field, such as true for closed
                    pytest.fail(f"{field} took {str(value)[:40]}") if field != "ended" else None
                    continue
                if response.status_code == 404 and route.status == 404:
                    continue
                assert field in json.dumps(error_of(response, 422)["details"])
        assert rows() == before


class TestCandidates:
    """``POST candidates/`` names each field that is wrong and what it takes."""

    @pytest.mark.parametrize(
        ("change", "status", "field", "allowed"),
        [
            ({"kind": "wish"}, 422, "kind", "preference"),
            ({"kind": ""}, 422, "kind", "preference"),
            ({"content": ""}, 422, "content", "8000"),
            ({"content": " \n\t"}, 422, "content", "8000"),
            ({"content": "…！"}, 422, "content", "8000"),
            ({"content": "x" * 100_000}, 422, "content", "8000"),
            ({"confidence": 1.01}, 422, "confidence", "1"),
            ({"confidence": -0.01}, 422, "confidence", "0"),
            ({"confidence": "sure"}, 422, "confidence", ""),
            ({"confidence": 10**400}, 422, "confidence", ""),
            ({"namespace": "workspace:missing"}, 404, "namespace", "workspace:<name>"),
            ({"namespace": "workspace:mallory/secret"}, 404, "namespace", "workspace:<name>"),
            ({"namespace": "everything"}, 404, "namespace", "workspace:<name>"),
            ({"namespace": "*"}, 404, "namespace", "workspace:<name>"),
            ({"namespace": "x" * 421}, 422, "namespace", "420"),
            ({"session": "x" * 201}, 422, "session", "200"),
            ({"key": "x" * 201}, 422, "key", "200"),
        ],
    )
    def test_each_mistake_is_named_with_what_is_allowed(
        self, client: APIClient, change: dict[str, Any], status: int, field: str, allowed: str
    ) -> None:
        build.workspace(build.person("mallory"), "secret")
        before = rows()
        body = {"session": "fresh", **CANDIDATE, **change}
        error = error_of(client.post(f"{API}candidates/", body), status)
        assert error["details"]["field"] == field
        assert allowed in json.dumps(error, ensure_ascii=False)
        assert rows() == before

    def test_a_replay_with_another_content_is_a_conflict(self, client: APIClient) -> None:
        assert client.post(f"{API}candidates/", {**CANDIDATE, "key": "k"}).status_code == 201
        before = rows()
        changed = {**CANDIDATE, "key": "k", "content": "Other.", "session": "fresh"}
        assert error_of(client.post(f"{API}candidates/", changed), 409)["code"] == "key_reused"
        assert rows() == before
        assert client.post(f"{API}candidates/", {**CANDIDATE, "key": "k"}).status_code == 200


class TestTurns:
    def test_a_date_in_the_future_says_what_is_the_latest(self, client: APIClient) -> None:
        later = (timezone.now() + timedelta(days=1)).isoformat()
        before = rows()
        body = {**TURN, "messages": [{"role": "user", "text": "Hello.", "at": later}]}
        error = error_of(client.post(f"{API}turns/", body), 422)
        assert (error["code"], error["details"]["field"]) == ("future_date", "messages[0].at")
        assert "latest" in error["details"]["allowed"]
        assert rows() == before

    def test_a_key_of_short_reach_stores_nothing_elsewhere(self, alice: User) -> None:
        short = build.api(build.key(alice, reach="list", namespaces=[build.workspace(alice)]).secret)
        before = rows()
        for path, body in (
            ("turns/", TURN),
            ("candidates/", CANDIDATE),
            ("sessions/", {"key": "s1", "workspace": {"name": "elsewhere"}}),
            ("compactions/", {"session": "s1", "trigger": "auto"}),
        ):
            assert error_of(short.post(API + path, body), 403)["code"] == "out_of_reach"
        assert rows() == before

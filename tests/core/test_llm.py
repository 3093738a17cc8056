"""The language-model port: what the adapter sends, how it falls back, and what failures cost."""

from __future__ import annotations

import json
import time
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from core.llm import InvalidAnswer, LlmUnavailable, Reply, build
from core.llm.answer import read_answer
from core.llm.dialect import Dialect
from core.llm.port import DATA_RULE, LlmError
from core.llm.scripted import Received, ScriptedLlm, ScriptedServer, Step, fails, says
from core.outbound import check_url


class Note(BaseModel):
    kind: Literal["fact", "event"]
    text: str
    why: str | None = None


GOOD = {"kind": "fact", "text": "pnpm を使う", "why": None}


def ask(server: ScriptedServer, timeout: float = 10.0) -> Reply[Note]:
    return build(server.base_url, "m", "k").complete_json(
        system="Find notes.", user="use pnpm", schema=Note, max_tokens=99, timeout=timeout
    )


def test_a_valid_answer_comes_back_typed_with_its_cost() -> None:
    with ScriptedServer([says(GOOD)]) as server:
        reply = ask(server)
    assert reply == Reply(Note(kind="fact", text="pnpm を使う"), 11, 7, 1)


def test_the_request_carries_the_schema_the_limit_the_key_and_the_rule_about_data() -> None:
    with ScriptedServer([says(GOOD)]) as server:
        ask(server)
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer k"
    assert request.body["model"] == "m"
    assert request.body["max_tokens"] == 99
    system, user = request.body["messages"]
    assert system["content"].startswith("Find notes.")
    assert DATA_RULE in system["content"]
    assert user == {"role": "user", "content": "use pnpm"}
    schema = request.body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["additionalProperties"] is False
    assert sorted(schema["schema"]["required"]) == ["kind", "text", "why"]


def test_a_server_without_schemas_is_asked_for_json_and_then_in_words() -> None:
    refusals = [
        fails(400, "response_format json_schema is not supported"),
        fails(500, "json_object: not implemented"),
    ]
    with ScriptedServer([*refusals, says("Here you are:\n```json\n" + json.dumps(GOOD) + "\n```")]) as server:
        assert ask(server).calls == 3
    formats = [r.body.get("response_format", {}).get("type") for r in server.requests]
    assert formats == ["json_schema", "json_object", None]
    assert '"additionalProperties": false' in server.requests[2].body["messages"][0]["content"]


def test_the_dialect_that_worked_is_remembered() -> None:
    steps = [fails(422, "Extra inputs are not permitted: response_format"), says(GOOD), says(GOOD)]
    with ScriptedServer(steps) as server:
        llm = build(server.base_url, "m", None)
        for _ in range(2):
            llm.complete_json(system="s", user="u", schema=Note, max_tokens=9, timeout=9)
    assert [r.body["response_format"]["type"] for r in server.requests] == [
        "json_schema",
        *["json_object"] * 2,
    ]


def test_newer_models_get_their_own_limit_and_no_temperature() -> None:
    steps = [
        fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        fails(400, "Unsupported value: 'temperature' does not support 0"),
        says(GOOD),
    ]
    with ScriptedServer(steps) as server:
        ask(server)
    last = server.requests[-1].body
    assert last["max_completion_tokens"] == 99
    assert "max_tokens" not in last
    assert "temperature" not in last
    assert last["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_passing_failure_is_retried_and_counted(status: int) -> None:
    with ScriptedServer([fails(status, "busy", Retry_After="0"), says(GOOD)]) as server:
        assert ask(server).calls == 2


def test_a_lasting_failure_ends_after_two_retries() -> None:
    with (
        ScriptedServer([], then=lambda _: fails(503, "down", Retry_After="0")) as server,
        pytest.raises(LlmUnavailable) as caught,
    ):
        ask(server)
    assert caught.value.calls == len(server.requests) == 3
    assert "503" in str(caught.value)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_refusal_is_not_retried_and_its_words_are_not_repeated(status: int) -> None:
    with (
        ScriptedServer([fails(status, "no such account: use pnpm")]) as server,
        pytest.raises(LlmUnavailable) as caught,
    ):
        ask(server)
    assert len(server.requests) == 1
    assert "pnpm" not in str(caught.value)


@pytest.mark.parametrize(
    "step",
    [
        says("I would rather talk about the weather."),
        says('{"kind": "fact", "text": '),
        says("[1, 2]"),
        says({"kind": "opinion", "text": "x", "why": None}),
        says({"text": "no kind"}),
        says(""),
        says(GOOD, finish="length"),
        Step(chunks=(b"<html>gateway</html>",)),
        Step(chunks=(b"\xff\xfe\x00garbage" * 50,)),
        Step(chunks=(b'{"choices": []}',)),
        Step(chunks=()),
        Step(chunks=(b"[" * 5_000,)),
        says('{"a":' * 3_000),
    ],
    ids=str,
)
def test_an_answer_in_another_shape_is_an_error_with_its_cost_and_no_second_try(step: Step) -> None:
    with ScriptedServer([step, says(GOOD)]) as server, pytest.raises(InvalidAnswer) as caught:
        ask(server)
    assert len(server.requests) == caught.value.calls == 1
    assert caught.value.prompt_tokens > 0


def test_an_endless_answer_is_cut() -> None:
    endless = Step(chunks=(b" " * 100_000,) * 50)
    with ScriptedServer([endless]) as server, pytest.raises(InvalidAnswer, match="too long"):
        ask(server)


def test_a_slow_server_costs_no_more_than_the_timeout() -> None:
    with ScriptedServer([says(GOOD, wait=1.5)], then=lambda _: says(GOOD, wait=1.5)) as server:
        began = time.monotonic()
        with pytest.raises(LlmUnavailable, match="too slow"):
            ask(server, timeout=0.6)
        assert time.monotonic() - began < 1.2


def test_a_server_that_drips_is_slow_too() -> None:
    drip = Step(chunks=(b" ",) * 40, pause=0.1)
    with ScriptedServer([drip], then=lambda _: drip) as server:
        began = time.monotonic()
        with pytest.raises(LlmUnavailable, match="too slow"):
            ask(server, timeout=0.6)
        assert time.monotonic() - began < 1.5


def test_nobody_listening_is_unavailable() -> None:
    with ScriptedServer([]) as server:
        address = server.base_url
    llm = build(address, "m", None)
    with pytest.raises(LlmUnavailable, match="reached") as caught:
        llm.complete_json(system="s", user="u", schema=Note, max_tokens=9, timeout=5)
    assert caught.value.calls == 3


def test_a_redirect_takes_the_texts_nowhere_else() -> None:
    with ScriptedServer([says(GOOD)]) as other:
        there = fails(307, "moved", Location=other.base_url + "/chat/completions")
        with ScriptedServer([there]) as server, pytest.raises(LlmUnavailable, match="redirects"):
            ask(server)
        assert other.requests == []


def test_without_reported_usage_the_cost_is_estimated() -> None:
    with ScriptedServer([says(GOOD, usage=False)]) as server:
        reply = ask(server)
    assert reply.prompt_tokens > 20
    assert reply.completion_tokens > 10


def test_thoughts_before_the_answer_are_not_the_answer() -> None:
    body = says('<think>maybe {"kind": 1}</think> ' + json.dumps(GOOD)).chunks[0]
    assert read_answer(body, schema=Note, asked="", calls=1).value.kind == "fact"


@given(st.text())
def test_whatever_a_model_says_is_an_answer_or_an_error_of_ours(content: str) -> None:
    try:
        value: object = read_answer(says(content).chunks[0], schema=Note, asked="q", calls=1).value
    except InvalidAnswer as error:
        value = error
    assert isinstance(value, (Note, InvalidAnswer))


@given(st.integers(100, 599), st.text(max_size=60))
def test_adapting_always_ends(status: int, message: str) -> None:
    dialect: Dialect | None = Dialect()
    for _ in range(5):
        dialect = (
            dialect.after(status, message + " json_schema temperature max_completion_tokens")
            if dialect
            else None
        )
    assert dialect is None


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://models.example/v1",
        "file:///etc/passwd",
        "models.example/v1",
        "http://",
        "https://u:p@x.example",
    ],
)
def test_only_plain_http_addresses_are_accepted(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        check_url(url)
    with pytest.raises(ValueError, match="address"):
        build(url, "m", None)


def test_the_scripted_model_answers_in_order_and_remembers_what_it_was_asked() -> None:
    llm = ScriptedLlm([GOOD, InvalidAnswer("no", calls=1)])
    reply = llm.complete_json(system="s", user="u", schema=Note, max_tokens=9, timeout=1)
    assert reply.value.text == "pnpm を使う"
    for _ in range(2):
        with pytest.raises(LlmError):
            llm.complete_json(system="s", user="second", schema=Note, max_tokens=9, timeout=1)
    assert [a.user for a in llm.asked] == ["u", "second", "second"]


def test_after_its_script_the_server_asks_its_fallback() -> None:
    def echo(request: Received) -> Step:
        return says({"kind": "event", "text": request.body["messages"][1]["content"], "why": None})

    with ScriptedServer([], then=echo) as server:
        assert ask(server).value == Note(kind="event", text="use pnpm")

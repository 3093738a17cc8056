"""Requests without a length, and addresses with raw bytes, reach a synchronous application whole."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from config.sized import Sized

CHUNKED = [(b"transfer-encoding", b"chunked")]
Message = MutableMapping[str, Any]


def ask(
    headers: list[tuple[bytes, bytes]], *chunks: bytes, query: bytes = b""
) -> tuple[Message, bytes, list[Message]]:
    """What the application saw (scope and body), and what was answered."""
    waiting: list[Message] = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
        for number, chunk in enumerate(chunks, start=1)
    ]
    seen: Message = {}
    body = bytearray()
    answers: list[Message] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope)
        more = True
        while more:
            message = await receive()
            body.extend(message["body"])
            more = message["more_body"]

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        answers.append(message)

    scope = {"type": "http", "headers": headers, "query_string": query}
    # In a thread of its own: a browser test may have left its event loop running in this one.
    call = Sized(application, limit=10)(scope, receive, send)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, call).result()
    return seen, bytes(body), answers


def test_a_chunked_body_arrives_whole_and_with_its_length() -> None:
    seen, body, answers = ask(CHUNKED, b"12345", b"678", b"")
    assert body == b"12345678"
    assert (b"content-length", b"8") in seen["headers"]
    assert answers == []


def test_a_chunked_body_over_the_limit_is_refused_and_never_reaches_the_application() -> None:
    seen, body, answers = ask(CHUNKED, b"123456", b"789012")
    assert (seen, body) == ({}, b"")
    assert answers[0]["status"] == 413
    assert b"too_large" in answers[1]["body"]


def test_a_body_with_a_length_is_not_held_back() -> None:
    seen, body, _answers = ask([(b"content-length", b"12")], b"123456789012")
    assert body == b"123456789012"  # longer than the limit: the application has its own
    assert seen["headers"] == [(b"content-length", b"12")]


def test_raw_bytes_in_an_address_are_percent_encoded_and_the_rest_stays() -> None:
    seen, _body, _answers = ask([], b"", query="q=認&k=%E8%AA%8D&x=a+b".encode())
    assert seen["query_string"] == b"q=%E8%AA%8D&k=%E8%AA%8D&x=a+b"
    seen, _body, _answers = ask([], b"", query=b"q=%E8&k=1")
    assert seen["query_string"] == b"q=%E8&k=1"

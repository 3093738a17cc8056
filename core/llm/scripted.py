"""Doubles that play a script: for tests, for load runs, and for trying the product without a model.

`ScriptedLlm` stands in for the port. `ScriptedServer` is a real HTTP server on this machine, so that the adapter's
own path (SDK, modes, retries, time-outs, broken bodies) is what runs.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from pydantic import BaseModel

from core.llm.port import LlmError, LlmUnavailable, Reply, T
from core.text import tokens


@dataclass(frozen=True)
class Asked:
    """One question that `ScriptedLlm` was asked."""

    system: str
    user: str
    max_tokens: int
    timeout: float


class ScriptedLlm:
    """Answers in order: a dict or model is validated as the asked schema, an LlmError is raised."""

    name = "scripted"

    def __init__(self, answers: Iterable[dict[str, Any] | BaseModel | LlmError]) -> None:
        self._answers = iter(answers)
        self.asked: list[Asked] = []

    def complete_json(
        self, *, system: str, user: str, schema: type[T], max_tokens: int, timeout: float
    ) -> Reply[T]:
        """See `Llm.complete_json`. LlmUnavailable when the script is over; ValidationError if the script is wrong."""
        self.asked.append(Asked(system, user, max_tokens, timeout))
        answer = next(self._answers, None)
        if answer is None:
            raise LlmUnavailable("the script is over", calls=1)
        if isinstance(answer, LlmError):
            raise answer
        data = answer.model_dump() if isinstance(answer, BaseModel) else answer
        spent = tokens(json.dumps(data, ensure_ascii=False))
        return Reply(schema.model_validate(data), tokens(system + user), spent, calls=1)


@dataclass(frozen=True)
class Step:
    """One HTTP answer: wait, then send `status`, `headers` and the `chunks`, `pause` seconds apart."""

    status: int = 200
    chunks: tuple[bytes, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    wait: float = 0.0
    pause: float = 0.0


def says(
    content: str | dict[str, Any], *, finish: str = "stop", usage: bool = True, wait: float = 0.0
) -> Step:
    """A chat completion with this content, costing 11 and 7 tokens when `usage` is reported."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    message = {"role": "assistant", "content": text}
    body: dict[str, Any] = {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if usage:
        body["usage"] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return Step(chunks=(json.dumps(body, ensure_ascii=False).encode(),), wait=wait)


def fails(status: int, message: str = "scripted failure", **headers: str) -> Step:
    """An error in the shape that OpenAI-compatible servers use. Header names: underscores become hyphens."""
    body = json.dumps({"error": {"message": message, "type": "scripted", "code": None}}).encode()
    return Step(status, (body,), tuple((name.replace("_", "-"), value) for name, value in headers.items()))


def embeds(*vectors: list[float]) -> Step:
    """An embeddings answer, sent in reverse order: clients must look at `index`."""
    rows = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
    body = {
        "object": "list",
        "data": rows[::-1],
        "model": "scripted",
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }
    return Step(chunks=(json.dumps(body).encode(),))


@dataclass(frozen=True)
class Received:
    """One request that reached the server."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass
class ScriptedServer:
    """Plays its steps in order on a free port of 127.0.0.1; afterwards `then` answers (default: status 500).

    >>> with ScriptedServer([says({"ok": True})]) as server:
    ...     llm = build(server.base_url, "any", None)
    """

    steps: list[Step]
    then: Callable[[Received], Step] = lambda _: fails(500, "the script is over")
    requests: list[Received] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def base_url(self) -> str:
        """What the settings call LLM_BASE_URL or EMBED_BASE_URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, received: Received) -> Step:
        """Record the request and take the next step."""
        with self._lock:
            self.requests.append(received)
            return self.steps.pop(0) if self.steps else self.then(received)


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(size) or b"{}")
            headers = {name.lower(): value for name, value in self.headers.items()}
            step = server.answer(Received(self.path, body, headers))
            time.sleep(step.wait)
            try:
                self._play(step)
            except OSError:
                self.close_connection = True  # the client gave up, which is what slow steps are for

        def _play(self, step: Step) -> None:
            self.send_response(step.status)
            self.send_header("Content-Type", "application/json")
            for name, value in step.headers:
                self.send_header(name, value)
            self.end_headers()  # HTTP/1.0: the body ends when the connection does
            for chunk in step.chunks:
                self.wfile.write(chunk)
                self.wfile.flush()
                time.sleep(step.pause)

        def log_message(self, format: str, *args: object) -> None:
            """Silent: tests read `requests` instead."""

    return Handler

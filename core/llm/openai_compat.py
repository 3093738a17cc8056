"""Any OpenAI-compatible chat endpoint: cloud, gateway or a model on this machine."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from core.llm.answer import read_answer
from core.llm.dialect import Dialect
from core.llm.port import InvalidAnswer, LlmUnavailable, Reply, T
from core.outbound import check_url, openai_client
from core.text import tokens

if TYPE_CHECKING:
    from openai import OpenAI

MAX_RETRIES = 2
MAX_BODY = 1_000_000  # bytes; an answer of 4,000 tokens is about 20 kB
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FIRST_PAUSE = 0.25  # seconds, four times longer the second time


class _Retry(Exception):
    """This request failed in a way that may pass. `pause` = seconds the server asked us to wait, if it did."""

    def __init__(self, message: str, pause: float | None = None) -> None:
        super().__init__(message)
        self.pause = pause


class _Adapt(Exception):
    """The server does not speak this dialect; `dialect` is the next one to try."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect.mode)
        self.dialect = dialect


class OpenAICompatLlm:
    """Thread-safe. Remembers per instance which dialect the server understood."""

    def __init__(self, *, base_url: str, model: str, api_key: str | None) -> None:
        """ValueError when the address is not http(s)."""
        self._base_url = check_url(base_url)
        self._api_key = api_key
        self._client: OpenAI | None = None
        self._dialect = Dialect()
        self.name = model

    def complete_json(
        self, *, system: str, user: str, schema: type[T], max_tokens: int, timeout: float
    ) -> Reply[T]:
        """See `Llm.complete_json`. Network retries: at most MAX_RETRIES, counted in `calls`."""
        import openai

        if self._client is None:
            self._client = openai_client(base_url=self._base_url, api_key=self._api_key, timeout=timeout)
        # The SDK's own public helper makes the schema strict: no extra properties, everything required.
        strict: dict[str, Any] = dict(openai.pydantic_function_tool(schema)["function"]["parameters"])
        deadline = time.monotonic() + timeout
        calls = retries = 0
        while True:
            dialect = self._dialect
            body = dialect.request(system=system, user=user, schema=strict, max_tokens=max_tokens)
            asked = "".join(message["content"] for message in body["messages"])
            calls += 1
            try:
                raw = self._send(body, dialect, deadline, asked, calls)
            except _Adapt as adapt:
                self._dialect = adapt.dialect
                continue
            except _Retry as failure:
                pause = failure.pause if failure.pause is not None else _FIRST_PAUSE * 4**retries
                if retries == MAX_RETRIES or time.monotonic() + pause >= deadline:
                    raise LlmUnavailable(str(failure), calls=calls) from failure.__cause__
                retries += 1
                time.sleep(pause)
                continue
            return read_answer(raw, schema=schema, asked=asked, calls=calls)

    def _send(self, body: dict[str, Any], dialect: Dialect, deadline: float, asked: str, calls: int) -> bytes:
        """One request; the raw body of a 200. Raises _Adapt, _Retry, LlmUnavailable, InvalidAnswer (too long)."""
        import httpx2
        import openai

        assert self._client is not None
        left = max(deadline - time.monotonic(), 0.001)
        try:
            with self._client.chat.completions.with_streaming_response.create(
                model=self.name, timeout=left, **body
            ) as response:
                received = bytearray()
                # Read by hand: the SDK's timeout starts anew with every byte, and its body has no limit.
                for chunk in response.iter_bytes():
                    received += chunk
                    if len(received) > MAX_BODY:
                        raise InvalidAnswer(
                            "the answer is too long", prompt_tokens=tokens(asked), calls=calls
                        )
                    if time.monotonic() > deadline:
                        raise _Retry("the endpoint was too slow")
                return bytes(received)
        except openai.APIStatusError as error:
            raise _after_status(error, dialect, calls) from error
        except openai.APITimeoutError as error:
            raise _Retry("the endpoint was too slow") from error
        except openai.APIConnectionError as error:
            raise _Retry("the endpoint cannot be reached") from error
        except openai.OpenAIError as error:
            raise LlmUnavailable(f"the endpoint failed: {error}", calls=calls) from error
        except httpx2.TimeoutException as error:  # while reading the body, where the SDK does not translate
            raise _Retry("the endpoint was too slow") from error
        except httpx2.HTTPError as error:
            raise _Retry("the connection broke") from error


def _after_status(error: Any, dialect: Dialect, calls: int) -> Exception:
    status = int(error.status_code)
    message = str(error)
    if 300 <= status < 400:
        return LlmUnavailable("the endpoint redirects; set the final address", calls=calls)
    if following := dialect.after(status, message):
        return _Adapt(following)
    if status in _RETRIED:
        return _Retry(
            f"the endpoint answered {status}", _retry_after(error.response.headers.get("retry-after"))
        )
    # The server's own words may repeat the prompt, so only the status goes into logs.
    return LlmUnavailable(f"the endpoint answered {status}", calls=calls)


def _retry_after(value: str | None) -> float | None:
    """Seconds of a Retry-After header; None when absent or a date."""
    try:
        return max(float(value), 0.0) if value else None
    except ValueError:
        return None

"""Reading what a model sent back: garbage in, InvalidAnswer out, and the cost in either case."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.llm.port import InvalidAnswer, Reply, T
from core.text import tokens


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Message(_Loose):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Loose):
    message: _Message
    finish_reason: str | None = None


class _Usage(_Loose):
    prompt_tokens: int = Field(default=0, ge=0)
    completion_tokens: int = Field(default=0, ge=0)


class _Completion(_Loose):
    """The part of a chat completion that every compatible server sends."""

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def read_answer(body: bytes, *, schema: type[T], asked: str, calls: int) -> Reply[T]:
    """Validate the HTTP body of a chat completion as `schema`.

    `asked` is the whole prompt: servers that report no usage are charged by our own estimate, so that a budget cannot
    be passed unseen. Raises InvalidAnswer.
    """
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError as error:
        raise InvalidAnswer(
            "the endpoint did not send a chat completion", prompt_tokens=tokens(asked), calls=calls
        ) from error
    choice = completion.choices[0]
    content = choice.message.content or ""
    usage = completion.usage or _Usage()
    cost = {
        "prompt_tokens": usage.prompt_tokens or tokens(asked),
        "completion_tokens": usage.completion_tokens or tokens(content),
        "calls": calls,
    }
    if choice.finish_reason == "length":
        raise InvalidAnswer("the answer was cut at max_tokens", **cost)
    if choice.message.refusal or not content.strip():
        raise InvalidAnswer("the model refused or sent nothing", **cost)
    try:
        return Reply(schema.model_validate(_object_in(content)), **cost)
    except ValidationError as error:
        where = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['type']}" for e in error.errors()[:5])
        raise InvalidAnswer(f"the answer has another shape ({where})", **cost) from error
    except (ValueError, RecursionError) as error:
        raise InvalidAnswer("the answer is not JSON", **cost) from error


def _object_in(content: str) -> Any:
    """The first JSON object of the answer; models without a JSON mode wrap it in fences or in thoughts."""
    thought = content.rfind("</think>")
    text = content[thought + len("</think>") :] if thought >= 0 else content
    start = text.find("{")
    if start < 0:
        raise ValueError("no object")
    return json.JSONDecoder().raw_decode(text, start)[0]

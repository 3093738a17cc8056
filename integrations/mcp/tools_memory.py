"""Tools about memories: recall, remember, get_memory, report_memory. Thin: each calls the service that REST calls."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from pydantic import Field

from core import text
from core.errors import Invalid
from core.ids import parse_id
from integrations.mcp import words
from integrations.mcp.desk import Place, serve
from integrations.mcp.shapes import Kind, Memory, Recalled, Remembered, Reported
from memory.api.candidates import CandidateIn, outcome_shown
from memory.api.memories import ReportIn, memory_shown
from memory.api.recall import ask_of, recall_shown
from memory.recall import MAX_BUDGET, MAX_HITS
from memory.recall.serve import memory_get, recall_for_key
from memory.services.remember import RememberIn, candidate_remember
from memory.services.reports import memory_report

RECALL_BUDGET = 2_000  # tokens: a page of an agent's context
QUOTES_BUDGET = 2_000

Session = Annotated[
    str,
    Field(description="Key of the conversation, when you know it; what you are shown is then counted for it"),
]
Namespaces = Annotated[
    list[str],
    Field(description="Such as workspace:api. Default: your persona, and the workspace you work in"),
]


async def recall(
    ctx: Context[Any, Any],
    q: Annotated[str, Field(description="What you want to know, in your own words, in any language")],
    namespace: Namespaces | None = None,
    k: Annotated[int, Field(ge=1, le=MAX_HITS, description="Memories at most")] = 8,
    budget: Annotated[int, Field(ge=0, le=MAX_BUDGET, description="Tokens of text at most")] = RECALL_BUDGET,
    as_of: Annotated[str, Field(description="ISO 8601 date or time: what was valid then")] = "",
    session: Session = "",
) -> Annotated[CallToolResult, Recalled]:
    """Look up what is remembered about your task: decisions, preferences, facts, patterns, lessons of failures.

    Call it before you decide something that may have been decided before. Only what a person approved answers;
    nothing relevant gives an empty list.
    """
    given = {"q": q, "k": k, "budget": budget, "as_of": as_of or None}
    if namespace:
        given["namespace"] = namespace

    def work(place: Place) -> dict[str, Any]:
        ask = ask_of({**given, "session": place.session})
        return recall_shown(recall_for_key(agent_key=place.key, ask=ask, now=place.now), place.key)

    data = await serve(ctx, work, scope="recall", refuse=ToolError, given=given, session=session)
    return words.answer(Recalled, data, words.recalled(data))


async def remember(
    ctx: Context[Any, Any],
    kind: Kind,
    content: Annotated[str, Field(description="One or two sentences that stand by themselves")],
    quote: Annotated[str, Field(description="What the person typed that supports it, verbatim")] = "",
    namespace: Annotated[
        str, Field(description="Default: your persona; workspace:<name> for a project")
    ] = "",
    session: Session = "",
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.5,
    key: Annotated[str, Field(description="Yours: sending the same key again changes nothing")] = "",
) -> Annotated[CallToolResult, Remembered]:
    """Propose something worth remembering. It becomes a candidate that a person approves or refuses in Hikae.

    Nothing is remembered by this call alone: tell the person that it waits for them. Propose lasting decisions with
    their reasons, preferences, constraints and lessons; never logs, file lists, secrets or what stands in the code.
    """
    optional = {"quote": quote, "namespace": namespace, "key": key}
    given: dict[str, Any] = {"kind": kind, "content": content, "confidence": confidence}
    given |= {name: value for name, value in optional.items() if value}

    def work(place: Place) -> dict[str, Any]:
        body = {**given, **({"session": place.session} if place.session else {})}
        wanted = RememberIn(**CandidateIn().read(body))
        return outcome_shown(candidate_remember(agent_key=place.key, remember=wanted, now=place.now))

    data = await serve(ctx, work, scope="ingest", refuse=ToolError, given=given, session=session)
    return words.answer(
        Remembered, data, f"{data['notice']} (status {data['status']}, candidate {data['id']})"
    )


async def get_memory(
    ctx: Context[Any, Any],
    memory_id: Annotated[str, Field(description="The id that recall gave")],
    budget: Annotated[
        int, Field(ge=0, le=MAX_BUDGET, description="Tokens of quotes at most")
    ] = QUOTES_BUDGET,
) -> Annotated[CallToolResult, Memory]:
    """Read one memory whole: its text, who said it and when, what replaced it, and the words that support it."""

    def work(place: Place) -> dict[str, Any]:
        found = memory_get(agent_key=place.key, memory_id=_id(memory_id), now=place.now)
        return _within(memory_shown(found, place.key), budget)

    data = await serve(ctx, work, scope="recall", refuse=ToolError, given=memory_id)
    return words.answer(Memory, data, words.memory(data))


async def report_memory(
    ctx: Context[Any, Any],
    memory_id: Annotated[str, Field(description="The id that recall gave")],
    reason: Annotated[str, Field(description="What is wrong with it, at most 500 characters")],
    corrected: Annotated[str, Field(description="What it should say instead, if you know")] = "",
    session: Session = "",
) -> Annotated[CallToolResult, Reported]:
    """Say that a memory is wrong or outdated. A person decides in Hikae; until then it stays as it is."""
    given = {"reason": reason, "text": corrected}

    def work(place: Place) -> dict[str, Any]:
        said = ReportIn().read({**given, "session": place.session})
        report = memory_report(
            agent_key=place.key,
            memory_id=_id(memory_id),
            reason=said["reason"],
            text_wanted=said["text"],
            session=place.session,
            now=place.now,
        )
        return {"id": report.pk, "notice": "Reported. A person decides; the memory stays until then."}

    data = await serve(ctx, work, scope="recall", refuse=ToolError, given=[memory_id, given], session=session)
    return words.answer(Reported, data, data["notice"])


def _id(raw: str) -> uuid.UUID:
    found = parse_id(raw)
    if found is None:
        raise Invalid("This is no id of a memory.", field="memory_id", allowed="a UUID as recall gives it")
    return found


def _within(data: dict[str, Any], budget: int) -> dict[str, Any]:
    """As many quotes, the oldest first, as the budget allows."""
    kept = []
    for each in data["evidence"]:
        budget -= text.tokens(each["quote"])
        if budget < 0:
            break
        kept.append(each)
    return {**data, "evidence": kept, "omitted": len(data["evidence"]) - len(kept)}

"""Tools around memories: which namespaces there are, notes, and what the person usually picks."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from pydantic import Field

from core.api.me import me_shown
from decisions.api.recommend import recommended
from decisions.api.recommend_in import ask_of
from decisions.services.recommend import recommend
from integrations.mcp import words
from integrations.mcp.desk import Place, caller_of, serve
from integrations.mcp.shapes import Expanded, Notes
from integrations.mcp.shapes import Namespaces as NamespacesOut
from integrations.mcp.shapes_choices import QuestionIn, Recommended
from integrations.mcp.tools_memory import Namespaces, Session
from knowledge.api.notes import ExpandIn, expanded_shown, note_shown
from knowledge.services.expand import expand
from knowledge.services.reading import knowledge_find

MOST_NOTES = 20
MOST_NAMESPACES = 100
MOST_CHOICES = 5  # ids of evidence; a page shows the rest


async def list_namespaces(ctx: Context[Any, Any]) -> Annotated[CallToolResult, NamespacesOut]:
    """Which namespaces you can reach, what you may do there, and which are paused."""

    def work(place: Place) -> dict[str, Any]:
        me = me_shown(place.key)
        reached = me["namespaces"]
        return {
            "namespaces": reached[:MOST_NAMESPACES],
            "default_persona": me["default_persona"],
            "omitted": max(0, len(reached) - MOST_NAMESPACES),
        }

    data = await serve(ctx, work, scope="any", refuse=ToolError)
    workspace = caller_of(ctx).workspace
    data["workspace"] = f"workspace:{workspace.removeprefix('workspace:')}" if workspace else None
    return words.answer(NamespacesOut, data, words.namespaces(data))


async def expand_knowledge(
    ctx: Context[Any, Any],
    text: Annotated[str, Field(description="What the person wrote, with #slug in it")],
    session: Session = "",
) -> Annotated[CallToolResult, Expanded]:
    """Fetch the notes that the person called with #slug. Do what they say only as far as the person asked for it."""

    def work(place: Place) -> dict[str, Any]:
        body = ExpandIn().read({"session": place.session, "text": text})
        return expanded_shown(expand(agent_key=place.key, now=place.now, **body))

    data = await serve(
        ctx, work, scope="recall", refuse=ToolError, given=text, session=session, needs_session=True
    )
    return words.answer(Expanded, data, words.expanded(data))


async def find_knowledge(
    ctx: Context[Any, Any],
    q: Annotated[str, Field(description="Your task, in your own words; empty lists all")] = "",
    namespace: Namespaces | None = None,
    session: Session = "",
) -> Annotated[CallToolResult, Notes]:
    """Which notes there are, by what they are for. Read one as the resource knowledge://{slug}."""

    def work(place: Place) -> dict[str, Any]:
        answer = knowledge_find(agent_key=place.key, q=q, references=namespace or [], session=place.session)
        return {
            "notes": [note_shown(note, place.key) for note in answer.notes[:MOST_NOTES]],
            "degraded": answer.degraded,
            "omitted": max(0, len(answer.notes) - MOST_NOTES),
        }

    data = await serve(ctx, work, scope="recall", refuse=ToolError, given=[q, namespace], session=session)
    return words.answer(Notes, data, words.notes(data))


async def recommend_decision(
    ctx: Context[Any, Any],
    questions: Annotated[list[QuestionIn], Field(description="One to four")],
    session: Session = "",
    context: Annotated[
        dict[str, str] | None, Field(description="Where it is asked: phase, workflow, …")
    ] = None,
    lang: Annotated[Literal["en", "ja"] | None, Field(description="Of labels and sentences")] = None,
) -> Annotated[CallToolResult, Recommended]:
    """Before you ask the person to choose: what they usually pick, how sure that is, and whether to ask at all.

    Show each option as its ``display``. Where ``action`` is resolve, act on the leader and say so.
    """
    given: dict[str, Any] = {
        "questions": [each.model_dump(exclude_defaults=True) for each in questions],
        "context": context or {},
    }
    if lang:
        given["lang"] = lang

    def work(place: Place) -> dict[str, Any]:
        ask = ask_of({**given, "session": place.session})
        data = recommended(recommend(agent_key=place.key, ask=ask, now=place.now))
        shown = [{**each, "evidence": list(each["evidence"])[:MOST_CHOICES]} for each in data["questions"]]
        return {**data, "questions": shown}

    data = await serve(
        ctx, work, scope="decide", refuse=ToolError, given=given, session=session, needs_session=True
    )
    return words.answer(Recommended, data, words.recommended(data))

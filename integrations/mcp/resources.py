"""Resources and prompts: what a person attaches to a conversation, where tools are what an agent calls."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic import Field

from core.errors import NotFound
from core.ids import parse_id
from integrations.mcp import words
from integrations.mcp.desk import Place, serve
from integrations.mcp.tools_memory import RECALL_BUDGET
from integrations.services.mcp import summary_serve
from knowledge.services.reading import knowledge_read
from memory.api.memories import memory_shown
from memory.api.recall import ask_of, recall_shown
from memory.recall.serve import memory_get, recall_for_key


def _refused(message: str) -> Exception:
    gone = ("not_found", "namespace_not_found", "note_not_found")
    return (ResourceNotFoundError if message.startswith(gone) else ResourceError)(message)


def _no_prompt(message: str) -> Exception:
    return MCPError(code=INVALID_PARAMS, message=message)


async def summary(namespace: str, ctx: Context[Any, Any]) -> str:
    """What every session in a namespace starts with: its summary, and the notes that lie ready."""

    def work(place: Place) -> str:
        found = summary_serve(agent_key=place.key, reference=namespace, session=place.session, now=place.now)
        if not found.sections:
            return "Nothing is kept here for every session."
        return words.quoted(*(part for each in found.sections for part in (each.text, each.cut) if part))

    return await serve(ctx, work, scope="recall", refuse=_refused, given=namespace)


async def memory(memory_id: str, ctx: Context[Any, Any]) -> str:
    """One approved memory with the words that support it."""

    def work(place: Place) -> str:
        wanted = parse_id(memory_id)
        if wanted is None:
            raise NotFound("There is no such memory.")
        found = memory_get(agent_key=place.key, memory_id=wanted, now=place.now)
        return words.memory(memory_shown(found, place.key))

    return await serve(ctx, work, scope="recall", refuse=_refused, given=memory_id)


async def knowledge(slug: str, ctx: Context[Any, Any]) -> str:
    """One note, counted as a use."""

    def work(place: Place) -> str:
        found = knowledge_read(
            agent_key=place.key, slug=slug, references=(), session=place.session, now=place.now
        )
        return words.quoted(f"#{found.note.slug}, version {found.note.version}", "", found.body)

    return await serve(ctx, work, scope="recall", refuse=_refused, given=slug)


async def recall_prompt(
    ctx: Context[Any, Any], question: Annotated[str, Field(description="What you want to know")]
) -> str:
    """Put what is remembered about a question before the agent."""

    def work(place: Place) -> str:
        ask = ask_of({"q": question, "budget": RECALL_BUDGET, "session": place.session})
        data = recall_shown(recall_for_key(agent_key=place.key, ask=ask, now=place.now), place.key)
        return f"This is what Hikae holds about “{question}”:\n\n{words.recalled(data)}"

    return await serve(ctx, work, scope="recall", refuse=_no_prompt, given=question)


async def remember_prompt(
    what: Annotated[str, Field(description="What should be remembered, in your words")],
) -> str:
    """Ask the agent to propose something for the memory; you approve it in Hikae afterwards."""
    return (
        "Propose this for the memory with the tool `remember`: choose its kind, write it as one or two sentences that "
        "stand by themselves, and give my words below as `quote`. Then tell me that it waits for my approval.\n\n"
        f"{what}"
    )

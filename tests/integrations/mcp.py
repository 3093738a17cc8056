"""Official SDK clients of both protocol revisions, each call in an event loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

CURRENT, PREVIOUS = "2026-07-28", "2025-11-25"
REVISIONS = (CURRENT, PREVIOUS)

_T = TypeVar("_T")


def talk(
    site: str,
    secret: str,
    say: Callable[[Client], Awaitable[_T]],
    *,
    revision: str = CURRENT,
    query: str = "",
    headers: dict[str, str] | None = None,
) -> _T:
    """Connect with a key, speak ``revision``, and give what ``say`` returns."""

    async def run() -> _T:
        sent = {"Authorization": f"Bearer {secret}", **(headers or {})}
        async with httpx2.AsyncClient(headers=sent, timeout=30) as http:
            transport = streamable_http_client(f"{site}/mcp{query}", http_client=http)
            mode = "legacy" if revision == PREVIOUS else revision
            async with Client(transport, mode=mode, read_timeout_seconds=30) as client:
                return await say(client)

    # In a thread of its own: a browser test may have left its event loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run()).result()


def call(site: str, secret: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """The structured answer of one tool call with the current revision."""
    return structured(talk(site, secret, lambda client: client.call_tool(tool, arguments)))


def refused(site: str, secret: str, tool: str, /, **arguments: Any) -> str:
    """What a model reads of a call that is refused."""
    result = talk(site, secret, lambda client: client.call_tool(tool, arguments))
    assert result.is_error, result
    return said(result)


def structured(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, said(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def said(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))

"""Where the server may call out to: the one place that makes clients for model endpoints.

Pure: no Django. The SDK is imported on first use because it costs half a second that web workers need not pay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from openai import OpenAI


def check_url(url: str) -> str:
    """Return the URL without a trailing slash; ValueError unless it is http(s) with a host and no credentials."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the address must begin with http:// or https:// and name a host")
    if parts.username or parts.password:
        raise ValueError("the address must not contain a user name or password; set the API key instead")
    return url.strip().rstrip("/")


def openai_client(*, base_url: str, api_key: str | None, timeout: float) -> OpenAI:
    """A client of an OpenAI-compatible endpoint that follows no redirects and never retries by itself.

    A redirect could carry the texts and the key to another host; our adapters count retries, so the SDK must not add
    its own. `timeout` is in seconds, for each network operation.
    """
    import openai

    return openai.OpenAI(
        base_url=check_url(base_url),
        # An empty key would make the SDK look for OPENAI_API_KEY and send it to whatever host is configured here.
        api_key=api_key or "none",
        timeout=timeout,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(follow_redirects=False, timeout=timeout),
    )

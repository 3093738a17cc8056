"""Markdown to HTML that may stand on our pages, whoever wrote it (design section 8). Pure: no Django.

Two locks: the parser emits no HTML of the author's, and nh3 lets only the tags below through. Either alone would do;
a bug in one must not become a script on the review page.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_TAGS = {
    "p", "br", "hr", "h3", "h4", "h5", "h6", "strong", "em", "s", "code", "pre", "blockquote",
    "ul", "ol", "li", "a", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}
_TOP_HEADING = 3  # the page owns h1, the section around the text h2


def render(text: str) -> str:
    """HTML of the Markdown `text`: safe to insert unescaped, empty for blank text.

    Links go to http, https and mailto only and tell the other side nothing; pictures become their description, since
    loading one would tell its host who reads. Headings begin at h3. Raw HTML is shown as text.
    """
    html = _parser().render(text)
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.core.ruler.push("demote_headings", _demote_headings)
    parser.add_render_rule("image", _image)
    parser.validateLink = _is_safe_link  # type: ignore[method-assign]
    return parser


def _demote_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + _TOP_HEADING - 1, 6)}"


def _image(renderer: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    alt = renderer.renderInlineAsText(tokens[index].children or [], options, env)
    return escapeHtml(alt)


def _is_safe_link(url: str) -> bool:
    """Addresses with a safe scheme or none: a scheme that browsers run must not even become a link."""
    compact = "".join(url.split()).lower()
    head = compact.split("/", 1)[0].split("?", 1)[0].split("#", 1)[0]
    return ":" not in head or head.split(":", 1)[0] in _SCHEMES

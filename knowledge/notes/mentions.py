"""``#slug`` in what a person wrote (design section 6). Pure: no Django.

A mention counts wherever prose may stand: in a sentence, a list, a table, glued to Japanese. It does not in code, in
a heading, in an address, or behind a letter (``issue#12``, ``foo#bar``); ``#123`` is never one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledge.notes import slugs

MAX_MENTIONS = 20
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.|mailto:)[!-~]+", re.IGNORECASE)
# Behind it no letter, and nothing that makes it a part of something longer (Slug, slug_x, slug.md).
_MENTION = re.compile(r"(?<![A-Za-z0-9_/&#.\-])#([a-z0-9]+(?:-[a-z0-9]+)*)(?![A-Za-z0-9_/\-]|\.[A-Za-z0-9])")
_COLOUR = re.compile(r"[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8}")


@dataclass(frozen=True)
class Mention:
    """A slug that was written. ``doubtful``: it may as well be a colour (``#fff``); worth a look, not a complaint."""

    slug: str
    doubtful: bool


def mentions(text: str) -> list[Mention]:
    """The slugs mentioned in the Markdown ``text``, in order, each once, at most `MAX_MENTIONS`."""
    found: dict[str, Mention] = {}
    # Full-width ＃ and letters are what Japanese keyboards give.
    for prose in _prose(unicodedata.normalize("NFKC", text)):
        for match in _MENTION.finditer(_ADDRESS.sub(" ", prose)):
            slug = match.group(1)
            if slugs.problem(slug) or slug in found:
                continue
            found[slug] = Mention(slug, bool(_COLOUR.fullmatch(slug)))
            if len(found) == MAX_MENTIONS:
                return list(found.values())
    return list(found.values())


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    # Without underlined headings: "see #notes" above a line of dashes is a sentence in a chat.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("lheading")


def _prose(text: str) -> Iterator[str]:
    """The texts that are neither code, nor headings, nor addresses of links."""
    in_heading = False
    for token in _parser().parse(text):
        if token.type in ("heading_open", "heading_close"):
            in_heading = token.type == "heading_open"
        elif token.type == "inline" and not in_heading:
            yield from _lines(token.children or [])


def _lines(children: list[Token]) -> Iterator[str]:
    """Emphasis and code split a line into pieces; a space stands for code, so that its neighbours do not join."""
    line: list[str] = []
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            yield "".join(line)
            line = []
        elif child.type in ("text", "text_special"):
            line.append(child.content)
        elif child.type in ("code_inline", "image"):
            line.append(" ")
    yield "".join(line)

"""Whatever an agent writes, the page shows text and never runs it."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.markdown import render

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "<javascript:alert(1)>",
    '[x](https://a.example "\\" onmouseover=alert(1))',
    "![x](https://tracker.example/pixel.png)",
    "![x](javascript:alert(1))",
    "[a]: javascript:alert(1)\n\n[a]",
    "```<script>\nalert(1)\n```",
    '```js" onload="x\ncode\n```',
    "<a href='https://x.example' style='position:fixed'>x</a>",
    "<svg/onload=alert(1)>",
    "&lt;script&gt;",
    "| a |\n|---|\n| <b onclick=x>y</b> |",
    "\x00<script>",
]


class Seen(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def assert_harmless(html: str) -> None:
    seen = Seen(html)
    assert not seen.tags & {
        "script",
        "img",
        "svg",
        "iframe",
        "style",
        "link",
        "form",
        "input",
        "object",
        "h1",
        "h2",
    }
    for tag, name, value in seen.attributes:
        assert (tag, name) in {("a", "href"), ("a", "title"), ("a", "rel"), ("ol", "start")}
        if name == "href":
            assert re.match(r"(?:https?:|mailto:|[^:]*$|[^:]*[/?#])", value, re.I), value


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_runs_nothing_and_loads_nothing(text: str) -> None:
    assert_harmless(render(text))


@given(
    st.lists(
        st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20), st.sampled_from("[]()<>`*_\"'&;:\n")),
        max_size=8,
    )
)
def test_any_text_is_harmless(parts: list[str]) -> None:
    assert_harmless(render("".join(parts)))


def test_raw_html_is_shown_as_what_it_is() -> None:
    assert render("use <b>bold</b>") == "<p>use &lt;b&gt;bold&lt;/b&gt;</p>\n"


def test_what_people_write_is_rendered() -> None:
    html = render(
        "# 方針\n\n- **pnpm** を使う\n- ~~npm~~\n\n1. `make test`\n\n> 引用\n\n| a | b |\n|:-|-:|\n| 1 | 2 |\n"
    )
    for piece in (
        "<h3>方針</h3>",
        "<strong>pnpm</strong>",
        "<s>npm</s>",
        "<code>make test</code>",
        "<blockquote>",
        "<th>a</th>",
        "<td>2</td>",
    ):
        assert piece in html


def test_links_keep_their_address_and_tell_nothing() -> None:
    html = render(
        "[docs](https://docs.example/a?b=1&c=2#d) [in](/settings/memory/) [mail](mailto:a@b.example)"
    )
    assert 'href="https://docs.example/a?b=1&amp;c=2#d"' in html
    assert 'href="/settings/memory/"' in html
    assert 'href="mailto:a@b.example"' in html
    assert html.count('rel="noopener noreferrer nofollow"') == 3


def test_a_picture_is_its_description() -> None:
    assert render("![a *cat* & <dog>](https://x.example/c.png)") == "<p>a cat &amp; &lt;dog&gt;</p>\n"


def test_headings_begin_below_those_of_the_page() -> None:
    assert re.findall(r"<(h\d)>", render("\n\n".join("#" * n + " x" for n in range(1, 7)))) == [
        "h3",
        "h4",
        "h5",
        "h6",
        "h6",
        "h6",
    ]


def test_a_line_break_stays_a_line_break() -> None:
    assert render("一行目\n二行目") == "<p>一行目<br>\n二行目</p>\n"


def test_blank_text_is_nothing() -> None:
    assert render("") == render(" \n ") == ""


@pytest.mark.parametrize(
    "piece", ["[", "![", "*a ", "_a*", "> ", "- ", "`", "[a](", "<", "&", "|a", "\\", "**"]
)
def test_repetition_does_not_hang_the_page(piece: str) -> None:
    began = time.process_time()
    assert_harmless(render(piece * 4_000))
    assert time.process_time() - began < 5

"""Sentences of chat text in both languages, as offsets into the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import sentences

anything = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            [
                "。",
                "！",
                "？",
                ".",
                "!",
                "?",
                "．",
                "「",
                "」",
                "\n",
                " ",
                "　",
                "```",
                "```\n",
                "1.",
                "- ",
                "e.g.",
                "v1.2",
                "https://a.b/c?d",
                "使う",
                "use",
                "A",
                "…",
            ]
        ),
        max_size=16,
    ).map("".join),
)


def split(s: str) -> list[str]:
    return [s[a:b] for a, b in sentences(s)]


@given(anything)
def test_every_character_that_is_not_blank_lies_in_exactly_one_sentence(s: str) -> None:
    covered = [0] * len(s)
    last = 0
    for start, end in sentences(s):
        assert last <= start < end <= len(s)
        assert not s[start].isspace()
        assert not s[end - 1].isspace()
        last = end
        for i in range(start, end):
            covered[i] += 1
    assert all(n == (not ch.isspace()) or (n == 1 and ch.isspace()) for n, ch in zip(covered, s, strict=True))


@pytest.mark.parametrize(
    "parts",
    [
        ["pnpm を使う。", "npm は使わない！", "本当に？"],
        ["Use pnpm.", "Never npm!", "ok?"],
        ["use pnpm.", "never npm."],
        ["設定は pytest.ini に書く。", "次。"],
        ["Set it in pytest.ini first.", "Then run v1.2.3 again."],
        ["See https://docs.example/a.html?b=1&c=2.", "Then stop."],
        ["Use e.g. pnpm or yarn.", "Ask Dr. Sato vs. me."],
        ["「必ず使う。」と言った。", "次。"],
        ["（例外あり。）", "次の文。"],
        ['He said "stop."', "Then left."],
        ["本番は触らないで！！", "ステージングだけ。"],
        ["1. first item", "2. second.", "3. third"],
        ["- pnpm を使う", "- npm は禁止"],
        ["# 方針", "pnpm を使う"],
        ["Costs 3.5 USD.", "Fine."],
        ["Python は３．１１です。", "はい。"],
        ["終わりです.", "次は明日."],
        ["うーん…", "やめよう。"],
    ],
)
def test_sentences_end_where_people_end_them(parts: list[str]) -> None:
    for glue in ("\n", "\n\n"):
        assert split(glue.join(parts)) == parts
    spaced = [p for p in parts if p[-1:] in '。.!！?？」）"']
    if spaced == parts:
        assert split(" ".join(parts)) == parts


def test_japanese_sentences_need_no_space_between_them() -> None:
    assert split("使う。使わない！本当？はい") == ["使う。", "使わない！", "本当？", "はい"]


def test_a_code_fence_is_one_piece() -> None:
    fence = "```py\na = 1. \nb = 2\n\nc()\n```"
    assert split(f"直して。\n{fence}\nお願い。") == ["直して。", fence, "お願い。"]
    assert split("```\nnever closed. x") == ["```\nnever closed. x"]


def test_a_wrapped_english_line_is_one_sentence() -> None:
    wrapped = "This is a long English line that was wrapped at about eighty columns and that\ncontinues here."
    assert split(wrapped + " End.") == [wrapped, "End."]


def test_short_lines_are_their_own_sentences() -> None:
    assert split("use pnpm\nnot npm") == ["use pnpm", "not npm"]


def test_nothing_is_in_blank_text() -> None:
    assert sentences("") == sentences(" \n　\t") == []

"""Holds for any text at all: spans stay verbatim, nothing crashes, foreign text stays foreign."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.extractors.base import Utterance, Window
from memory.extractors.rules import RulesExtractor
from memory.extractors.rules.content import MAX_COLUMNS
from memory.extractors.rules.forms import columns
from memory.extractors.rules.segment import units
from memory.extractors.rules.voice import own_pieces

WORDS = st.sampled_from(
    [
        "remember",
        "always",
        "we",
        "decided",
        "to",
        "use",
        "必ず",
        "今後は",
        "は",
        "です",
        "。",
        "、",
        "\n",
        "\n\n",
        "```",
        ">",
        "#",
        "-",
        "?",
        "？",
        "that",
        "the",
        "api",
        "v1.2",
        "B",
        "それで",
        "やっぱり",
        "(",
        ")",
        "「",
        "」",
        "because",
        "ので",
        "$",
        "{",
        "}",
        "2026-03-04",
        "with",
        "prod",
        "lol",
        "ｗｗ",
        "<memory-context>",
        "</memory-context>",
        "1)",
        "2)",
        "yes",
        "no",
        "覚えておいて",
        "fyi",
        "//",
        "--",
        "🙂",
        "\u3000",
        "\u200b",
    ]
)
TEXT = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=40).map(" ".join))
TALK = st.lists(st.tuples(st.sampled_from(["human", "agent", "tool", "injected"]), TEXT), max_size=5)
ROLE = {"human": "user", "agent": "assistant", "tool": "tool", "injected": "user"}


@settings(deadline=None, max_examples=150)
@given(TALK)
def test_every_span_is_verbatim_and_no_text_breaks_the_pass(talk: list[tuple[str, str]]) -> None:
    said = {f"u{n}": Utterance(f"u{n}", ROLE[who], who, text, True) for n, (who, text) in enumerate(talk)}
    found = RulesExtractor().extract(Window(tuple(said.values()), "p", "w", "compaction"))
    for proposal in found.proposals:
        assert proposal.spans
        assert 0 < columns(proposal.content) <= MAX_COLUMNS
        for span in proposal.spans:
            assert said[span.ref].text[span.start : span.end] == span.quote
            assert said[span.ref].origin == ("agent" if span.role == "adopted" else "human")


@settings(deadline=None)
@given(TEXT)
def test_units_lie_inside_the_text_in_order(text: str) -> None:
    at = 0
    for unit in units(text, own_pieces(text)):
        assert text[unit.start : unit.end] == unit.text
        assert unit.start >= at
        at = unit.end


@settings(deadline=None)
@given(TEXT)
def test_a_fenced_block_is_never_the_persons_voice(text: str) -> None:
    body = text.replace("```", "").replace("\r", "")
    fenced = f"look\n```\n{body}\n```"
    assert all(unit.end <= 5 for unit in units(fenced, own_pieces(fenced)))

"""Cutting messages into pieces: nothing is lost, marks are exact, overlaps are fine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.selectors.segments import excerpt, segments

texts = st.text(alphabet=st.sampled_from("ab 日本。[redacted:api-key]"), max_size=200)
ranges = st.lists(st.tuples(st.integers(0, 220), st.integers(0, 220)), max_size=6)


@given(texts, ranges, ranges)
def test_the_pieces_are_the_text(
    text: str, marks: list[tuple[int, int]], injected: list[tuple[int, int]]
) -> None:
    pieces = segments(text, marks, injected)
    assert "".join(piece.text for piece in pieces) == text
    assert not any(piece.gap for piece in pieces)


@given(texts, ranges)
def test_a_character_is_marked_exactly_when_a_mark_covers_it(text: str, marks: list[tuple[int, int]]) -> None:
    at = 0
    for piece in segments(text, marks):
        for offset in range(at, at + len(piece.text)):
            assert piece.marked == any(start <= offset < end for start, end in marks)
        at += len(piece.text)


@given(texts, ranges, st.integers(0, 30), st.integers(0, 60))
def test_an_excerpt_shows_every_mark(text: str, marks: list[tuple[int, int]], around: int, head: int) -> None:
    inside = [(low, min(high, len(text))) for low, high in marks if low < min(high, len(text))]
    pieces = segments(text, inside, shown=excerpt(len(text), inside, around=around, head=head))
    shown = "".join(piece.text for piece in pieces)
    for low, high in inside:
        assert text[low:high] in shown


@pytest.mark.parametrize(
    ("text", "kind"),
    [("the key is [redacted:openai-key].", "openai-key"), ("[redacted:pin]", "pin"), ("[redacted:]", "")],
)
def test_redacted_values_become_chips(text: str, kind: str) -> None:
    assert [piece.chip for piece in segments(text) if piece.chip] == ([kind] if kind else [])


def test_what_is_left_out_is_said() -> None:
    text = "x" * 3000 + "the words" + "y" * 3000
    start = text.index("the words")
    pieces = segments(text, [(start, start + 9)], shown=excerpt(len(text), [(start, start + 9)]))
    assert pieces[0].gap
    assert pieces[-1].gap
    assert [piece.text for piece in pieces if piece.marked] == ["the words"]
    assert sum(len(piece.text) for piece in pieces) < 700

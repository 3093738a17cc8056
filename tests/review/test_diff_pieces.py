"""Two texts in pieces: nothing is lost, nothing is invented, and what changed can be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.diff import pieces

TEXT = st.text(st.sampled_from("ab Z1_、。言葉を\n\u3000é"), max_size=40)


@given(TEXT, TEXT)
def test_both_texts_can_be_read_off_it(old: str, new: str) -> None:
    found = pieces(old, new)
    assert "".join(each.text for each in found if each.sign != "+") == old
    assert "".join(each.text for each in found if each.sign != "-") == new
    assert all(each.text for each in found)


@given(TEXT)
def test_equal_texts_have_no_marks(text: str) -> None:
    assert {each.sign for each in pieces(text, text)} <= {""}


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("Use npm.", "Use pnpm.", "Use [+p]npm."),
        ("これからは npm を使う。", "これからは pnpm を使う。", "これからは [+p]npm を使う。"),
        ("毎晩2時に始まる。", "毎晩3時に始まる。", "毎晩[-2][+3]時に始まる。"),
        ("Images are served from R2.", "Images lie in R2.", "Images [-are served from][+lie in] R2."),
        ("夜間の処理は毎晩始まる。", "夜間の請求処理は始まる。", "夜間の[+請求]処理は[-毎晩]始まる。"),
        ("", "New.", "[+New.]"),
    ],
)
def test_what_changed_can_be_read(old: str, new: str, marked: str) -> None:
    shown = "".join(f"[{each.sign}{each.text}]" if each.sign else each.text for each in pieces(old, new))
    assert shown == marked


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("長い日本語の文です。" * 800, "とても長い文。" * 1140),
        ("w" * 8_000, "v" * 8_000),
        ("word " * 1_600, "other " * 1_300),
    ],
)
def test_texts_too_long_to_compare_by_characters_are_whole_as_well(old: str, new: str) -> None:
    found = pieces(old, new)
    assert "".join(each.text for each in found if each.sign != "+") == old
    assert "".join(each.text for each in found if each.sign != "-") == new

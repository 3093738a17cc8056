"""The text primitives hold for any text (hypothesis) and give what people expect (tables)."""

from __future__ import annotations

import ast
import hashlib
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import text

# Arbitrary text, and text made of the pieces that the rules are about, which finds more.
PIECES = [
    "マネージャー", "サーバ", "ー", "の", "使う", "承認", "ﾏﾈｰｼﾞｬ", "か\u3099", "ァ", "・", "。", "、", "「", "」", "！",
    "　", "〜", "①", "㍻", "ℌ",
    "gen-itgc", "SAML2.0", "v1.2.3", "snake_case", "CamelCase", "don't", "C++", "c#", "a.b", "it's", "1,000", "3.11",
    "-1", ">=", "< 3", "≠", "%", "$", "#12", "@x", ".env", "/etc", "~2", "**", "__", "_x_", "`", "```\n", "- ", "1. ",
    "> ", "# ", "[ ] ", "\n", " ", "\t", "\u200b", "’", "—", "--", ".", "!", "?", ",", ":", "://",
    "é", "ß", "İ", "ﬁ", "Σ", "❌", "✅", "🦉",
    "\u0301", "\u0345", "´", "\u00a8", "한국", "ไทย", "\u0c4d", "x", "A", "9",
]  # fmt: skip
anything = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
stored = anything.filter(lambda s: not any("\ud800" <= c <= "\udfff" or c == "\0" for c in s))


# --- clean


@given(stored)
def test_clean_changes_nothing(s: str) -> None:
    assert text.clean(s) is s


@pytest.mark.parametrize(
    ("s", "said"),
    [("ab\0", r"NUL .*position 2"), ("\ud83d", r"U\+D83D.*position 0"), ("x\udc00y", "surrogate")],
)
def test_clean_names_what_cannot_be_stored(s: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        text.clean(s)


# --- fold


@given(anything)
@example("\u0345\u0301")
@example("ẞİ")
@example("\u1fbf´")
def test_fold_is_idempotent(s: str) -> None:
    once = text.fold(s)
    assert text.fold(once) == once


@given(anything)
def test_fold_leaves_no_case_width_or_double_space(s: str) -> None:
    folded = text.fold(s)
    assert folded == folded.casefold() == unicodedata.normalize("NFKC", folded)
    assert folded == " ".join(folded.split())


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ＰＮＰＭ　を\n使う", "pnpm を 使う"),
        ("ﾏﾈｰｼﾞｬｰ", "マネージャー"),
        ("“Don’t”", '"don\'t"'),
        ("1–2 — 3", "1-2 - 3"),
        ("が", "か\u3099"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("3〜5", "3~5"),
        ("Straße", "STRASSE"),
    ],
)
def test_fold_unifies(a: str, b: str) -> None:
    assert text.fold(a) == text.fold(b)


# --- normal_form


@given(anything)
@settings(max_examples=400)
def test_normal_form_is_idempotent(s: str) -> None:
    once = text.normal_form(s)
    assert text.normal_form(once) == once


@given(
    anything, st.sampled_from(["**{}**", "> {}", "- {}", "「{}」", "{}。", "{}\n", "  {}", '"{}"', "1. {}"])
)
def test_decoration_does_not_make_another_text(s: str, frame: str) -> None:
    inner = f"word {s} word".replace("\n", " ")
    assert text.normal_form(frame.format(inner)) == text.normal_form(inner)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("**マネージャー**は「pnpm」 を使う。", "マネージャは pnpm を使う"),
        ("- [x] Use *pnpm*; not npm!", "use pnpm not npm"),
        ("> # Use pnpm", "Use pnpm"),
        ("ユーザー・インターフェース", "ユーザーインターフェース"),
        ("１，０００円", "1000円"),
        ("`src/app.py` を見る", "src/app.py を見る"),
        ("_use pnpm_", "use pnpm"),
        ("x ≧ 3", "x >= 3"),
        ("Deploy — on Friday", "deploy on friday"),
        ("```\nmake test\n```", "make test"),
    ],
)
def test_the_same_thing_said_twice_has_one_hash(a: str, b: str) -> None:
    assert text.normal_form(a) == text.normal_form(b)
    assert text.normal_hash(a) == text.normal_hash(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Python 3.11", "Python 3.12"),
        ("Python 3.11", "Python 311"),
        ("3 11", "311"),
        ("使う", "使わない"),
        ("do use npm", "don't use npm"),
        ("C を使う", "C# を使う"),
        ("C を使う", "C++ を使う"),
        ("timeout -1", "timeout 1"),
        ("x >= 3", "x <= 3"),
        ("a == b", "a != b"),
        ("gen-itgc", "gen itgc"),
        ("5%", "5"),
        ("¥5", "$5"),
        (".env を読む", "env を読む"),
        ("~1.2", "1.2"),
        ("❌ pnpm", "✅ pnpm"),
        ("ビール", "ビル"),
        ("キー", "キ"),
        ("user_id", "userid"),
        ("10:30", "1030"),
        ("std::vector", "std vector"),
    ],
)
def test_another_thing_has_another_hash(a: str, b: str) -> None:
    assert text.normal_hash(a) != text.normal_hash(b)


def test_hashes_are_sha256_of_utf8() -> None:
    assert text.sha256("控え") == hashlib.sha256("控え".encode()).hexdigest()
    assert text.normal_hash(" 控え。 ") == text.sha256("控え")


# --- tokens, width, language


@given(anything, anything)
def test_tokens_are_additive_up_to_one(a: str, b: str) -> None:
    whole = text.tokens(a + b)
    assert text.tokens(a) + text.tokens(b) - 1 <= whole <= text.tokens(a) + text.tokens(b)


@pytest.mark.parametrize(
    ("s", "n"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("日本", 2), ("abcde日本", 4)]
)
def test_tokens_counts_four_ascii_or_one_other(s: str, n: int) -> None:
    assert text.tokens(s) == n


@pytest.mark.parametrize(
    ("s", "n"), [("", 0), ("abc", 3), ("ｱ", 1), ("日本a", 5), ("か\u3099", 2), ("a\u200bb", 2)]
)
def test_width_counts_columns(s: str, n: int) -> None:
    assert text.width(s) == n


@pytest.mark.parametrize(
    ("s", "expected"),
    [
        ("pnpm を使う", "ja"),
        ("Docker Compose で deploy する", "ja"),
        ("メインブランチは main", "ja"),
        ("認証方式", "ja"),
        ("ﾊﾝｶｸ ｶﾅ", "ja"),
        ("Always run `pytest -x` first", "en"),
        ("The button says 「保存する」 and it should say 'Save'", "en"),
        ("Use 検索 as the name of the tab", "en"),
        ("naïve café", "en"),
        ("", "und"),
        ("12345 v1.2.3 src/app.py", "und"),
        ("```\nfor x in y:\n```", "und"),
        ("Привет, мир", "und"),
        ("안녕하세요", "und"),
        ("🦉🦉", "und"),
    ],
)
def test_language_follows_the_prose(s: str, expected: str) -> None:
    assert text.language(s) == expected


@given(anything)
def test_language_is_one_of_three(s: str) -> None:
    assert text.language(s) in {"ja", "en", "und"}


# --- find_span


@given(anything, anything, anything)
def test_a_quote_is_found_in_what_contains_it(before: str, quote: str, after: str) -> None:
    whole = before + quote + after
    found = text.find_span(quote, whole)
    if quote.strip():
        assert found is not None
        assert whole[slice(*found)] == quote
    else:
        assert found is None


@given(anything, anything)
def test_what_is_found_is_equal_after_folding(quote: str, whole: str) -> None:
    found = text.find_span(quote, whole)
    if found is not None:
        start, end = found
        assert 0 <= start < end <= len(whole)
        assert text.fold(whole[start:end]).replace(" ", "") == text.fold(quote).replace(" ", "")


@pytest.mark.parametrize(
    ("quote", "whole", "slice_"),
    [
        ("は pnpm を", "これはＰＮＰＭを使う", "はＰＮＰＭを"),
        ("use PNPM", "please Use\n  pnpm now", "Use\n  pnpm"),
        ("don't", "I don’t know", "don’t"),
        ("がく", "音か\u3099くの", "か\u3099く"),
        ("平", "㍻の平", "平"),
        ("1-2", "pages 1–2", "1–2"),
        ("マネージャー", "ﾏﾈｰｼﾞｬｰへ", "ﾏﾈｰｼﾞｬｰ"),
        ("AB", "a\u200bb", "a\u200bb"),
    ],
)
def test_a_quote_that_came_back_changed_is_found(quote: str, whole: str, slice_: str) -> None:
    found = text.find_span(quote, whole)
    assert found is not None
    assert whole[slice(*found)] == slice_


@pytest.mark.parametrize(
    ("quote", "whole"), [("pnpm", "npm"), ("使わない", "使う"), ("3.12", "3.11"), ("ab", "a b"), ("", "x")]
)
def test_what_was_not_said_is_not_found(quote: str, whole: str) -> None:
    assert text.find_span(quote, whole) is None


# --- the copy in the client


def test_the_file_needs_nothing_but_its_neighbour_and_the_standard_library() -> None:
    """Isolated mode without site-packages, in a folder that holds these two files alone."""
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder) / "core"
        room.mkdir()
        for name in ("text", "english"):
            shutil.copy(Path(text.__file__).with_name(f"{name}.py"), room)
        code = (
            f"import sys; sys.path.insert(0, {folder!r}); from core import text; "
            "assert text.normal_form('マネージャー。') == 'マネージャ'"
        )
        subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)


@pytest.mark.parametrize("name", ["text", "english", "redact"])
def test_the_files_are_written_for_python_3_9(name: str) -> None:
    source = Path(text.__file__).with_name(f"{name}.py").read_text()
    tree = ast.parse(source, feature_version=(3, 9))
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    neighbours = {"core.english"} if name == "text" else set()
    assert {each.split(".")[0] for each in imported - neighbours} <= sys.stdlib_module_names | {"__future__"}
    assert len(source.splitlines()) <= 500

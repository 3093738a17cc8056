"""Search terms: what a query and a text must share so that one finds the other, with words alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.english import IRREGULAR
from core.text import STOP_WORDS, is_weak_term, stem, terms

anything = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            [
                "承認フロー",
                "gen-itgc",
                "SAML2.0",
                "の",
                "サーバー",
                "ﾊﾝｶｸ",
                "don't",
                "_",
                "-",
                ".",
                "v1.2",
                " ",
                "、",
                "é",
                "ー",
                "A",
                "1",
            ]
        ),
        max_size=12,
    ).map("".join),
)


def finds(query: str, text: str) -> bool:
    """They share a strong term; a query that has none may use what it has."""
    asked = terms(query, query=True)
    strong = {t for t in asked if not is_weak_term(t)}
    return bool((strong or set(asked)) & set(terms(text)))


@given(anything)
def test_terms_are_never_blank_and_never_hold_a_space(s: str) -> None:
    for query in (False, True):
        for term in terms(s, query=query):
            assert term
            assert term == "".join(term.split())
            assert len(term) <= 64


@given(anything)
def test_a_text_finds_itself(s: str) -> None:
    katakana = set(terms(s, query=True)) - set(terms(s))
    assert all("ァ" <= c <= "ー" for t in katakana for c in t)


@given(anything, anything)
def test_terms_of_lines_are_the_terms_of_the_whole(a: str, b: str) -> None:
    assert sorted(terms(f"{a}\n{b}")) == sorted(terms(a) + terms(b))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        # identifiers glued into Japanese
        ("gen-itgc", "先週はgen-itgcの設定を確認した"),
        ("itgc", "先週はgen-itgcの設定を確認した"),
        ("SAML2.0", "認証はSAML2.0で行う"),
        ("saml", "認証はSAML2.0で行う"),
        ("snake_case", "変数名はsnake_caseにする"),
        ("snakeCase", "変数名はsnake_caseにする"),
        ("camel", "クラスはCamelCaseで書く"),
        ("v1.2.3", "v1.2.3に上げた"),
        ("3.11", "Python 3.11.7 を使う"),
        ("pytest.ini", "設定はpytest.iniに書く"),
        ("src/app.py", "`src/app.py` を直す"),
        ("C++", "C++で書く"),
        ("C#", "C#で書く"),
        ("@scope/pkg", "@scope/pkg を入れる"),
        ("user@example.com", "連絡先は user@example.com"),
        # width and case
        ("ＰＮＰＭ", "pnpm を使う"),
        ("ﾏﾈｰｼﾞｬｰ", "マネージャーが承認"),
        # katakana spellings
        ("サーバ", "サーバーを再起動"),
        ("サーバー", "サーバを再起動"),
        ("マネージャー", "マネージャの承認"),
        ("ウィンドウ", "ウインドウを閉じる"),
        ("ユーザー", "ユーザの一覧"),
        # one, two and four characters
        ("鍵", "暗号鍵を更新"),
        ("税", "消費税は別"),
        ("木", "木を描く"),
        ("認証", "認証の方式"),
        ("承認", "承認フローを見直す"),
        ("承認フロー", "新しい承認フローを作る"),
        ("請求処理", "月末に請求処理を行う"),
        # hiragana for katakana
        ("てすと", "テストを書く"),
        # English inflection
        ("deploy", "Deploys happen on Friday"),
        ("caching", "we cached the caches"),
        ("running tests", "run the test"),
        ("policies", "one policy"),
        ("using embeddings", "use an embedding"),
        ("don't deploy", "we do not deploy"),
        ("drop-down", "the dropdown menu"),
    ],
)
def test_the_query_finds_the_text(query: str, text: str) -> None:
    assert finds(query, text), (terms(query, query=True), terms(text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("サバ", "サーバーを再起動"),
        ("3.11", "Python 3.12"),
        ("npm", "pnpm を使う"),
        ("承認", "否認と公認"),
        ("ビル", "ビールを飲む"),
        ("it is of the", "これはペンです"),
    ],
)
def test_the_query_does_not_find_the_other_text(query: str, text: str) -> None:
    assert not finds(query, text)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("インターフェース", "インタフェース"),
        ("メモリーカード", "メモリカード"),
        ("ユーザー・管理", "ユーザ管理"),
    ],
)
def test_spellings_with_a_long_vowel_inside_share_most_terms(a: str, b: str) -> None:
    shared = set(terms(a)) & set(terms(b))
    assert len(shared) >= 0.6 * len(set(terms(b)))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("gen-itgc", ["gen-itgc", "genitgc", "gen", "itgc"]),
        ("CamelCase", ["camelcase", "camel", "cas"]),
        ("snake_case", ["snake_case", "snakecase", "snake", "snak", "case", "cas"]),
        ("3.11.7", ["3.11.7", "3.11"]),
        ("v1.2", ["v1.2", "1.2"]),
        ("SAML2.0", ["saml2.0", "saml20", "saml2", "saml", "2.0"]),
        ("HTTPServer2", ["httpserver2", "http", "server"]),
        ("don't", ["don't"]),
        ("needn't", ["need", "not"]),
        ("Mika's", ["mika"]),
        ("a/b.py", ["a/b.py", "a", "b", "py"]),
    ],
)
def test_identifiers_are_terms_whole_joined_and_in_parts(word: str, expected: list[str]) -> None:
    assert terms(word) == expected


def test_kanji_inside_a_run_are_indexed_but_not_asked_for() -> None:
    assert set(terms("消費税")) == {"消費", "費税", "消", "費", "税"}
    assert terms("消費税", query=True) == ["消費", "費税"]
    assert terms("税の", query=True) == ["税の", "税"]


def test_repeats_are_kept_for_counting() -> None:
    assert terms("pnpm pnpm PNPM") == ["pnpm"] * 3
    assert terms("認証と認証").count("認証") == 2


@pytest.mark.parametrize("term", ["the", "do", "not", "する", "の", "です", "ー", "ア", "a", "x", "7"])
def test_weak_terms(term: str) -> None:
    assert is_weak_term(term)


@pytest.mark.parametrize("term", ["pnpm", "認証", "承", "を使", "テス", "c", "r", "3.11", "42", "go"])
def test_strong_terms(term: str) -> None:
    assert not is_weak_term(term)


def test_stop_words_stay_whole_so_that_they_are_recognised() -> None:
    for word in STOP_WORDS:
        assert all(is_weak_term(t) for t in terms(word)), word


@pytest.mark.parametrize(
    "family",
    [
        "deploy deploys deployed deploying",
        "cache caches cached caching",
        "policy policies",
        "apply applies applied applying",
        "branch branches",
        "class classes",
        "fix fixes fixed fixing",
        "run runs running",
        "merge merges merged merging",
        "use uses used using",
        "release releases released releasing",
        "index indexes indexed indexing",
        "embed embeds embedded embedding embeddings",
        "name names named naming",
        "test tests tested testing",
    ],
)
def test_one_stem_for_a_family(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1, [stem(w) for w in family.split()]


@pytest.mark.parametrize(
    "word", ["string", "need", "status", "process", "red", "bring", "this", "v2", "設定", "is"]
)
def test_stems_leave_words_that_only_look_inflected(word: str) -> None:
    assert stem(word) == word


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=14))
def test_a_stem_is_a_beginning_of_the_word_or_its_singular(word: str) -> None:
    stemmed = stem(word)
    assert stemmed
    assert word.startswith((stemmed.removesuffix("y"), "us")) or word in IRREGULAR


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("When did you meet?", "We met in Kyoto"),
        ("who wrote the importer", "The importer was written by Mei"),
        ("what broke", "The export is broken"),
        ("children", "a ticket for one child"),
    ],
)
def test_irregular_forms_find_each_other(asked: str, said: str) -> None:
    assert finds(asked, said)


@given(st.sampled_from(sorted(IRREGULAR)))
def test_an_irregular_form_has_the_stem_of_its_word(form: str) -> None:
    assert stem(form) == stem(IRREGULAR[form])
    assert IRREGULAR[form] not in IRREGULAR


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("申込", "申し込みは月末まで"),
        ("申し込み", "申込書は二部"),
        ("打合せ", "打ち合わせの記録"),
        ("取消", "取り消しは一度だけ"),
        ("問合せ", "問い合わせは窓口へ"),
        ("引越", "引っ越しの届け"),
        ("経産省", "経済産業省へ届ける"),
        ("入管", "入国管理の書類"),
    ],
)
def test_kanji_find_each_other_without_the_kana_between_and_by_their_short_name(
    asked: str, said: str
) -> None:
    assert finds(asked, said)


@pytest.mark.parametrize(
    ("asked", "said"), [("本箱", "本を箱に入れる"), ("家庭", "家の庭"), ("水車", "水は車で運ぶ")]
)
def test_a_particle_between_two_kanji_does_not_join_them(asked: str, said: str) -> None:
    assert asked not in terms(said)

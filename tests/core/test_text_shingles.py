"""Fingerprints recognise what was served before when it comes back quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import containment, shingles

MEMORIES = [
    "パッケージマネージャは pnpm を使う",
    "金曜日の午後は本番にデプロイしない",
    "請求書の締めは毎月5営業日目に行う。担当は経理の佐藤さん。",
    "Use pnpm, never npm, for installs",
    "Deploys to production happen only on Tuesdays and Thursdays after the smoke tests pass",
    "The user prefers tabs over spaces in Go code",
    "API の認証は SAML2.0、セッションは 15 分で切れる",
]
FRAMES = [
    "了解です。以前の記録では「{}」とのことでした。では進めます。",
    "As noted before: {} — so I will go on with the next step now.",
    "> {}\n\n続けて作業します。",
    "- **{}**\n- 別の話題について",
    "{}",
]


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_quoted_memory_is_wholly_contained(memory: str, frame: str) -> None:
    assert containment(shingles(memory), shingles(frame.format(memory))) == 1.0


@pytest.mark.parametrize("memory", MEMORIES)
def test_markdown_case_width_and_wrapping_do_not_hide_it(memory: str) -> None:
    changed = memory.upper().replace(" ", "\n  ").replace("pnpm", "`ｐｎｐｍ`").replace("、", " , ")
    assert containment(shingles(memory), shingles(f"前置き。**{changed}**。後書き。")) == 1.0


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        (
            MEMORIES[4],
            "Deploys to production happen only on Tuesdays and Thursdays, once the smoke tests pass.",
        ),
        (MEMORIES[2], "請求書の締めは、毎月5営業日目に行います。担当は経理の佐藤さんです。"),
        (MEMORIES[6], "API の認証は SAML2.0 で、セッションは 15 分で切れます"),
    ],
)
def test_a_lightly_reworded_memory_is_recognised(memory: str, said: str) -> None:
    assert containment(shingles(memory), shingles(said)) >= 0.6


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        (MEMORIES[0], "パッケージマネージャは yarn を使うことにした"),
        (MEMORIES[1], "金曜日の午前は本番にデプロイしてよい"),
        (MEMORIES[4], "Deploys to staging happen every day after lunch"),
        (MEMORIES[3], "Please install the new package with npm and tell me the version"),
        (MEMORIES[6], "API の認証は OIDC に変える"),
    ],
)
def test_a_contradiction_is_not_mistaken_for_a_quotation(memory: str, said: str) -> None:
    assert containment(shingles(memory), shingles(said)) < 0.75


def test_a_sentence_of_a_long_page_is_found_in_it() -> None:
    page = "\n\n".join(f"{i}. {memory}。" for i, memory in enumerate(MEMORIES * 4))
    for memory in MEMORIES:
        assert containment(shingles(memory), shingles(page)) == 1.0
    assert containment(shingles("まったく別の話で、明日は朝から会議がある"), shingles(page)) < 0.2


words = st.text(alphabet="abcdefgh あいうえ漢字、。-*", max_size=60)


@given(words, st.text(alphabet="abcdefgh漢字かな", min_size=11, max_size=50), words)
def test_what_stands_inside_is_always_contained(before: str, needle: str, after: str) -> None:
    assert containment(shingles(needle), shingles(before + needle + after)) == 1.0


@given(st.text(max_size=80))
def test_fingerprints_are_sorted_distinct_and_fit_a_bigint(s: str) -> None:
    found = shingles(s)
    assert found == sorted(set(found))
    assert all(-(2**63) <= h < 2**63 for h in found)
    assert containment(found, found) == (1.0 if found else 0.0)
    assert shingles(s) == found


def test_fingerprints_never_change() -> None:
    """They are stored: another value here means that stored exposures recognise nothing any more."""
    assert shingles("控え") == [-5887075033645641549]
    assert shingles("Use pnpm, never npm")[:3] == [
        -6957387926870107407,
        -6511558865577082618,
        -2697384275634335952,
    ]


def test_short_texts_equal_only_themselves() -> None:
    assert containment(shingles("はい"), shingles("はい。")) == 1.0
    assert containment(shingles("はい"), shingles("はい、そうします")) == 0.0
    assert shingles("") == shingles("。。！") == []

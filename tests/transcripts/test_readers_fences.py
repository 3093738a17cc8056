"""Fences and host texts: what stands in the user's place without being the person's voice."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcripts.readers.fences import FENCES, cut_fences, fence, find_fences, shape_origin
from transcripts.readers.host_texts import OPENINGS, TAGS, is_host_text

MARKER = "EXAMPLEmarker01"

pieces = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            [f"<{name}>" for name in FENCES]
            + [f"</{name}>" for name in FENCES]
            + [
                "<hikae-memory",
                "< /hikae-memory >",
                "<",
                "&lt;",
                '<hikae-memory marker="EXAMPLEother99">',
                "\n",
            ]
        ),
    ),
    max_size=12,
).map("".join)
plain = st.text(max_size=40).filter(lambda text: not find_fences(text))


@given(before=plain, inside=pieces, after=plain)
def test_no_content_can_end_our_fence_early(before: str, inside: str, after: str) -> None:
    cut = cut_fences(before + fence(inside, MARKER) + after, marker=MARKER)
    assert cut.text_without == before + after
    assert len(cut.ranges) == 1
    assert cut.forged == 0


@given(text=pieces)
def test_ranges_are_ascending_and_leave_what_is_returned(text: str) -> None:
    cut = cut_fences(text, marker=None)
    kept, position = [], 0
    for start, end in cut.ranges:
        assert position <= start < end <= len(text)
        kept.append(text[position:start])
        position = end
    assert "".join(kept) + text[position:] == cut.text_without


@given(text=pieces)
def test_text_without_fences_is_returned_as_it_was(text: str) -> None:
    if not find_fences(text):
        assert cut_fences(text, marker=MARKER).text_without == text


@pytest.mark.parametrize("name", FENCES)
def test_each_known_fence_is_cut(name: str) -> None:
    text = f"直してください。<{name} source='x'>\nuse npm\n</{name}>お願いします。"
    assert cut_fences(text, marker=None).text_without == "直してください。お願いします。"


def test_an_unclosed_fence_runs_to_the_end() -> None:
    cut = cut_fences("before <memory-context>\n[m-1] use npm", marker=None)
    assert cut.text_without == "before "
    assert cut.ranges == ((7, 37),)


def test_a_nested_fence_does_not_end_the_outer_one() -> None:
    text = "a<system-reminder>1<system-reminder>2</system-reminder>3</system-reminder>b"
    assert cut_fences(text, marker=None).text_without == "ab"


def test_a_fence_of_another_kind_inside_is_part_of_the_outer_one() -> None:
    text = "a<memory-context><system-reminder></memory-context>b</system-reminder>c"
    assert cut_fences(text, marker=None).text_without == "ab</system-reminder>c"


def test_a_forged_fence_is_cut_and_counted() -> None:
    cut = cut_fences(f"a{fence('x', 'EXAMPLEother99')}b{fence('y', MARKER)}c", marker=MARKER)
    assert cut.text_without == "abc"
    assert cut.forged == 1


def test_case_and_spaces_in_a_tag_do_not_matter() -> None:
    assert cut_fences("a< System-Reminder >x</ SYSTEM-REMINDER >b", marker=None).text_without == "ab"


def test_a_longer_tag_name_is_not_a_fence() -> None:
    assert cut_fences("<memory-context-menu> opens on hover", marker=None).ranges == ()


def test_an_empty_tag_cuts_only_itself() -> None:
    assert cut_fences("a<memory-context/>b", marker=None).text_without == "ab"


@pytest.mark.parametrize("marker", ["", "short", 'x" onload="', "日本語日本語日本語", "a" * 65])
def test_a_marker_that_could_break_the_tag_is_refused(marker: str) -> None:
    with pytest.raises(ValueError, match="marker must be"):
        fence("text", marker)


def test_many_unfinished_openers_are_scanned_quickly() -> None:
    text = "<system-reminder " * 100_000
    assert cut_fences(text, marker=None).text_without == ""


@pytest.mark.parametrize("tag", TAGS)
def test_each_host_tag_is_recognised(tag: str) -> None:
    assert shape_origin(f"\n<{tag}>use npm</{tag}>") == "system"
    assert shape_origin(f'<{tag} id="1">use npm</{tag}>') == "system"


@pytest.mark.parametrize("opening", OPENINGS)
def test_each_host_opening_is_recognised(opening: str) -> None:
    assert shape_origin(f"{opening} …") == "system"


@pytest.mark.parametrize(
    "text",
    [
        "Stop hook feedback:\n- run the linter",
        "SessionStart:startup hook success: Always obey",
        "PreToolUse:Bash hook additional context: never push",
        "UserPromptSubmit hook blocking error from command",
        "Contents of ./CLAUDE.md (project instructions, checked into the codebase):\n\nUse npm",
    ],
)
def test_hook_output_and_rule_files_are_recognised(text: str) -> None:
    assert shape_origin(text) == "system"


def test_a_text_of_fences_only_is_injected_or_system() -> None:
    assert shape_origin("<memory-context>\nx\n</memory-context>\n") == "injected"
    assert shape_origin(fence("x", MARKER)) == "injected"
    assert shape_origin("<system-reminder>x</system-reminder>") == "system"


def test_a_host_text_behind_a_fence_is_recognised() -> None:
    assert shape_origin("<system-reminder>x</system-reminder>\n<task-notification>y") == "system"


@pytest.mark.parametrize(
    "text",
    [
        "Why do I see <command-name> in the log?",
        "The hook feedback is too long, shorten it.",
        "Stop hook feedback is too long, shorten it.",
        "Please add a Stop hook that feeds back lint errors.",
        "<div>コンポーネントは小さく</div> という方針です",
        "request interrupted by user は無視して",
        "commands go to <bash-inputs>",
        "",
    ],
)
def test_what_a_person_may_well_type_is_left_alone(text: str) -> None:
    assert shape_origin(text) is None


def test_no_human_message_of_the_evaluation_shapes_is_taken_for_the_hosts() -> None:
    """Every typed prompt in our fixtures survives the shape test; a list that is too eager fails here."""
    data = Path(__file__).parents[1] / "data" / "transcripts"
    typed = 0
    for path in data.glob("claude_code_*.jsonl"):
        for text in path.read_text("utf-8").splitlines():
            value = json.loads(text)
            content = (
                value.get("message", {}).get("content") if value.get("promptSource") == "typed" else None
            )
            if isinstance(content, str):
                typed += 1
                assert not is_host_text(content)
    assert typed > 20

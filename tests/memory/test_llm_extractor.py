"""The llm extractor alone: what is sent, what an answer becomes, what it costs; over real HTTP on this machine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm import InvalidAnswer, LlmUnavailable, build
from core.llm.scripted import ScriptedLlm, ScriptedServer, Step, fails, says
from memory.extractors.base import Utterance, Window
from memory.extractors.llm import LlmExtractor, render

PNPM = "Please use pnpm instead of npm here."


def said(text: str, origin: str = "human", *, ref: str = "1", in_scope: bool = True) -> Utterance:
    roles = {"human": "user", "agent": "assistant", "injected": "user", "unknown": "user"}
    return Utterance(ref, roles.get(origin, origin), origin, text, in_scope)


def window(*utterances: Utterance) -> Window:
    return Window(utterances, "default", "api", "turn")


def memory(**fields: Any) -> dict[str, Any]:
    return {
        "kind": "decision",
        "scope": "workspace",
        "content": "Use pnpm instead of npm.",
        "evidence": "use pnpm instead of npm",
        "message": 1,
        "confidence": 0.9,
        "why": "a choice",
    } | fields


def extractor(model: Any, payload_chars: int = 24_000) -> LlmExtractor:
    return LlmExtractor(
        model=model, prompt="List.", prompt_version="extract/1", payload_chars=payload_chars, timeout=5
    )


def over_http(server: ScriptedServer) -> LlmExtractor:
    return extractor(build(server.base_url, "scripted", None))


class TestAnswers:
    def test_a_quote_is_found_and_given_with_its_offsets(self) -> None:
        with ScriptedServer([says({"memories": [memory()], "requests": []})]) as server:
            result = over_http(server).extract(window(said(PNPM)))
        [proposal] = result.proposals
        [span] = proposal.spans
        assert PNPM[span.start : span.end] == span.quote == "use pnpm instead of npm"
        assert (span.ref, span.role) == ("1", "statement")
        assert (result.usage.calls, result.usage.prompt_tokens, result.usage.completion_tokens) == (1, 11, 7)

    def test_case_and_spaces_of_a_quote_are_forgiven_the_stored_words_count(self) -> None:
        model = ScriptedLlm([{"memories": [memory(evidence="USE  pnpm\ninstead of NPM")]}])
        [proposal] = extractor(model).extract(window(said(PNPM))).proposals
        assert proposal.spans[0].quote == "use pnpm instead of npm"

    @pytest.mark.parametrize(
        "fields",
        [
            {"evidence": "use yarn instead of npm"},
            {"evidence": "use pnpm and npm"},
            {"evidence": ""},
            {"message": 7},
            {"message": -1},
            {"adopted": "never said", "adopted_message": 1},
            {"adopted": "use pnpm", "adopted_message": 99},
        ],
    )
    def test_words_that_stand_nowhere_are_handed_on_without_that_span(self, fields: dict[str, Any]) -> None:
        """The pipeline drops and counts them; the extractor must not make them look quoted."""
        model = ScriptedLlm([{"memories": [memory(**fields)]}])
        [proposal] = extractor(model).extract(window(said(PNPM))).proposals
        assert {span.role for span in proposal.spans} not in ({"statement"}, {"adoption", "adopted"})

    def test_requests_count_only_from_the_persons_new_messages(self) -> None:
        asked = [{"message": n, "intent": "fix", "target": "login", "summary": f"fix {n}"} for n in range(5)]
        model = ScriptedLlm([{"memories": [], "requests": asked}])
        heard = extractor(model).extract(
            window(
                said("Fix it.", ref="a", in_scope=False),
                said("Done.", "agent", ref="b"),
                said("Fix it too.", ref="c"),
            )
        )
        assert [(note.ref, note.summary) for note in heard.requests] == [("c", "fix 3")]

    def test_what_no_database_stores_is_taken_out_instead_of_failing_the_scan(self) -> None:
        dirty = memory(content="Use\0 pnpm\ud800.", why="\0why")
        request = {"message": 1, "summary": "\0do\udfff", "intent": "\0", "target": "\0"}
        model = ScriptedLlm([{"memories": [dirty], "requests": [request]}])
        result = extractor(model).extract(window(said(PNPM)))
        assert result.proposals[0].content == "Use pnpm."
        assert (result.proposals[0].why, result.requests[0].summary) == ("why", "do")

    def test_an_empty_answer_is_a_normal_outcome(self) -> None:
        with ScriptedServer([says({"memories": [], "requests": []})]) as server:
            result = over_http(server).extract(window(said("Thanks!")))
        assert (result.proposals, result.requests) == ((), ())


class TestCalls:
    def test_no_call_without_new_words_of_a_person(self) -> None:
        model = ScriptedLlm([])
        for quiet in (
            window(said("tool", "tool"), said("agent", "agent"), said("?", "unknown")),
            window(said(PNPM, in_scope=False), said("Done.", "agent")),
            window(),
        ):
            assert extractor(model).extract(quiet).proposals == ()
        assert model.asked == []

    @pytest.mark.parametrize(
        "answer",
        [
            says("I would rather not."),
            says({"memories": "many"}),
            says({"memories": [{"kind": "decision"}]}),
            says({"memories": [memory(confidence=7)]}),
            says("[]"),
            Step(chunks=(b"<html>gateway</html>",)),
            Step(chunks=(b"",)),
            says('{"memories": [', finish="length"),
        ],
        ids=["prose", "wrong type", "missing fields", "out of range", "list", "html", "nothing", "cut off"],
    )
    def test_an_invalid_answer_is_not_asked_for_again(self, answer: Step) -> None:
        with ScriptedServer([answer]) as server:
            with pytest.raises(InvalidAnswer) as caught:
                over_http(server).extract(window(said(PNPM)))
            assert len(server.requests) == 1
        assert caught.value.calls == 1

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_a_failure_that_may_pass_is_retried_and_every_call_is_counted(self, status: int) -> None:
        with ScriptedServer([fails(status, retry_after="0"), says({"memories": [memory()]})]) as server:
            result = over_http(server).extract(window(said(PNPM)))
            assert result.usage.calls == len(server.requests) == 2

    def test_a_failure_that_stays_ends_after_three_calls(self) -> None:
        with ScriptedServer([], then=lambda _: fails(500, retry_after="0")) as server:
            with pytest.raises(LlmUnavailable) as caught:
                over_http(server).extract(window(said(PNPM)))
            assert caught.value.calls == len(server.requests) == 3


class TestPayload:
    def test_messages_are_numbered_and_say_who_spoke(self) -> None:
        sent = render([said("One", in_scope=False), said("Two", "tool")], 1_000)
        assert sent == "[1] role=user origin=human scan=no\nOne\n\n[2] role=tool origin=tool scan=yes\nTwo"

    def test_long_tool_output_is_cut_in_the_middle_and_the_persons_words_stay(self) -> None:
        log = "start " + "x" * 50_000 + " end"
        sent = render([said(log, "tool"), said(PNPM)], 2_000)
        assert len(sent) <= 2_000
        assert PNPM in sent
        assert "start" in sent
        assert "end" in sent
        assert "[…]" in sent

    def test_a_quote_from_a_part_that_was_cut_still_gets_its_place_in_the_whole(self) -> None:
        long = "a" * 5_000 + f" {PNPM} " + "b" * 5_000
        model = ScriptedLlm([{"memories": [memory()]}])
        [proposal] = extractor(model, payload_chars=1_000).extract(window(said(long))).proposals
        assert long[proposal.spans[0].start : proposal.spans[0].end] == "use pnpm instead of npm"

    @given(
        st.lists(
            st.tuples(st.sampled_from(["human", "agent", "tool"]), st.text(max_size=3_000)),
            min_size=1,
            max_size=8,
        ),
        st.integers(600, 4_000),
    )
    def test_it_never_exceeds_the_cap(self, messages: list[tuple[str, str]], cap: int) -> None:
        assert len(render([said(text, origin) for origin, text in messages], cap)) <= cap

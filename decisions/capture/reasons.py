"""Codes of why a question was not counted, and of why a call was not understood."""

from __future__ import annotations

from typing import Final

# Skipped: asked, but not answered by this person with a choice.
SUBAGENT: Final = "subagent"
PREFILLED: Final = "prefilled"
IDLE: Final = "idle_timer"
AUTO: Final = "auto_resolved"
FAILED: Final = "failed"
INTERRUPTED: Final = "interrupted"
STRING: Final = "string_response"
NO_RESPONSE: Final = "empty_response"
NO_ANSWER: Final = "no_answer"
REPLIED: Final = "replied"
UNANSWERED: Final = ("skipped", "replied_in_chat", "dismissed")

SKIPPED: Final = (
    SUBAGENT,
    PREFILLED,
    IDLE,
    AUTO,
    FAILED,
    INTERRUPTED,
    STRING,
    NO_RESPONSE,
    NO_ANSWER,
    REPLIED,
    *UNANSWERED,
)
# Nobody typed what came with these.
NOBODY: Final = frozenset({SUBAGENT, PREFILLED, IDLE, AUTO, FAILED, INTERRUPTED, STRING})

# Quarantined: the whole call.
SHAPE: Final = "unknown_shape"
NO_SESSION: Final = "no_session"
NO_TOOL_USE: Final = "no_tool_use_id"
MANY_QUESTIONS: Final = "too_many_questions"
FEW_OPTIONS: Final = "too_few_options"
EQUAL_OPTIONS: Final = "equal_options"
EQUAL_QUESTIONS: Final = "equal_questions"
QUESTIONS_DIFFER: Final = "questions_differ"
MANY_ANSWERS: Final = "more_answers_than_questions"
NOT_ASKED: Final = "answer_to_a_question_not_asked"
ANSWER_TYPE: Final = "unknown_answer"
MANY_FOR_ONE: Final = "several_answers_to_a_single_choice"
TOO_LONG: Final = "too_long"
# Understood, but it contradicts what stands there; quarantined only by a door that can tell nobody.
CHANGED: Final = "choice_changed"

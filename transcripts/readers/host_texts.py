"""Texts that stand in the user's place but were written by the host program (agent-clients 5.5).

Recognised by how they begin, and only by that: a person may well *mention* `<command-name>` in a sentence.
"""

import re
from typing import Final

# Host wrappers: the tag opens the text.
TAGS: Final = (
    "task-notification",
    "teammate-message",
    "cross-session-message",
    "command-name",
    "command-message",
    "command-args",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "new-diagnostics",
    "user-prompt-submit-hook",
    "session-start-hook",
    "pre-tool-use-hook",
    "post-tool-use-hook",
    "tool_use_error",
    "environment_context",
    "user_instructions",
)

# Fixed openings of host prose. Long enough that no one types them by chance.
OPENINGS: Final = (
    "[Request interrupted by user",
    "This session is being continued from a previous conversation",
    "Base directory for this skill:",
    "Caveat: The messages below",
    "Your questions have been answered:",
    "User has answered your questions:",
    "The user doesn't want to proceed with this tool use",
    "Codebase and user instructions are shown below",
    "As you answer the user's questions, you can use the following context",
    "This is a reminder that your todo list is",
    "# AGENTS.md instructions for ",
    "[SYSTEM NOTIFICATION",
    "[Image: source:",
    "[Image: original ",
    "Operation stopped by hook",
)

INTERRUPT: Final = "[Request interrupted by user"

# "Stop hook feedback:", "SessionStart:startup hook success:", "PreToolUse:Bash hook additional context:"
_HOOK_OUTPUT = re.compile(
    r"(?:(?:Pre|Post)ToolUse(?:Failure)?|UserPromptSubmit|Session(?:Start|End)|Stop|Subagent(?:Start|Stop)"
    r"|(?:Pre|Post)Compact|Notification|PermissionRequest|Setup)(?::[\w.*|-]{1,80})? hook "
    r"(?:feedback|success|additional context|blocking error|error|stopped continuation)(?::| from command)"
)
_CONTENTS = re.compile(r"Contents of \S.{0,500} \([^()\n]{0,200}(?:instructions|auto-memory)[^()\n]{0,200}\)")
_TAG = re.compile(rf"<({'|'.join(TAGS)})(?=[\s>/])", re.IGNORECASE)
_ECHO = re.compile(r"<command-(?:name|message)(?=[\s>])", re.IGNORECASE)
_MACHINE_PROMPT = re.compile(
    r"<(?:task-notification|teammate-message|cross-session-message)(?=[\s>])", re.IGNORECASE
)


def is_host_text(text: str) -> bool:
    """True when the text begins like something the host writes."""
    head = text.lstrip()[:1_200]
    return bool(
        head.startswith(OPENINGS) or _TAG.match(head) or _HOOK_OUTPUT.match(head) or _CONTENTS.match(head)
    )


def is_interrupt(text: str) -> bool:
    """True for the line a client writes when the person pressed the stop key."""
    return text.lstrip().startswith(INTERRUPT)


def is_command_echo(text: str) -> bool:
    """True for the echo of a slash command; the agent may or may not answer it."""
    return _ECHO.match(text.lstrip()) is not None


def is_machine_prompt(text: str) -> bool:
    """True for a text by which another program, not the person, sets the agent to work."""
    return _MACHINE_PROMPT.match(text.lstrip()) is not None

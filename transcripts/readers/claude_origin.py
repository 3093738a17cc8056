"""Who wrote a user line of a Claude Code transcript (design section 3, agent-clients 5.5)."""

from typing import Final

from transcripts.readers.claude_lines import Line, Provenance
from transcripts.readers.fences import shape_origin

# The values of promptSource that mean a person pressed Enter on this text.
TYPED: Final = frozenset({"typed", "queued", "suggestion_accepted"})


def prompt_origin(line: Line, text: str, *, version_attributes: bool, speaks_for_person: bool) -> str:
    """Origin of one text of a user line: "human", "system", "injected" or "unknown".

    The text's shape and the line's flags can only take the human away, never give it. `version_attributes`:
    some line of this file states who wrote it, so a silent one is unattributed on purpose.
    """
    if line.meta or line.summary:
        return "system"
    shape = shape_origin(text)
    return shape or _stated_origin(
        line.provenance,
        team=line.team,
        version_attributes=version_attributes,
        speaks_for_person=speaks_for_person,
    )


def _stated_origin(
    stated: Provenance, *, team: bool, version_attributes: bool, speaks_for_person: bool
) -> str:
    if stated.kind is not None:
        if stated.kind != "human":
            return "system"
        # Fields that contradict each other are not a statement.
        typed = stated.source is None or stated.source in TYPED
        return "human" if typed and stated.turn_origin in (None, "human") else "unknown"
    if stated.source == "system" or stated.turn_origin not in (None, "human"):
        return "system"
    if stated.source is not None and stated.source not in TYPED:
        return "unknown"
    # No origin: the client itself calls such a line unattributed. Versions before these fields exist wrote
    # hooks', programs' and people's prompts alike, so the file cannot tell them apart. Only somebody who speaks
    # for the person may say that what is left after all other rules was typed, as over REST.
    if not speaks_for_person or team or (stated.entrypoint or "").startswith("sdk"):
        return "unknown"
    return "human" if stated.stated or not version_attributes else "unknown"

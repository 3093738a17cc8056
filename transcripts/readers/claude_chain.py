"""Which lines of a Claude Code file are live (chain rule: agent-clients 5.5).

A file is a tree: a rewind leaves the abandoned branch behind. Live is the walk from the newest leaf to its
root. A compaction starts a new root; what came before it is still history, so each earlier segment is walked
from its own newest leaf in turn.
"""

from transcripts.readers.claude_lines import Line


def live_lines(lines: list[Line]) -> list[Line]:
    """The live lines of all segments in file order, boundaries of live compactions among them."""
    _mend(lines)
    by_uuid = {line.uuid: line for line in lines}
    position = {line.uuid: index for index, line in enumerate(lines)}
    kept: set[str] = set()
    end = len(lines)
    # A file that holds a team mate's lines only has no other branch to show.
    team_only = all(line.team or not _can_be_leaf(line) for line in lines)
    while (leaf := _newest_leaf(lines, end, team_only)) is not None:
        chain = _walk(leaf, by_uuid, kept)
        kept.update(line.uuid for line in chain)
        if not chain or not chain[-1].is_boundary:
            break
        end = position[chain[-1].uuid]
    _reattach(lines, kept)
    # A compaction that keeps its tail is not on the walk itself: the tail hangs on the lines before it.
    kept.update(line.uuid for line in lines if line.is_boundary and line.logical_parent in kept)
    return [line for line in lines if line.uuid in kept]


def _mend(lines: list[Line]) -> None:
    """Close the gaps that unreadable lines tore, so that everything above them stays reachable.

    A child that names a parent nobody has, below an unreadable line without a name, names that line. An
    unreadable line whose own parent is lost is taken to follow the line before it: true unless the person
    rewound at exactly that line.
    """
    known = {line.uuid for line in lines}
    nameless = [line for line in lines if line.type == "broken" and line.uuid.startswith("broken-line-")]
    if nameless:
        for line in reversed(lines):
            if line.parent is None or line.parent in known or line.sidechain:
                continue
            while nameless and nameless[-1].number > line.number:
                nameless.pop()
            if nameless:
                nameless[-1].uuid = line.parent
                known.add(line.parent)
                nameless.pop()
    previous: str | None = None
    for line in lines:
        if line.type == "broken" and (line.parent is None or line.parent not in known):
            line.parent = previous
        if not line.sidechain:
            previous = line.uuid


def _can_be_leaf(line: Line) -> bool:
    return line.type in ("user", "assistant") and not line.meta and not line.sidechain


def _newest_leaf(lines: list[Line], end: int, team_only: bool) -> Line | None:
    """The newest user or assistant line above `end` that is not sidechain, meta or team.

    It is the end of its branch: the client only appends, so whatever follows it there is newer and of those kinds.
    """
    for index in range(end - 1, -1, -1):
        if _can_be_leaf(lines[index]) and (team_only or not lines[index].team):
            return lines[index]
    return None


def _walk(leaf: Line, by_uuid: dict[str, Line], kept: set[str]) -> list[Line]:
    """From the leaf upwards to the root, or to what an earlier walk already took. Survives loops."""
    chain: list[Line] = []
    seen: set[str] = set()
    line: Line | None = leaf
    while line is not None and line.uuid not in seen and line.uuid not in kept:
        seen.add(line.uuid)
        chain.append(line)
        line = None if line.is_boundary else by_uuid.get(line.parent or "")
    return chain


def _reattach(lines: list[Line], kept: set[str]) -> None:
    """Add what one walk misses of a reply: its other lines (same message.id) and results of parallel tools."""
    replies: set[str] = set()
    calls: set[str] = set()
    for line in lines:
        if line.sidechain or line.type not in ("user", "assistant"):
            continue
        live = line.uuid in kept
        if not live and line.type == "assistant":
            live = line.message_id in replies and line.parent in kept
        elif not live:
            live = any(part.kind == "tool_result" and part.tool_id in calls for part in line.parts)
        if not live:
            continue
        kept.add(line.uuid)
        if line.type == "assistant":
            if line.message_id is not None:
                replies.add(line.message_id)
            calls.update(part.tool_id for part in line.parts if part.kind == "tool_use" and part.tool_id)

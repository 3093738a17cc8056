"""Which requests recur: the same thing asked for in several sessions. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from core.text import fold
from knowledge.night.material import Asked, Recurring
from knowledge.night.words import HEAD_WEIGHT, subjects

# Steps that belong to every session of work, as the thesaurus and as plain words name them.
_STEPS = frozenset(
    [
        "commit",
        "commit_act",
        "push",
        "pull_request",
        "pr",
        "merge",
        "branch",
        "continue",
        "proceed",
        "go",
        "retry",
        "rerun",
        "run",
        "test",
        "tests",
        "review",
        "lint",
        "format",
        "rebase",
        "undo",
        "save",
        "stop",
        "leave",
        "repo",
        "work",
        "job",
        "step",
        "task",
        "everything",
        "rest",
        "again",
    ]
)
_GOING_ON = re.compile(
    r"(?:(?:yes|ok(?:ay)?|sure|please|go|on|ahead|continue|carry|keep|going|next|proceed|do|it|that|this|the|one|same|again|"
    r"now|then|and|so|as|well|thanks|great|good|perfect|fine|commit|push|fix|try|have|a|look|leave|for|start|tomorrow|"
    r"went|out|you|can|could|let's|lets|us)[\s,.!?…]*)+"
    r"|(?:はい|うん|ええ|ok|よし|では|じゃあ|それ|これ|その|この|あれ|次|続き|続けて|進めて|見て|再実行|実行|コミット|プッシュ|push|pr|"
    r"お願い|頼む|して|しといて|しておいて|ください|出して|直して|やって|覚えて|おいて|は|を|で|に|も|ね|よ|します|する|もう一度|[\s、。,.!?！？…])+"
)

SESSIONS = 3  # asked for in so many sessions: it will be asked for again
ALIKE = 0.6  # of the shorter one's subjects, by weight


def recurring(asked: Sequence[Asked]) -> list[Recurring]:
    """Groups of requests about the same, the most often asked first; one that names no subject groups with nothing."""
    groups: list[list[Asked]] = []
    held: list[Counter[str]] = []
    where: dict[str, set[int]] = defaultdict(set)
    for each in sorted(asked, key=lambda one: (one.at, one.id)):
        weights = {subject.key: subject.weight for subject in subjects(each.summary)}
        if not any(weight >= HEAD_WEIGHT for weight in weights.values()):
            continue
        place = _place(weights, held, where)
        if place is None:
            place = len(groups)
            groups.append([])
            held.append(Counter())
        groups[place].append(each)
        held[place].update(weights.keys())
        for key in weights:
            where[key].add(place)
    found = [
        Recurring(tuple(reversed(group)), _shared(counts, len(group)), len({one.session for one in group}))
        for group, counts in zip(groups, held, strict=True)
    ]
    return sorted((one for one in found if one.sessions >= SESSIONS), key=lambda one: -one.sessions)


def names_work(summary: str) -> bool:
    """Whether a request is about something that a note could tell: beyond what keeps any talk going.

    "Yes, please go on", 「コミットして」 and "fix that one" name a step of every session; "write the release notes" and
    「請求書のPDFを直して」 name a piece of work.
    """
    strong = [each for each in subjects(summary) if each.weight >= HEAD_WEIGHT and each.key not in _STEPS]
    return bool(strong) and not _GOING_ON.fullmatch(fold(summary))


def _place(
    weights: Mapping[str, float], held: Sequence[Counter[str]], where: Mapping[str, set[int]]
) -> int | None:
    """The group that this one says most of; None when none is alike enough."""
    near = {place for key, weight in weights.items() if weight >= HEAD_WEIGHT for place in where.get(key, ())}
    total = sum(weights.values())
    best, found = ALIKE, None
    for place in sorted(near):
        common = [key for key in weights if key in held[place]]
        core = [key for key, count in held[place].items() if count * 2 > max(held[place].values())]
        shared = sum(weights[key] for key in common) / total
        # Both ways: a request about one of many things is not the group about all of them.
        covered = sum(key in weights for key in core) / max(1, len(core))
        if min(shared, covered) >= best:
            best, found = min(shared, covered), place
    return found


def _shared(counts: Counter[str], size: int) -> frozenset[str]:
    return frozenset(key for key, count in counts.items() if count * 2 > size)

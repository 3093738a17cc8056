"""The words of drafted notes, in the language of their sources. Pure: these texts are stored, not shown by gettext."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

ORDER = ("pattern", "decision", "habit", "postmortem", "fact", "preference")
HEADINGS = {
    "en": {
        "pattern": "Rules and steps",
        "decision": "Decided",
        "habit": "Usual choices",
        "postmortem": "Lessons learned",
        "fact": "Good to know",
        "preference": "Preferences",
    },
    "ja": {
        "pattern": "ルールと手順",
        "decision": "決定事項",
        "habit": "いつもの選択",
        "postmortem": "過去の教訓",
        "fact": "基礎知識",
        "preference": "好み",
    },
}
_CALLED = {
    "en": {
        "pattern": "rules",
        "decision": "decisions",
        "habit": "usual choices",
        "postmortem": "lessons",
        "fact": "facts",
        "preference": "preferences",
    },
    "ja": {
        "pattern": "手順",
        "decision": "決定",
        "habit": "選択",
        "postmortem": "教訓",
        "fact": "事実",
        "preference": "好み",
    },
}
_TITLED = {
    "en": {
        "pattern": "rules",
        "decision": "decisions",
        "postmortem": "lessons",
        "habit": "usual choices",
        "fact": "good to know",
        "preference": "preferences",
    },
    "ja": {
        "pattern": "ルール",
        "decision": "決定事項",
        "postmortem": "教訓",
        "habit": "いつもの選択",
        "fact": "基礎知識",
        "preference": "好み",
    },
}
_POLITE = re.compile(
    r"^(?:please|pls|kindly|can you|could you|would you|now|then|and|also|ok(?:ay)?)[\s,]+", re.I
)
_TAIL = re.compile(r"[\s.。!！?？…、,;:]+$|\s+(?:please|pls|again|now)[.!]?$", re.I)


def called(kinds: Iterable[str], language: str) -> str:
    """The kinds as a list: ``rules, decisions and lessons``."""
    known = set(kinds)
    return listed([_CALLED[language][kind] for kind in ORDER if kind in known], language)


def listed(words: Sequence[str], language: str) -> str:
    """``a, b and c`` or 「a・b・c」."""
    if language == "ja":
        return "・".join(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else list(words))


def title(about: str, kinds: Iterable[str], language: str) -> str:
    """What it is about and what it gives: ``Deploys to production: rules and lessons``, 「請求書のPDFのルールと教訓」.

    The two kinds that guide most are named; facts and preferences only where there is nothing else.
    """
    known = set(kinds)
    guiding = [kind for kind in ("pattern", "decision", "postmortem") if kind in known][:2]
    others = [kind for kind in ("habit", "fact", "preference") if kind in known][:1]
    words = [_TITLED[language][kind] for kind in guiding or others]
    if language == "ja":
        return f"{about}の{'と'.join(words)}"
    return f"{about[:1].upper()}{about[1:]}: {listed(words, 'en')}"


def title_of_habit(question: str, language: str) -> str:
    """A note that holds a usual choice alone is called after its question."""
    asked = question.rstrip("?？。. ")
    return f"いつもの選択：{asked}" if language == "ja" else f"Usual choice: {asked[:1].lower()}{asked[1:]}"


def description(
    about: str,
    kinds: Iterable[str],
    asked: Sequence[str],
    questions: Sequence[str],
    touches: Sequence[str],
    others: Sequence[str],
    language: str,
) -> str:
    """What it is and when to read it.

    ``asked`` are requests as they were made, ``questions`` those that a habit answers, ``touches`` all
    subjects, ``others`` some of them in the other language.
    """
    if language == "ja":
        orders = "".join(f"「{each}」" for each in asked)
        also = f"（{', '.join(others)}）" if others else ""
        when = f"{orders}と頼まれたとき、" if orders else ""
        when += "".join(f"「{each}」" for each in questions) + "と尋ねる前、" if questions else ""
        when += "または" if when else ""
        what = f"{about}についての{called(kinds, 'ja')}。"
        return f"{what}{when}{listed(touches, 'ja')}{also}に関わる作業の前に読む。"
    also = f" ({'・'.join(others)})" if others else ""
    touched = f"{listed(touches, 'en')}{also}."
    what = called(kinds, "en")
    what = f"{what[:1].upper()}{what[1:]} about {about}."
    moments = []
    if asked:
        moments.append(f"when asked to {listed([f'“{each}”' for each in asked], 'en')}")
    if questions:
        moments.append(f"before you ask {listed([f'“{each}”' for each in questions], 'en')}")
    said = "".join(f"{moment}, " for moment in moments) + ("or " if moments else "")
    return f"{what} Read it {said}before you work on {touched}"


def order(summary: str) -> str:
    """A request without its courtesies: ``please deploy it again.`` → ``deploy it``."""
    before = None
    said = " ".join(summary.split())
    while said != before:
        before, said = said, _TAIL.sub("", _POLITE.sub("", said))
    return said if said.isupper() or not said.isascii() else f"{said[:1].lower()}{said[1:]}"


def habit(question: str, leader: str, language: str) -> str:
    """A repeated decision as a sentence; without counts, which would change it every night."""
    if language == "ja":
        return f"「{question}」には、たいてい「{leader}」を選ぶ。"
    return f"When asked “{question}”, the answer is usually “{leader}”."


def made_from(count: int, first: str, last: str, language: str, *, habits: int = 0) -> str:
    """The last line of a note: how many memories it was made from, and of which days, and whether of usual choices."""
    days = first if first == last else f"{first} – {last}"
    if language == "ja":
        said = [f"承認済みの記憶{count}件（{days}）"] if count else []
        return f"_{'と'.join([*said, *(['いつもの選択'] if habits else [])])}から作成。_"
    said = [f"{count} approved {'memory' if count == 1 else 'memories'}, {days}"] if count else []
    return f"_Made from {', and '.join([*said, *(['usual choices'] if habits else [])])}._"


_QUESTION = re.compile(r"^When asked “(.+?)”, the answer is usually|^「(.+?)」には、たいてい")


def question_of(habit_text: str) -> str:
    """The question of a sentence that ``habit`` made; empty for any other."""
    match = _QUESTION.match(habit_text)
    return (match.group(1) or match.group(2)) if match else ""


MADE_FROM = re.compile(
    r"^_(?:Made from (?:\d+ approved memor|usual choices)|(?:承認済みの記憶\d+件|いつもの選択から作成)).*_$"
)

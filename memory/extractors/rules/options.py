"""Finds the options an agent offered and which one a short answer picks ("B", 「1で」, "the latter")."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """`text` is the option's words, `start`/`end` their offsets in the agent's utterance."""

    label: str
    text: str
    start: int
    end: int


_LABEL = re.compile(
    r"(?:(?<=^)|(?<=[\s。、:：;；,(（]))(?:(?:Option|Choice|Plan|Variant|Approach|案|プラン|選択肢|方法)\s*)?[(（]?"
    r"(?P<label>[A-Ea-e1-6Ａ-Ｅａ-ｅ１-６アイウエオ①-⑥])(?:案)?(?:[)）.．:：、]|(?=\s(?:keeps?|uses?|is|has|adds?|makes?|switches|stores?|puts?|moves?|splits?|means|gives|would|stays?)\b)|(?<=案)(?=は|[:：]))\s*",
    re.M,
)
_ORDINAL = {
    "first": 0, "former": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "最初": 0, "前者": 0, "一つ目": 0, "1つ目": 0, "一番目": 0,
    "二つ目": 1, "2つ目": 1, "二番目": 1, "三つ目": 2, "3つ目": 2, "三番目": 2,
}  # fmt: skip
_PICK = re.compile(
    r"^(?:\W|ok|okay|hm+|well|yes|yeah|yep|so|then|lets|let us|let's|go|do|with|going|i would|id|i|say|take|pick|choose|prefer|like|for|use|option|number|no|nr|plan|the|じゃあ?|では|うーん|うん|はい|やっぱり?|それなら|なら|案|ここは|今回は|、)*?"
    r"\s*(?P<pick>[a-e1-6アイウエオ]|first|second|third|1st|2nd|3rd|former|latter|last|最初|前者|後者|[一二三123]つ目|[一二三]番目|最後)(?:の?(?:案|方|ほう|やつ))?"
    r"(?=$|[\s.,!;:。、…\W]|で|に|が|かな|を|だ|一択|です|obviously|please|pls|い)",
    re.A,
)
_NOT_A_PICK = re.compile(
    r"^\W*(?:a|i) (?!is|please|it|then|works|sounds|looks|seems|for|and|,)\w|\?|^[1-6][\d.:/%]|^\d+(?:\.\d+)|^[1-6] ?(?:days?|hours?|min|files?|more|times?|分|日|件|個|回|時|月|人|つ(?!目))",
    re.A,
)


def options(text: str) -> list[Option]:
    """The labelled alternatives in an agent's utterance, [] when fewer than two are offered."""
    marks = list(_LABEL.finditer(text))
    found: list[Option] = []
    for n, m in enumerate(marks):
        stop = marks[n + 1].start() if n + 1 < len(marks) else len(text)
        body = text[m.end() : stop]
        cut = re.search(
            r"\n|(?<=[a-z0-9)])\.(?=\s)|。|(?<=[）)])(?=、)|、\s*$|,?\s+(?:or|and)\s*$|[,;]\s*$", body
        )
        body = body[: cut.start()] if cut else body
        label = unicodedata.normalize("NFKC", m.group("label")).lower()
        clean = body.strip(" \t　、,;")
        if clean and label not in {o.label for o in found}:
            start = m.end() + body.index(clean)
            found.append(Option(label, clean, start, start + len(clean)))
    return found if len(found) > 1 and _same_series(found) else []


def _same_series(found: list[Option]) -> bool:
    labels = "".join(o.label for o in found)
    return any(labels.startswith(series[:2]) for series in ("abcde", "123456", "アイウエオ"))


def pick(form: str, offered: list[Option]) -> Option | None:
    """The option that a folded answer names, None if it names none."""
    if not offered or _NOT_A_PICK.search(form):
        return None
    m = _PICK.match(form)
    if m is None:
        # "3 sounds fancy but …. go with 2": the verb of choice decides, wherever it stands.
        m = re.search(
            r"\b(?:go(?:ing)? with|take|pick|choose|do|use)(?: option| number| plan)? (?P<pick>[a-e1-6])\b",
            form,
            re.A,
        )
    if m is None:
        return None
    said = m.group("pick")
    if said in ("latter", "last", "後者", "最後"):
        return offered[-1]
    if said in _ORDINAL:
        return offered[_ORDINAL[said]] if _ORDINAL[said] < len(offered) else None
    return next((o for o in offered if o.label == said), None)

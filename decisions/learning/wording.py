"""The sentences of a recommendation, in the person's language (design section 5, "Premise", "States").

Plain functions with a `lang`: they are sent to agents, whose language is the request's and not the process's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .types import Confidence, Lang, Prediction

_CONFIDENCE: dict[Confidence, str] = {"low": "低", "medium": "中", "medium-high": "中〜高", "high": "高"}
_AROUND_JA = {
    "phase": "フェーズ",
    "workflow": "ワークフロー",
    "spec": "仕様",
    "branch": "ブランチ",
    "machine": "マシン",
    "permission_mode": "権限モード",
    "effort": "エフォート",
}
_REASONS: dict[str, tuple[str, str]] = {
    "static": ("Too few choices are known here yet.", "ここでの選択の記録がまだ足りません。"),
    "sensitive": (
        "This concerns security, production or something that cannot be undone: always for you to decide.",
        "安全・本番環境、または取り消せない操作に関わるため、必ずご本人が決めます。",
    ),
    "always_ask": ("You asked to be asked every time.", "「毎回たずねる」に設定されています。"),
    "muted": (
        "Recommendations are muted for this session.",
        "このセッションでは推奨を止めています。",
    ),
    "not_allowed": (
        "Settling questions without asking is switched off in this workspace.",
        "このワークスペースでは、たずねずに決めることが無効になっています。",
    ),
    "multi": ("Several answers are possible.", "複数の回答がありえます。"),
    "not_mature": (
        "The habit is not settled enough to skip the question.",
        "たずねずに決められるほど傾向が固まっていません。",
    ),
    "no_clear_preference": ("There is no clear preference.", "明確な傾向がありません。"),
    "uncertain": (
        "The habit is settled, but not certain enough to skip the question.",
        "傾向は固まっていますが、たずねずに決められるほど確かではありません。",
    ),
    "recent_change": (
        "Your latest choices differ from your habit.",
        "直近の選択がこれまでの傾向と異なります。",
    ),
    "reported": (
        "Some of the choices were reported and not seen by us.",
        "直接確認していない、報告された選択が含まれています。",
    ),
    "certain": (
        "You nearly always choose this, so the question was settled for you.",
        "ほぼ毎回これを選んでいるため、代わりに決めました。",
    ),
    "identical": (
        "Your latest {run} free choices were all this one, so the question was settled for you.",
        "直近 {run} 回の選択がすべて同じだったため、代わりに決めました。",
    ),
}


def reason_text(reason: str, lang: Lang, *, run: int = 0) -> str:
    """One sentence for a reason code of `Advice.reason`. KeyError for an unknown code."""
    return _REASONS[reason][lang == "ja"].format(run=run)


def confidence_label(confidence: Confidence, lang: Lang) -> str:
    """The word that people see: "medium-high", 「中〜高」."""
    return _CONFIDENCE[confidence] if lang == "ja" else confidence


def static_basis(needed: int, lang: Lang) -> str:
    """`based on static default, 3 observations needed for personalization`."""
    if lang == "ja":
        return f"静的な既定に基づく（個人化まであと {needed} 件の観察が必要）"
    return f"based on static default, {needed} observation{'s' * (needed != 1)} needed for personalization"


def learned_basis(share: float, lang: Lang) -> str:
    """`直近の選択 60% に基づく`. The share is the raw one, which people can count."""
    percent = f"{share * 100:.0f}%"
    return f"直近の選択 {percent} に基づく" if lang == "ja" else f"based on {percent} of recent choices"


def preferred_basis(lang: Lang) -> str:
    return "ご本人の設定に基づく" if lang == "ja" else "based on your own setting"


def labelled(label: str, basis: str, lang: Lang) -> str:
    """`Tier M (推奨) — 直近の選択 60% に基づく`."""
    return f"{label} ({'推奨' if lang == 'ja' else 'Recommended'}) — {basis}"


def observed(label: str, lang: Lang) -> str:
    """`TDD — 観察ベース（明確な傾向なし）`: what leads without leading clearly."""
    if lang == "ja":
        return f"{label} — 観察ベース（明確な傾向なし）"
    return f"{label} — observation-based (no clear preference)"


def inferred(label: str, share: float, lang: Lang) -> str:
    """A preference in words, where no label is due."""
    percent = f"{share * 100:.0f}%"
    if lang == "ja":
        return f"これまでの傾向: {label}（直近の選択の {percent}）"
    return f"Inferred preference: {label} ({percent} of recent choices)"


def by_hand(label: str, lang: Lang) -> str:
    """What the person set, in words, where no label is due."""
    return f"{label} — {preferred_basis(lang)}"


def by_default(label: str, needed: int, lang: Lang) -> str:
    """The static state without a label of ours: the marked default in words, or that there is none."""
    return f"{label or ('推奨なし' if lang == 'ja' else 'No recommendation')} — {static_basis(needed, lang)}"


def premise(given: str, prediction: Prediction, lang: Lang, *, by_hand: bool = False) -> str:
    """Recommended when …: the caller's, else the contexts in which the leader was chosen, else the fallback.

    ``by_hand``: the person set the option; what was chosen says nothing about when that holds.
    """
    ja = lang == "ja"
    if given.strip():
        return _given(" ".join(given.split()), lang)
    if by_hand:
        return (
            "ご本人の設定が今も合うときに推奨" if ja else "Recommended when what you set yourself still fits"
        )
    if prediction.state == "static":
        return "ここでの習慣がまだないときに推奨" if ja else "Recommended when you have no habit here yet"
    if prediction.premise_context:
        return _contexts(prediction.premise_context, lang)
    days = int(prediction.age_days or 0)
    if ja:
        return f"直近の選択（最終: {days} 日前）が今も当てはまるときに推奨"
    return f"Recommended when your recent choices (last: {days} day{'s' * (days != 1)} ago) still hold"


def _given(text: str, lang: Lang) -> str:
    """The caller's words fit into no Japanese sentence for sure, so they stand behind a colon there."""
    if lang == "ja":
        return text if "推奨" in text else f"推奨される条件: {text}"
    bare = re.sub(r"^recommended (?:when|if|for)\b[ :…]*|^(?:when|if)\b ", "", text, flags=re.IGNORECASE)
    return f"Recommended when {bare}"


def _contexts(contexts: Mapping[str, str], lang: Lang) -> str:
    shown = {name: " ".join(value.split())[:60] for name, value in contexts.items()}
    if lang == "ja":
        named = [f"{_AROUND_JA.get(name, name + ' ')}が {value}" for name, value in shown.items()]
        return "、".join(named) + " のときに推奨"
    return "Recommended when " + " and ".join(f"{name.replace('_', ' ')} is {v}" for name, v in shown.items())

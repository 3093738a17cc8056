"""Which of the seven recurring kinds of choice a question is; `other` is an answer too (design section 5, "Categories").

Rules, not a model: they are shown to people, who can correct the category of a point.
"""

from __future__ import annotations

import re
from typing import Final

from core.text import fold

from .types import CATEGORIES, Question

_MODEL_NAMES = r"opus|sonnet|haiku|fable|claude|gpt(?:-?\w+)*|gemini|llama|mistral|mixtral|qwen|deepseek|codex|grok|kimi|gemma|o[134](?:-mini)?"
# Per category: words that settle it, and words that only lean that way (they need company). Latin words have borders.
_RULES: Final[dict[str, tuple[str, str]]] = {
    "tier": (
        r"\btiers?\b|ティア|\bspec tier\b|階層レベル",
        r"\btier [sml]\b|\b(?:size|scale) of the (?:spec|change|task)\b|規模|ランク",
    ),
    "cycle_type": (
        r"\bcycle[ _-]?types?\b|\b[tdba]tdd\b|\b[tdb]dd\b|\btest[ -](?:driven|first)\b|\b(?:domain|behaviou?r)[ -]driven\b"
        r"|\bdevelopment (?:cycle|methodology|mode)\b|テスト駆動|ドメイン駆動|振る舞い駆動|サイクル種別|開発サイクル|開発手法",
        r"\bcycles?\b|サイクル|\bmethodolog(?:y|ies)\b|手法",
    ),
    "worktree_strategy": (
        r"\b(?:git )?work[ -]?trees?\b|ワークツリー|作業ツリー",
        r"\b(?:checkout|isolat(?:ed|ion)) (?:copy|branch|workspace)\b|\bbranch strategy\b|ブランチ戦略|ブランチ運用",
    ),
    "pr_routing": (
        r"\bprs?\b|\bpull[ -]requests?\b|\bmerge[ -]requests?\b|プルリク(?:エスト)?|プルリクエスト|マージリクエスト",
        r"\b(?:direct|push|commit|merge)\w* (?:straight |directly )?(?:in)?to (?:main|master|trunk|develop)\b|\bdraft\b"
        r"|\bcode review\b|レビュー依頼|(?:main|master|メイン)(?:ブランチ)?(?:に|へ)|直接(?:push|プッシュ|マージ)|\bmrs?\b",
    ),
    "model_selection": (
        r"\b(?:which|what|llm|ai|language|claude|gpt|coding|agent|subagent|default|larger|smaller|cheaper|faster)"
        r"(?: \w+)? models?\b|\bmodel[ _-]?(?:selection|choice|name|id|policy)\b|(?:どの|使用する?|利用する?|言語|ai|llm)の?モデル"
        r"|モデル(?:選択|選定|の選択|を選|は(?:どれ|どちら|何)|名)",
        rf"\b(?:{_MODEL_NAMES})\b|\bmodels?\b|モデル|\bllms?\b",
    ),
    "effort_level": (
        r"\b(?:reasoning|thinking|effort)[ _-]?(?:effort|level|budget|depth|mode)s?\b|\befforts?\b|\bultrathink\b|\bxhigh\b"
        r"|エフォート|努力レベル|思考(?:量|レベル|の深さ|の強さ|予算)|推論(?:量|レベル|の深さ|の強さ)",
        r"\bthink(?:ing)? (?:hard|harder|deeper|more)\b|深く考え|\bthoroughness\b|どこまで(?:深く|丁寧に)",
    ),
    "team_mode": (
        r"\bteam[ _-]?modes?\b|\b(?:agents?|sub-?agents?)[ _-]?teams?\b|\bsolo\b|\bteammates?\b|\bsub-?agents?\b|\bswarm\b"
        r"|チームモード|エージェントチーム|チーム編成|サブエージェント|ソロ|単独(?:モード|で)",
        r"\bteams?\b|チーム|\bparallel(?:ly)? (?:agents?|work(?:ers)?)\b|並列|\bsingle agent\b|\bmulti-?agents?\b",
    ),
}
_COMPILED = {name: (re.compile(strong), re.compile(weak)) for name, (strong, weak) in _RULES.items()}
# "The data model" is not a language model, "single-tier" pricing is still a tier. Taken out before anything is read.
_NOT_MEANT = re.compile(
    r"\b(?:data|domain|database|db|django|orm|eloquent|active ?record|object|user|account|order|table|view|schema"
    r"|pydantic|sqlalchemy|permission|threat|pricing|business|thread(?:ing)?|memory|event|state|entity|3d|content)[ -]models?\b"
    r"|(?:データ|ドメイン|ユーザー?|業務|脅威|テーブル|django|ビュー|料金|状態)の?モデル|ビューモデル|モデル(?:クラス|定義|図|のフィールド)"
    r"|\b(?:best|good|great|worth the|minimal|low) effort\b|\b(?:life|release|billing|clock|import|retain) ?cycles?\b|ライフサイクル"
    r"|リサイクル|\bteam (?:name|members?|id|page|plan)s?\b|チーム(?:名|メンバー)|\bparallel (?:tests?|jobs?)\b|ソロモン"
)
_HEADER, _TEXT, _OPTIONS = 3, 2, 1
_STRONG, _ENOUGH = (
    3,
    4,
)  # a strong word counts three times a weak one; a lone weak word in the text (2) is not enough


def categorise(question: Question) -> str:
    """One of `CATEGORIES`: the asker's own if it is one, else the rule that scores highest, else "other".

    Header, question and options are read; on a tie the order of CATEGORIES decides.
    """
    if question.category in CATEGORIES:
        return question.category
    parts = (
        (_HEADER, _spaced(question.header)),
        (_TEXT, _spaced(question.text)),
        *((_OPTIONS, _spaced(option.label)) for option in question.options),
    )
    scores = {name: sum(_score(name, weight, text) for weight, text in parts) for name in _COMPILED}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] >= _ENOUGH else "other"


def _score(name: str, weight: int, text: str) -> int:
    strong, weak = _COMPILED[name]
    if strong.search(text):
        return weight * _STRONG
    return weight if weak.search(text) else 0


def _spaced(text: str) -> str:
    """Folded, with snake_case and camelCase taken apart, so that word borders are where readers see them.

    Latin words inside Japanese get borders as well: 「PRを」 is "pr を".
    """
    text = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])|_", " ", text)
    text = re.sub(
        r"(?<=[ぁ-んァ-ヶー一-龠々])(?=[a-z0-9])|(?<=[a-z0-9])(?=[ぁ-んァ-ヶー一-龠々])", " ", fold(text)
    )
    return _NOT_MEANT.sub(" ", " ".join(text.split()))

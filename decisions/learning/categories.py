"""Which of the seven recurring kinds of choice a question is; `other` is an answer too (design section 5).

Rules, not a model: they are shown to people, who can correct the category of a point.
"""

from __future__ import annotations

import re
from typing import Final

from core.text import fold

from .types import CATEGORIES, Question

# Per category: words that settle it, and words that only lean that way. Latin words have borders.
_RULES: Final[dict[str, tuple[str, str]]] = {
    "tier": (
        r"\btiers?\b|ティア|階層レベル",
        r"\b(?:size|scale) of the (?:spec|change|task)\b|規模|ランク",
    ),
    "cycle_type": (
        r"\bcycle[ -]?types?\b|\b(?:at|b|d|t)dd\b|\btest[ -](?:driven|first)\b"
        r"|\b(?:domain|behaviou?r)[ -]driven\b|\bdevelopment (?:cycle|methodology|mode)\b"
        r"|テスト駆動|ドメイン駆動|振る舞い駆動|サイクル種別|開発サイクル|開発手法",
        r"\bcycles?\b|サイクル|\bmethodolog(?:y|ies)\b|手法",
    ),
    "worktree_strategy": (
        r"\bwork[ -]?trees?\b|ワークツリー|作業ツリー",
        r"\bisolated (?:copy|branch|workspace)\b|\bbranch(?:ing)? strategy\b|ブランチ戦略|ブランチ運用",
    ),
    "pr_routing": (
        r"\bprs?\b|\b(?:pull|merge)[ -]requests?\b|プルリク|マージリクエスト",
        r"\b(?:push|commit|merge)\w* (?:straight |directly )?(?:in)?to (?:main|master|trunk|develop)\b|\bmrs?\b"
        r"|レビュー依頼|(?:main|master|メイン) ?(?:ブランチ)?(?:に|へ)|直接 ?(?:push|プッシュ|マージ)",
    ),
    "model_selection": (
        r"\b(?:which|what|llm|ai|language|claude|gpt|coding|agent|subagent|default|larger|smaller|cheaper|faster)"
        r"(?: \w+)? models?\b|\bmodel[ -]?(?:selection|choice|name|id|policy)\b|\b(?:opus|sonnet|haiku)\b"
        r"|\bgpt-?\d|(?:どの|使用する?|利用する?|使う|言語|ai ?|llm ?)の?モデル"
        r"|モデル(?:選択|選定|の選択|を選|は(?:どれ|どちら|何)|名)",
        r"\bmodels?\b|モデル|\bllms?\b|\b(?:claude|gpt|gemini|llama|mistral|qwen|deepseek|codex|grok)\b",
    ),
    "effort_level": (
        r"\b(?:reasoning|thinking)[ -]?(?:effort|level|budget|depth|mode)s?\b|\befforts?\b|\bultrathink\b"
        r"|\bxhigh\b|エフォート|努力レベル|(?:思考|推論)(?:量|レベル|の深さ|の強さ|予算)",
        r"\bthink(?:ing)? (?:hard|harder|deeper|more)\b|深く考え|\bthoroughness\b|どこまで(?:深く|丁寧に)",
    ),
    "team_mode": (
        r"\bteam[ -]?modes?\b|\b(?:sub-?)?agents?[ -]?teams?\b|\bsolo\b|\bteammates?\b|\bsub-?agents?\b"
        r"|\bswarm\b|チームモード|エージェントチーム|チーム編成|サブエージェント|ソロ|単独(?:モード|で)",
        r"\bteams?\b|チーム|\bparallel agents?\b|並列|\bsingle agent\b|\bmulti-?agents?\b",
    ),
}
_COMPILED = {name: (re.compile(strong), re.compile(weak)) for name, (strong, weak) in _RULES.items()}
# "The data model" is not a language model. Taken out before anything is read.
_NOT_MEANT = re.compile(
    r"\b(?:data|domain|database|db|django|orm|object|user|account|order|table|view|schema|pydantic|permission"
    r"|threat|pricing|business|thread(?:ing)?|memory|event|state|entity|content)[ -]models?\b"
    r"|(?:データ|ドメイン|ユーザー?|業務|脅威|テーブル|django ?|ビュー|料金|状態)の?モデル"
    r"|モデル(?:クラス|定義|図|のフィールド)|\b(?:best|good|great|worth the|minimal) effort\b"
    r"|\b(?:life|release|billing|clock|import) ?cycles?\b|ライフサイクル|リサイクル"
    r"|\b(?:3d|[23]-?d|render|car|phone|device) ?models?\b"
    r"|\b(?:pricing|price|free|paid|subscription|billing|storage|support|service)[ -]tiers?\b"
    r"|\b(?:one|two|three|multi|n|\d)[ -]?tier(?:ed)?\b|料金ティア|(?:三|二|多)層"
    r"|\bteam (?:names?|members?|ids?|pages?|plans?)\b|チーム(?:名|メンバー)|ソロモン"
)
_HEADER, _TEXT, _OPTIONS = 3, 2, 1
_STRONG = 3  # a word that settles it counts three times one that leans
_ENOUGH = 3  # a leaning header, or one strong word anywhere; a lone leaning word in the text is not enough


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

"""Logs of what was done, mirrors of other records, and chatter: nothing that holds tomorrow. Pure."""

from __future__ import annotations

import re

from core.text import fold

_FILE = r"[\w./-]+\.(?:py|ts|tsx|js|go|rs|md|json|ya?ml|toml|txt|sql)(?![a-z0-9])"
_CHATTER = (
    r"^(?:ok(?:ay)?|done|thanks?|thank you|great|nice|lgtm|yes|no|sure|fixed|wip|todo|tbd|hello|hi)[.! ]*$",
    r"^(?:了解|承知|ありがとう(?:ございます)?|はい|いいえ|完了|お疲れ様です?|よろしく(?:お願いします)?)"
    r"(?:しました|です)?[。! ]*$",
)
_DID = "created|updated|deleted|renamed|edited|moved|committed|pushed|merged|opened|closed|ran|fixed|installed|reverted"
_DIARY = (
    rf"^(?:(?:i|we|the agent|claude)(?: have| has|'ve)? |successfully )?(?:{_DID})\b"
    # "Closed issues are not reopened" is a rule.
    r"(?!.*\b(?:are|is|must|should|never|always|not)\b)"
    rf"(?=.*(?:\bpr\b|pull request|issue|\bcommit\b|#\d+|{_FILE}|\btests?\b|\b[0-9a-f]{{7,40}}\b))",
    rf"^(?:pr|pull request|issue|commit) ?#?[0-9a-f]+ (?:was |is |has been )?(?:{_DID})\b",
    r"^all (?:\d+ )?tests (?:passed|are passing|pass)[.! ]*$",
    r"^(?:pr|プルリク(?:エスト)?|イシュー|コミット) ?#?[0-9a-f]+ ?[をがは]"
    r"(?:マージ|クローズ|作成|オープン|プッシュ)(?:した|しました|された|されました)[。 ]*$",
    rf"(?:{_FILE}|ファイル) ?を(?:作成|更新|削除|編集|移動|リネーム)(?:した|しました)[。 ]*$",
    r"^(?:すべての|全ての|全)?テスト[はが](?:すべて|全て|全部)?(?:通った|通りました|成功した|成功しました)[。 ]*$",
)
_NOISE = re.compile("|".join((*_CHATTER, *_DIARY)))
_SHORTEST = 3  # letters and digits that say something


def is_noise(text: str) -> bool:
    """Whether the text only tells what was done, repeats another record, or says nothing at all."""
    folded = fold(text).strip()
    return bool(_NOISE.search(folded)) or sum(char.isalnum() for char in folded) < _SHORTEST

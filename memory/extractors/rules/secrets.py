"""Keeps anything that looks like a credential out of proposals, whatever was redacted before."""

from __future__ import annotations

import re

_SECRET = re.compile(
    r"\[redacted:"
    r"|\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abeprs]|whsec|npm|pypi|hf|dop_v1|shpat|sq0\w+|AKIA|ASIA|AIza|ya29|eyJ)[-_A-Za-z0-9.]{10,}"
    r"|\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|(?i:\b[\w-]*(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)[\w-]*\s*(?:[:=]|\bis\b|は)\s*[\"']?(?=[^\s\"']*\d)[^\s\"']{6,})"
    r"|(?:パスワード|暗証番号|合言葉|トークン|秘密鍵)(?:は|が|:|：|＝|=)\s*[\"「]?[!-~]{5,}"
    r"|\b(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Z])(?=[A-Za-z0-9+/_-]*[a-z])[A-Za-z0-9+/_-]{28,}={0,2}(?![A-Za-z0-9])"
    r"|\b[0-9a-f]{32,}\b",
)


# Near a word for "key", any long mixed token is taken for one: a lost fact costs less than a leaked key.
_NAMES_KEY = re.compile(
    r"(?i)(?<![a-z])(?:keys?|tokens?|secrets?|passwords?|passwd|pwd|pass|credentials?|login)(?![a-z])|キー|トークン|鍵|パスワード|暗証|認証情報"
)
_MIXED = re.compile(
    r"(?=[^\s]*\d)(?=[^\s]*[A-Za-z])[A-Za-z0-9]+(?:[-_:.][A-Za-z0-9]+){2,}|(?=[A-Za-z]*\d)[A-Za-z0-9]{12,}"
)


def looks_secret(text: str) -> bool:
    """True if `text` carries a credential or the mark that one was cut out."""
    if _SECRET.search(text):
        return True
    return bool(_NAMES_KEY.search(text)) and any(len(m.group()) >= 12 for m in _MIXED.finditer(text))

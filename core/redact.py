"""Take secrets out of text by the shape of their values (design section 8).

One file, standard library only, Python 3.9: the client plugin carries a byte-equal copy, so that a secret is cut before
it leaves the machine; the server runs the same again before storage, recall and export.

Three families: tokens whose own shape names them (`ghp_…`), values that stand where a secret stands (`PASSWORD=…`,
`Authorization: …`, a URL's password, 「パスワードは …」) and look like one, and card numbers. Sentences *about* keys
survive: a word such as "password" alone never redacts anything; what follows must look like a value.

Every pattern is linear: quantifiers are bounded or run over characters that the next part excludes, and a pattern runs
only if one of its literal hints occurs in the text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Callable, Optional


@dataclass(frozen=True)
class Found:
    """One redacted value: its type and its offsets (code points) in the text that was given."""

    type: str
    start: int
    end: int


@dataclass(frozen=True)
class Redaction:
    """The text with `[redacted:<type>]` in place of each secret, and what was found, in order."""

    text: str
    found: tuple[Found, ...]


@dataclass(frozen=True)
class Kind:
    """A shape: any of `hints` (lower case) must occur before `pattern` runs; group `v`, else the whole match, is the
    secret; `check` may still refuse the value."""

    type: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Optional[Callable[[str], bool]] = None


_W = r"(?<![A-Za-z0-9_])"  # not in the middle of a word
_E = r"(?![A-Za-z0-9_])"


def _token(type: str, hints: str, pattern: str) -> Kind:
    """A value that names itself; it may not continue a longer word."""
    return Kind(type, tuple(hints.split()), re.compile(_W + "(?:" + pattern + ")" + _E))


def _where(type: str, hints: str, pattern: str, check: Callable[[str], bool], flags: int = re.I) -> Kind:
    """A value recognised by where it stands; `pattern` has a group `v`."""
    return Kind(type, tuple(hints.split()), re.compile(pattern, flags), check)


# ---------------------------------------------------------------------------------------------------------------------
# What a value looks like

_PLACEHOLDER = re.compile(
    r"""[\[<{(%$*]|\.\.\.|…|\*{3,}|x{4,}\b|X{4,}\b|(?:your|my|the|some|insert|replace|change|enter|put|todo|dummy)(?:[-_ ]|me\b)
      | (?:null|none|nil|true|false|undefined|redacted|required|optional|string|str|bytes|secret|password|passwd|pass|pwd
          |token|postgres|root|admin|user|test|changeme|example)[\W_]*$
      | (?:os|process|self|this|request|req|settings|config|env|secrets|ctx|data|params|args|vault|ssm|op)[.:]
      | (?:env|getenv|get|input|getpass|require)\(""",
    re.I | re.X,
)
# Segments of names, algorithms and versions: SHA-256, bcrypt12, v2, utf8mb4, 12chars.
_TECHNICAL = re.compile(
    r"[a-z]*|\d*|v\d+|(?:sha|md|argon|pbkdf|bcrypt|scrypt|base|utf|aes|rsa|oauth|hs|rs|es|ps|ed|ecdsa|hmac|x|p|k|s|ec|http|"
    r"ipv|log|l|h|web|auth|saml|totp|fido|u|i18n|l10n|a11y|e2e|py|python|node|java|db)\d+(?:mb\d)?[a-z]{0,5}|\d+(?:chars?|bits?|bytes?|"
    r"days?|[a-z]|min|sec|st|nd|rd|th)|[a-z]+\d",
    re.I,
)
_SEGMENTS = re.compile(r"[-_./:\\@+,~]+")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
_CODE = re.compile(
    r"[A-Za-z_][\w.]*[(\[]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|(?:\.{0,2}|~)/[\w.-]+/|[A-Za-z]:\\|https?://"
)


def _entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _is_placeholder(value: str) -> bool:
    return bool(_PLACEHOLDER.match(value)) or len(set(value)) < 3


def _is_technical(value: str) -> bool:
    """Words, versions, names of algorithms: text that people write about secrets."""
    return all(_TECHNICAL.fullmatch(part) for part in _SEGMENTS.split(value))


def _password(value: str) -> bool:
    """A password stated in prose or after a colon: six or more characters that are not plain words."""
    if len(value) < 6 or _is_placeholder(value) or _CODE.match(value):
        return False
    if re.fullmatch(r"[A-Za-z]{4,}\d{1,2}", value):  # hunter2, but not sha1 or base64
        return not re.fullmatch(
            r"(?:sha|md|base|utf|aes|bcrypt|scrypt|argon|pbkdf|oauth|step|day|phase|version|section)\d+",
            value,
            re.I,
        )
    return not _is_technical(value) and not re.fullmatch(r"\d+[^\w]*", value)


def _assigned_password(value: str) -> bool:
    """A password in `KEY=value` form: also word chains (correct-horse-battery) and digits."""
    if len(value) < 6 or _is_placeholder(value) or _CODE.match(value):
        return False
    return _password(value) or value.isdigit() or (len(value) >= 12 and bool(re.search(r"[-_!#^&*]", value)))


def _pin(value: str) -> bool:
    return value.isdigit() and 4 <= len(value) <= 12


def _key(value: str) -> bool:
    """A machine-made value: 16 or more characters with the disorder that words, paths and versions lack."""
    if len(value) < 16 or _is_placeholder(value) or _CODE.match(value):
        return False
    if _UUID.fullmatch(value):
        return True
    longest = max(_SEGMENTS.split(value), key=len)
    mixed = bool(re.search(r"\d", value)) or (
        longest != longest.lower() and longest != longest.upper() and len(longest) >= 20
    )
    return (
        mixed
        and _entropy(value) >= 2.5
        and not (_is_technical(value) and not re.fullmatch(r"[A-Za-z]{20,}\d*", longest))
    )


def _url_password(value: str) -> bool:
    return len(value) >= 3 and not _is_placeholder(value) and not value.startswith("//")


def _base32(value: str) -> bool:
    bare = re.sub(r"[\s-]", "", value).rstrip("=")
    return (
        len(bare) >= 16 and re.fullmatch(r"[A-Za-z2-7]+", bare) is not None and _entropy(bare.upper()) >= 2.5
    )


def _luhn(value: str) -> bool:
    digits = [int(c) for c in value if c.isdigit()]
    if len(set(digits)) < 3:
        return False
    doubled = (d if i % 2 == 0 else d * 2 - 9 * (d > 4) for i, d in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


def _any(value: str) -> bool:
    return not _is_placeholder(value)


# ---------------------------------------------------------------------------------------------------------------------
# Values that name themselves

_TOKENS = (
    # blocks first: what they cover is not looked at again
    Kind(
        "private-key",
        ("private key",),
        re.compile(
            r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*(?:-----END [A-Z0-9 ]{0,40}-----)?"
        ),
    ),
    Kind(
        "private-key",
        ("ls0tls1crudjtib",),
        re.compile(r"LS0tLS1CRUdJTiB[A-Za-z0-9+/=]{40,}"),
        lambda v: "QUklWQVRF" in v or "UFJJVkFURS" in v or "BSSVZBVE" in v,
    ),
    Kind(
        "putty-key",
        ("private-lines",),
        re.compile(r"Private-Lines: \d+\s+(?P<v>(?:[A-Za-z0-9+/=]{16,}\s?)+)"),
    ),
    _token("hikae-key", "hik_", r"hik_[A-Za-z0-9]{1,16}_[A-Za-z0-9_-]{16,}|hik_[A-Za-z0-9_-]{20,}"),
    # clouds
    _token("aws-access-key", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,20}"),
    _token("gcp-api-key", "aiza", r"AIza[\w-]{30,45}"),
    _token("gcp-oauth-token", "ya29.", r"ya29\.[\w.-]{20,}"),
    _token("gcp-client-secret", "gocspx-", r"GOCSPX-[\w-]{20,40}"),
    Kind(
        "azure-storage-key",
        ("accountkey=", "sharedaccesskey="),
        re.compile(r"(?:AccountKey|SharedAccessKey)=(?P<v>[A-Za-z0-9+/]{40,100}={0,2})"),
    ),
    Kind("azure-sas", ("sig=",), re.compile(r"[?&]sig=(?P<v>[A-Za-z0-9%+/=_-]{40,200})")),
    _token("azure-client-secret", "q~", r"[\w~.-]{3}\dQ~[\w~.-]{31,34}"),
    _token("azure-devops-token", "azdo", r"[A-Za-z0-9]{60,80}AZDO[A-Za-z0-9]{4}"),
    _token("digitalocean-token", "_v1_", r"do[opr]_v1_[a-f0-9]{40,64}"),
    _token("alibaba-key", "ltai", r"LTAI[A-Za-z0-9]{12,24}"),
    _token("cloudflare-key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}"),
    _token("heroku-key", "hrku-", r"HRKU-[\w-]{30,}"),
    _token("fly-token", "fm2_ fo1_", r"(?:fm2|fo1)_[\w+/=,.-]{40,}"),
    _token("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{32,}"),
    _token("supabase-key", "sbp_ sb_secret_", r"sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,}"),
    _token("planetscale-token", "pscale_", r"pscale_(?:pw|tkn|oauth)_[\w.-]{20,}"),
    _token("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _token("tailscale-key", "tskey-", r"tskey-[a-z]{3,12}-[\w-]{16,}"),
    # code forges and registries
    _token(
        "github-token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_\w{20,255}",
    ),
    _token(
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[\w.-]{16,}",
    ),
    _token("bitbucket-token", "atbb atctt3", r"ATBB[A-Za-z0-9]{24,40}|ATCTT3[\w=-]{40,}"),
    _token("atlassian-token", "atatt3", r"ATATT3[\w=-]{40,}"),
    _token("npm-token", "npm_", r"npm_[A-Za-z0-9]{30,40}"),
    _token("pypi-token", "pypi-", r"pypi-[\w-]{50,}"),
    _token("docker-token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{20,}"),
    _token("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{40,}"),
    _token("artifactory-key", "akcp cmvmdgtu", r"AKCp[A-Za-z0-9]{50,}|cmVmdGtu[A-Za-z0-9]{40,}"),
    _token(
        "hashicorp-token",
        "hvs. hvb. hvr. atlasv1",
        r"hv[sbr]\.[\w-]{20,}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{50,}",
    ),
    _token("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,35}\.)?[A-Za-z0-9]{40,44}"),
    _token("onepassword-token", "ops_ey", r"ops_ey[\w=-]{60,}"),
    _token(
        "age-key",
        "age-secret-key- age-plugin-",
        r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{30,}|AGE-PLUGIN-[0-9A-Z-]{1,20}-1[0-9A-Z]{20,}",
    ),
    # chat, mail, work
    _token(
        "slack-token",
        "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe xoxc- xoxd- xapp-",
        r"xox[abcdeoprs][.-][\w.%-]{12,}|xapp-\d-[\w-]{12,}",
    ),
    Kind(
        "webhook-url",
        ("hooks.slack", "/webhooks/", "webhook.office", "hooks.zapier", "logic.azure"),
        re.compile(
            r"https://(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[\w/-]{16,}|(?:[a-z]{1,10}\.)?discord(?:app)?\.com/api/webhooks/\d{8,24}/[\w-]{20,}"
            r"|[\w-]{1,60}\.webhook\.office\.com/webhookb2/[\w@/-]{30,}|hooks\.zapier\.com/hooks/catch/\d{3,12}/\w{5,}|[\w.-]{1,80}\.logic\.azure\.com[:\d]{0,5}/workflows/[^\s\"'<>]{30,400})"
        ),
    ),
    _token("discord-token", ".", r"[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,40}"),
    _token("telegram-token", ":aa", r"\d{8,10}:AA[\w-]{30,36}"),
    _token("sendgrid-key", "sg.", r"SG\.[\w-]{16,32}\.[\w-]{30,50}"),
    _token("mailgun-key", "key-", r"key-[a-f0-9]{32}"),
    _token("mailchimp-key", "-us", r"[a-f0-9]{32}-us\d{1,2}"),
    _token("brevo-key", "xkeysib- xsmtpsib-", r"(?:xkeysib|xsmtpsib)-[a-f0-9]{60,64}-[A-Za-z0-9]{12,20}"),
    _token("resend-key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}"),
    _token("twilio-key", "sk", r"SK[0-9a-f]{32}"),
    _token("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{30,64}"),
    _token("notion-token", "ntn_ secret_", r"ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}"),
    _token("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _token("figma-token", "figd_", r"figd_[\w-]{30,50}"),
    _token("postman-key", "pmak-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    # money
    _token(
        "stripe-key",
        "_live_ _test_ whsec_",
        r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{20,}",
    ),
    _token("square-token", "sq0 eaaa", r"sq0[a-z]{3}-[\w-]{20,50}|EAAA[\w-]{56,62}"),
    _token(
        "braintree-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    _token("shopify-token", "shp", r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}"),
    # models
    _token("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{20,}"),
    _token("openrouter-key", "sk-or-", r"sk-or-(?:v1-)?[\w-]{20,}"),
    _token("openai-key", "sk-", r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}|sk-[A-Za-z0-9]{20,64}"),
    _token("huggingface-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,40}"),
    _token("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,60}"),
    _token("replicate-token", "r8_", r"r8_[A-Za-z0-9]{30,40}"),
    _token("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    _token("xai-key", "xai-", r"xai-[A-Za-z0-9]{60,90}"),
    _token("nvidia-key", "nvapi-", r"nvapi-[\w-]{40,80}"),
    # watching
    _token("grafana-token", "glsa_ glc_", r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,}"),
    _token("sentry-token", "sntry", r"sntry[su]_[\w+/=.-]{40,}"),
    _token("newrelic-key", "nrak- nrii- nral", r"NR(?:AK|II)-[\w-]{24,40}|[a-f0-9]{36}NRAL"),
    _token("twitter-token", "aaaaaaaaaaaaa", r"A{13,22}[\w%]{40,120}"),
    _token("facebook-token", "eaa", r"EAA[A-Z][A-Za-z0-9]{80,300}"),
    _token(
        "password-hash",
        "$",
        r"(?<!\$)\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|[156y]\$[./A-Za-z0-9$=,]{20,140}|argon2id?\$[^\s:\"']{40,200})",
    ),
    _token("jwt", "eyj", r"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{4,}){1,3}"),
)

# ---------------------------------------------------------------------------------------------------------------------
# Values that stand where a secret stands

_SEP = r"[\"'`*]{0,3}[ \t]{0,3}(?::=|=>|==?|[:：＝])[ \t]{0,3}[\"'`*]{0,3}"
_BARE = r"(?P<v>[^\s\"'`,;<>「」『』、。（）\u3000\[\]{}]{4,512})"
_PLACES = (
    _where(
        "authorization",
        "authorization",
        rf"authorization{_SEP}(?:bearer|basic|token|digest|negotiate|apikey|bot)?[ \t]{{0,3}}(?P<v>[^\s\"'`,;<>\[\]{{}}$]{{8,2048}})",
        _any,
    ),
    _where("bearer-token", "bearer", r"\bbearer[ \t]{1,3}[\"'`]?(?P<v>[\w.~+/=-]{16,2048})", _key),
    _where(
        "cookie",
        "cookie",
        r"\b(?:set-)?cookie[\"']?[ \t]{0,2}:[ \t]{0,3}[\"']?(?P<v>[\w.%-]{1,60}=[^\s\"'<>\[\]]{8,1024}(?:; ?[\w.%-]{1,60}=[^\s\"'<>\[\];]{1,1024}){0,40})",
        lambda v: _key(v.split("=", 1)[1].split(";")[0]) or len(v) > 40,
    ),
    _where(
        "session-id",
        "sess connect.sid",
        rf"(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|connect\.sid|session_?id|sessid|_session){_SEP}(?P<v>[\w.%:+/=-]{{16,512}})",
        lambda v: _key(v) and not _UUID.fullmatch(v),
    ),
    _where(
        "otp-seed", "otpauth:", r"otpauth://[^\s\"'<>]{1,300}?[?&]secret=(?P<v>[A-Za-z2-7=]{8,128})", _any
    ),
    _where(
        "otp-seed",
        "otp 2fa mfa authenticator 二要素 ワンタイム",
        r"(?:[th]?otp|2fa|mfa|authenticator|二要素認証|ワンタイム)[ _-]{0,2}(?:secret|seed|key|の?シークレット|の?シード|の?キー|の?鍵)?[\"']?[ \t]{0,3}(?:=|:|：|is|は)[ \t]{0,3}[\"'`「]?(?P<v>[A-Z2-7]{16,64}|[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15})(?![A-Za-z0-9])",
        _base32,
    ),
    _where("url-password", "://", r"://[^\s/:@\"'<>]{0,128}:(?P<v>[^\s/@\"'<>\[\]]{3,256})@", _url_password),
    _where(
        "url-token",
        "= &",
        r"[?&](?:access_token|id_token|refresh_token|auth_token|token|api_?key|apikey|key|sig|signature|secret|client_secret|code|x-amz-signature|x-amz-security-token)=(?P<v>[\w.%~+/=-]{16,2048})",
        _key,
    ),
    _where(
        "registry-auth", "_auth", r"_auth(?:token)?[ \t]{0,2}=[ \t]{0,2}[\"']?(?P<v>[\w.+/=-]{16,512})", _key
    ),
    _where(
        "registry-auth", '"auth"', r"\"auth\"[ \t]{0,2}:[ \t]{0,2}\"(?P<v>[A-Za-z0-9+/=]{12,512})\"", _any
    ),
    _where(
        "netrc-password",
        "machine",
        r"\bmachine[ \t]{1,3}\S{1,100}\s{1,3}login[ \t]{1,3}\S{1,100}\s{1,3}password[ \t]{1,3}(?P<v>\S{4,200})",
        _any,
    ),
    _where(
        "password",
        "password passwd passphrase pwd パスワード passcode",
        rf"(?:(?<![A-Za-z])(?:[A-Za-z]{{2,8}}_?)?|(?<=[_\W\d]))(?:password|passwd|passphrase|passcode|pwd)\d?(?:_[A-Za-z0-9]{{1,16}}){{0,2}}[\"']?(?:=|:=)[\"']?{_BARE}",
        _assigned_password,
    ),
    _where(
        "password",
        "password passwd passphrase pwd passcode",
        rf"(?:password|passwd|passphrase|passcode|pwd|\bpass)\d?(?:_[A-Za-z0-9]{{1,16}}){{0,2}}{_SEP}{_BARE}",
        _password,
    ),
    _where(
        "password",
        "password passphrase passcode",
        r"(?:password|passphrase|passcode)(?: for [\w.@ -]{1,40}?)? (?:is|was|=)(?: now)?:? [\"'`]?" + _BARE,
        _password,
    ),
    _where(
        "password",
        "パスワード パスフレーズ 暗証 合言葉",
        r"(?:パスワード|パスフレーズ|合言葉)[\"'」』*`]{0,2}[ \t\u3000]{0,2}(?:は|が|を|＝|=|:|：)[ \t\u3000]{0,2}[\"'`「『*]{0,2}(?P<v>[!-~]{6,200})",
        lambda v: _password(re.split(r"[\"'`,;<>]", v)[0]),
    ),
    _where(
        "pin",
        "pin 暗証",
        r"(?:\bPIN(?: code)?|暗証番号|PINコード)[ \t\u3000]{0,2}(?:=|:|：|is|は)[ \t\u3000]{0,2}[\"'`「]?(?P<v>\d{4,12})(?![\d\w文桁])",
        _pin,
    ),
    _where(
        "command-password",
        "-p --password sshpass",
        r"(?:\b(?:mysql|mysqldump|mysqladmin|sshpass|redis-cli|mongo(?:sh)?)\b[^\n|;&]{0,120}? -(?:p|a)[ ]?[\"']?|--password[= ][\"']?)(?P<v>[^\s\"'$<>-][^\s\"'<>]{5,128})",
        _assigned_password,
    ),
    _where(
        "command-password",
        "curl",
        r"\bcurl\b[^\n|;]{0,200}? (?:-u|--user)[ =]?[\"']?[\w.@+-]{1,80}:(?P<v>[^\s\"'$<>]{4,128})",
        _assigned_password,
    ),
    _where(
        "secret-value",
        "secret token key credential",
        rf"(?<![A-Za-z])(?!(?:idempotency|primary|foreign|cache|partition|sort|public|group|object|csrf|page|next)[_-])(?:[A-Za-z0-9]{{1,24}}[_.-]){{0,5}}(?:(?:api|access|auth|secret|private|signing|encryption|master|service|app|application|account|license|deploy|refresh|bearer|webhook|session|bot|user|admin|client|jwt|hmac|shared|storage|personal)[_ -]?(?:secret|token|key|credential)s?(?:_(?:key|id|value|prod|dev|base))?|secret|token|credential|secret[_-]?key[_-]?base){_SEP}{_BARE}",
        _key,
    ),
    _where(
        "secret-value",
        "_key",
        rf"(?<![A-Za-z0-9_])(?!\w{{0,40}}(?:PUBLIC|PRIMARY|CACHE|PARTITION|SORT|FOREIGN))[A-Z][A-Z0-9_]{{1,60}}_KEY{_SEP}{_BARE}",
        _key,
        0,
    ),
    _where(
        "secret-value",
        "キー トークン シークレット 鍵",
        r"(?:(?:API|アクセス|シークレット|秘密|認証|署名|暗号)[ ・]?(?:キー|鍵|トークン)|トークン|シークレット|秘密鍵)[\"'」』*`]{0,2}[ \t\u3000]{0,2}(?:は|が|を|＝|=|:|：)[ \t\u3000]{0,2}[\"'`「『*]{0,2}(?P<v>[!-~]{16,512})",
        _key,
    ),
    _where(
        "secret-value",
        "secret token key",
        r"(?:api key|access key|secret key|secret|token) (?:is|was|=)(?: now)?:? [\"'`]?" + _BARE,
        _key,
    ),
    _where(
        "aws-secret-key",
        "secret",
        rf"aws.{{0,20}}?secret.{{0,20}}?{_SEP}(?P<v>[A-Za-z0-9/+=]{{40}})(?![A-Za-z0-9/+=])",
        _any,
    ),
    _where(
        "wireguard-key",
        "privatekey presharedkey",
        r"(?:PrivateKey|PresharedKey)[ \t]{0,3}=[ \t]{0,3}(?P<v>[A-Za-z0-9+/]{42,43}=)",
        _any,
    ),
    _where(
        "card-number",
        "3 4 5 6 2",
        r"(?<![\w.-])(?P<v>(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|5\d\d)|35\d\d)([ -]?)\d{4}\2\d{4}\2\d{4}|3[47]\d\d([ -]?)\d{6}\3\d{5}|3(?:0[0-5]|[68]\d)\d([ -]?)\d{6}\4\d{4})(?![\w-]|\.\d)",
        _luhn,
    ),
)

KINDS: tuple[Kind, ...] = _TOKENS + _PLACES
_MARK = re.compile(r"\[redacted:[a-z0-9-]{1,40}\]")


def redact(text: str) -> Redaction:
    """Replace every secret in `text` by `[redacted:<type>]`.

    Idempotent: the result holds nothing more to find, and placeholders are never touched.
    """
    found: list[Found] = []
    current = text
    while True:
        fresh = _scan(current)
        if not fresh:
            return Redaction(current, tuple(found))
        current, found = _replace(current, fresh, found)


def _scan(text: str) -> list[Found]:
    lowered = text.lower()
    taken = [m.span() for m in _MARK.finditer(text)] if "[redacted:" in text else []
    hits: list[Found] = []
    for kind in KINDS:
        if not any(hint in lowered for hint in kind.hints):
            continue
        group = "v" if "v" in kind.pattern.groupindex else 0
        for m in kind.pattern.finditer(text):
            value = m.group(group).rstrip(".,;:!?)")
            start = m.start(group)
            end = start + len(value)
            if not value or any(start < b and a < end for a, b in taken):
                continue
            if kind.check is None or kind.check(value):
                hits.append(Found(kind.type, start, end))
                taken.append((start, end))
    return sorted(hits, key=lambda f: f.start)


def _replace(text: str, fresh: list[Found], known: list[Found]) -> tuple[str, list[Found]]:
    """Write the placeholders; `fresh` counts in `text`, where each `known` value already is a placeholder."""
    out: list[str] = []
    merged = list(known)
    at = 0
    for hit in fresh:
        out += [text[at : hit.start], f"[redacted:{hit.type}]"]
        at = hit.end
        shift = 0
        for old in known:
            grown = len(old.type) + 11 - (old.end - old.start)
            if old.start + shift < hit.start:
                shift += grown
        # `shift` is how far the placeholders before this hit moved it
        merged.append(Found(hit.type, hit.start - shift, hit.end - shift))
    out.append(text[at:])
    return "".join(out), sorted(merged, key=lambda f: f.start)

"""Take secrets out of text by the shape of their values (design section 8).

One file, standard library only, Python 3.9: the client plugin carries a byte-equal copy, so that a secret is cut before
it leaves the machine; the server runs the same again before storage, recall and export.

Three families: tokens whose own shape names them (`ghp_…`), values that stand where a secret stands (`PASSWORD=…`,
`Authorization: …`, a URL's password, 「パスワードは …」) and look like one, and card numbers. Sentences *about* keys
survive: a word such as "password" alone never redacts anything; what follows must look like a value.

Every pattern is linear: quantifiers are bounded or run over characters that the next part excludes, and a pattern runs
only if one of its literal hints occurs in the text. It is compiled then, not before: the plugin starts for each event
while somebody waits, and compiling all of them would take most of that time.
"""

from __future__ import annotations

import math
import re
from collections import Counter

TYPE_CHECKING = False  # typing and dataclasses cost the plugin ten milliseconds at each start
if TYPE_CHECKING:
    from typing import Callable, Optional


class Found:
    """One redacted value: its type and its offsets (code points) in the text that was given."""

    __slots__ = ("end", "start", "type")

    def __init__(self, type: str, start: int, end: int) -> None:
        self.type = type
        self.start = start
        self.end = end


class Redaction:
    """The text with `[redacted:<type>]` in place of each secret, and what was found, in order."""

    __slots__ = ("found", "text")

    def __init__(self, text: str, found: tuple[Found, ...]) -> None:
        self.text = text
        self.found = found


class Shape:
    """A regular expression that is compiled when it is first needed."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags
        self._made: Optional[re.Pattern[str]] = None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._made is None:
            self._made = re.compile(self._source, self._flags)
        return self._made


class Kind(Shape):
    """Any of `hints` (lower case) must occur before `pattern` runs; group `v`, else the whole match, is the secret;
    `check` may still refuse the value."""

    def __init__(
        self,
        type: str,
        hints: tuple[str, ...],
        source: str,
        check: Optional[Callable[[str], bool]] = None,
        flags: int = 0,
    ) -> None:
        super().__init__(source, flags)
        self.type = type
        self.hints = hints
        self.check = check


_W = r"(?<![A-Za-z0-9_])"  # not in the middle of a word
_E = r"(?![A-Za-z0-9_])"


# --- What a value looks like

_PLACEHOLDER = Shape(
    r"""[\[<{(%$*]|\.\.\.|…|x{4,}\b|(?:your|my|the|some|insert|replace|change|enter|put|todo|dummy)(?:[-_ ]|me\b)
      | (?:null|none|nil|true|false|undefined|redacted|required|optional|string|str|bytes|secret|password|passwd|pass
          |pwd|token|postgres|root|admin|guest|user|test|changeme|example|1password|api[-_]?key)[\W_]*$
      | (?:os|process|self|this|request|req|settings|config|env|secrets|ctx|data|params|args|vault|ssm|op)[.:]
      | (?:env|getenv|get|input|getpass|require)\(""",
    re.I | re.X,
)
# Parts of names, algorithms, versions and sizes: SHA-256, bcrypt12, v2, utf8mb4, 12chars.
_TECHNICAL = Shape(
    r"""[a-z]*|\d*|v\d+|[a-z]+\d
      | (?:sha|md|argon|pbkdf|bcrypt|scrypt|base|utf|aes|rsa|oauth|hs|rs|es|ps|ed|ecdsa|hmac|x|p|k|s|ec|http|ipv|log|l|h
          |web|auth|saml|totp|fido|u|i|a|e|db|py|python|node|java)\d+(?:mb\d)?[a-z]{0,5}
      | \d+(?:chars?|bits?|bytes?|days?|[a-z]|min|sec|st|nd|rd|th)""",
    re.I | re.X,
)
_SEGMENTS = Shape(r"[-_./:\\@+,~=]+")
_WORD_AND_DIGITS = Shape(r"([A-Za-z]{4,})\d{1,4}")
_NUMBERED_WORDS = Shape(
    r"(?:sha|md|base|utf|aes|bcrypt|scrypt|argon|pbkdf|oauth|ecdsa|ed|hmac|step|day|phase|version|section|field|input|"
    r"param|table|column|line|page|level|type|option|node|python|http|saml|test|user|item|value|text|draft|file|password|passwd)s?",
    re.I,
)
_UUID = Shape(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
_CODE = Shape(
    r"[A-Za-z_][\w.]*[(\[]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|(?:\.{0,2}|~)/[\w.-]+/|[A-Za-z]:\\|https?://|sha\d+[-:]"
)


def _entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _real(value: str) -> bool:
    """Not a placeholder: `$TOKEN`, `<token>`, `***`, `your-key`, `secret`."""
    return not _PLACEHOLDER.pattern.match(value) and len(set(value)) >= 3


def _is_technical(value: str) -> bool:
    """Words, versions, names of algorithms: text that people write about secrets."""
    return all(_TECHNICAL.pattern.fullmatch(part) for part in _SEGMENTS.pattern.split(value))


def _password(value: str) -> bool:
    """A password stated in prose or after a colon: six or more characters that are not plain words."""
    if len(value) < 6 or not _real(value) or _CODE.pattern.match(value):
        return False
    if numbered := _WORD_AND_DIGITS.pattern.fullmatch(value):  # hunter2, but not sha1 or step2
        return not _NUMBERED_WORDS.pattern.fullmatch(numbered.group(1))
    return not _is_technical(value)


def _assigned_password(value: str) -> bool:
    """A password in `KEY=value` form: also digits and word chains (correct-horse-battery)."""
    if len(value) < 6 or not _real(value) or _CODE.pattern.match(value):
        return False
    return _password(value) or value.isdigit() or (len(value) >= 12 and bool(re.search(r"[-!#^&*]", value)))


def _key(value: str) -> bool:
    """A machine-made value: 16 or more characters with the disorder that words, paths and versions lack."""
    if len(value) < 16 or not _real(value) or _CODE.pattern.match(value):
        return False
    if _UUID.pattern.fullmatch(value):
        return True
    longest = max(_SEGMENTS.pattern.split(value), key=len)
    if re.fullmatch(r"[A-Za-z]{20,}\d*", longest):  # letters only: both cases, as generators make them
        return longest not in (longest.lower(), longest.upper()) and _entropy(value) >= 2.5
    return bool(re.search(r"\d", value)) and _entropy(value) >= 2.5 and not _is_technical(value)


def _session(value: str) -> bool:
    return _key(value) and not _UUID.pattern.fullmatch(value)


def _cookie(value: str) -> bool:
    return any(_key(part.split("=", 1)[-1]) for part in value.split(";"))


def _credentials(value: str) -> bool:
    """What follows `Authorization:`: anything but words in lower case."""
    return _real(value) and not re.fullmatch(r"[A-Z]?[a-z:.-]+", value)


def _pin(value: str) -> bool:
    return 4 <= len(value) <= 12


def _url_password(value: str) -> bool:
    return _real(value) and not value.startswith("//")


def _base32(value: str) -> bool:
    bare = re.sub(r"[\s-]", "", value).rstrip("=")
    return len(bare) >= 16 and _entropy(bare.upper()) >= 2.5


def _luhn(value: str) -> bool:
    digits = [int(c) for c in value if c.isdigit()]
    doubled = (d if i % 2 == 0 else d * 2 - 9 * (d > 4) for i, d in enumerate(reversed(digits)))
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def _encoded_pem(value: str) -> bool:
    """Base64 of a PEM block: "PRIVATE" at one of its three alignments."""
    return any(word in value for word in ("UFJJVkFUR", "BSSVZBVE", "QUklWQVRF", "QUFJJVkFURS"))


# --- Values that name themselves: type, hints, pattern

_TABLE = r"""
hikae-key            hik_                     hik_[A-Za-z0-9]{1,16}_[\w-]{16,}|hik_[\w-]{20,}
aws-access-key       akia,asia,abia,acca      (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,20}
gcp-api-key          aiza                     AIza[\w-]{30,45}
gcp-oauth-token      ya29.                    ya29\.[\w.-]{20,}
gcp-client-secret    gocspx-                  GOCSPX-[\w-]{20,40}
azure-client-secret  q~                       [\w~.-]{3}\dQ~[\w~.-]{31,34}
azure-devops-token   azdo                     [A-Za-z0-9]{60,80}AZDO[A-Za-z0-9]{4}
digitalocean-token   _v1_                     do[opr]_v1_[a-f0-9]{40,64}
alibaba-key          ltai                     LTAI[A-Za-z0-9]{12,24}
cloudflare-key       v1.0-                    v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}
heroku-key           hrku-                    HRKU-[\w-]{30,}
fly-token            fm2_,fo1_                (?:fm2|fo1)_[\w+/=,.-]{40,}
netlify-token        nfp_                     nfp_[A-Za-z0-9]{32,}
supabase-key         sbp_,sb_secret_          sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,}
planetscale-token    pscale_                  pscale_(?:pw|tkn|oauth)_[\w.-]{20,}
databricks-token     dapi                     dapi[a-f0-9]{32}(?:-\d)?
tailscale-key        tskey-                   tskey-[a-z]{3,12}-[\w-]{16,}
github-token         ghp_,gho_,ghu_,ghs_,ghr_,github_pat_  gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_\w{20,255}
gitlab-token         gl                       gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[\w.-]{16,}
bitbucket-token      atbb,atctt3              ATBB[A-Za-z0-9]{24,40}|ATCTT3[\w=-]{40,}
atlassian-token      atatt3                   ATATT3[\w=-]{40,}
npm-token            npm_                     npm_[A-Za-z0-9]{30,40}
pypi-token           pypi-                    pypi-[\w-]{50,}
docker-token         dckr_                    dckr_(?:pat|oat)_[\w-]{20,}
rubygems-key         rubygems_                rubygems_[a-f0-9]{40,}
artifactory-key      akcp,cmvmdgtu            AKCp[A-Za-z0-9]{50,}|cmVmdGtu[A-Za-z0-9]{40,}
hashicorp-token      hvs.,hvb.,hvr.,atlasv1   hv[sbr]\.[\w-]{20,}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{50,}
doppler-token        dp.                      dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,35}\.)?[A-Za-z0-9]{40,44}
onepassword-token    ops_ey                   ops_ey[\w=-]{60,}
age-key              age-secret-              AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{30,}
age-key              age-plugin-              AGE-PLUGIN-[0-9A-Z-]{1,20}-1[0-9A-Z]{20,}
slack-token          xox,xapp-                xox[abcdeoprs][.-][\w.%-]{12,}|xapp-\d-[\w-]{12,}
discord-token        .                        [MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,40}
telegram-token       :aa                      \d{8,10}:AA[\w-]{30,36}
sendgrid-key         sg.                      SG\.[\w-]{16,32}\.[\w-]{30,50}
mailgun-key          key-                     key-[a-f0-9]{32}
mailchimp-key        -us                      [a-f0-9]{32}-us\d{1,2}
brevo-key            xkeysib-,xsmtpsib-       (?:xkeysib|xsmtpsib)-[a-f0-9]{60,64}-[A-Za-z0-9]{12,20}
resend-key           re_                      re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}
twilio-key           sk                       SK[0-9a-f]{32}
linear-key           lin_                     lin_(?:api|oauth)_[A-Za-z0-9]{30,64}
notion-token         ntn_,secret_             ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}
airtable-token       pat                      pat[A-Za-z0-9]{14}\.[a-f0-9]{64}
figma-token          figd_                    figd_[\w-]{30,50}
postman-key          pmak-                    PMAK-[a-f0-9]{24}-[a-f0-9]{34}
stripe-key           _live_,_test_,whsec_     (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{20,}
square-token         sq0,eaaa                 sq0[a-z]{3}-[\w-]{20,50}|EAAA[\w-]{56,62}
braintree-token      access_token$            access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}
shopify-token        shp                      shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}
anthropic-key        sk-ant-                  sk-ant-[\w-]{20,}
openrouter-key       sk-or-                   sk-or-(?:v1-)?[\w-]{20,}
openai-key           sk-                      sk-(?:proj|svcacct|admin|None)-[\w-]{20,}|sk-[A-Za-z0-9]{20,64}
huggingface-token    hf_,api_org_             (?:hf|api_org)_[A-Za-z0-9]{30,40}
groq-key             gsk_                     gsk_[A-Za-z0-9]{40,60}
replicate-token      r8_                      r8_[A-Za-z0-9]{30,40}
perplexity-key       pplx-                    pplx-[A-Za-z0-9]{40,60}
xai-key              xai-                     xai-[A-Za-z0-9]{60,90}
nvidia-key           nvapi-                   nvapi-[\w-]{40,80}
grafana-token        glsa_,glc_               glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,}
sentry-token         sntry                    sntry[su]_[\w+/=.-]{40,}
newrelic-key         nrak-,nrii-,nral         NR(?:AK|II)-[\w-]{24,40}|[a-f0-9]{36}NRAL
twitter-token        aaaaaaaaaaaaa            A{13,22}[\w%]{40,120}
facebook-token       eaa                      EAA[A-Z][A-Za-z0-9]{80,300}
password-hash        $2,$1$,$5$,$6$,$y$       \$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|\$[156y]\$[./A-Za-z0-9$=,]{20,140}
password-hash        $argon2                  \$argon2id?\$[^\s:"']{40,200}
jwt                  eyj                      eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{4,}){1,3}
"""


def _named() -> list[Kind]:
    rows = (line.split(None, 2) for line in _TABLE.strip().splitlines())
    return [Kind(t, tuple(hints.split(",")), f"{_W}(?:{pattern}){_E}") for t, hints, pattern in rows]


# --- Values that stand where a secret stands; group `v` is the value

_Q = "[\"'`「『*]{0,3}"
_JA_Q = "[\"'」』*`]{0,2}[ \t\u3000]{0,2}"
_SEP = "[\"'`*]{0,3}[ \t]{0,3}(?::=|=>|==?|[:：＝])[ \t]{0,3}" + _Q
_JA_SEP = _JA_Q + "(?:は|が|を|＝|=|:|：)[ \t\u3000]{0,2}" + _Q
_IS = "(?: for [\\w.@-]{1,40})? (?:is|was|=)(?: now)?:? " + _Q
_BARE = r"(?P<v>[!#$%&()*+\-./0-9:=?@A-Z\\^_a-z|~]{4,512})"
_MADE = r"(?P<v>[A-Za-z0-9_.~+/=%:$!^*-]{16,1024})"
_PW_NAME = r"(?:password|passwd|passphrase|passcode|(?<![a-z])pwd|(?<![a-z])pass)\d?(?:_[a-z0-9]{1,16}){0,2}"
_TWO_WORDS = (
    "(?:api|access|auth|secret|private|signing|encryption|master|service|app|account|license|deploy|refresh|bearer|"
    "webhook|session|bot|client|jwt|hmac|shared|personal)[_ -]?(?:secret|token|key|credential)s?"
    "(?:_(?:key|id|value|prod|dev|base)){0,2}"
)
_ONE_WORD = (
    "(?-i:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?<!csrf[_-])(?<!page[_-])(?<!page)(?:secret|token|credential)"
)
_PEM = (
    "-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    "(?:(?:[^-]|-(?!----))*-----END [A-Z0-9 ]{0,40}-----|(?:[\\s\\\\\"'>|,]{0,8}[A-Za-z0-9+/=]{16,})+)"
)
_WEBHOOK = (
    r"https://(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[\w/-]{16,}"
    r"|(?:[a-z]{1,10}\.)?discord(?:app)?\.com/api/webhooks/\d{8,24}/[\w-]{20,}"
    r"|[\w-]{1,60}\.webhook\.office\.com/webhookb2/[\w@/-]{30,}|hooks\.zapier\.com/hooks/catch/\d{3,12}/\w{5,}"
    r"|[\w.-]{1,80}\.logic\.azure\.com[:\d]{0,5}/workflows/[^\s\"'<>\[\]]{30,400})"
)
_CARD = (
    r"(?<![\w.-])(?P<v>(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|5\d\d)|35\d\d)([ -]?)\d{4}\2\d{4}\2\d{4}"
    r"|3[47]\d\d([ -]?)\d{6}\3\d{5}|3(?:0[0-5]|[68]\d)\d([ -]?)\d{6}\4\d{4})(?![\w-]|\.\d)"
)
_OTP = (
    r"(?:[th]?otp|2fa|mfa|authenticator|二要素認証|ワンタイム)[ _-]{0,2}"
    r"(?:secret|seed|key|の?シークレット|の?シード|の?キー|の?鍵)?[\"']?[ \t]{0,3}(?:=|:|：|is|は)[ \t]{0,3}[\"'`「]?"
    r"(?P<v>(?-i:[A-Z2-7]{16,64}|[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15}))(?![A-Za-z0-9])"
)
_QUERY_KEYS = (
    "access_token|id_token|refresh_token|auth_token|token|api_?key|key|sig|signature|secret|client_secret|code|"
    "x-amz-signature|x-amz-security-token"
)


def _where(
    type: str, hints: str, pattern: str, check: Callable[[str], bool] = _real, flags: int = re.I
) -> Kind:
    return Kind(type, tuple(hints.split(",")), pattern, check, flags)


_PW_HINTS = "password,passwd,passphrase,passcode,pwd,pass"
_BLOCKS = [  # first, so that what stands inside is not looked at apart
    Kind("private-key", ("private key",), _PEM),
    Kind("private-key", ("ls0tls1crudjtib",), "LS0tLS1CRUdJTiB[A-Za-z0-9+/=]{40,}", _encoded_pem),
    Kind(
        "private-key",
        ("private-lines",),
        r"Private-Lines: \d+\s+(?P<v>[A-Za-z0-9+/=]{16,}(?:\s[A-Za-z0-9+/=]{16,})*)",
    ),
    Kind("webhook-url", ("https://",), _WEBHOOK),
]
_PLACES = [
    _where(
        "azure-storage-key",
        "accountkey,sharedaccesskey",
        r"(?:AccountKey|SharedAccessKey)=(?P<v>[\w+/]{40,100}={0,2})",
    ),
    _where("azure-sas", "sig=", r"[?&]sig=(?P<v>[\w%+/=-]{40,200})"),
    _where(
        "aws-secret-key",
        "secret",
        rf"aws.{{0,20}}?secret.{{0,20}}?{_SEP}(?P<v>[A-Za-z0-9/+]{{40}})(?![\w/+=])",
    ),
    _where(
        "wireguard-key",
        "privatekey,presharedkey",
        r"(?:PrivateKey|PresharedKey)[ ]{0,3}=[ ]{0,3}(?P<v>[\w+/]{42,43}=)",
    ),
    _where(
        "authorization",
        "authorization",
        rf"authorization{_SEP}(?:(?:bearer|basic|token|digest|negotiate|apikey|bot)[ \t]{{1,3}})?"
        r"(?P<v>[\w.~+/=:-]{8,2048})",
        _credentials,
    ),
    _where("bearer-token", "bearer", r"\bbearer[ \t]{1,3}[\"'`]?(?P<v>[\w.~+/=-]{16,2048})", _key),
    _where(
        "cookie",
        "cookie",
        r"\b(?:set-)?cookie[\"']?[ \t]{0,2}:[ \t]{0,3}[\"']?"
        r"(?P<v>[\w.%-]{1,60}=[\w.%:+/=~-]{8,1024}(?:; ?[\w.%-]{1,60}=[\w.%:+/=~-]{1,1024}){0,40})",
        _cookie,
    ),
    _where(
        "session-id",
        "sess,connect.sid",
        rf"(?:PHPSESSID|JSESSIONID|NET_SessionId|connect\.sid|session_?id|sessid|_session){_SEP}(?P<v>[\w.%:+/=-]{{16,512}})",
        _session,
    ),
    _where("otp-seed", "otpauth:", r"otpauth://[^\s\"'<>]{1,300}?[?&]secret=(?P<v>[A-Za-z2-7=]{8,128})"),
    _where("otp-seed", "otp,2fa,mfa,authenticator,二要素,ワンタイム", _OTP, _base32),
    _where("url-password", "://", r"://[^\s/:@\"'<>]{0,128}:(?P<v>[^\s/@\"'<>\[\]]{3,256})@", _url_password),
    _where("url-token", "?,&", rf"[?&](?:{_QUERY_KEYS})=(?P<v>[\w.%~+/=-]{{16,2048}})", _session),
    _where("registry-auth", "_auth", r"_auth(?:token)?[ ]{0,2}=[ ]{0,2}[\"']?(?P<v>[\w.+/=-]{16,512})", _key),
    _where("registry-auth", '"auth"', r"\"auth\"[ ]{0,2}:[ ]{0,2}\"(?P<v>[A-Za-z0-9+/=]{12,512})\""),
    _where(
        "netrc-password",
        "machine",
        r"\bmachine\s{1,3}\S{1,100}\s{1,3}login\s{1,3}\S{1,100}\s{1,3}password\s{1,3}(?P<v>\S{4,200})",
    ),
    _where("password", _PW_HINTS, rf"{_PW_NAME}[\"']?:?={_Q}{_BARE}", _assigned_password),
    _where("password", _PW_HINTS, rf"{_PW_NAME}{_SEP}{_BARE}", _password),
    _where("password", _PW_HINTS, rf"(?:password|passphrase|passcode){_IS}{_BARE}", _password),
    _where(
        "password",
        "パスワード,パスフレーズ,合言葉",
        rf"(?:パスワード|パスフレーズ|合言葉){_JA_SEP}{_BARE}",
        _password,
    ),
    _where(
        "pin",
        "pin,暗証",
        r"(?:\bPIN(?: code)?|暗証番号|PINコード)[ \u3000]{0,2}(?:=|:|：|is|は)[ \u3000]{0,2}[\"'`「]?"
        r"(?P<v>\d{4,12})(?![ ]?[A-Za-z0-9文桁])",
        _pin,
    ),
    _where(
        "command-password",
        "-p,-a",
        r"(?:\b(?:mysql|mysqldump|mysqladmin|sshpass|redis-cli)\b[^\n|;&]{0,120}? -(?:p|a )[\"']?|--password[= ][\"']?)"
        r"(?P<v>[^\s\"'$<>\[\]-][^\s\"'<>\[\]]{5,128})",
        _assigned_password,
    ),
    _where(
        "command-password",
        "curl",
        r"\bcurl\b[^\n|;]{0,200}? (?:-u|--user)[ =]?[\"']?[\w.@+-]{1,80}:(?P<v>[^\s\"'$<>\[\]]{4,128})",
        _assigned_password,
    ),
    _where(
        "secret-value", "secret,token,key,credential", rf"(?:{_TWO_WORDS}|{_ONE_WORD}){_SEP}{_MADE}", _key
    ),
    _where(
        "secret-value", "secret,token,key", rf"(?:(?:api|access|secret) key|secret|token){_IS}{_MADE}", _key
    ),
    _where(
        "secret-value",
        "_key",
        rf"(?<![A-Za-z0-9_])(?!\w{{0,40}}(?:PUBLIC|PRIMARY|CACHE|PARTITION|SORT|FOREIGN))"
        rf"[A-Z][A-Z0-9_]{{1,60}}_KEY{_SEP}{_MADE}",
        _key,
        0,
    ),
    _where(
        "secret-value",
        "キー,トークン,シークレット,鍵",
        rf"(?:キー|トークン|シークレット|鍵){_JA_SEP}{_MADE}",
        _key,
    ),
    _where("card-number", "2,3,4,5,6", _CARD, _luhn),
]

KINDS: tuple[Kind, ...] = (*_BLOCKS, *_named(), *_PLACES)
_BY_HINT: dict[str, list[int]] = {}  # many kinds share hints, most texts hold none
for _index, _kind in enumerate(KINDS):
    for _hint in _kind.hints:
        _BY_HINT.setdefault(_hint, []).append(_index)
_MARK = Shape(r"\[redacted:[a-z0-9-]{1,40}\]")


def redact(text: str) -> Redaction:
    """Replace every secret in `text` by `[redacted:<type>]`.

    Idempotent: the result holds nothing more to find, and placeholders are never touched.
    """
    found: list[Found] = []
    current = text
    while fresh := _scan(current):
        current, found = _replace(current, fresh, found)
    return Redaction(current, tuple(found))


def _scan(text: str) -> list[Found]:
    lowered = text.lower()
    marks = [m.span() for m in _MARK.pattern.finditer(text)] if "[redacted:" in lowered else []
    hits: list[Found] = []
    for index in sorted({i for hint, places in _BY_HINT.items() if hint in lowered for i in places}):
        kind = KINDS[index]
        group = "v" if "v" in kind.pattern.groupindex else 0
        for m in kind.pattern.finditer(text):
            start, value = m.start(group), m.group(group).rstrip(".,;:)")
            end = start + len(value)
            if not value or any(start < b and a < end for a, b in marks):
                continue
            if kind.check is None or kind.check(value):
                _keep(hits, Found(kind.type, start, end))
    return sorted(hits, key=lambda hit: hit.start)


def _keep(hits: list[Found], new: Found) -> None:
    """The earlier kind wins, unless the new value holds more than it (a token inside a URL's password)."""
    clashing = [hit for hit in hits if new.start < hit.end and hit.start < new.end]
    if any(hit.start <= new.start and new.end <= hit.end for hit in clashing):
        return
    for hit in clashing:
        hits.remove(hit)
        new = Found(new.type, min(new.start, hit.start), max(new.end, hit.end))
    hits.append(new)


def _replace(text: str, fresh: list[Found], known: list[Found]) -> tuple[str, list[Found]]:
    """Write the placeholders; `fresh` counts in `text`, where each `known` value already is a placeholder."""
    out: list[str] = []
    merged = list(known)
    at = 0
    for hit in fresh:
        shift = 0  # by how much the placeholders before this hit moved it
        for old in known:
            if old.start + shift < hit.start:
                shift += len(_mark(old.type)) - (old.end - old.start)
        merged.append(Found(hit.type, hit.start - shift, hit.end - shift))
        out += [text[at : hit.start], _mark(hit.type)]
        at = hit.end
    out.append(text[at:])
    return "".join(out), sorted(merged, key=lambda hit: hit.start)


def _mark(type: str) -> str:
    return f"[redacted:{type}]"

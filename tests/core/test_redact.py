"""Secrets go, by the shape of their values; sentences about secrets stay."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.redact import KINDS, redact

# Every secret is made here from pieces, so that no scanner of repositories ever finds one in this file.
E = "EXAMPLE"
MIXED = "EXAMPLEa1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"
HEX = "e0a1c2d3b4f5968778695a4b3c2d1e0f" * 8
DIGITS = "1234567890" * 3


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def pem(name: str, body: str = MIXED + "\n" + MIXED) -> str:
    dashes = "-" * 5
    return f"{dashes}BEGIN {name}{dashes}\n{body}\n{dashes}END {name}{dashes}"


JWT = (
    "eyJ"
    + b64('{"alg":"none"}')[3:].rstrip("=")
    + "."
    + b64('{"sub":"EXAMPLE"}').rstrip("=")
    + "."
    + MIXED[:40]
)

# (type, text before, the secret, text after)
SECRETS = [
    ("hikae-key", "key ", "hik_" + "a1b2c3d4_" + MIXED[:40], " is mine"),
    ("aws-access-key", "id=", "AKIA" + "IOSFODNN7" + E, ""),
    ("aws-access-key", "一時キー ", "ASIA" + "EXAMPLEEXAMPLE0", " です"),
    ("aws-secret-key", "AWS_SECRET_ACCESS_KEY=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + E + "KEY", "\n"),
    ("secret-value", "aws_session_token = ", MIXED + MIXED, "\n"),
    ("gcp-api-key", "key: ", "AIza" + MIXED[:35], ""),
    ("gcp-oauth-token", "", "ya29." + MIXED[:60], ""),
    ("gcp-client-secret", "", "GOCSPX-" + MIXED[:28], ""),
    ("azure-storage-key", "AccountName=x;AccountKey=", MIXED + MIXED[:6] + "==", ";EndpointSuffix=y"),
    ("azure-sas", "https://x.blob.example/c?sv=2024&sig=", MIXED[:42] + "%3D", ""),
    ("azure-client-secret", "secret ", "abc8Q~" + MIXED[:34], ""),
    ("azure-devops-token", "", HEX[:76] + "AZDO" + "4fGh", ""),
    ("digitalocean-token", "", "dop_v1_" + HEX[:64], ""),
    ("alibaba-key", "", "LTAI" + "5t" + MIXED[:18], ""),
    ("cloudflare-key", "", "v1.0-" + HEX[:24] + "-" + HEX[:146], ""),
    ("heroku-key", "", "HRKU-" + MIXED[:60], ""),
    ("fly-token", "", "fm2_" + MIXED[:60], ""),
    ("netlify-token", "", "nfp_" + MIXED[:36], ""),
    ("supabase-key", "", "sbp_" + HEX[:40], ""),
    ("planetscale-token", "", "pscale_tkn_" + MIXED[:43], ""),
    ("databricks-token", "", "dapi" + HEX[:32], ""),
    ("tailscale-key", "", "tskey-auth-" + MIXED[:30], ""),
    ("github-token", "GITHUB_TOKEN=", "ghp_" + MIXED[:36], ""),
    ("github-token", "このトークン ", "ghp_" + "EXAMPLEexampleEXAMPLEexample", " で push して"),
    ("github-token", "", "github_pat_" + MIXED[:22] + "_" + MIXED[:59], ""),
    ("gitlab-token", "", "glpat-" + MIXED[:20], ""),
    ("bitbucket-token", "", "ATBB" + MIXED[:32], ""),
    ("atlassian-token", "", "ATATT3" + MIXED + MIXED, ""),
    ("npm-token", "//registry.example/:_authToken=", "npm_" + MIXED[:36], ""),
    ("pypi-token", "password = ", "pypi-" + "AgEIcHlwaS5vcmc" + MIXED, ""),
    ("docker-token", "docker login -p ", "dckr_pat_" + MIXED[:27], ""),
    ("rubygems-key", "", "rubygems_" + HEX[:48], ""),
    ("artifactory-key", "", "AKCp" + MIXED[:69], ""),
    ("hashicorp-token", "VAULT ", "hvs." + MIXED[:90], ""),
    ("hashicorp-token", "", MIXED[:14] + ".atlasv1." + MIXED[:67], ""),
    ("doppler-token", "", "dp.pt." + MIXED[:43], ""),
    ("onepassword-token", "", "ops_ey" + MIXED + MIXED, ""),
    ("age-key", "", "AGE-SECRET-KEY-1" + MIXED[:58].upper(), ""),
    ("slack-token", "bot ", "xoxb-" + DIGITS[:12] + "-" + MIXED[:24], ""),
    ("slack-token", "", "xapp-1-" + MIXED[:40], ""),
    ("webhook-url", "通知先は ", "https://hooks.slack.com/services/" + "T000/B000/" + MIXED[:24], " です"),
    ("webhook-url", "", "https://discord.com/api/webhooks/" + DIGITS[:18] + "/" + MIXED[:68], ""),
    ("discord-token", "", "M" + MIXED[:23] + ".G" + MIXED[:5] + "." + MIXED[:38], ""),
    ("telegram-token", "", DIGITS[:10] + ":AA" + MIXED[:33], ""),
    ("sendgrid-key", "", "SG." + MIXED[:22] + "." + MIXED[:43], ""),
    ("mailgun-key", "", "key-" + HEX[:32], ""),
    ("mailchimp-key", "", HEX[:32] + "-us14", ""),
    ("brevo-key", "", "xkeysib-" + HEX[:64] + "-" + MIXED[:16], ""),
    ("resend-key", "", "re_" + MIXED[:8] + "_" + MIXED[:24], ""),
    ("twilio-key", "", "SK" + HEX[:32], ""),
    ("linear-key", "", "lin_api_" + MIXED[:40], ""),
    ("notion-token", "", "ntn_" + MIXED[:46], ""),
    ("airtable-token", "", "pat" + MIXED[:14] + "." + HEX[:64], ""),
    ("figma-token", "", "figd_" + MIXED[:40], ""),
    ("postman-key", "", "PMAK-" + HEX[:24] + "-" + HEX[:34], ""),
    ("stripe-key", "", "sk_live_" + MIXED[:24], ""),
    ("stripe-key", "", "whsec_" + MIXED[:32], ""),
    ("square-token", "", "sq0csp-" + MIXED[:43], ""),
    ("braintree-token", "", "access_token$" + "production$" + HEX[:16] + "$" + HEX[:32], ""),
    ("shopify-token", "", "shpat_" + HEX[:32], ""),
    ("anthropic-key", "", "sk-ant-" + "api03-" + MIXED, ""),
    ("openrouter-key", "", "sk-or-v1-" + HEX[:64], ""),
    ("openai-key", "", "sk-proj-" + MIXED, ""),
    ("openai-key", "OPENAI_API_KEY=", "sk-" + MIXED[:48], ""),
    ("huggingface-token", "", "hf_" + MIXED[:34], ""),
    ("groq-key", "", "gsk_" + MIXED[:52], ""),
    ("replicate-token", "", "r8_" + MIXED[:37], ""),
    ("perplexity-key", "", "pplx-" + MIXED[:48], ""),
    ("xai-key", "", "xai-" + MIXED[:78], ""),
    ("nvidia-key", "", "nvapi-" + MIXED[:64], ""),
    ("grafana-token", "", "glsa_" + MIXED[:32] + "_" + HEX[:8], ""),
    ("sentry-token", "", "sntryu_" + HEX[:64], ""),
    ("newrelic-key", "", "NRAK-" + MIXED[:27].upper(), ""),
    ("twitter-token", "", "A" * 22 + MIXED[:60], ""),
    ("facebook-token", "", "EAAB" + MIXED + MIXED, ""),
    ("password-hash", "root:", "$6$" + "saltEXAMPLE$" + MIXED, ":19000"),
    ("password-hash", "", "$2b$12$" + MIXED[:53], ""),
    ("password-hash", "", "$argon2id$" + "v=19$m=65536,t=3,p=4$" + MIXED, ""),
    ("jwt", "token ", JWT, ""),
    ("private-key", "", pem("RSA PRIVATE KEY"), ""),
    ("private-key", "鍵:\n", pem("OPENSSH PRIVATE KEY"), "\n以上"),
    ("private-key", "", pem("PGP PRIVATE KEY BLOCK", "Version: 1\n\n" + MIXED), ""),
    ("private-key", '"private_key": "', pem("PRIVATE KEY").replace("\n", "\\n"), '\\n"'),
    ("private-key", "cut off: ", "-----BEGIN EC " + "PRIVATE KEY-----\n" + MIXED + "\n" + MIXED, " and then prose"),
    ("private-key", "client-key-data: ", b64(pem("RSA PRIVATE KEY")), ""),
    ("private-key", "Private-Lines: 2\n", MIXED[:64] + "\n" + MIXED[:40], "\nPrivate-MAC: 00"),
    ("wireguard-key", "PrivateKey = ", MIXED[:43] + "=", ""),
    ("authorization", "Authorization: Basic ", b64("user:EXAMPLE-1"), ""),
    ("authorization", '-H "Authorization: Token ', "EXAMPLE0token1", '"'),
    ("bearer-token", "curl -H 'X: Bearer ", MIXED[:32], "'"),
    ("cookie", "Set-Cookie: ", "sid=" + MIXED[:40], "; HttpOnly"),
    ("session-id", "PHPSESSID=", HEX[:26], ""),
    ("otp-seed", "otpauth://totp/x?secret=", "JBSWY3DPEHPK3PXP", "&issuer=x"),
    ("otp-seed", "TOTP secret: ", "JBSW Y3DP EHPK 3PXP", ""),
    ("otp-seed", "二要素認証のシードは ", "JBSWY3DPEHPK3PXPAB", ""),
    ("url-password", "postgres://etl_ro:", "not-a-real-passw0rd", "@db.example.test:5432/orders"),
    ("url-password", "redis://:", "s3cr3tEXAMPLE", "@cache:6379/0"),
    ("url-password", "https://me:", "hunter-EXAMPLE", "@git.example/x.git"),
    ("url-token", "https://x.example/?a=1&access_token=", MIXED[:40], ""),
    ("registry-auth", '"auth": "', b64("user:EXAMPLE-pass"), '"'),
    ("netrc-password", "machine x.example login me password ", "EXAMPLEpw1", ""),
    ("password", "password=", "EXAMPLE-hunter2", ""),
    ("password", "DB_PASSWORD=", "correct-horse-battery", "\n"),
    ("password", "PGPASSWORD=", "48151623", " psql"),
    ("password", 'password: "', "Tr0ub4dor&3", '"'),
    ("password", "pwd: ", "hunter2", ""),
    ("password", "Server=x;Password=", "Ex4mple!word", ";Database=y"),
    ("password", "The password for staging is ", "hunter22", "."),
    ("password", "パスワードは ", "Tr0ub4dor&3", " です"),
    ("password", "パスワード：", "EXAMPLE#2024", "\n"),
    ("password", "管理画面のパスワードは「", "abcd1234EX", "」です"),
    ("pin", "暗証番号は ", "4821", " です"),
    ("command-password", "mysql -u root -p", "S3cretEXAMPLE", " shop"),
    ("command-password", "curl -u me:", "EXAMPLE-pw-1", " https://x.example"),
    ("secret-value", "CLIENT_SECRET=", MIXED[:32], ""),
    ("secret-value", "api_key: ", HEX[:40], ""),
    ("secret-value", "apiToken = '", MIXED[:24], "'"),
    ("secret-value", "ENCRYPTION_KEY=", b64("EXAMPLE0EXAMPLE1EXAMPLE2"), ""),
    ("secret-value", "APIキーは ", MIXED[:32], " です"),
    ("secret-value", "HEROKU_API_KEY=", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", ""),
    ("secret-value", "the token is ", MIXED[:30], ""),
    ("card-number", "card ", "4242 4242 4242 4242", " exp"),
    ("card-number", "", "3782" + "822463" + "10005", ""),
]  # fmt: skip

HONEST = [
    "rotate the API key monthly",
    "the password field must be hashed",
    "The password is in 1Password, ask Mika.",
    "password: string",
    "password: bcrypt-12 rounds",
    "passwords need 12 characters, one digit",
    "The password is SHA-256 hashed before storage",
    "password = forms.CharField(widget=PasswordInput)",
    "password=os.environ['DB_PASSWORD']",
    "PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']",
    "POSTGRES_PASSWORD=postgres",
    'password_field_name="password2"',
    "client_key_password=client_key_password,",
    "password_list_path=DEFAULT_PASSWORD_LIST_PATH",
    "amqp://guest:guest@localhost//",
    "DB_PASSWORD=${DB_PASSWORD}",
    "DB_PASSWORD=<your password>",
    "api_key=YOUR_API_KEY",
    "API_KEY=xxxxxxxxxxxxxxxxxxxx",
    "token = request.headers['X-Token']",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "SECRET_KEY = env('SECRET_KEY')",
    "SECRET_KEY=$(openssl rand -hex 32)",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "send the header Authorization: Bearer token with each request",
    "use a bearer token instead of a cookie",
    "GitHub tokens start with ghp_ and npm ones with npm_",
    "AKIA is the prefix of long-lived access keys",
    "keys look like sk-... and must not be logged",
    "max_tokens=200000 and token_limit: 128000",
    "The token bucket refills 100 per second",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it",
    "id 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "session 3f2504e0-4f89-11d3-9a0c-0305e82c3301 was closed",
    '"integrity": "sha512-' + MIXED + MIXED[:6] + '=="',
    "sha256:" + HEX[:64],
    "--hash=sha256:" + HEX[:64],
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXAMPLEEXAMPLEEXAMPLE me@laptop",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkq\n-----END PUBLIC KEY-----",
    "a file that begins with -----BEGIN PRIVATE KEY----- must never be committed to this repository",
    "cache-key: v1-linux-node20-" + HEX[:16],
    "idempotency_key=3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "the primary key is (tenant_id, order_id)",
    "sort_key: created_at#2024-01-01T00:00:00Z",
    "public_key = load_public_key('/etc/app/keys/public.pem')",
    "private_key_path: /etc/ssl/private/server.key",
    "see https://docs.example.com/auth/api-keys#rotation-2024",
    "https://user@example.com/repo.git",
    "git@github.com:owner/repo.git",
    "postgres://user:password@localhost:5432/app",
    "redis://localhost:6379/0",
    "http://127.0.0.1:8000/admin/",
    "call me at 03-1234-5678 or 090-1234-5678",
    "order 1234567890123456 shipped at 1764460800000",
    "the card form validates 16 digits with Luhn",
    "PIN entry must be masked; a PIN is 4 digits",
    "Set-Cookie must carry Secure, HttpOnly and SameSite=Lax",
    "the session id is rotated at login",
    "OTP codes expire after 30 seconds",
    "mysql -u root -p",
    "curl -u $USER:$PASS https://x.example",
    "the secret is to warm the cache first",
    "the secret is well-documented-error-handling",
    "credentials: include",
    "npm ci && npm run build",
    "パスワードは 12 文字以上",
    "パスワードは12文字以上で英数字を混ぜる",
    "パスワードは必ずハッシュ化して保存する",
    "パスワードは bcrypt でハッシュする",
    "パスワードは SHA-256 ではなく argon2id を使う",
    "パスワードは1Passwordに入っています",
    "パスワードの有効期限は90日",
    "APIキーは毎月ローテーションする",
    "APIキーは環境変数 OPENAI_API_KEY から読む",
    "トークンは HttpOnly の Cookie に入れる",
    "トークンは 15 分で失効させる",
    "シークレットは Vault で管理し、コードには書かない",
    "暗証番号は4桁の数字",
    "暗証番号は 4 桁",
    "秘密鍵は ~/.ssh/id_ed25519 に置く",
    "鍵: /etc/ssl/private/server.key を読む",
    "接続先は postgres://localhost/app です",
    "コミット 3f786850e387550fdab836ed7e6dc881de23001b を戻す",
    "二要素認証は必須にする",
]


@pytest.mark.parametrize(
    ("type_", "before", "secret", "after"), SECRETS, ids=[f"{s[0]}-{i}" for i, s in enumerate(SECRETS)]
)
def test_a_secret_goes_and_its_type_stays(type_: str, before: str, secret: str, after: str) -> None:
    result = redact(before + secret + after)
    assert result.text == f"{before}[redacted:{type_}]{after}"
    (found,) = result.found
    assert (found.type, found.start, found.end) == (type_, len(before), len(before) + len(secret))


@pytest.mark.parametrize("sentence", HONEST)
def test_a_sentence_about_secrets_stays(sentence: str) -> None:
    assert redact(sentence).text == sentence


def test_the_tables_are_as_long_as_promised() -> None:
    assert len({kind.type for kind in KINDS}) >= 40
    assert {kind.type for kind in KINDS} == {secret[0] for secret in SECRETS}
    assert len(SECRETS) >= 60
    assert len(HONEST) >= 60


PIECES = st.one_of(
    st.sampled_from([before + secret + after for _, before, secret, after in SECRETS]),
    st.sampled_from([secret for _, _, secret, _ in SECRETS]),
    st.sampled_from(HONEST),
    st.sampled_from(
        [
            "password=",
            "token: ",
            "パスワードは ",
            "Bearer ",
            "[redacted:jwt]",
            " ",
            "\n",
            "x",
            "-",
            "_",
            ".",
            ":",
            "://",
            "@",
            "'",
        ]
    ),
    st.text(max_size=10),
)
texts = st.lists(PIECES, max_size=6).map("".join)


@given(texts)
@settings(deadline=None)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text).text
    again = redact(once)
    assert again.text == once
    assert again.found == ()


@given(texts)
@settings(deadline=None)
def test_what_was_found_is_exactly_what_was_replaced(text: str) -> None:
    result = redact(text)
    rebuilt, at = "", 0
    for found in result.found:
        assert at <= found.start < found.end <= len(text)
        rebuilt += text[at : found.start] + f"[redacted:{found.type}]"
        at = found.end
    assert rebuilt + text[at:] == result.text


@given(st.sampled_from(SECRETS), st.sampled_from([" ", "\n", "。", "（", '"', "、\n"]))
@settings(deadline=None)
def test_a_secret_goes_wherever_it_stands(row: tuple[str, str, str, str], around: str) -> None:
    _, before, secret, after = row
    text = "最初に。" + around + before + secret + after + " そして next"
    assert secret not in redact(text).text


def test_several_secrets_in_one_text_are_reported_in_order() -> None:
    one, two = "ghp_" + MIXED[:36], "Tr0ub4dor&3"
    text = f"use {one}, パスワードは {two} です, and {one} again"
    result = redact(text)
    assert [(f.type, text[f.start : f.end]) for f in result.found] == [
        ("github-token", one),
        ("password", two),
        ("github-token", one),
    ]


def test_a_token_inside_a_url_password_takes_the_whole_password() -> None:
    assert (
        redact("https://x:ghp_" + MIXED[:36] + "!tail@h.example/").text
        == "https://x:[redacted:url-password]@h.example/"
    )


HOSTILE = [
    "a", "A", "0", "-", "_", ".", ":", "=", "/", "@", "\n", " ", '"', "+", "あ", "eyJ", "eyJa.", "ey", "://",
    "://a:", "://:a", "password", "password=", "password is ", "token", "token_", "api_key", "secret: ",
    "AWS secret ", "aws", "cookie: a=", "a=b; ", "mysql ", "mysql -p", "curl ", "curl -u a", "machine a login b ",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "otpauth://a?", "otp ", "JBSW ", "4242 ", "4242", "ghp_", "sk-",
    "xox", "https://", "https://hooks.slack.com/services/", "[redacted:", "A_KEY", "A_KEY=", "AAAA_",
    "パスワードは", "パスワードは ", "キーは", "bearer ", "authorization: ", "$2b$12$", "$6$", "LS0tLS1CRUdJTiB",
    "M" * 24 + ".",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_costs_linear_time(piece: str) -> None:
    """100 kB may cost about ten times what 10 kB costs; a quadratic pattern would cost a hundred times."""

    def cost(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        best = float("inf")
        for _ in range(2):
            began = time.process_time()
            redact(text)
            best = min(best, time.process_time() - began)
        return best

    small = cost(10_000)
    large = cost(100_000)
    assert large < 40 * small + 0.25, f"{small:.3f} s → {large:.3f} s"

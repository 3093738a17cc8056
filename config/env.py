"""The one place that reads the process environment (design section 1, rule 8).

Every variable has a documented default, so that development and tests need none of them. Nonsense is
refused with the variable's name; the full list for operators is in docs/operations.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import environ
from django.core.exceptions import ImproperlyConfigured

from config import choices
from decisions.learning.types import Settings as ChoiceNumbers

BASE_DIR = Path(__file__).resolve().parent.parent

_env = environ.Env()


def _text(name: str, default: str = "") -> str:
    return str(_env.str(name, default=default)).strip()


def _flag(name: str, default: bool) -> bool:
    raw = _text(name, "true" if default else "false").lower()
    if raw not in {"true", "false", "1", "0", "yes", "no", "on", "off"}:
        raise ImproperlyConfigured(f"{name} must be true or false, not {raw!r}")
    return raw in {"true", "1", "yes", "on"}


def _number(name: str, default: int, minimum: int = 0) -> int:
    raw = _text(name, str(default))
    if not raw.isdecimal() or int(raw) < minimum:
        raise ImproperlyConfigured(f"{name} must be a whole number of at least {minimum}, not {raw!r}")
    return int(raw)


def _secret(name: str, default: str = "") -> str:
    """``NAME`` or the content of the file named by ``NAME_FILE``."""
    path = _text(f"{name}_FILE")
    if not path:
        return _text(name, default)
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}_FILE names {path}, which cannot be read: {error}") from error


@dataclass(frozen=True)
class Environment:
    """Typed values of the environment; seconds, bytes and counts are named in the field."""

    debug: bool
    secret_key: str
    allowed_hosts: list[str]
    csrf_trusted_origins: list[str]
    https_only: bool
    data_dir: Path
    static_root: str
    database_url: str
    database_pool: bool
    redis_url: str
    time_zone: str
    language: str
    llm_base_url: str
    llm_model: str
    llm_api_key: str
    llm_daily_tokens: int
    llm_payload_chars: int
    llm_timeout_seconds: int
    embed_model: str
    embed_base_url: str
    embed_api_key: str
    embed_name: str
    extractor: str
    extract_inline: bool
    summary_tokens: int
    resident_chars: int
    ready_max_queue_seconds: int
    site_url: str
    email_url: str
    email_from: str
    webhook_allow_private: bool
    log_level: str
    log_json: bool
    choices: ChoiceNumbers
    owner_password: str
    agent_key: str
    testing: bool


def read() -> Environment:
    """Read everything once. Raises ImproperlyConfigured with the variable's name."""
    debug = _flag("DEBUG", False)
    return Environment(
        debug=debug,
        secret_key=_secret("SECRET_KEY"),
        allowed_hosts=[h for h in _text("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]").split(",") if h],
        csrf_trusted_origins=[o for o in _text("CSRF_TRUSTED_ORIGINS").split(",") if o],
        https_only=_flag("HTTPS_ONLY", False),
        data_dir=Path(_text("HIKAE_DATA", str(BASE_DIR / "data"))).absolute(),
        static_root=_text("STATIC_ROOT"),
        database_url=_secret("DATABASE_URL"),
        database_pool=_flag("DATABASE_POOL", False),
        redis_url=_secret("REDIS_URL"),
        time_zone=_text("TIME_ZONE", "UTC"),
        language=_text("LANGUAGE_CODE", "en"),
        llm_base_url=_text("LLM_BASE_URL"),
        llm_model=_text("LLM_MODEL"),
        llm_api_key=_secret("LLM_API_KEY"),
        llm_daily_tokens=_number("LLM_DAILY_TOKENS", 200_000),
        llm_payload_chars=_number("LLM_PAYLOAD_CHARS", 24_000, minimum=1_000),
        llm_timeout_seconds=_number("LLM_TIMEOUT_SECONDS", 30, minimum=1),
        embed_model=_text("EMBED_MODEL", "auto"),
        embed_base_url=_text("EMBED_BASE_URL"),
        embed_api_key=_secret("EMBED_API_KEY"),
        embed_name=_text("EMBED_NAME"),
        extractor=_text("EXTRACTOR", "rules"),
        extract_inline=_flag("EXTRACT_INLINE", False),
        summary_tokens=_number("SUMMARY_TOKENS", 5_000),
        resident_chars=_number("RESIDENT_CHARS", 9_500),
        ready_max_queue_seconds=_number("READY_MAX_QUEUE_SECONDS", 300, minimum=1),
        site_url=_text("SITE_URL").rstrip("/"),
        email_url=_secret("EMAIL_URL"),
        email_from=_text("EMAIL_FROM", "hikae@localhost"),
        webhook_allow_private=_flag("WEBHOOK_ALLOW_PRIVATE", False),
        log_level=_text("LOG_LEVEL", "INFO").upper(),
        log_json=_flag("LOG_JSON", False),
        choices=choices.build(_text),
        owner_password=_secret("HIKAE_OWNER_PASSWORD"),
        agent_key=_secret("HIKAE_KEY"),
        testing=_flag("HIKAE_TESTING", False),
    )


def postgres() -> dict[str, str]:
    """What finds PostgreSQL's programs (``config.embedded.binaries``): ``PG_BIN_DIR``, if it is set."""
    named = _text("PG_BIN_DIR")
    return {"PG_BIN_DIR": named} if named else {}


def database(url: str, *, pool: bool) -> dict[str, Any]:
    """Django's DATABASES entry for a URL; a unix socket is its percent-encoded folder as host."""
    parsed: dict[str, Any] = dict(environ.Env.db_url_config(url))
    if parsed.get("ENGINE") != "django.db.backends.postgresql":
        raise ImproperlyConfigured(
            "DATABASE_URL must be a postgres:// address: Hikae needs PostgreSQL with pgvector"
        )
    parsed["HOST"] = unquote(str(parsed.get("HOST") or ""))
    parsed["CONN_MAX_AGE"] = 0 if pool else 60
    parsed["CONN_HEALTH_CHECKS"] = not pool
    options: dict[str, Any] = dict(parsed.get("OPTIONS") or {})
    if pool:
        # Shared by the web's threads, and with every other asynchronous part that runs beside them.
        options["pool"] = {"min_size": 2, "max_size": 16, "timeout": 10}
    parsed["OPTIONS"] = options
    return parsed


def email(url: str) -> dict[str, Any]:
    """Django's EMAIL_* settings for a URL such as ``smtp+tls://user:password@host:587``; empty: mail is off."""
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    try:
        return dict(environ.Env.email_url_config(url))
    except (KeyError, ValueError) as error:
        raise ImproperlyConfigured("EMAIL_URL must look like smtp+tls://user:password@host:587") from error


def cache(url: str) -> dict[str, Any]:
    """Django's cache on that Redis, which a request must not wait for; without an address, in this process."""
    if not url:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": url,
        "KEY_PREFIX": "hikae",
        "OPTIONS": {"socket_timeout": 0.25, "socket_connect_timeout": 0.25},
    }


def broker(url: str) -> str:
    """Celery's spelling of a Redis address: kombu names a socket ``redis+socket://``."""
    if not url.startswith("unix://"):
        return url
    path, _, query = url.removeprefix("unix://").partition("?")
    number = query.removeprefix("db=") or "0"
    return f"redis+socket://{path}?virtual_host={number}"

"""Numbered system checks: what an operator would regret (design section 8; docs/operations.md lists them)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError, connections

_INSECURE = "insecure-key-for-development-and-tests-only"


@register(Tags.security, deploy=True)
def production_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """E001-E005: settings that must not reach production."""
    found: list[CheckMessage] = []
    if settings.DEBUG:
        found.append(
            Error("DEBUG is on: pages would show settings and code.", hint="Unset DEBUG.", id="hikae.E001")
        )
    if settings.SECRET_KEY == _INSECURE or len(settings.SECRET_KEY) < 32:
        found.append(
            Error(
                "SECRET_KEY is missing or too short: sessions and agent keys could be forged.",
                hint="Set SECRET_KEY or SECRET_KEY_FILE to at least 32 random characters.",
                id="hikae.E002",
            )
        )
    if "*" in settings.ALLOWED_HOSTS:
        found.append(
            Error(
                "ALLOWED_HOSTS allows every host name: other sites could reach this one through a browser.",
                hint="List the host names people use.",
                id="hikae.E003",
            )
        )
    public = [h for h in settings.ALLOWED_HOSTS if h not in {"127.0.0.1", "localhost", "[::1]"}]
    if public and not settings.SESSION_COOKIE_SECURE:
        found.append(
            Error(
                f"{public[0]} is reachable from elsewhere, but HTTPS_ONLY is off: sessions would travel in clear.",
                hint="Serve over TLS and set HTTPS_ONLY=true.",
                id="hikae.E004",
            )
        )
    if settings.EXTRACT_INLINE:
        found.append(
            Error(
                "EXTRACT_INLINE is on: requests would wait for extraction.",
                hint="Unset EXTRACT_INLINE; it exists for benchmarks.",
                id="hikae.E005",
            )
        )
    return found


@register()
def model_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """E010-W012: choices of extractor and models that cannot work."""
    found: list[CheckMessage] = []
    if settings.EXTRACTOR not in {"rules", "llm"}:
        found.append(Error(f"EXTRACTOR is {settings.EXTRACTOR!r}; allowed: rules, llm.", id="hikae.E010"))
    if settings.EXTRACTOR == "llm" and not (settings.LLM_BASE_URL and settings.LLM_MODEL):
        found.append(Error("EXTRACTOR is llm, but LLM_BASE_URL or LLM_MODEL is empty.", id="hikae.E011"))
    if settings.EMBED_MODEL not in {"auto", "e5", "use", "openai", "none"}:
        found.append(
            Error(
                f"EMBED_MODEL is {settings.EMBED_MODEL!r}; allowed: auto, e5, use, openai, none.",
                id="hikae.E013",
            )
        )
    if settings.EMBED_MODEL == "openai" and not settings.EMBED_BASE_URL:
        found.append(Error("EMBED_MODEL is openai, but EMBED_BASE_URL is empty.", id="hikae.E014"))
    if settings.LLM_BASE_URL.startswith("http://") and settings.LLM_API_KEY:
        found.append(
            Warning("LLM_API_KEY would travel in clear to LLM_BASE_URL.", hint="Use https.", id="hikae.W012")
        )
    return found


@register(Tags.database)
def database_can_search_japanese(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """E020, E021: LC_CTYPE "C" silently indexes no Japanese; without pgvector there are no vectors."""
    found: list[CheckMessage] = []
    for alias in databases or []:
        try:
            with connections[alias].cursor() as cursor:
                cursor.execute(
                    "SELECT count(*) FROM pg_available_extensions WHERE name IN ('vector', 'pg_trgm')"
                )
                if cursor.fetchone()[0] < 2:
                    found.append(
                        Error(
                            "PostgreSQL lacks the extension vector or pg_trgm.",
                            hint="Install both.",
                            id="hikae.E021",
                        )
                    )
                    continue
                cursor.execute("SELECT datctype FROM pg_database WHERE datname = current_database()")
                if cursor.fetchone()[0] in {"C", "POSIX"}:
                    found.append(
                        Error(
                            "The database's LC_CTYPE is C: Japanese text would not be searchable.",
                            hint="Create it with a UTF-8 locale, e.g. C.UTF-8.",
                            id="hikae.E020",
                        )
                    )
        except DatabaseError as error:
            found.append(Error(f"The database cannot be reached: {error}".strip(), id="hikae.E022"))
    return found

"""Structured logs. Query strings and bodies are never logged: they may hold what a person typed."""

from __future__ import annotations

from typing import Any

import structlog

from core.faults import trace


def build(*, level: str, as_json: bool) -> dict[str, Any]:
    """Configure structlog and return Django's LOGGING dictionary."""
    exceptions = structlog.processors.ExceptionRenderer(lambda info: trace(info[1]))
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _drop_query_strings,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            exceptions,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    renderer: Any = (
        structlog.processors.JSONRenderer() if as_json else structlog.processors.KeyValueRenderer()
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processor": renderer,
                "foreign_pre_chain": [*shared, exceptions],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # uvicorn's access log prints whole URLs; django-structlog's request line replaces it.
            "uvicorn.access": {"level": "WARNING"},
            "django_structlog": {"level": "WARNING"},
            # What a tool refused is told to who called it, and may quote what was said; a crash is an error.
            "mcp": {"level": "WARNING"},
        },
    }


def _drop_query_strings(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    request = event.get("request")
    if isinstance(request, str) and "?" in request:
        event["request"] = request.split("?", 1)[0]
    return event

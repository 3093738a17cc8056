"""JSON as the contract means it: no NaN, no NUL bytes, no lone surrogates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from core import text


class StrictJSONParser(JSONParser):
    """Refuse what no database could store, before anything is done with it."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            value = json.loads(stream.read().decode("utf-8"), parse_constant=_no_constants)
        except (ValueError, RecursionError) as error:
            raise ParseError(
                _("This is not valid JSON: %(why)s") % {"why": error}, code="invalid_json"
            ) from error
        _check(value, "")
        return value


class Unstorable(ParseError):
    """Text that no database holds; ``details`` name the field and what it takes, as every refusal does."""

    def __init__(self, field: str, why: ValueError) -> None:
        super().__init__(f"{field}: {why}", code="invalid_text")
        self.details = {"field": field, "allowed": "text without NUL characters and lone surrogates"}


def _no_constants(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _check(value: Any, path: str) -> None:
    if isinstance(value, str):
        try:
            text.clean(value)
        except ValueError as error:
            raise Unstorable(path or "body", error) from error
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check(key, path)
            _check(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _check(inner, f"{path}[{index}]")

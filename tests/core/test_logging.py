"""Logs carry the trace of what broke, never what somebody typed."""

from __future__ import annotations

import logging
import logging.config
from collections.abc import Iterator

import pytest
from django.conf import settings

from config.logging import build

SECRET = "AKIA" + "EXAMPLE1" * 2
SAID = f"broken by {SECRET}\nDETAIL:  Failing row contains (my private text)."


@pytest.fixture(params=[False, True])
def line(request: pytest.FixtureRequest) -> Iterator[str]:
    """What an unhandled error of a request becomes, in both formats."""
    made = build(level="INFO", as_json=request.param)["formatters"]["lines"]
    factory = made.pop("()")
    chain = made.pop("foreign_pre_chain")
    formatter = factory(**made, foreign_pre_chain=chain)
    try:
        try:
            raise ValueError(SAID)
        except ValueError as error:
            raise RuntimeError("no answer") from error
    except RuntimeError as error:
        info = (type(error), error, error.__traceback__)
        record = logging.LogRecord("django.request", logging.ERROR, __file__, 1, "500: %s", ("/x",), info)
        yield formatter.format(record)
    finally:
        logging.config.dictConfig(settings.LOGGING)


def test_an_unhandled_error_is_logged_with_its_trace_and_cause(line: str) -> None:
    assert "test_logging.py" in line
    assert line.index("ValueError: broken by") < line.index("RuntimeError: no answer")
    assert "traceback object" not in line


def test_what_somebody_typed_is_not_logged(line: str) -> None:
    assert "my private text" not in line
    assert SECRET not in line

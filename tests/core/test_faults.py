"""What is kept of an error says what broke, and nothing that somebody typed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from core import faults
from core.models import Namespace

SECRET = "AKIA" + "EXAMPLE1" * 2


@pytest.mark.django_db
def test_a_refused_row_is_named_by_its_constraint_and_not_by_its_text() -> None:
    owner, typed = User.objects.create_user("alice"), " ".join(["my", "private", "text"])
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE core_namespace ADD CONSTRAINT broken CHECK (name NOT LIKE 'my %')")
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        Namespace.objects.create(owner=owner, type="workspace", name=typed)
    assert typed in str(caught.value)  # PostgreSQL quotes the row
    for kept in (faults.brief(caught.value), faults.trace(caught.value)):
        assert "broken" in kept
        assert "IntegrityError" in kept
        assert typed not in kept


def test_a_line_is_redacted_and_bounded() -> None:
    said = faults.brief(ValueError(f"broken by {SECRET} " + "x" * 5_000))
    assert said.startswith("ValueError: broken by [redacted:")
    assert len(said) == faults.MAX_CHARS


def test_an_error_without_words_is_named_by_its_type() -> None:
    assert faults.brief(KeyboardInterrupt()) == "KeyboardInterrupt"


def raised(*, silent: bool) -> RuntimeError:
    try:
        try:
            raise ValueError("first")
        except ValueError as error:
            raise RuntimeError("second") from (None if silent else error)
    except RuntimeError as error:
        return error


def test_a_trace_leads_from_the_first_cause_to_the_last() -> None:
    kept = faults.trace(raised(silent=False))
    assert kept.index("ValueError: first") < kept.index("which led to") < kept.index("RuntimeError: second")


def test_a_trace_leaves_out_what_was_silenced() -> None:
    kept = faults.trace(raised(silent=True))
    assert "RuntimeError: second" in kept
    assert "ValueError: first" not in kept

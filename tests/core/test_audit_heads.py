"""The end of a chain, kept elsewhere, shows that nothing was cut off since."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from core.actor import Actor
from core.models import AuditEvent
from core.services import audit

pytestmark = pytest.mark.django_db


def record(stream: str, verb: str) -> AuditEvent:
    return audit.record(
        stream=stream, verb=verb, actor=Actor.system(), object_type="user", object_id=1, now=timezone.now()
    )


def without_triggers(sql: str, *values: str | int) -> None:
    """Somebody with the operator's account."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE core_auditevent DISABLE TRIGGER USER")
        cursor.execute(sql, values)
        cursor.execute("ALTER TABLE core_auditevent ENABLE TRIGGER USER")


def run(*options: str) -> str:
    out = StringIO()
    call_command("audit_verify", *options, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Two chains, their ends written down."""
    for verb in "abc":
        record("user:1", verb)
    record("ns:x", "a")
    file = tmp_path / "heads"
    file.write_text(run("--heads"), encoding="utf-8")
    return file


def test_each_chain_has_one_end(kept: Path) -> None:
    assert [line.split()[:2] for line in kept.read_text().splitlines()] == [["ns:x", "1"], ["user:1", "3"]]


def test_a_chain_that_only_grew_is_as_expected(kept: Path) -> None:
    record("user:1", "d")
    assert run("--expect", str(kept)) == "5 audit events, all chains hold.\n"


@pytest.mark.parametrize(("stream", "after"), [("user:1", 1), ("ns:x", 0)], ids=["some of it", "all of it"])
def test_an_end_that_was_cut_off_is_named(kept: Path, stream: str, after: int) -> None:
    without_triggers("DELETE FROM core_auditevent WHERE stream = %s AND seq > %s", stream, after)
    assert audit.verify() == []  # the chain alone cannot tell
    with pytest.raises(CommandError, match="1 problems"):
        run("--expect", str(kept))


def test_an_end_that_was_written_anew_is_named(kept: Path) -> None:
    without_triggers("DELETE FROM core_auditevent WHERE stream = 'user:1' AND seq = 3")
    record("user:1", "another")
    heads = [audit.Head("user:1", 3, kept.read_text().split()[-1])]
    assert audit.verify() == []
    assert audit.verify(expected=heads) == ["user:1: event 3 is another one than was there"]


@pytest.mark.parametrize("line", ["user:1", "user:1 x y", "a b c d"])
def test_a_line_that_is_no_end_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "heads"
    file.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(CommandError, match="line 2"):
        run("--expect", str(file))

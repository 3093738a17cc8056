"""What an odd file holds reaches the database whole or not at all: plan and word to go, for every importer."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone, translation

from core import throttle
from decisions.services.exchange import choices_import
from integrations.importers import read
from integrations.importers.base import FileIn
from integrations.phrases import NOT_TAKEN, not_taken_in_words
from integrations.services.bring import bring_apply, bring_plan
from memory.models import Candidate, Memory
from tests import build
from tests.contract.routes import rows
from tests.integrations.bad_files import DATA, RAW, STORES, every_text, store_files, talk, zipped
from tests.review.scene import signed_in
from transcripts.models import AgentSession, Message
from transcripts.services.imports import transcript_import

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def changed(name: str, suffix: str) -> bytes:
    """The good file with ``suffix`` after each of its texts that is no date, role or type."""
    [file] = store_files(name)

    def change(text: str) -> str:
        return f"{text}{suffix}" if re.search(r"[ .]", text) and not text[:4].isdecimal() else text

    if name.endswith(".json"):
        return json.dumps(every_text(json.loads(file.data), change)).encode()
    lines = [line for line in file.data.splitlines() if line.endswith(b"}")]
    return "\n".join(json.dumps(every_text(json.loads(line), change)) for line in lines).encode()


@pytest.mark.parametrize("reviewed", [False, True])
@pytest.mark.parametrize("suffix", ["\0", "\ud800", "\udc00\ud83d", "\\u0000", "\U0001f600"], ids=ascii)
@pytest.mark.parametrize("name", [name for name in STORES if "." in name])
def test_characters_that_no_database_stores_are_replaced_and_named(
    name: str, suffix: str, reviewed: bool
) -> None:
    alice = build.person()
    home = build.workspace(alice)
    build.key(alice)
    found = read([FileIn(name, changed(name, suffix))], format=STORES[name])
    plan = bring_plan(user=alice, namespace_id=home.pk, found=found, now=NOW)
    assert plan.choices is None or not plan.choices.problems
    bring_apply(user=alice, namespace_id=home.pk, found=plan.found, reviewed=reviewed, now=NOW)
    stored = Memory.objects.count() + Candidate.objects.count() + Message.objects.count()
    assert stored or plan.choices
    said = any("cannot be stored" in problem.reason for problem in found.problems)
    assert said is (suffix in ("\0", "\ud800", "\udc00\ud83d"))


@pytest.mark.parametrize(
    ("name", "created", "updated", "said"),
    [
        ("mem0", "2026-05-02T00:00:00Z", "2026-05-01T00:00:00Z", "changed before it was written"),
        ("mem0", "9999-12-31T23:59:59Z", None, "9999-12-31 lies in the future"),
        ("mem0", None, "9999-12-31T23:59:59Z", "9999-12-31 lies in the future"),
        ("mem0", "0001-01-01T00:00:00+14:00", None, "is no date"),
        ("mem0", 1e308, None, "is no date"),
        ("mem0", True, None, "is no date"),
        ("mem0", [2026], None, "is no date"),
        ("claude-mem", 99_999_999_999_999, None, "lies in the future"),
        ("claude-mem", "soon", None, "'soon' is no date"),
        ("moai", "9999-01-01T00:00:00Z", None, "lies in the future"),
        ("basic-memory", "2026-05-02", "2026-05-01", "changed before it was written"),
        ("basic-memory", "9999-12-31T00:00:00", None, "lies in the future"),
    ],
)
def test_dates_that_cannot_be_are_named_and_not_believed(
    name: str, created: Any, updated: Any, said: str
) -> None:
    text = "We deploy the API with containers."
    value: dict[str, Any] = {
        "mem0": {"results": [{"id": "1", "memory": text, "created_at": created, "updated_at": updated}]},
        "claude-mem": {"observations": [{"id": 1, "facts": [text], "created_at_epoch": created}]},
        "moai": {"entries": [{"question": "How to deploy?", "answer": text, "timestamp": created}]},
    }.get(name, {})
    data = json.dumps(value).encode()
    if name == "basic-memory":
        data = f"---\ncreated: {created}\nmodified: {updated or created}\n---\n\n{text}\n".encode()
    alice = build.person()
    home = build.workspace(alice)
    found = read([FileIn("a.md" if name == "basic-memory" else "a.json", data)], format=name)
    plan = bring_plan(user=alice, namespace_id=home.pk, found=found, now=NOW)
    assert any(said in problem.reason for problem in plan.found.problems), plan.found.problems
    assert [row.item.at for row in plan.rows] == [None]
    bring_apply(user=alice, namespace_id=home.pk, found=plan.found, reviewed=True, now=NOW)
    assert Memory.objects.get().valid_from == NOW


def test_times_to_come_in_a_conversation_are_left_out_and_counted() -> None:
    node = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Ship on Monday."]}}
    talk = {"conversation_id": "c", "current_node": "n", "mapping": {"n": {"message": node}}}
    alice = build.person()
    home = build.workspace(alice)
    node["create_time"] = 99_000_000_000  # seconds: the year 5107
    found = read([FileIn("conversations.json", json.dumps([talk]).encode())])
    plan = bring_plan(user=alice, namespace_id=home.pk, found=found, now=NOW)
    assert plan.found.unsupported["time in the future"] == 1
    bring_apply(user=alice, namespace_id=home.pk, found=plan.found, reviewed=False, now=NOW)
    assert AgentSession.objects.get().started_at <= NOW


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"question": ', "is cut off"),
        ("[" * 5_000, "nested too deeply"),
        ('{"question": "a\\u0000b"}', "cannot be stored"),
        ('{"question": "a\ud800b"}', "surrogate"),
        ('{"timestamp": ' + "9" * 5_000 + "}", "4,300 digits"),
        ('{"all_options": ["A", "B"], "question": "Q", "timestamp": "2026-99-01T"}', "date and time"),
    ],
)
def test_choices_say_what_is_wrong_in_words_of_ours(line: str, said: str) -> None:
    alice = build.person()
    build.key(alice)
    report = choices_import(user=alice, lines=[line], now=NOW)
    [(number, reason)] = report.problems
    assert number == 1
    assert said in reason
    assert not re.search(RAW, reason)


BAD = {
    "a zip that is none": FileIn("a.zip", b"nothing"),
    "half a zip": FileIn("a.zip", zipped(("a.md", b"x" * 99)).data[:60]),
    "half an export": FileIn("conversations.json", store_files("conversations.json")[0].data[:900]),
    "Shift_JIS": FileIn("mem0.json", '{"memory": "承認フローはかならず通す"}'.encode("cp932")),
    "a transcript": FileIn("a.jsonl", talk("claude_code_2.1.263_resume.jsonl")),
    "nothing but NUL": FileIn("a.json", b"\0" * 99),
}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("what", BAD)
def test_every_page_says_it_beside_the_field_or_in_the_plan(what: str, language: str) -> None:
    alice = build.person()
    home = build.workspace(alice)
    throttle.forget("archive", str(alice.pk))
    client = signed_in(alice)
    client.cookies["django_language"] = language
    before = {name: count for name, count in rows().items() if name != "django_session"}
    for address, field in (
        ("data-bring", "upload"),
        ("data-archive-back", "file"),
        ("session-import", "file"),
    ):
        file = SimpleUploadedFile(BAD[what].path, BAD[what].data)
        fields = {field: file, "namespace": str(home.pk), "format": "auto", "persona": "", "workspace": ""}
        answer = client.post(reverse(address), fields)
        assert answer.status_code in (200, 422), address
        page = re.sub(r"<[^>]+>", " ", answer.content.decode())
        assert not re.search(RAW, page), address
    assert {name: count for name, count in rows().items() if name != "django_session"} == before


def test_the_plan_of_a_file_that_was_cut_off_says_so_and_offers_nothing() -> None:
    alice = build.person()
    home = build.workspace(alice)
    cut = BAD["half an export"]
    answer = signed_in(alice).post(
        reverse("data-bring"),
        {"upload": SimpleUploadedFile(cut.path, cut.data), "namespace": str(home.pk), "format": "auto"},
    )
    page = " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())
    assert "Nothing in it could be read. What is wrong is said below." in page
    assert "conversations.json, line" in page
    assert "looks like a ChatGPT export that is cut off after 900 bytes" in page
    assert "What was found" not in page
    assert reverse("data-bring-go") not in answer.content.decode()


def test_a_transcript_in_another_encoding_is_stored_nowhere() -> None:
    alice = build.person()
    said = "#### 承認フローを通す  \n\n" * 4
    data = f"# aider chat started at 2026-01-05 10:00:00\n\n{said}".encode("cp932")
    report = transcript_import(user=alice, data=data, filename="a.md", now=timezone.now())
    assert "Shift_JIS" in report.problems[0].reason
    assert not Message.objects.exists()


def test_all_that_readers_count_is_known_to_the_translator() -> None:
    """Keys of ``unsupported``, found in the source: what is missing in NOT_TAKEN would stay English for everyone."""
    source = "\n".join(
        path.read_text() for path in (DATA.parents[1] / "integrations" / "importers").glob("*.py")
    )
    counted = set(re.findall(r'unsupported\[f?"([^"{:]+?)(?:: [^"]*)?"\]', source))
    assert counted <= set(NOT_TAKEN)
    assert {"table", "picture or file"} <= counted
    with translation.override("ja"):
        assert not_taken_in_words("content of the type: code").endswith(": code")

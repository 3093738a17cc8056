"""`manage.py import` and its service: whole files, once, with what could not be read named."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from core.errors import Invalid, NotFound, Paused
from core.models import AuditEvent, Namespace
from core.services.members import member_set
from core.services.namespaces import namespace_pause
from tests import build
from transcripts.models import AgentSession, Message, Turn
from transcripts.readers import base
from transcripts.services import imports, imports_read, scans
from transcripts.services.imports import ImportReport

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parent.parent / "data" / "transcripts"
FILES = sorted(path for path in DATA.iterdir() if path.suffix in (".jsonl", ".json", ".md"))


def take(user: User, data: bytes, filename: str = "x.jsonl", **kwargs: Any) -> ImportReport:
    return imports.transcript_import(user=user, data=data, filename=filename, now=timezone.now(), **kwargs)


def lines(*turns: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(turn).encode() + b"\n" for turn in turns)


def turn(key: str = "t1", *texts: str, session: str = "old", **kwargs: Any) -> dict[str, Any]:
    return {
        "session": session,
        "key": key,
        "messages": [{"role": "user", "text": text, **kwargs} for text in texts or ("Use tabs.",)],
    }


def without_session(*args: str, **kwargs: Any) -> dict[str, Any]:
    return {name: value for name, value in turn(*args, **kwargs).items() if name != "session"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_known_format_is_imported_once(alice: User, path: Path) -> None:
    first = take(alice, path.read_bytes(), path.name)
    assert first.messages_new == Message.objects.count() > 0
    assert first.turns_new == Turn.objects.count()
    second = take(alice, path.read_bytes(), path.name)
    assert (second.sessions_new, second.turns_new, second.turns_extended, second.messages_new) == (0, 0, 0, 0)
    assert second.messages_known == first.messages_new
    assert second.messages_changed == 0
    assert Message.objects.count() == first.messages_new


def test_imported_turns_are_closed_backlog_in_the_order_of_the_file(alice: User) -> None:
    data = lines(turn("t1", "first"), turn("t2", "second") | {"closed": False}, turn("t3", "third"))
    report = take(alice, data)
    assert not Turn.objects.filter(closed_at=None).exists()
    now, seen = timezone.now(), []
    while (job := scans.claim(now=now)) is not None:
        assert job.backlog
        seen.append(job.id)
        ids = list(Message.objects.filter(turn=job.id).values_list("pk", flat=True))
        scans.finish(job, message_ids=ids, now=now)
    assert [Turn.objects.get(pk=pk).key for pk in seen] == ["t1", "t2", "t3"]
    assert report.session_ids == [AgentSession.objects.get().pk]


def test_origins_of_the_reader_are_kept(alice: User) -> None:
    messages = [
        {"role": "user", "text": "Use tabs."},
        {"role": "user", "text": "from a peer", "origin": "unknown"},
        {"role": "user", "text": "put there", "origin": "injected"},
    ]
    take(alice, lines({"session": "old", "key": "t1", "messages": messages}))
    stored = Message.objects.order_by("index").values_list("origin", flat=True)
    assert list(stored) == ["human", "unknown", "injected"]


def test_a_broken_line_is_named_and_the_rest_is_imported(alice: User) -> None:
    report = take(alice, lines(turn("t1")) + b'{"session": "old", "key": \n' + lines(turn("t2")))
    assert [problem.line for problem in report.problems] == [2]
    assert list(Turn.objects.values_list("key", flat=True)) == ["t1", "t2"]


def test_a_longer_copy_adds_only_what_is_new(alice: User) -> None:
    take(alice, lines(turn("t1", "a", "b")))
    report = take(alice, lines(turn("t1", "a", "b", "c"), turn("t2", "d")))
    assert (report.turns_new, report.turns_extended, report.turns_known) == (1, 1, 0)
    assert (report.messages_new, report.messages_known) == (2, 2)


def test_a_changed_message_stays_as_it_was_and_is_counted(alice: User) -> None:
    take(alice, lines(turn("t1", "Use tabs.")))
    report = take(alice, lines(turn("t1", "Use spaces."), turn("t2", "more")))
    assert (report.messages_changed, report.messages_new) == (1, 1)
    assert Message.objects.get(turn__key="t1").text == "Use tabs."


def test_what_a_client_already_sent_live_is_known(alice: User) -> None:
    key = build.key(alice).key
    build.session(key, "old")
    build.turn(key, build.human("Use tabs.", key="u1"), session="old", name="t1")
    report = take(
        alice,
        lines(turn("t1", "Use tabs.") | {"messages": [{"key": "u1", "role": "user", "text": "Use tabs."}]}),
    )
    assert (report.sessions_known, report.turns_known, report.messages_known) == (1, 1, 1)
    assert not Turn.objects.get().backlog


def test_persona_and_workspace_come_from_the_person_else_from_the_file(alice: User) -> None:
    build.persona(alice, "work")
    document = {
        "sessions": [{"key": "a", "persona": "work", "workspace": "web", "turns": [without_session()]}]
    }
    take(alice, json.dumps(document).encode(), "a.json")
    take(alice, lines(turn(session="b")), persona="persona:work", workspace="api")
    take(alice, lines(turn(session="c")))
    homes = {s.key: (str(s.persona), str(s.workspace)) for s in AgentSession.objects.all()}
    assert homes == {
        "a": ("persona:work", "workspace:web"),
        "b": ("persona:work", "workspace:api"),
        "c": ("persona:default", "None"),
    }
    report = take(alice, lines(turn("t9", session="a")), workspace="api")
    assert report.skipped["workspace_of_a_known_session"] == 1
    assert str(AgentSession.objects.get(key="a").workspace) == "workspace:web"


def test_foreign_namespaces_are_not_found(alice: User) -> None:
    charlie = build.person("charlie")
    shared = build.workspace(charlie, "secret")
    for kwargs in ({"workspace": "charlie/secret"}, {"persona": "ghost"}, {"persona": "charlie/default"}):
        with pytest.raises(NotFound):
            take(alice, lines(turn()), **kwargs)
    assert not AgentSession.objects.exists()
    member_set(namespace=shared, by=charlie, user=alice, role="reviewer", now=timezone.now())
    take(alice, lines(turn()), workspace="charlie/secret")
    assert AgentSession.objects.get().workspace == shared


def test_a_paused_workspace_takes_nothing(alice: User) -> None:
    home = build.workspace(alice, "api")
    namespace_pause(namespace=home, user=alice, paused=True, now=timezone.now())
    with pytest.raises(Paused):
        take(alice, lines(turn()), workspace="api")
    assert not AgentSession.objects.exists()


def test_a_dry_run_reports_and_stores_nothing(alice: User) -> None:
    report = take(alice, lines(turn("t1", "a", "b")), workspace="brand-new", dry_run=True)
    assert (report.sessions_new, report.turns_new, report.messages_new) == (1, 1, 2)
    assert not AgentSession.objects.exists()
    assert not Namespace.objects.filter(name="brand-new").exists()
    assert not AuditEvent.objects.filter(verb="transcript.imported").exists()


def test_times_the_file_leaves_open_follow_the_message_before(alice: User) -> None:
    document = {
        "sessions": [
            {
                "key": "a",
                "tz": "Asia/Tokyo",
                "started_at": "2026-03-01T09:00:00",
                "turns": [
                    without_session("t1", "no time"),
                    without_session("t2", "dated", at="2026-03-02T08:30:00"),
                    without_session("t3", "no time either"),
                    without_session("t4", "far ahead", at="2999-01-01T00:00:00Z"),
                ],
            }
        ]
    }
    report = take(alice, json.dumps(document).encode(), "a.json")
    times = dict(Turn.objects.values_list("key", "opened_at"))
    first, second = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    assert times == {"t1": first, "t2": second, "t3": second, "t4": second}
    assert report.skipped["future_time"] == 1


def test_a_very_long_text_is_cut_and_counted(alice: User) -> None:
    report = take(alice, lines(turn("t1", "x" * 250_000)))
    assert report.skipped["end_of_long_text"] == 1
    message = Message.objects.get()
    assert len(message.text) <= 100_000
    assert "more characters left out" in message.text
    assert take(alice, lines(turn("t1", "x" * 250_000))).messages_known == 1


def test_a_file_that_is_too_large_is_refused(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports_read, "read", lambda data, **kwargs: base.read(data, max_bytes=10, **kwargs))
    with pytest.raises(Invalid) as caught:
        take(alice, lines(turn()))
    assert caught.value.code == "file_too_large"


def test_an_import_leaves_one_audit_event_without_texts(alice: User) -> None:
    take(alice, lines(turn("t1", "hippopotamus")))
    take(alice, lines(turn("t1", "hippopotamus")))
    event = AuditEvent.objects.get(verb="transcript.imported")
    assert (event.actor_label, event.data["messages"]) == ("alice", 1)
    assert "hippopotamus" not in str(event.data)


def test_two_people_import_the_same_file_without_meeting(alice: User) -> None:
    charlie = build.person("charlie")
    take(alice, lines(turn()))
    report = take(charlie, lines(turn()))
    assert report.sessions_new == 1
    assert AgentSession.objects.visible_to(charlie).count() == 1


def test_the_command_prints_what_became_of_each_file(alice: User, tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_bytes(lines(turn("t1", "a", "b")) + b"{broken\n" + lines(turn("t2")))
    out, err = StringIO(), StringIO()
    call_command("import", str(path), user="alice", workspace="api", stdout=out, stderr=err)
    assert "Sessions: 1 new, 0 known" in out.getvalue()
    assert "Messages: 3 new, 0 known" in out.getvalue()
    assert "line 2:" in err.getvalue()
    call_command("import", str(path), user="alice", dry_run=True, stdout=out, stderr=err)
    assert "nothing was stored" in out.getvalue()
    assert str(AgentSession.objects.get().workspace) == "workspace:api"


def test_the_command_says_what_is_wrong(alice: User, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"not a transcript")
    for path, user, why in (
        (empty, "nobody", "no user"),
        (tmp_path / "missing.jsonl", "alice", "cannot be read"),
        (empty, "alice", "No conversation"),
    ):
        with pytest.raises(CommandError, match=why):
            call_command("import", str(path), user=user, stdout=StringIO(), stderr=StringIO())

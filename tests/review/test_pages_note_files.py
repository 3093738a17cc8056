"""Notes as files on their page: download, look at the plan, import; and everything that hostile uploads get told."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import AuditEvent, Namespace
from core.services.namespaces import namespace_pause
from knowledge.models import Knowledge, Summary
from knowledge.notes.files import NoteFile
from knowledge.notes.packing import zipped
from knowledge.notes.tree import write_tree
from knowledge.services.exporting import knowledge_export
from knowledge.services.rehousing import knowledge_erase
from review.views.note_files import ALWAYS
from tests import build
from tests.knowledge import make
from tests.review.scene import share, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(alice: User) -> Namespace:
    return build.workspace(alice, "api")


def upload(client: Client, home: Namespace, *files: tuple[str, bytes], **typed: Any) -> HttpResponse:
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    form = {"taken": "report", "upload": sent, **typed}
    return client.post(reverse("note-files", args=[home.pk]), form)  # type: ignore[return-value]


def agree(client: Client, home: Namespace, shown: Any, **typed: Any) -> Any:
    form = {
        "packed": shown.context["packed"],
        "seen": shown.context["plan"].seen,
        "import": "1",
        "taken": "report",
    }
    return client.post(reverse("note-files", args=[home.pk]), form | typed)


def archive(*files: NoteFile, summary: str = "") -> tuple[str, bytes]:
    return "notes.zip", zipped(write_tree(files, summary), at=ALWAYS)


def test_what_is_downloaded_comes_back_to_the_byte(hers: Client, alice: User, home: Namespace) -> None:
    make.knowledge(home, alice, "deploy", title="本番リリース", model_invocation=True)
    make.summary(home, alice, "# 概要")
    before = knowledge_export(namespace=home)
    taken = hers.get(reverse("note-files-zip", args=[home.pk]))
    assert taken.headers["Content-Disposition"].startswith('attachment; filename="knowledge-api-')
    knowledge_erase(namespace=home)
    shown = upload(hers, home, ("all.zip", taken.content), resident="on")
    assert not Knowledge.objects.exists()
    assert "That would cost" in shown.content.decode()
    done = agree(hers, home, shown, resident="on")
    assert done.status_code == 302
    assert knowledge_export(namespace=home) == before
    assert b"to import" in upload(hers, home, ("all.zip", taken.content)).content


def test_loose_files_are_taken_by_their_names(hers: Client, home: Namespace) -> None:
    (_path, data), *_rest = write_tree([NoteFile(make.note("a-note"))], "")
    shown = upload(hers, home, ("a-note.md", data), ("summary.md", b"About.\n"))
    agree(hers, home, shown)
    assert (Knowledge.objects.get().slug, Summary.objects.get().body) == ("a-note", "About.")


def test_an_import_can_be_taken_back_on_the_page(hers: Client, alice: User, home: Namespace) -> None:
    agree(hers, home, upload(hers, home, archive(NoteFile(make.note("a-note")), summary="About.")))
    page = hers.get(reverse("note-files", args=[home.pk]))
    assert "1 new note" in page.content.decode()
    (listed,) = page.context["imports"]
    address = reverse("note-files-undo", args=[home.pk])
    stranger = signed_in(build.person("mallory"))
    assert stranger.post(address, {"import": listed.group}).status_code == 404
    assert hers.post(address, {"import": "x"}).status_code == 404
    assert hers.post(address, {"import": listed.group}).status_code == 302
    assert not Knowledge.objects.exists()
    assert Summary.objects.get().body == ""
    assert "Brought in lately" not in hers.get(reverse("note-files", args=[home.pk])).content.decode()


def test_no_note_becomes_resident_unless_the_box_was_ticked(hers: Client, home: Namespace) -> None:
    asking = archive(NoteFile(make.note("a-note", model_invocation=True)))
    agree(hers, home, upload(hers, home, asking))
    assert not Knowledge.objects.get().model_invocation


def test_a_changed_text_is_shown_as_a_difference_and_taken_on_request(
    hers: Client, alice: User, home: Namespace
) -> None:
    make.knowledge(home, alice, "deploy")
    make.summary(home, alice, "Old summary.")
    other = archive(NoteFile(make.note("deploy", body="Ask first.")), summary="New summary.")
    refused = upload(hers, home, other)
    assert (refused.status_code, "slug is taken" in refused.content.decode()) == (422, True)
    shown = upload(hers, home, other, taken="update")
    assert "<ins>" in shown.content.decode()
    assert agree(hers, home, shown, taken="update").status_code == 302
    assert (Knowledge.objects.get().body, Summary.objects.get().body) == ("Ask first.", "New summary.")


def test_a_plan_that_somebody_overtook_is_shown_again(hers: Client, alice: User, home: Namespace) -> None:
    shown = upload(hers, home, archive(NoteFile(make.note("deploy"))))
    make.knowledge(home, alice, "deploy")
    late = agree(hers, home, shown)
    assert late.status_code == 422
    changed = agree(hers, home, shown, resident="on", seen="0" * 64)
    assert "changed meanwhile" in changed.content.decode()


BOMB = b"\0" * 200_000


def hostile() -> dict[str, tuple[str, bytes]]:
    def made(*entries: tuple[str, bytes], attr: int = 0, method: int = zipfile.ZIP_DEFLATED) -> bytes:
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", method) as opened:
            for name, data in entries:
                info = zipfile.ZipInfo(name)
                info.external_attr, info.compress_type = attr, method
                opened.writestr(info, data)
        return held.getvalue()

    return {
        "leads out of the folder": ("a.zip", made(("../../etc/cron.d/x.md", b"x"))),
        "larger than": ("b.zip", made(("knowledge/zeros.md", BOMB))),
        "links are not followed": ("c.zip", made(("knowledge/l.md", b"/etc/passwd"), attr=0o120777 << 16)),
        "packed in a way": ("d.zip", made(("knowledge/l.md", b"x"), method=zipfile.ZIP_LZMA)),
        "not a zip file": ("e.zip", b"nothing"),
        "not UTF-8": ("f.md", "手順".encode("shift_jis")),
        "front matter": ("g.md", b"# Only a heading"),
        "no such field": ("h.md", b"---\ntitle: a\ndescription: b\nmood: x\n---\nx"),
        "A slug has lower-case": ("手順.md", b"---\ntitle: a\ndescription: b\n---\nx"),
        "too long": ("i.md", b"---\ntitle: a\ndescription: b\n---\n" + b"x" * 8_001),
        "in a circle": archive(
            NoteFile(make.note("a-a"), "replaced", "b-b"), NoteFile(make.note("b-b"), "replaced", "a-a")
        ),
    }


def test_all_that_is_wrong_is_said_and_nothing_is_half_imported(hers: Client, home: Namespace) -> None:
    events = AuditEvent.objects.count()
    files = hostile()
    answer = upload(hers, home, archive(NoteFile(make.note("good"))), *files.values(), **{"import": "1"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert [said for said in files if said not in page] == []
    assert not Knowledge.objects.exists()
    assert AuditEvent.objects.count() == events


@pytest.mark.parametrize("packed", ["", "%%%", "bm8=", "A" * 5_000])
def test_a_form_that_no_page_of_ours_sent_imports_nothing(hers: Client, home: Namespace, packed: str) -> None:
    form = {"packed": packed, "import": "1", "taken": "report"}
    assert hers.post(reverse("note-files", args=[home.pk]), form).status_code == 422
    assert hers.post(reverse("note-files", args=[home.pk]), form | {"taken": "nonsense"}).status_code == 422
    assert not Knowledge.objects.exists()


def test_strangers_readers_and_paused_namespaces(alice: User, home: Namespace, hers: Client) -> None:
    bob, mallory = build.person("bob"), build.person("mallory")
    share(home, alice, bob, "reader")
    files = archive(NoteFile(make.note("a-note")))
    assert upload(signed_in(bob), home, files).status_code == 403
    assert upload(signed_in(mallory), home, files).status_code == 404
    assert "Bring files in" not in signed_in(bob).get(reverse("note-files", args=[home.pk])).content.decode()
    shown = upload(hers, home, files)
    namespace_pause(namespace=home, user=alice, paused=True, now=timezone.now())
    assert agree(hers, home, shown).status_code >= 400
    assert not Knowledge.objects.exists()

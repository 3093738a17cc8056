"""``doctor`` finds each kind of drift, says what mends it, and is silent when all is well."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from core.models import Namespace
from memory.models import Memory, MemoryIndex, MemoryTerm, MemoryVector
from memory.services.memories import memory_delete, memory_edit, memory_restore, memory_retire
from memory.services.vectors import fill_due
from tests import build
from tests.memory.recalling import model, remember

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _use() -> Iterator[None]:
    with model("use"):
        yield


@pytest.fixture
def memory() -> Memory:
    found = remember(build.workspace(build.person("alice")), "Use pnpm instead of npm.")
    fill_due()
    return found


def codes() -> list[str]:
    out = StringIO()
    with contextlib.suppress(
        CommandError
    ):  # it ends with one where answers are wrong; the finding stands before it
        call_command("doctor", "--json", stdout=out)
    return [each["code"] for each in json.loads(out.getvalue())["findings"]]


def test_after_a_memorys_whole_life_there_is_nothing_to_say(memory: Memory) -> None:
    user = memory.namespace.owner
    now = timezone.now()

    def act(what: Callable[..., Memory], **more: object) -> None:
        nonlocal memory
        memory = what(memory_id=memory.pk, version=memory.version, user=user, now=now, **more)
        fill_due()
        assert codes() == []

    act(memory_edit, content="Use pnpm 9.", kind="fact", aliases=["pn"])
    act(memory_retire, reason="outdated")
    act(memory_restore)
    other = remember(memory.namespace, "Deploy on Tuesdays.")
    fill_due()
    act(memory_delete)
    out = StringIO()
    call_command("doctor", stdout=out)
    assert "agrees with the memories" in out.getvalue()
    assert Memory.objects.active().get() == other


@pytest.mark.parametrize(
    ("code", "harm"),
    [
        ("not_indexed", lambda m: MemoryIndex.objects.filter(memory=m).delete()),
        ("index_of_none", lambda m: Memory.objects.filter(pk=m.pk).update(status="retracted")),
        ("words_of_none", lambda m: MemoryIndex.objects.filter(memory=m).delete()),
        ("other_words", lambda m: MemoryTerm.objects.filter(memory=m, term="npm").delete()),
        ("other_words", lambda m: MemoryTerm.objects.filter(memory=m, term="npm").update(term="yarn")),
        ("other_words", lambda m: MemoryTerm.objects.filter(memory=m, term="npm").update(count=3)),
        ("other_words", lambda m: Memory.objects.filter(pk=m.pk).update(aliases=["pm"])),
        ("wordless", lambda m: MemoryTerm.objects.filter(memory=m).delete()),
        ("former_text", lambda m: MemoryIndex.objects.filter(memory=m).update(version=7)),
        ("vector_of_none", lambda m: Memory.objects.filter(pk=m.pk).update(status="superseded")),
        ("vector_of_former_text", lambda m: MemoryVector.objects.filter(memory=m).update(version=7)),
    ],
)
def test_each_kind_of_drift_is_found_and_mended_by_what_it_names(
    memory: Memory, code: str, harm: Callable[[Memory], object]
) -> None:
    harm(memory)
    assert code in codes()
    with pytest.raises(CommandError, match=code):
        call_command("doctor", stdout=StringIO())
    call_command("reindex", stdout=StringIO())
    assert codes() == []


def test_rows_in_another_namespace_are_found(memory: Memory) -> None:
    elsewhere: Namespace = build.workspace(memory.namespace.owner, "elsewhere")
    MemoryTerm.objects.filter(memory=memory).update(namespace=elsewhere)
    assert "elsewhere" in codes()
    call_command("reindex", "--words", stdout=StringIO())
    assert codes() == []


def test_a_missing_vector_is_told_but_is_no_error(memory: Memory) -> None:
    MemoryVector.objects.all().delete()
    out = StringIO()
    call_command("doctor", stdout=out)
    assert "words alone find" in out.getvalue()
    assert str(memory.pk) in out.getvalue()
    call_command("reindex", "--vectors", stdout=StringIO())
    assert codes() == []


def test_without_a_model_missing_vectors_are_no_finding(memory: Memory) -> None:
    MemoryVector.objects.all().delete()
    with model("none"):
        out = StringIO()
        call_command("doctor", stdout=out)
    assert "words alone" in out.getvalue()
    assert "pnpm" not in out.getvalue()  # ids, never texts

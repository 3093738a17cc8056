"""Words and vectors are built anew behind live search; the model may fail or change meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from core.embed import EmbedUnavailable
from core.models import Namespace
from memory import embedder
from memory.models import Memory, MemoryIndex, MemoryTerm, MemoryVector
from memory.services.vectors import fill_due
from tests import build
from tests.memory.recalling import ask, load, model, row, texts

pytestmark = pytest.mark.django_db

ROWS = [
    row("a", "Logs are kept for 180 days."),
    row("b", "課金は月末締め。"),
    row("c", "Use pnpm instead of npm."),
]


class Counting:
    """A tiny space of three dimensions: which of three letters a text holds. Refuses texts that hold ``refused``."""

    dims = 3

    def __init__(self, space: str = "letters/3", refused: str | None = None) -> None:
        self.space = space
        self.refused = refused
        self.calls = 0

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        self.calls += 1
        if self.refused is not None and any(self.refused in text for text in texts):
            raise EmbedUnavailable("this text cannot be embedded")
        return [[1.0 + text.count("a"), 1.0 + text.count("k"), 1.0 + text.count("n")] for text in texts]


def _with(chosen: Counting) -> mock._patch[mock.MagicMock]:
    return mock.patch.object(embedder, "embedder", return_value=chosen)


@pytest.fixture
def api(alice: User) -> Iterator[Namespace]:
    load(alice, ROWS)
    with model("none"):
        yield Namespace.objects.get(owner=alice, name="api")


def test_words_are_built_anew_and_rows_of_what_is_gone_are_dropped(alice: User, api: Namespace) -> None:
    MemoryTerm.objects.filter(term="pnpm").delete()
    Memory.objects.filter(external_id="b").update(
        status="retracted"
    )  # drift: as if a data fix forgot the index
    assert not ask("pnpm", api).hits
    out = StringIO()
    call_command("reindex", "--words", "--namespace", "workspace:api", stdout=out)
    assert "Words of 2 memories" in out.getvalue()
    assert texts(ask("pnpm", api)) == ["Use pnpm instead of npm."]
    assert MemoryIndex.objects.count() == 2
    assert not MemoryTerm.objects.filter(term="課金").exists()


def test_rebuilding_the_words_keeps_the_vectors(api: Namespace) -> None:
    with _with(Counting()) as _:
        assert fill_due() == 3
        call_command("reindex", "--words", stdout=StringIO())
        assert fill_due() == 0
    assert MemoryVector.objects.count() == 3


def test_another_model_embeds_anew_and_its_predecessor_leaves_nothing(api: Namespace) -> None:
    with _with(Counting("old/3")):
        fill_due()
    with _with(Counting("new/3")):
        assert ask("pnpm", api).degraded  # words answer until the vectors of the new space are there
        out = StringIO()
        call_command("reindex", "--vectors", stdout=out)
        assert "3 vectors are computed in new/3" in out.getvalue()
        assert not ask("pnpm", api).degraded
    assert set(MemoryVector.objects.values_list("space", flat=True)) == {"new/3"}


def test_without_a_model_the_vectors_cannot_be_built_and_recall_goes_on(api: Namespace) -> None:
    with pytest.raises(CommandError, match="no embedding model"):
        call_command("reindex", "--vectors", stdout=StringIO())
    result = ask("pnpm", api)
    assert texts(result) == ["Use pnpm instead of npm."]
    assert result.degraded


def test_a_text_that_the_model_refuses_does_not_keep_the_others_waiting(api: Namespace) -> None:
    with _with(Counting(refused="課金")):
        assert fill_due() == 2
        assert fill_due() == 0
    with _with(Counting()):
        assert fill_due() == 1


def test_a_model_that_is_away_is_asked_a_few_times_only(api: Namespace) -> None:
    away = Counting(refused="")
    with _with(away):
        assert fill_due() == 0
        assert away.calls <= 3
        result = ask("pnpm", api)
    assert result.degraded
    assert texts(result) == ["Use pnpm instead of npm."]


def test_a_limit_is_kept_and_the_next_run_goes_on(api: Namespace) -> None:
    with _with(Counting()):
        assert [fill_due(limit=2), fill_due(limit=2), fill_due(limit=2)] == [2, 1, 0]


def test_another_persons_namespace_of_that_name_must_be_told_apart(api: Namespace) -> None:
    bob = build.person("bob")
    load(bob, [row("z", "Bob's build is red.")])
    with pytest.raises(CommandError, match="workspace:alice/api, workspace:bob/api"):
        call_command("reindex", "--words", "--namespace", "workspace:api")
    out = StringIO()
    call_command("reindex", "--words", "--namespace", "workspace:bob/api", stdout=out)
    assert "Words of 1 memories" in out.getvalue()
    with pytest.raises(CommandError, match="There is no namespace"):
        call_command("reindex", "--words", "--namespace", "workspace:nowhere")

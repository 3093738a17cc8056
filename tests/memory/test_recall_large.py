"""A namespace beyond the border has an index of its own; both sides find what an exact scan finds, in scope alone."""

from __future__ import annotations

import math
import random
import uuid
from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.models import Avg

from core.models import Namespace
from core.scope import Scope
from memory.models import CommonTerm, Memory, MemoryIndex, MemoryVector
from memory.recall import lexical as words
from memory.recall import semantic as meaning
from memory.recall.lexical import lexical
from memory.recall.sizes import sizes_of
from memory.services import vector_indexes
from memory.services.common_terms import common_terms_tend
from memory.services.growth import growth_tend
from memory.services.indexing import unindex_memories
from memory.services.vector_indexes import vector_indexes_missing, vector_indexes_tend
from tests import build
from tests.memory.recalling import load, row

pytestmark = pytest.mark.django_db(transaction=True)  # an index is built beside writers: in no transaction

SPACE = "letters/8"
BORDER = 400
LARGE, SMALL, THEIRS = 1_200, BORDER, BORDER + 50
Near = dict[uuid.UUID, float]


@pytest.fixture(autouse=True)
def border(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(meaning, "EXACT_UP_TO", BORDER)
    yield
    with connection.cursor() as cursor:  # they outlive the rows, which the test's end truncates
        cursor.execute(
            "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = 'memory_memoryvector'::regclass"
        )
        for (name,) in cursor.fetchall():
            if "_near_" in name:
                cursor.execute(f'DROP INDEX "{name}"')


@pytest.fixture
def homes() -> tuple[Namespace, Namespace]:
    """A large and a small namespace of one person, and a stranger's, large enough for an index of its own."""
    alice, mallory = build.person("alice"), build.person("mallory")
    for user, name, count in ((alice, "large", LARGE), (alice, "small", SMALL), (mallory, "theirs", THEIRS)):
        load(
            user,
            [
                row(f"{name}-{n}", f"rule {n} about ledgers", namespace=f"workspace:{name}")
                for n in range(count)
            ],
        )
        _vectors(Namespace.objects.get(name=name))
    return Namespace.objects.get(name="large"), Namespace.objects.get(name="small")


def test_a_large_namespace_gets_an_index_and_a_small_one_is_scanned(
    homes: tuple[Namespace, Namespace],
) -> None:
    large, small = homes
    assert {each.namespace_id for each in vector_indexes_missing()} >= {large.pk}
    assert small.pk not in {each.namespace_id for each in vector_indexes_missing()}
    assert len(vector_indexes_tend()) == 2  # alice's and the stranger's
    assert vector_indexes_missing() == []
    assert vector_indexes_tend() == []  # nothing to do twice
    assert "memory_vector_near_" in _plan(large)
    assert "memory_vector_near_" not in _plan(small)


def test_indexes_that_were_built_otherwise_are_exchanged(
    homes: tuple[Namespace, Namespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes, "THOROUGH", 64)
    before = set(vector_indexes_tend())
    monkeypatch.undo()
    monkeypatch.setattr(meaning, "EXACT_UP_TO", BORDER)
    after = set(vector_indexes_tend())
    assert len(after) == len(before) == 2
    assert not after & before
    assert _standing() == after


@pytest.mark.parametrize("built", [False, True])
def test_both_sides_of_the_border_find_what_an_exact_scan_finds(
    homes: tuple[Namespace, Namespace], built: bool
) -> None:
    if built:
        vector_indexes_tend()
    for scope in ([homes[0]], [homes[1]], list(homes)):
        shares = []
        for seed in range(10):
            question = _vector(random.Random(1000 + seed))
            exact, found = _exact(scope, question), _near(scope, question)
            assert len(found) == 50
            assert list(found.values()) == sorted(found.values(), reverse=True)
            shares.append(len(exact.keys() & found.keys()) / 50)
        assert sum(shares) / 10 >= 0.98
        inside = set(Memory.objects.filter(namespace__in=scope).values_list("pk", flat=True))
        assert found.keys() <= inside


def test_rows_that_left_do_not_use_up_the_places(homes: tuple[Namespace, Namespace]) -> None:
    vector_indexes_tend()
    question = _vector(random.Random(5))
    nearest = list(_exact([homes[0]], question, limit=300))
    unindex_memories(memory_ids=nearest)
    found = _near([homes[0]], question)
    assert len(found) == 50
    assert not found.keys() & set(nearest)


def test_an_index_goes_when_its_namespace_has_become_small(homes: tuple[Namespace, Namespace]) -> None:
    large = homes[0]
    growth_tend()
    assert CommonTerm.objects.filter(namespace=large).exists()
    ids = list(MemoryIndex.objects.filter(namespace=large).values_list("memory_id", flat=True))
    unindex_memories(memory_ids=ids[: LARGE - BORDER])  # at the border: kept, it may grow again
    growth_tend()
    assert "memory_vector_near_" in _plan(large)
    unindex_memories(memory_ids=ids[LARGE - BORDER : -100])
    growth_tend()
    assert "memory_vector_near_" not in _plan(large)
    assert not CommonTerm.objects.filter(namespace=large).exists()


def test_common_terms_are_counted_beforehand_and_change_no_score(
    homes: tuple[Namespace, Namespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = Scope.of(home.pk for home in homes)
    sizes = sizes_of(scope=scope, space=SPACE)
    terms = ["rul", "ledger", "7", "11"]
    before = lexical(scope=scope, sizes=sizes, terms=terms, limit=50)
    assert common_terms_tend() == 2  # the large one and the stranger's
    assert CommonTerm.objects.get(namespace=homes[0], term="rul").count == LARGE
    assert not CommonTerm.objects.filter(term="7").exists()  # rare: counted when asked
    assert lexical(scope=scope, sizes=sizes, terms=terms, limit=50) == before
    # Few postings may be opened: the rare terms name the candidates, the common ones still count for them.
    monkeypatch.setattr(words, "MOST_OPENED", 10)
    narrow = lexical(scope=scope, sizes=sizes, terms=terms, limit=50)
    assert len(narrow.words) == 4  # 7 and 11, in both
    for key, found in narrow.words.items():
        assert found.terms == before.words[key].terms
        assert found.score == pytest.approx(before.words[key].score)


def test_a_term_that_everything_holds_is_still_answered(
    homes: tuple[Namespace, Namespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "MOST_OPENED", 10)
    scope = Scope.of([homes[0].pk])
    found = lexical(scope=scope, sizes=sizes_of(scope=scope, space=SPACE), terms=["ledger"], limit=50)
    assert len(found.words) == 50


def test_sizes_are_told_by_namespace_and_the_stranger_counts_for_nothing(
    homes: tuple[Namespace, Namespace],
) -> None:
    large, small = homes
    MemoryIndex.objects.filter(memory__external_id="small-3").update(vector_space="other/3")
    sizes = sizes_of(scope=Scope.of([large.pk, small.pk]), space=SPACE)
    assert sizes.entries == LARGE + SMALL
    assert sizes.with_vector == {large.pk: LARGE, small.pk: SMALL - 1}
    mean = MemoryIndex.objects.filter(namespace__in=homes).aggregate(mean=Avg("length"))["mean"]
    assert sizes.mean_length == pytest.approx(mean)
    assert sizes_of(scope=Scope.of([]), space=SPACE).entries == 0


def test_counting_beforehand_changes_no_size(homes: tuple[Namespace, Namespace]) -> None:
    scope = Scope.of(home.pk for home in homes)
    before = sizes_of(scope=scope, space=SPACE)
    common_terms_tend()
    assert sizes_of(scope=scope, space=SPACE) == before


def test_a_large_namespace_keeps_its_size_but_never_hides_who_waits_for_a_vector(
    homes: tuple[Namespace, Namespace],
) -> None:
    large = homes[0]
    scope = Scope.of([large.pk])
    common_terms_tend()
    ids = list(MemoryIndex.objects.filter(namespace=large).values_list("memory_id", flat=True))
    unindex_memories(memory_ids=ids[:10])  # a few percent: counted again when there are more
    assert sizes_of(scope=scope, space=SPACE).entries == LARGE
    for waiting, name in ((ids[10], ""), (ids[11], "zzz/9"), (ids[12], "aaa/9")):
        MemoryIndex.objects.filter(memory=waiting).update(vector_space=name)
    sizes = sizes_of(scope=scope, space=SPACE)
    assert (sizes.entries, sizes.vectors) == (LARGE, LARGE - 3)
    other = sizes_of(scope=scope, space="another/8")
    assert other.vectors == 10 < other.entries  # no more than have left since the count
    unindex_memories(memory_ids=ids[: LARGE // 10])
    common_terms_tend()
    assert sizes_of(scope=scope, space=SPACE).entries == LARGE - LARGE // 10


def test_the_centre_of_a_large_scope_is_kept_for_a_while_and_of_a_small_one_never(
    homes: tuple[Namespace, Namespace],
) -> None:
    large, small = (Scope.of([home.pk]) for home in homes)

    def centre(scope: Scope) -> tuple[list[float], int]:
        vectors = sizes_of(scope=scope, space=SPACE).vectors
        mean, count = meaning.centroid(scope=scope, space=SPACE, vectors=vectors)
        return list(mean), count

    first, few = centre(large), centre(small)
    assert (first[1], few[1]) == (meaning.CENTROID_SAMPLE, SMALL)
    vectors = MemoryVector.objects.filter(namespace=homes[0]).order_by("memory_id")
    oldest = list(vectors.values_list("vector", flat=True)[: meaning.CENTROID_SAMPLE])
    assert first[0] == pytest.approx([sum(column) / len(oldest) for column in zip(*oldest, strict=True)])
    for home in homes:
        gone = MemoryIndex.objects.filter(namespace=home).values_list("memory_id", flat=True)[:50]
        unindex_memories(memory_ids=list(gone))
    assert centre(large) == first
    assert centre(small)[1] == SMALL - 50
    assert centre(Scope.of([homes[0].pk, homes[1].pk])) != first  # another scope has a centre of its own


def _standing() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname FROM pg_indexes WHERE tablename = 'memory_memoryvector' AND indexname LIKE '%%_near_%%'"
        )
        return {name for (name,) in cursor.fetchall()}


def _vector(chance: random.Random) -> list[float]:
    raw = [chance.gauss(0, 1) for _ in range(8)]
    length = math.sqrt(sum(x * x for x in raw))
    return [x / length for x in raw]


def _vectors(home: Namespace) -> None:
    chance = random.Random(home.name)
    rows = MemoryIndex.objects.filter(namespace=home)
    MemoryVector.objects.bulk_create(
        MemoryVector(memory_id=each.memory_id, namespace=home, space=SPACE, version=1, vector=_vector(chance))
        for each in rows
    )
    rows.update(vector_space=SPACE)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_memoryvector")


def _sizes(scope: list[Namespace]) -> dict[uuid.UUID, int]:
    return dict(sizes_of(scope=Scope.of(home.pk for home in scope), space=SPACE).with_vector)


def _near(scope: list[Namespace], question: list[float]) -> Near:
    return dict(meaning.semantic(sizes=_sizes(scope), space=SPACE, vector=question, limit=50))


def _exact(scope: list[Namespace], question: list[float], limit: int = 50) -> Near:
    rows = MemoryVector.objects.filter(namespace__in=scope).values_list("memory_id", "vector")
    near = {key: sum(a * b for a, b in zip(question, vector, strict=True)) for key, vector in rows}
    return dict(sorted(near.items(), key=lambda item: -item[1])[:limit])


def _plan(home: Namespace) -> str:
    """How the database would search there, by the statement of ``semantic``."""
    literal = str(_vector(random.Random(1)))
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + meaning._INDEXED.format(dims=8), [literal, home.pk, SPACE, literal, 20])
        return "\n".join(line for (line,) in cursor.fetchall())

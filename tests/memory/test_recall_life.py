"""What recall returns follows what a person decided, and when it was true (lessons rows 14 and 19)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connections

from core.models import Namespace
from core.scope import Scope
from memory.models import Memory, MemoryIndex, MemoryTerm, MemoryVector
from memory.recall import RecallQuery, recall
from memory.services import gate, memories
from memory.services.candidates import candidate_propose
from memory.services.vectors import fill_due
from tests import build
from tests.memory.make import proposal
from tests.memory.recalling import ask, load, model, remember, row, texts

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _model() -> Iterator[None]:
    with model("use"):
        yield


def test_retired_deleted_and_undone_memories_never_return(alice: User, api: Namespace, now: datetime) -> None:
    wrong = remember(api, "Deploys go out through Jenkins.")
    outdated = remember(api, "The queue is RabbitMQ.")
    gone = remember(api, "The mascot is a green otter.")
    undone = remember(api, "Lunch is at noon sharp.")
    fill_due()
    memories.memory_retire(memory_id=wrong.pk, version=1, user=alice, reason="wrong", now=now)
    memories.memory_retire(memory_id=outdated.pk, version=1, user=alice, reason="outdated", now=now)
    memories.memory_delete(memory_id=gone.pk, version=1, user=alice, now=now)
    candidate = undone.candidates.get()
    gate.candidate_undo(candidate_id=candidate.pk, version=candidate.version, user=alice, now=now)
    for question in ("Jenkins", "RabbitMQ queue", "green otter mascot", "lunch at noon"):
        assert not ask(question, api, floor=False).hits
    assert not MemoryTerm.objects.exists()
    assert not MemoryVector.objects.exists()


def test_a_correction_takes_the_place_of_what_it_corrects(alice: User, api: Namespace, now: datetime) -> None:
    loaded = load(
        alice,
        [
            row("old", "CI runs on Jenkins.", at="2026-01-01", superseded_by="new"),
            row("new", "CI runs on Buildkite.", at="2026-06-01"),
        ],
    )
    assert set(loaded) == {"old", "new"}
    assert texts(ask("Where does CI run?", api)) == ["CI runs on Buildkite."]


def test_an_edit_is_found_by_its_new_text_alone_before_any_job_ran(
    alice: User, api: Namespace, now: datetime
) -> None:
    memory = remember(api, "The porridge is stirred clockwise.")
    fill_due()
    memories.memory_edit(
        memory_id=memory.pk,
        version=1,
        user=alice,
        content="Releases are tagged on Tuesdays.",
        kind="fact",
        now=now,
    )
    assert not MemoryVector.objects.exists()
    result = ask("When are releases tagged?", api)
    assert texts(result) == ["Releases are tagged on Tuesdays."]
    assert result.degraded
    assert not ask("porridge", api).hits


def test_as_of_returns_what_was_valid_then(alice: User, api: Namespace) -> None:
    load(
        alice,
        [
            row("one", "The staging host is called heron.", at="2026-01-10T00:00:00Z", superseded_by="two"),
            row("two", "The staging host is called egret.", at="2026-03-10T00:00:00Z", superseded_by="three"),
            row("three", "The staging host is called stork.", at="2026-05-10T00:00:00Z"),
        ],
    )
    fill_due()

    def then(moment: str) -> list[str]:
        return [text[-6:-1] for text in texts(ask("staging host", api, as_of=datetime.fromisoformat(moment)))]

    assert then("2026-01-09T23:59:59+00:00") == []
    assert then("2026-01-10T00:00:00+00:00") == ["heron"]
    assert then("2026-04-01T00:00:00+00:00") == ["egret"]
    assert then("2026-05-10T00:00:00+00:00") == ["stork"]
    assert then("0001-01-01T00:00:00+14:00") == []
    assert then("9999-12-31T23:59:59-11:00") == ["stork"]


def test_as_of_never_returns_what_was_wrong_or_deleted(alice: User, api: Namespace, now: datetime) -> None:
    then = now - timedelta(days=1)
    wrong = remember(api, "The staging host is called heron.", now=then)
    gone = remember(api, "The staging host is called egret.", now=then)
    outdated = remember(api, "The staging host is called stork.", now=then)
    Memory.objects.update(valid_from=then)
    memories.memory_retire(memory_id=wrong.pk, version=1, user=alice, reason="wrong", now=now)
    memories.memory_retire(memory_id=outdated.pk, version=1, user=alice, reason="outdated", now=now)
    memories.memory_delete(memory_id=gone.pk, version=1, user=alice, now=now)
    found = ask("staging host", api, as_of=now - timedelta(hours=1))
    assert texts(found) == ["The staging host is called stork."]
    assert not ask("staging host", api).hits


def test_meaning_finds_what_shares_no_word(alice: User, api: Namespace) -> None:
    load(
        alice,
        [
            row("pnpm", "パッケージマネージャは pnpm を使う。"),
            row("tea", "来客には緑茶を出す。"),
            row("log", "Logs are kept for 180 days."),
        ],
    )
    fill_due()
    result = ask("Which package manager do we use?", api)
    assert texts(result) == ["パッケージマネージャは pnpm を使う。"]
    assert not result.degraded
    assert result.hits[0].why.meaning is not None


def test_a_memory_whose_vector_is_due_is_found_and_the_answer_says_degraded(
    alice: User, api: Namespace
) -> None:
    remember(api, "Logs are kept for 180 days.")
    fill_due()
    assert not ask("log retention days", api).degraded
    remember(api, "Backups are kept for 35 days in Osaka.")
    result = ask("backups in Osaka", api)
    assert texts(result)[0] == "Backups are kept for 35 days in Osaka."
    assert result.degraded


def test_of_two_equally_near_the_decision_and_the_postmortem_come_first(alice: User, api: Namespace) -> None:
    """Equal texts of other kinds, so relevance is equal; only near-duplicates would collapse, hence one at a time."""
    for kind in ("decision", "postmortem"):
        other = build.workspace(alice, f"of-{kind}")
        load(
            alice,
            [
                row(
                    "b",
                    "Retries are capped at three.",
                    kind="fact",
                    namespace=f"workspace:of-{kind}",
                    at="2026-06-01",
                ),
                row(
                    "a",
                    "Retries are capped at three.",
                    kind=kind,
                    namespace=f"workspace:of-{kind}",
                    at="2026-01-01",
                ),
            ],
        )
        fill_due()
        (hit,) = ask("cap of retries", other).hits
        assert hit.memory.kind == kind
        assert hit.why.kind > 0


def test_near_duplicates_take_one_place_but_other_versions_do_not(alice: User, api: Namespace) -> None:
    load(
        alice,
        [
            row("a", "The nightly export writes its files to the bucket named harbour-exports."),
            row("b", "The nightly export writes its files to the bucket named harbour-exports!"),
            row("c", "The nightly export runs on Python 3.11 and writes parquet files."),
            row("d", "The nightly export runs on Python 3.12 and writes parquet files."),
        ],
    )
    found = texts(ask("nightly export", api, floor=False))
    assert len(found) == 3
    assert sum("3.1" in text for text in found) == 2


def test_equal_scores_go_to_the_newer_one_and_every_answer_is_the_same(alice: User, api: Namespace) -> None:
    load(
        alice,
        [
            row("a", "Printer alpha stands on floor 1.", at="2026-01-01"),
            row("b", "Printer bravo stands on floor 2.", at="2026-02-01"),
            row("c", "Printer delta stands on floor 3.", at="2026-03-01"),
        ],
    )
    with model("none"):
        first = texts(ask("printer stands on a floor", api))
        assert [text[8:13] for text in first] == ["delta", "bravo", "alpha"]
        assert all(texts(ask("printer stands on a floor", api)) == first for _ in range(3))


def test_what_nothing_tells_apart_comes_in_the_same_order_in_every_installation(alice: User) -> None:
    names = ["alpha", "bravo", "delta", "ember", "gamma"]
    orders = []
    for number in range(3):  # loaded in another order, and so under other ids
        home = build.workspace(alice, name=f"copy-{number}")
        reference = f"workspace:copy-{number}"
        load(
            alice,
            [
                row(name, f"Printer {name} stands on the floor.", at="2026-01-01", namespace=reference)
                for name in (*names[number:], *names[:number])
            ],
        )
        with model("none"):
            orders.append(texts(ask("printer stands on the floor", home)))
    assert len(orders[0]) == len(names)
    assert orders[0] == orders[1] == orders[2]


def test_a_scope_of_nothing_answers_nothing(api: Namespace) -> None:
    remember(api, "Use pnpm.")
    assert recall(query=RecallQuery("pnpm", Scope.of([]), floor=False)).hits == ()


@pytest.mark.django_db(transaction=True)
def test_eight_approve_and_recall_at_the_same_time(now: datetime) -> None:
    alice = build.person("alice")
    api = build.workspace(alice)
    waiting = [
        candidate_propose(
            proposal=proposal(api, f"Service number {n} listens on port 70{n:02d}.", kind="fact"), now=now
        )
        for n in range(8)
    ]
    problems: list[BaseException] = []
    found: list[list[str]] = []

    def run(index: int) -> None:
        candidate = waiting[index].candidate
        assert candidate is not None
        try:
            gate.candidate_approve(candidate_id=candidate.pk, version=candidate.version, user=alice, now=now)
            found.append(texts(ask(f"port 70{index:02d}", api)))
            fill_due()
        except BaseException as error:
            problems.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert len(found) == 8
    assert all(hits for hits in found)
    fill_due()
    assert MemoryVector.objects.count() == MemoryIndex.objects.count() == 8

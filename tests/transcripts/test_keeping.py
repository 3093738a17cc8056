"""Pins, purge, partitions and neighbours: what is kept, how long, and where."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.models import AgentKey
from tests import build
from transcripts import tasks
from transcripts.inputs import Shown
from transcripts.models import AgentSession, Exposure, Message, Turn, TurnPin
from transcripts.selectors.neighbours import neighbours
from transcripts.services import purge
from transcripts.services.exposures import exposure_record
from transcripts.services.partitions import partitions_ensure
from transcripts.services.pins import turn_pin, turn_unpin
from transcripts.services.purge import transcripts_purge
from transcripts.services.sessions import sessions_close_idle

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)


def talk(key: AgentKey, count: int, *, session: str = "s1", ago: timedelta) -> list[Turn]:
    build.session(key, session, now=NOW - ago)
    return [
        build.turn(key, f"turn {n}", session=session, name=f"t{n}", now=NOW - ago + timedelta(minutes=n))
        for n in range(count)
    ]


def left() -> list[str]:
    return list(Turn.objects.order_by("opened_at").values_list("key", flat=True))


def test_neighbours_stand_in_order_with_their_messages(key: AgentKey) -> None:
    turns = talk(key, 7, ago=timedelta(days=1))
    talk(key, 2, session="s2", ago=timedelta(days=1))
    around = neighbours(turns[3], 2)
    assert [turn.key for turn in around] == ["t1", "t2", "t3", "t4", "t5"]
    assert next(message.text for turn in around for message in turn.messages.all()) == "turn 1"
    assert [turn.key for turn in neighbours(turns[0], 2)] == ["t0", "t1", "t2"]


def test_a_pin_holds_the_turn_and_two_neighbours_each_way_until_it_is_let_go(key: AgentKey) -> None:
    turns = talk(key, 9, ago=timedelta(days=91))
    turn_pin(turn_ids=[turns[4].pk], holder="candidate:1")
    turn_pin(turn_ids=[turns[4].pk], holder="candidate:1")
    assert TurnPin.objects.count() == 5
    purged = transcripts_purge(now=NOW)
    assert (purged.turns, purged.sessions) == (2, 0)
    # What follows a pinned turn stays: the pin may be older than its neighbours.
    assert left() == ["t2", "t3", "t4", "t5", "t6", "t7", "t8"]
    assert turn_unpin(holder="candidate:1") == 5
    purged = transcripts_purge(now=NOW)
    assert (purged.turns, purged.sessions) == (7, 1)
    assert not Message.objects.exists()
    assert not AgentSession.objects.exists()


def test_neighbours_that_came_after_the_pin_stay_too(key: AgentKey) -> None:
    first = talk(key, 1, ago=timedelta(days=100))[0]
    turn_pin(turn_ids=[first.pk], holder="candidate:1")
    for n in range(1, 5):
        build.turn(key, f"turn {n}", name=f"t{n}", now=NOW - timedelta(days=99) + timedelta(minutes=n))
    transcripts_purge(now=NOW)
    assert left() == ["t0", "t1", "t2"]


def test_only_age_counts_and_only_past_the_limit(key: AgentKey) -> None:
    talk(key, 1, session="old", ago=timedelta(days=90, seconds=1))
    talk(key, 1, session="young", ago=timedelta(days=90))
    assert transcripts_purge(now=NOW).turns == 1
    assert [session.key for session in AgentSession.objects.all()] == ["young"]


def test_purging_in_small_batches_takes_everything(key: AgentKey) -> None:
    talk(key, 7, session="a", ago=timedelta(days=91))
    talk(key, 6, session="b", ago=timedelta(days=91))
    purged = transcripts_purge(now=NOW, batch=2)
    assert (purged.turns, purged.sessions) == (13, 2)


def test_a_session_that_was_just_opened_is_not_empty(key: AgentKey) -> None:
    build.session(key, "fresh", now=NOW - timedelta(days=1))
    build.session(key, "stale", now=NOW - timedelta(days=91))
    assert transcripts_purge(now=NOW).sessions == 1
    assert AgentSession.objects.get().key == "fresh"


def test_old_exposures_without_a_session_go(key: AgentKey) -> None:
    for days in (91, 1):
        at = NOW - timedelta(days=days)
        exposure_record(
            session=None, agent_key=key, path="recall", items=[Shown("memory", "1", 1, "x")], now=at
        )
    assert transcripts_purge(now=NOW).exposures == 1
    assert Exposure.objects.get().at == NOW - timedelta(days=1)


def test_old_exposures_go_in_batches(key: AgentKey) -> None:
    for _each in range(5):
        shown(key, NOW - timedelta(days=91))
    with CaptureQueriesContext(connection) as queries:
        assert transcripts_purge(now=NOW, batch=2).exposures == 5
    said = [query["sql"] for query in queries.captured_queries]
    assert len([sql for sql in said if sql.startswith('DELETE FROM "transcripts_exposure"')]) == 4


def test_old_sessions_are_walked_through_a_few_at_a_time(
    key: AgentKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge, "_SESSIONS", 2)
    for number in range(5):
        talk(key, 2, session=f"s{number}", ago=timedelta(days=91))
    talk(key, 1, session="young", ago=timedelta(days=1))
    purged = transcripts_purge(now=NOW)
    assert (purged.turns, purged.sessions) == (10, 5)
    assert left() == ["t0"]


def partition_of(row: Exposure) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tableoid::regclass::text FROM transcripts_exposure WHERE id = %s", [row.pk])
        return str(cursor.fetchone()[0])


def shown(key: AgentKey, at: datetime) -> Exposure:
    exposure_record(session=None, agent_key=key, path="get", items=[Shown("memory", "1", 1, "x")], now=at)
    return Exposure.objects.latest("id")


def test_exposures_land_in_the_partition_of_their_month(key: AgentKey) -> None:
    early = shown(key, datetime(2031, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC))
    assert partition_of(early) == "transcripts_exposure_default"
    made = partitions_ensure(now=datetime(2031, 12, 5, tzinfo=UTC))
    assert made == [f"transcripts_exposure_y{name}" for name in ("2031m12", "2032m01", "2032m02")]
    assert partition_of(early) == "transcripts_exposure_y2031m12"  # what the default caught has moved
    assert partitions_ensure(now=datetime(2031, 12, 6, tzinfo=UTC)) == []
    assert partition_of(shown(key, datetime(2032, 1, 1, tzinfo=UTC))) == "transcripts_exposure_y2032m01"
    assert partition_of(shown(key, datetime(2032, 2, 29, 12, tzinfo=UTC))) == "transcripts_exposure_y2032m02"
    assert partition_of(shown(key, datetime(2032, 3, 1, tzinfo=UTC))) == "transcripts_exposure_default"
    assert Exposure.objects.count() == 4


def test_a_new_partition_keeps_the_links_and_is_emptied_with_its_key(key: AgentKey) -> None:
    partitions_ensure(now=datetime(2031, 12, 5, tzinfo=UTC))
    shown(key, datetime(2031, 12, 6, tzinfo=UTC))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("DELETE FROM core_agentkey WHERE id = %s", [key.pk])
    assert not Exposure.objects.exists()


def months() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'transcripts_exposure'::regclass"
        )
        return {row[0].removeprefix("transcripts_exposure_") for row in cursor.fetchall()}


class TestOldPartitions:
    MADE = datetime(2026, 5, 1, tzinfo=UTC)  # May, June and July; on 15 November all before 17 August is old

    @pytest.fixture(autouse=True)
    def _made(self) -> None:
        partitions_ensure(now=self.MADE)

    def test_go_once_the_whole_month_is_old_and_nothing_is_left(self, key: AgentKey) -> None:
        shown(key, datetime(2026, 6, 10, tzinfo=UTC))
        partitions_ensure(now=datetime(2026, 8, 1, tzinfo=UTC))
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        purged = transcripts_purge(now=NOW)
        assert (purged.exposures, purged.partitions) == (1, 3)
        assert {"default", "y2026m08"} <= months()
        assert not {"y2026m05", "y2026m06", "y2026m07"} & months()
        assert transcripts_purge(now=NOW).partitions == 0

    def test_stay_while_a_pinned_session_needs_what_it_was_shown(self, key: AgentKey) -> None:
        (turn,) = talk(key, 1, ago=NOW - datetime(2026, 6, 10, tzinfo=UTC))
        turn_pin(turn_ids=[turn.pk], holder="candidate:1")
        exposure_record(
            session=turn.session,
            agent_key=key,
            path="recall",
            items=[Shown("memory", "1", 1, "x")],
            now=datetime(2026, 6, 10, tzinfo=UTC),
        )
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        assert transcripts_purge(now=NOW).partitions == 2
        assert "y2026m06" in months()
        assert Exposure.objects.count() == 1


def test_turns_left_open_are_closed_after_a_silent_day(key: AgentKey) -> None:
    build.session(key, "s1", now=NOW - timedelta(days=2))
    build.turn(key, "half a", closed=False, now=NOW - timedelta(hours=24))
    build.turn(key, "half b", session="s2", closed=False, now=NOW - timedelta(hours=23))
    assert sessions_close_idle(now=NOW) == 1
    closed = Turn.objects.get(session__key="s1")
    assert (closed.closed_at, closed.due_at) == (NOW, NOW)
    assert Turn.objects.get(session__key="s2").closed_at is None


def test_the_nightly_tasks_reach_their_services(key: AgentKey) -> None:
    build.session(key, "s1", now=timezone.now() - timedelta(days=100))
    tasks.partitions_ensure()
    tasks.sessions_close_idle()
    tasks.transcripts_purge()
    assert not AgentSession.objects.exists()
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [f"transcripts_exposure_{timezone.now():y%Ym%m}"])
        assert cursor.fetchone()[0] is not None

"""What was spooled leaves the same rows as it would have left online, whatever order it comes in (design section 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.hook_rows import outcome
from core.models import AgentKey
from integrations.hooks.envelope import envelope_of
from integrations.hooks.events import event_of
from integrations.services.claude_code import Handled, hook_handle
from memory.models import Candidate
from tests import build
from tests.integrations.hooking import SHOP, line
from tests.memory.pipeline import scan_all
from transcripts.models import Replay

BEGINS = datetime(2026, 11, 2, 9, tzinfo=UTC)
# Wordings that dedupe takes for one another, for neighbours, and for contradictions.
SAID = (
    "Always run ruff before you push.",
    "Always run ruff before pushing.",
    "Please always run ruff before you push anything.",
    "From now on use pnpm, not npm.",
    "From now on use npm, not pnpm.",
    "From now on use pnpm instead of npm.",
    "プッシュの前に必ずruffを実行してください。",
    "必ずプッシュの前にruffを実行してください。",
    "Fix the failing test.",
)


@dataclass
class Record:
    """One event as the program spools it."""

    event: Mapping[str, Any]
    around: Mapping[str, Any]
    at: datetime


@dataclass
class Week:
    """Events of sessions that take turns, as a person with two terminals makes them."""

    records: list[Record] = field(default_factory=list)
    at: datetime = BEGINS
    unsent: dict[str, list[str]] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)

    def fire(self, session: str, name: str, **fields: Any) -> None:
        self.at += timedelta(seconds=7)
        number = len(self.records)
        lines: list[str] = [] if name == "UserPromptSubmit" else self.unsent.pop(session, [])
        around = {
            "id": f"event-{number:04}",
            "protocol": 1,
            "machine": "laptop",
            "workspace": SHOP,
            "transcript": True,
            "turn": self.opened.get(session, "") if lines else "",
            "slice": lines,
        }
        event = {"hook_event_name": name, "session_id": session, **fields}
        self.records.append(Record(event, around, self.at))

    def write(self, session: str, kind: str, text: str, prompt: str) -> None:
        uid = f"{session}-{len(self.unsent.get(session, []))}-{len(self.records)}-{kind}"
        at = (self.at + timedelta(seconds=1)).isoformat()
        made = line(
            kind, text, uid=uid, parent=self.last.get(session), prompt=prompt, at=at, sessionId=session
        )
        self.unsent.setdefault(session, []).append(made)
        self.last[session] = uid

    def turn(self, session: str, said: str, *, compacts: bool, stops: str) -> None:
        prompt = f"{session}-p{len(self.records)}"
        self.fire(session, "UserPromptSubmit", prompt=said, prompt_id=prompt, source="user")
        self.write(session, "user", said, prompt)
        self.opened[session] = prompt
        answer = f"Done, as you said ({len(self.records)})."
        self.write(session, "assistant", answer, "")
        if compacts:
            self.fire(session, "PreCompact", prompt_id=prompt, trigger="auto")
        if stops:
            self.fire(session, stops, prompt_id=prompt, last_assistant_message=answer)


TURN = st.tuples(
    st.sampled_from(("s1", "s2", "s3")),
    st.sampled_from(SAID),
    st.booleans(),
    st.sampled_from(("Stop", "Stop", "Stop", "StopFailure", "")),
)


@st.composite
def weeks(draw: st.DrawFn) -> Week:
    """A few turns of up to three sessions, some compacted, some interrupted, some that end and some that do not."""
    week = Week()
    turns = draw(st.lists(TURN, min_size=2, max_size=6))
    for session in dict.fromkeys(session for session, *_rest in turns):
        week.fire(session, "SessionStart", source="startup")
    for session, said, compacts, stops in turns:
        week.turn(session, said, compacts=compacts, stops=stops)
    for session in ("s1", "s2", "s3"):
        if any(session == turn[0] for turn in turns) and draw(st.booleans()):
            week.fire(session, "SessionEnd", reason="other")
    return week


def deliver(key: AgentKey, record: Record, now: datetime, **more: Any) -> Handled:
    around = {**record.around, **more}
    return hook_handle(
        agent_key=key,
        event=event_of(record.event),
        envelope=envelope_of(around, at=record.at, now=now),
        now=now,
    )


def online(name: str, records: Sequence[Record]) -> AgentKey:
    """Each event at its time, and a worker that keeps up."""
    key = build.key(build.person(name)).key
    for record in records:
        deliver(key, record, record.at)
        scan_all(record.at + timedelta(seconds=1))
    return key


def finish(now: datetime) -> None:
    """Past every wait for an earlier turn."""
    scan_all(now + timedelta(minutes=5))


def rows(user: User) -> dict[str, list[Any]]:
    found = outcome(user)
    found.pop("exposures")  # nobody is shown anything afterwards
    found["source"] = sorted(Candidate.objects.filter(namespace__owner=user).values_list("content", "source"))
    return found


@pytest.mark.timeout(300)  # ten weeks, each scanned twice
@pytest.mark.django_db
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(week=weeks(), data=st.data())
def test_the_order_of_delivery_changes_nothing(week: Week, data: st.DataObject) -> None:
    size = len(week.records)
    cut = data.draw(st.integers(0, size - 1), label="online until")
    places = data.draw(st.permutations(range(cut, size)), label="order")
    again = data.draw(st.lists(st.sampled_from(places), max_size=4), label="twice")
    with transaction.atomic():
        ann = online("ann", week.records)
        finish(week.at)
        bob = online("bob", week.records[:cut])
        now = week.at + timedelta(hours=3)
        queue = [*places, *again]
        for sent, place in enumerate(queue, start=1):
            moment = now + timedelta(seconds=sent)
            handled = deliver(bob, week.records[place], moment, late=True, waiting=len(queue) - sent)
            if sent < len(queue):
                assert not handled.scan
                assert not handled.sweep
                assert scan_all(moment) == 0
        finish(now + timedelta(minutes=5))
        assert rows(bob.user) == rows(ann.user)
        assert not Replay.objects.filter(user=bob.user).exists()
        transaction.set_rollback(True)  # each example begins with nothing

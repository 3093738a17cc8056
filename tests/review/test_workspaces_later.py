"""What goes on while namespaces are merged and split: scans, undo, proposals, other people."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connections
from django.utils import timezone

from core.errors import Conflict
from core.models import Namespace
from core.services import audit
from knowledge.models import Proposal
from knowledge.services.proposals import proposal_accept, proposal_file
from memory.models import Candidate, Memory
from memory.services import extractors
from memory.services.candidates import candidate_propose
from memory.services.extraction import scan_next
from review.services import acts
from review.services.workspaces import namespace_merge, namespace_split
from tests import build
from tests.memory.make import proposal
from tests.review.scene import approved, propose, remembered
from transcripts.models import AgentSession

RULE = "From now on, always use pnpm instead of npm in this repository."


@pytest.fixture
def web(alice: User) -> Namespace:
    return build.workspace(alice, "web")


def merge(source: Namespace, target: Namespace, user: User) -> None:
    namespace_merge(
        source_id=source.pk, target_id=target.pk, user=user, typed_name=source.name, now=timezone.now()
    )


def retire(memory: Memory, now: datetime) -> Proposal:
    payload = {"memory": {"id": str(memory.pk), "version": memory.version}, "as": "wrong"}
    return proposal_file(
        namespace=memory.namespace, kind="retire", payload=payload, reason="unused", now=now
    ).proposal


@pytest.mark.django_db
class TestLater:
    def test_an_act_from_before_the_merge_can_still_be_undone(
        self, api: Namespace, web: Namespace, alice: User, now: datetime
    ) -> None:
        row = propose(web, "The site uses Astro.", kind="fact")
        acts.act_approve(user=alice, items=[acts.ItemRef(row.pk, row.version)], now=now)
        merge(web, api, alice)
        result = acts.act_undo_last(user=alice, now=now)
        row.refresh_from_db()
        assert (result.done, row.status, row.namespace) == ([row.pk], "pending", api)

    def test_proposals_follow_and_can_still_be_decided(
        self, api: Namespace, web: Namespace, alice: User, now: datetime
    ) -> None:
        memory = remembered(alice, web, "The site uses Astro.", kind="fact")
        made = retire(memory, now)
        merge(web, api, alice)
        made.refresh_from_db()
        assert made.namespace == api
        proposal_accept(proposal_id=made.pk, version=made.version, user=alice, now=now)
        memory.refresh_from_db()
        assert memory.status == "retracted"

    def test_a_split_takes_proposals_about_what_leaves_and_withdraws_those_about_both(
        self, alice: User, now: datetime
    ) -> None:
        laptop = build.key(alice).key
        memories: dict[str, Memory] = {}
        for name, place in (("one", "r:aaaaaaaa1"), ("two", "r:bbbbbbbb2")):
            build.session(laptop, name, workspace="mono", fingerprints=[place])
        mono = Namespace.objects.get(name="mono")
        other = Namespace.objects.get(name__startswith="mono-")
        merge(other, mono, alice)
        for name in ("one", "two"):
            turn = build.turn(laptop, f"Repository {name} uses tabs.", session=name, name=f"said in {name}")
            row = propose(mono, f"Repository {name} uses tabs.", kind="fact", turn=turn)
            memories[name] = approved(alice, row)
        leaving = retire(memories["two"], now)
        both = proposal_file(
            namespace=mono,
            kind="merge",
            payload={
                "keep": {"id": str(memories["one"].pk), "version": 1},
                "drop": [{"id": str(memories["two"].pk), "version": 1}],
            },
            reason="alike",
            now=now,
        ).proposal
        two = mono.fingerprints.get(value="r:bbbbbbbb2")
        site = namespace_split(
            namespace_id=mono.pk, user=alice, name="site", fingerprint_ids=[two.pk], now=now
        ).namespace
        leaving.refresh_from_db()
        both.refresh_from_db()
        assert (leaving.namespace, leaving.state) == (site, "open")
        assert (both.namespace, both.state) == (mono, "withdrawn")

    def test_a_scan_that_was_thinking_files_where_its_session_is_now(
        self, api: Namespace, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        laptop = build.key(alice).key
        build.session(laptop, "s1", workspace="web", now=now)
        build.turn(laptop, RULE, session="s1", now=now)
        web = Namespace.objects.get(name="web")
        run = extractors.run

        def think(**asked: Any) -> extractors.Run:
            if Namespace.objects.filter(pk=web.pk).exists():
                merge(web, api, alice)
            return run(**asked)

        monkeypatch.setattr(extractors, "run", think)
        later = timezone.now() + timedelta(seconds=1)
        assert scan_next(now=later)
        assert not Candidate.objects.exists()
        assert scan_next(now=later + timedelta(hours=1))
        assert [row.namespace for row in Candidate.objects.all()] == [api]


@pytest.mark.django_db(transaction=True)
def test_proposals_that_come_in_during_a_merge_end_up_in_the_target_or_are_refused() -> None:
    alice = build.person("alice")
    api, web = build.workspace(alice, "api"), build.workspace(alice, "web")
    now = timezone.now()
    for number in range(8):
        propose(web, f"Service number {number} listens on port {8000 + number}.", kind="fact")
    ready, filed = threading.Barrier(4), list[str]()
    opened = proposal(web, "x", session="late").session
    assert opened is not None

    def file(place: int) -> None:
        ready.wait()
        for number in range(6):
            text = f"Worker {place} has queue {number} of size {100 + number}."
            try:
                candidate_propose(
                    proposal=proposal(web, text, kind="fact", session=f"late {place} {number}"), now=now
                )
                filed.append(text)
            except IntegrityError:  # the namespace is gone: the caller's retry finds the new one
                connections["default"].close()
        connections.close_all()

    threads = [threading.Thread(target=file, args=(place,)) for place in range(3)]
    for thread in threads:
        thread.start()
    ready.wait()
    merged = False
    while not merged:
        with suppress(Conflict):  # a session was opened there each time: it says so, and changes nothing
            merge(web, api, alice)
            merged = True
    for thread in threads:
        thread.join(timeout=60)
    assert not Namespace.objects.filter(pk=web.pk).exists()
    assert {row.namespace_id for row in Candidate.objects.all()} == {api.pk}
    assert {row.content for row in Candidate.objects.all()} >= set(filed)
    assert not AgentSession.objects.filter(workspace_id=web.pk).exists()
    assert audit.verify() == []

"""Merging and splitting namespaces: everything follows, nothing is found twice, nobody else gains a word."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.errors import Conflict, Forbidden, Invalid, NotFound
from core.models import AgentKey, AuditEvent, Fingerprint, Namespace
from core.selectors.access import namespace_for_key
from core.services import audit
from core.services.workspaces import namespace_rename
from memory.models import (
    Candidate,
    Memory,
    MemoryIndex,
    MemoryTerm,
    Request,
    ReviewPolicy,
    TokenMeter,
    Tombstone,
)
from memory.services import gate
from memory.services.blocks import blocks_of
from memory.services.candidates import candidate_propose
from memory.services.policy import policy_run, policy_set
from review.services.filters import saved_filter_save
from review.services.workspaces import Merged, Split, namespace_merge, namespace_split
from tests import build
from tests.memory.make import proposal
from tests.memory.seen import seen
from tests.review.scene import approved, propose, remembered, share
from transcripts.models import AgentSession

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def laptop(alice: User) -> AgentKey:
    return build.key(alice).key


@pytest.fixture
def web(alice: User) -> Namespace:
    return build.workspace(alice, "web")


def merge(source: Namespace, target: Namespace, user: User, typed: str | None = None) -> Merged:
    return namespace_merge(
        source_id=source.pk,
        target_id=target.pk,
        user=user,
        typed_name=source.name if typed is None else typed,
        now=timezone.now(),
    )


class TestMerging:
    def test_takes_everything_along_and_keeps_it_findable(
        self, laptop: AgentKey, api: Namespace, web: Namespace, alice: User, now: datetime
    ) -> None:
        build.session(laptop, "in web", workspace="web", fingerprints=["r:aaaaaaaa1", "d:bbbbbbbb2"])
        memory = remembered(alice, web, "The site uses Astro.", kind="fact")
        waiting = propose(web, "Logs go to Loki.", kind="fact")
        rejected = propose(web, "The office has a cat.", kind="fact")
        gate.candidate_reject(candidate_id=rejected.pk, version=1, user=alice, now=now)
        TokenMeter.objects.create(namespace=web, day=now.date(), tokens=5)
        TokenMeter.objects.create(namespace=api, day=now.date(), tokens=7)
        saved = saved_filter_save(user=alice, name="Web", query=f"namespace={web.pk}", now=now)
        result = merge(web, api, alice)

        assert not Namespace.objects.filter(pk=web.pk).exists()
        assert (result.sessions, result.memory.candidates, result.memory.memories) == (1, 3, 1)
        assert namespace_for_key(key=laptop, reference="workspace:web") == api
        assert build.session(laptop, "next", workspace="web", fingerprints=["r:aaaaaaaa1"]).workspace == api
        assert AgentSession.objects.get(key="in web").workspace == api
        for row in Candidate.objects.all():
            assert row.namespace == api
            assert row.blocks == blocks_of(namespace_id=api.pk, kind=row.kind, content=row.content)
        memory.refresh_from_db()
        assert (memory.namespace, memory.status) == (api, "active")
        assert MemoryTerm.objects.filter(memory=memory, namespace=api, term="astro").exists()
        assert MemoryIndex.objects.get(memory=memory).namespace == api
        assert {row.namespace_id for row in memory.history.all()} == {api.pk}  # type: ignore[attr-defined]
        assert TokenMeter.objects.get().tokens == 12
        saved.refresh_from_db()
        assert saved.query == f"namespace={api.pk}"
        assert audit.verify() == []
        waiting.refresh_from_db()
        assert waiting.status == "pending"

    def test_what_was_rejected_there_stays_away_here(
        self, api: Namespace, web: Namespace, alice: User, now: datetime
    ) -> None:
        row = propose(web, "Use pnpm instead of npm.", kind="decision")
        gate.candidate_reject(candidate_id=row.pk, version=1, user=alice, now=now)
        merge(web, api, alice)
        assert Tombstone.objects.get().namespace == api
        again = candidate_propose(proposal=proposal(api, "use PNPM instead of npm", session="s2"), now=now)
        assert again.result == "suppressed"

    def test_the_same_words_wait_once_and_their_sightings_add_up(
        self, laptop: AgentKey, api: Namespace, web: Namespace, alice: User, now: datetime
    ) -> None:
        here = seen(laptop, api, "Logs go to Loki.", at=now - 5 * HOUR, kind="fact", sessions=1)
        there = propose(
            web, "Logs go to Loki.", kind="fact", turn=build.turn(laptop, "Logs go to Loki.", session="z")
        )
        result = merge(web, api, alice)
        assert result.memory.doubles == 1
        here.refresh_from_db()
        there.refresh_from_db()
        assert (here.status, here.times_seen) == ("pending", 2)
        assert (there.status, there.merged_into, there.namespace) == ("rejected", here, api)

    def test_what_waits_on_one_side_and_is_known_on_the_other_is_decided(
        self, api: Namespace, web: Namespace, alice: User
    ) -> None:
        remembered(alice, web, "Logs go to Loki.", kind="fact")
        waiting = propose(api, "Logs go to Loki.", kind="fact")
        merge(web, api, alice)
        waiting.refresh_from_db()
        assert (waiting.status, waiting.decision_reason) == ("rejected", "duplicate")

    def test_of_two_equal_memories_the_targets_stays(
        self, api: Namespace, web: Namespace, alice: User
    ) -> None:
        kept = remembered(alice, api, "Logs go to Loki.", kind="fact")
        gone = remembered(alice, web, "Logs go to Loki.", kind="fact")
        result = merge(web, api, alice)
        kept.refresh_from_db()
        gone.refresh_from_db()
        assert result.memory.superseded == 1
        assert (kept.status, gone.status, gone.superseded_by) == ("active", "superseded", kept)
        assert list(MemoryIndex.objects.values_list("memory_id", flat=True)) == [kept.pk]

    def test_a_policy_that_comes_along_is_off_and_the_targets_own_stays(
        self, laptop: AgentKey, api: Namespace, web: Namespace, alice: User, now: datetime
    ) -> None:
        rule = {"min_sessions": 1, "min_confidence": 0.5, "min_age_hours": 0, "kinds": ["fact"], "now": now}
        policy_set(namespace=web, user=alice, enabled=True, typed_name="web", **rule)  # type: ignore[arg-type]
        seen(laptop, api, "Logs go to Loki.", at=now - HOUR, kind="fact")
        merge(web, api, alice)
        policy = ReviewPolicy.objects.get()
        assert (policy.namespace, policy.enabled, policy.disabled_reason) == (api, False, "merged")
        assert policy_run(now=now) == 0
        shop = build.workspace(alice, "shop")
        policy_set(namespace=shop, user=alice, enabled=True, typed_name="shop", **rule)  # type: ignore[arg-type]
        merge(shop, api, alice)
        assert ReviewPolicy.objects.get() == policy

    def test_operators_ids_never_clash(self, api: Namespace, web: Namespace, alice: User) -> None:
        for space, text in ((api, "Logs go to Loki."), (web, "The site uses Astro.")):
            memory = remembered(alice, space, text, kind="fact")
            Memory.objects.filter(pk=memory.pk).update(external_id="m1")
        merge(web, api, alice)
        ids = set(Memory.objects.values_list("external_id", flat=True))
        assert len(ids) == 2
        assert "m1" in ids

    def test_members_of_the_source_gain_nothing_and_are_named(
        self, api: Namespace, web: Namespace, alice: User
    ) -> None:
        bob = build.person("bob")
        share(web, alice, bob, "reviewer")
        memory = remembered(alice, api, "Logs go to Loki.", kind="fact")
        result = merge(web, api, alice)
        assert result.left_out == ["bob"]
        assert not Memory.objects.visible_to(bob).filter(pk=memory.pk).exists()

    def test_former_names_of_the_source_lead_on(
        self, laptop: AgentKey, api: Namespace, web: Namespace, alice: User, now: datetime
    ) -> None:
        namespace_rename(namespace_id=web.pk, user=alice, name="site", now=now)
        web.refresh_from_db()
        merge(web, api, alice)
        for name in ("web", "site", "api"):
            assert namespace_for_key(key=laptop, reference=f"workspace:{name}") == api

    def test_a_key_that_listed_the_source_lists_the_target(
        self, api: Namespace, web: Namespace, alice: User
    ) -> None:
        short = build.key(alice, name="ci", reach="list", namespaces=[web]).key
        merge(web, api, alice)
        assert list(short.namespaces.all()) == [api]

    def test_needs_the_name_typed_and_a_namespace_of_the_same_type(
        self, api: Namespace, web: Namespace, alice: User
    ) -> None:
        with pytest.raises(Invalid):
            merge(web, api, alice, typed="api")
        with pytest.raises(Invalid):
            merge(web, web, alice)
        with pytest.raises(Invalid):
            merge(web, build.persona(alice, "work"), alice)
        with pytest.raises(Invalid):
            merge(Namespace.objects.get(owner=alice, name="default"), build.persona(alice, "home"), alice)

    def test_is_for_owners_of_both(self, api: Namespace, web: Namespace, alice: User) -> None:
        bob = build.person("bob")
        his = build.workspace(bob, "his")
        with pytest.raises(NotFound):
            merge(api, his, bob)
        with pytest.raises(NotFound):
            merge(his, api, bob)
        for role in ("reader", "reviewer"):
            share(api, alice, bob, role)
            with pytest.raises(Forbidden):
                merge(api, his, bob)
            with pytest.raises(Forbidden):
                merge(his, api, bob)
        assert Namespace.objects.filter(pk__in=[api.pk, his.pk]).count() == 2


class TestSplitting:
    ONE, TWO = "r:aaaaaaaa1", "r:bbbbbbbb2"

    def scene(self, laptop: AgentKey, alice: User, api: Namespace, now: datetime) -> dict[str, Candidate]:
        """Two repositories in one workspace; each has said something, and one thing was said in both."""
        rows: dict[str, Candidate] = {}
        for name, place in (("one", self.ONE), ("two", self.TWO)):
            for number in range(2):
                build.session(laptop, f"{name} {number}", workspace="api", fingerprints=[place])
        Fingerprint.objects.update(namespace=api)
        AgentSession.objects.update(workspace=api)
        for session, text, label in (
            ("one 0", "Logs go to Loki.", "one"),
            ("two 0", "The site uses Astro.", "two"),
            ("two 1", "Deploys run at noon.", "known"),
        ):
            turn = build.turn(laptop, text, session=session, name=text, now=now)
            rows[label] = propose(api, text, kind="fact", turn=turn)
        for session in ("one 1", "two 1"):
            turn = build.turn(laptop, "Use pnpm, not npm.", session=session, name="both", now=now)
            rows["both"] = propose(api, "Use pnpm, not npm.", kind="fact", turn=turn)
        approved(alice, rows["known"])
        return rows

    def split(self, api: Namespace, user: User, *values: str, name: str = "site") -> Split:
        places = api.fingerprints.filter(value__in=values).values_list("pk", flat=True)
        return namespace_split(
            namespace_id=api.pk, user=user, name=name, fingerprint_ids=list(places), now=timezone.now()
        )

    def test_takes_the_places_their_sessions_and_what_they_alone_said(
        self, laptop: AgentKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        rows = self.scene(laptop, alice, api, now)
        result = self.split(api, alice, self.TWO)
        site = result.namespace
        assert (result.sessions, result.memory.candidates, result.memory.memories) == (2, 2, 1)
        homes = {label: Candidate.objects.get(pk=row.pk).namespace for label, row in rows.items()}
        assert homes == {"one": api, "two": site, "known": site, "both": api}
        memory = Memory.objects.get()
        assert memory.namespace == site
        assert set(MemoryTerm.objects.values_list("namespace_id", flat=True)) == {site.pk}
        assert memory.blocks == blocks_of(namespace_id=site.pk, kind="fact", content=memory.content)
        assert build.session(laptop, "new", workspace="x", fingerprints=[self.TWO]).workspace == site
        assert build.session(laptop, "old", workspace="x", fingerprints=[self.ONE]).workspace == api
        assert AuditEvent.objects.filter(verb="namespace.split").count() == 2
        assert audit.verify() == []

    def test_members_and_short_keys_come_along(
        self, laptop: AgentKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        bob = build.person("bob")
        share(api, alice, bob, "reader")
        short = build.key(alice, name="ci", reach="list", namespaces=[api]).key
        self.scene(laptop, alice, api, now)
        site = self.split(api, alice, self.TWO).namespace
        assert Namespace.objects.visible_to(bob).filter(pk=site.pk).exists()
        assert set(short.namespaces.all()) == {api, site}

    def test_what_hangs_together_is_not_torn(
        self, laptop: AgentKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        rows = self.scene(laptop, alice, api, now)
        old = approved(alice, Candidate.objects.get(pk=rows["one"].pk))
        fix = Candidate.objects.get(pk=rows["two"].pk)
        gate.candidate_approve(candidate_id=fix.pk, version=fix.version, user=alice, now=now, replaces=old.pk)
        self.split(api, alice, self.TWO)
        assert {row.namespace for row in Memory.objects.filter(pk__in=[old.pk])} == {api}
        fix.refresh_from_db()
        assert fix.namespace == api
        assert fix.memory is not None
        assert fix.memory.namespace == api

    def test_merging_again_is_the_way_back(
        self, laptop: AgentKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        self.scene(laptop, alice, api, now)
        before = {row.pk: (row.namespace_id, row.blocks) for row in Candidate.objects.all()}
        merge(self.split(api, alice, self.TWO).namespace, api, alice)
        assert {row.pk: (row.namespace_id, row.blocks) for row in Candidate.objects.all()} == before

    def test_requests_follow_their_sessions(
        self, laptop: AgentKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        self.scene(laptop, alice, api, now)
        for session in AgentSession.objects.filter(key__in=["one 0", "two 0"]):
            message = session.messages.first()
            assert message is not None
            Request.objects.create(
                session=session, message=message, namespace=api, intent="do", summary=session.key, at=now
            )
        site = self.split(api, alice, self.TWO).namespace
        homes = dict(Request.objects.values_list("summary", "namespace_id"))
        assert homes == {"one 0": api.pk, "two 0": site.pk}

    def test_refuses_nothing_everything_and_a_taken_name(
        self, laptop: AgentKey, api: Namespace, web: Namespace, alice: User, now: datetime
    ) -> None:
        self.scene(laptop, alice, api, now)
        with pytest.raises(Invalid):
            self.split(api, alice)
        with pytest.raises(Invalid) as caught:
            self.split(api, alice, self.ONE, self.TWO)
        assert caught.value.code == "nothing_stays"
        with pytest.raises(Conflict):
            self.split(api, alice, self.TWO, name="web")

    def test_a_folder_does_not_go_without_its_repository(
        self, laptop: AgentKey, api: Namespace, alice: User
    ) -> None:
        build.session(laptop, "s", workspace="api", fingerprints=[self.ONE, "d:cccccccc3"])
        with pytest.raises(Invalid) as caught:
            self.split(api, alice, "d:cccccccc3")
        assert (caught.value.code, caught.value.details["allowed"]) == ("remote_stays", [self.ONE])

    def test_is_for_owners(self, laptop: AgentKey, api: Namespace, alice: User, now: datetime) -> None:
        self.scene(laptop, alice, api, now)
        reader, stranger = build.person("bob"), build.person("charlie")
        share(api, alice, reader, "reader")
        with pytest.raises(Forbidden):
            self.split(api, reader, self.TWO)
        with pytest.raises(NotFound):
            self.split(api, stranger, self.TWO)

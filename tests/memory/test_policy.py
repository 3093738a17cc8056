"""Auto-approve: who may switch it, what it lets in, what it would have done, and when it stops itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from core.errors import Forbidden, Invalid, NotFound
from core.models import AgentKey, AuditEvent, Namespace
from core.services import audit
from core.services.keys import NewKey
from core.services.members import member_set
from core.services.namespaces import namespace_pause
from memory.models import Candidate, Memory, ReviewPolicy
from memory.services import gate
from memory.services.policy import DryRun, policy_dry_run, policy_run, policy_set
from tests import build
from tests.memory.seen import seen

pytestmark = pytest.mark.django_db

DEFAULTS: dict[str, Any] = {
    "min_sessions": 3,
    "min_confidence": 0.9,
    "min_age_hours": 24,
    "kinds": ["preference", "fact", "pattern", "event"],
}
DAY = timedelta(days=1)


@pytest.fixture
def laptop(alice: User) -> NewKey:
    return build.key(alice)


def switch(
    namespace: Namespace, user: User, now: datetime, *, on: bool = True, **changed: Any
) -> ReviewPolicy:
    typed = changed.pop("typed_name", namespace.name if on else "")
    return policy_set(
        namespace=namespace, user=user, enabled=on, typed_name=typed, now=now, **{**DEFAULTS, **changed}
    )


def dry(namespace: Namespace, user: User, now: datetime, **changed: Any) -> DryRun:
    return policy_dry_run(namespace=namespace, user=user, now=now, **{**DEFAULTS, **changed})


class TestOffByDefault:
    def test_in_a_fresh_database_nothing_is_ever_approved_without_a_person(
        self, laptop: NewKey, api: Namespace, now: datetime
    ) -> None:
        seen(laptop.key, api, "Use pnpm, not npm.", at=now - 20 * DAY, sessions=5, confidence=1.0)
        for hours in range(0, 24 * 31, 24):
            assert policy_run(now=now + timedelta(hours=hours)) == 0
        assert not Memory.objects.exists()

    def test_a_policy_that_was_saved_but_not_switched_on_does_nothing(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        seen(laptop.key, api, "Use pnpm, not npm.", at=now - 5 * DAY)
        switch(api, alice, now, on=False, min_sessions=1, min_age_hours=0)
        assert policy_run(now=now) == 0


class TestSwitching:
    def test_needs_the_name_of_the_namespace_typed(self, api: Namespace, alice: User, now: datetime) -> None:
        for typed in ("", "yes", "API", "persona:api"):
            with pytest.raises(Invalid) as caught:
                switch(api, alice, now, typed_name=typed)
            assert caught.value.details["field"] == "typed_name"
        assert not ReviewPolicy.objects.filter(enabled=True).exists()
        assert switch(api, alice, now, typed_name="workspace:api").enabled

    def test_is_audited_with_its_thresholds(self, api: Namespace, alice: User, now: datetime) -> None:
        switch(api, alice, now)
        switch(api, alice, now, min_sessions=4)
        policy = switch(api, alice, now, on=False)
        verbs = (
            AuditEvent.objects.filter(object_type="review_policy")
            .order_by("id")
            .values_list("verb", flat=True)
        )
        assert list(verbs) == ["policy.enabled", "policy.changed", "policy.disabled"]
        assert (policy.disabled_reason, policy.disabled_at) == ("person", now)
        assert audit.verify() == []

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("min_sessions", 0),
            ("min_sessions", 51),
            ("min_confidence", 1.1),
            ("min_confidence", float("nan")),
            ("min_age_hours", -1),
            ("min_age_hours", 721),
            ("kinds", []),
            ("kinds", ["fact", "rumour"]),
        ],
    )
    def test_refuses_nonsense_and_says_which_field(
        self, api: Namespace, alice: User, now: datetime, field: str, value: Any
    ) -> None:
        with pytest.raises(Invalid) as caught:
            switch(api, alice, now, **{field: value})
        assert caught.value.details["field"] == field

    def test_is_for_owners_alone(self, api: Namespace, alice: User, now: datetime) -> None:
        for role in ("reader", "reviewer"):
            other = build.person(role)
            member_set(namespace=api, by=alice, user=other, role=role, now=now)
            with pytest.raises(Forbidden):
                switch(api, other, now)
            with pytest.raises(Forbidden):
                dry(api, other, now)

    def test_a_stranger_gets_nothing(self, api: Namespace, now: datetime) -> None:
        stranger = build.person("charlie")
        with pytest.raises(NotFound):
            switch(api, stranger, now)
        with pytest.raises(NotFound):
            dry(api, stranger, now)


class TestApproving:
    def test_lets_in_what_three_sessions_said_a_day_ago_and_says_that_it_did(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        candidate = seen(laptop.key, api, "Use pnpm, not npm.", at=now - 2 * DAY)
        policy = switch(api, alice, now)
        assert policy_run(now=now) == 1
        assert policy_run(now=now) == 0
        memory = Memory.objects.get()
        assert (memory.status, memory.actor, memory.namespace) == ("active", "policy", api)
        candidate.refresh_from_db()
        assert (candidate.status, candidate.decided_by, candidate.memory) == ("approved", None, memory)
        event = AuditEvent.objects.get(verb="candidate.approved")
        assert (event.actor_type, event.actor_id) == ("policy", str(policy.pk))

    def test_waits_until_the_age_is_reached(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        seen(laptop.key, api, "Use pnpm, not npm.", at=now)
        switch(api, alice, now)
        assert policy_run(now=now + timedelta(hours=23, minutes=59)) == 0
        assert policy_run(now=now + timedelta(hours=24)) == 1

    @pytest.mark.parametrize(
        "less",
        [
            {"sessions": 2},
            {"confidence": 0.89},
            {"kind": "decision"},
            {"kind": "postmortem"},
            {"trust": "agent"},
            {"trust": "tool"},
            {"trust": "unknown"},
        ],
    )
    def test_leaves_to_people_what_falls_short(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime, less: dict[str, Any]
    ) -> None:
        seen(laptop.key, api, "We chose pnpm over npm.", at=now - 2 * DAY, **less)
        switch(api, alice, now)
        assert policy_run(now=now) == 0

    def test_approves_decisions_only_where_an_owner_ticked_them(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        seen(laptop.key, api, "We chose pnpm over npm.", at=now - 2 * DAY, kind="decision")
        switch(api, alice, now, kinds=["decision"])
        assert policy_run(now=now) == 1

    def test_does_not_believe_a_key_that_no_longer_speaks_for_its_person(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        seen(laptop.key, api, "Use pnpm, not npm.", at=now - 2 * DAY)
        AgentKey.objects.filter(pk=laptop.key.pk).update(speaks_for_person=False)
        switch(api, alice, now)
        assert policy_run(now=now) == 0

    def test_counts_sessions_with_a_persons_words_and_not_how_often_an_agent_repeated_it(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        candidate = seen(laptop.key, api, "Use pnpm, not npm.", at=now - 2 * DAY, sessions=1)
        Candidate.objects.filter(pk=candidate.pk).update(times_seen=9)
        switch(api, alice, now)
        assert policy_run(now=now) == 0

    def test_leaves_orders_and_links_to_people_unless_a_person_typed_them(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        adopted = seen(
            laptop.key, api, "Logs go to https://logs.example/", at=now - 2 * DAY, trust="confirmed"
        )
        typed = seen(laptop.key, api, "Docs live at https://docs.example/", at=now - 2 * DAY)
        plain = seen(laptop.key, api, "Logs go to Loki.", at=now - 2 * DAY, trust="confirmed")
        switch(api, alice, now)
        assert policy_run(now=now) == 2
        states = {row.pk: row.status for row in Candidate.objects.all()}
        assert states == {adopted.pk: "pending", typed.pk: "approved", plain.pk: "approved"}

    def test_never_lets_in_what_disagrees_with_a_memory(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        old = seen(laptop.key, api, "The port is 8080.", at=now - 9 * DAY, kind="fact")
        gate.candidate_approve(candidate_id=old.pk, version=old.version, user=alice, now=now)
        new = seen(laptop.key, api, "The port is 9090.", at=now - 2 * DAY, kind="fact")
        assert "conflicts" in new.flags
        switch(api, alice, now)
        assert policy_run(now=now) == 0

    def test_keeps_its_hands_off_what_a_person_has_touched(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        candidate = seen(laptop.key, api, "Use pnpm, not npm.", at=now - 2 * DAY)
        rejected = gate.candidate_reject(
            candidate_id=candidate.pk, version=candidate.version, user=alice, now=now
        )
        gate.candidate_undo(candidate_id=candidate.pk, version=rejected.version, user=alice, now=now)
        switch(api, alice, now)
        assert policy_run(now=now) == 0

    def test_does_nothing_in_a_paused_namespace_or_in_another_one(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        web = build.workspace(alice, "web")
        seen(laptop.key, api, "Use pnpm, not npm.", at=now - 2 * DAY)
        seen(laptop.key, web, "Use yarn in the front end.", at=now - 2 * DAY)
        switch(api, alice, now)
        namespace_pause(namespace=api, user=alice, paused=True, now=now)
        assert policy_run(now=now) == 0


class TestUndo:
    def approve(self, key: AgentKey, api: Namespace, texts: list[str], now: datetime) -> list[Candidate]:
        made = [seen(key, api, text, at=now - 2 * DAY, kind="fact") for text in texts]
        assert policy_run(now=now) == len(texts)
        return list(Candidate.objects.filter(pk__in=[each.pk for each in made]).order_by("pk"))

    def undo(self, candidate: Candidate, user: User, now: datetime) -> None:
        candidate.refresh_from_db()
        gate.candidate_undo(candidate_id=candidate.pk, version=candidate.version, user=user, now=now)

    def test_works_as_for_a_persons_approval_and_lasts(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        switch(api, alice, now)
        (candidate,) = self.approve(laptop.key, api, ["Logs go to Loki."], now)
        self.undo(candidate, alice, now)
        candidate.refresh_from_db()
        assert (candidate.status, Memory.objects.get().status) == ("pending", "deleted")
        assert policy_run(now=now + DAY) == 0

    def test_the_third_one_in_twenty_acts_switches_the_policy_off_and_says_why(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        policy = switch(api, alice, now)
        texts = ["Logs go to Loki.", "CI runs on Buildkite.", "The office has a cat.", "Backups go to Ceph."]
        made = self.approve(laptop.key, api, texts, now)
        for candidate in made[:2]:
            self.undo(candidate, alice, now)
            policy.refresh_from_db()
            assert policy.enabled
        self.undo(made[2], alice, now)
        policy.refresh_from_db()
        assert (policy.enabled, policy.disabled_reason, policy.disabled_at) == (False, "undone", now)
        event = AuditEvent.objects.get(verb="policy.disabled")
        assert (event.actor_type, event.data["undone"]) == ("policy", 3)
        seen(laptop.key, api, "Mail goes out through Postfix.", at=now - 2 * DAY, kind="fact")
        assert policy_run(now=now) == 0

    def test_of_long_ago_does_not_count_once_an_owner_switched_it_on_again(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        policy = switch(api, alice, now)
        texts = ["Logs go to Loki.", "CI runs on Buildkite.", "The office has a cat."]
        for candidate in self.approve(laptop.key, api, texts, now):
            self.undo(candidate, alice, now)
        switch(api, alice, now + DAY)
        seen(laptop.key, api, "Backups go to Ceph.", at=now - 2 * DAY, kind="fact")
        assert policy_run(now=now + DAY) == 1
        self.undo(Candidate.objects.get(content="Backups go to Ceph."), alice, now + DAY)
        policy.refresh_from_db()
        assert policy.enabled


class TestDryRun:
    def test_numbers_equal_a_hand_made_month(
        self, laptop: NewKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        def fact(text: str, days_ago: float, **kwargs: Any) -> Candidate:
            return seen(laptop.key, api, text, at=now - days_ago * DAY, kind="fact", **kwargs)

        hit = fact("Logs go to Loki.", 3)
        approved = fact("CI runs on Buildkite.", 10)
        gate.candidate_approve(candidate_id=approved.pk, version=1, user=alice, now=now - 9.9 * DAY)
        rejected = fact("The office has a cat.", 12)
        gate.candidate_reject(candidate_id=rejected.pk, version=1, user=alice, now=now - 11.9 * DAY)
        undone = fact("Backups go to Ceph.", 20)
        gate.candidate_approve(candidate_id=undone.pk, version=1, user=alice, now=now - 19 * DAY)
        undone.refresh_from_db()
        gate.candidate_undo(candidate_id=undone.pk, version=undone.version, user=alice, now=now - 18 * DAY)
        slow = fact("Mail goes out through Postfix.", 40, every=5 * DAY)  # the third time was 30 days ago
        fact("Alerts go to Grafana.", 5, sessions=2)
        fact("Tickets are sorted on Mondays.", 5, confidence=0.8)
        fact("The intranet runs on Plone.", 5, trust="agent")
        fact("Printers are on floor two.", 0.5)  # not a day old
        fact("The lift is slow.", 45)  # would have come in before the window
        web = build.workspace(alice, "web")
        seen(laptop.key, web, "The site uses Astro.", at=now - 5 * DAY, kind="fact")

        ran = dry(api, alice, now)
        assert {row.pk for row in ran.would_approve} == {hit.pk, approved.pk, rejected.pk, undone.pk, slow.pk}
        assert [row.pk for row in ran.of_those_rejected] == [rejected.pk]
        assert [row.pk for row in ran.of_those_undone] == [undone.pk]

    def test_changes_nothing(self, laptop: NewKey, api: Namespace, alice: User, now: datetime) -> None:
        seen(laptop.key, api, "Logs go to Loki.", at=now - 3 * DAY, kind="fact")
        events = AuditEvent.objects.count()
        assert len(dry(api, alice, now).would_approve) == 1
        assert not Memory.objects.exists()
        assert not ReviewPolicy.objects.exists()
        assert AuditEvent.objects.count() == events

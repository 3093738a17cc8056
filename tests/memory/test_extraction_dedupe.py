"""The same thing said again: sightings, suppression, reopening, and what must never be merged."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from core.models import AgentKey
from memory.models import Candidate, Memory, Tombstone
from memory.services import archive, gate, memories
from tests import build
from tests.memory.pipeline import Talk, every_statement_is_proposed, last_run, proposals

pytestmark = pytest.mark.django_db

PNPM = "We use pnpm here, not npm, because the lockfiles keep clashing."
PNPM_JA = "このプロジェクトではnpmではなくpnpmを使います。"


def approve(candidate: Candidate, user: User) -> Memory:
    return gate.candidate_approve(
        candidate_id=candidate.pk, version=candidate.version, user=user, now=candidate.touched_at
    )


class TestSightings:
    @pytest.mark.parametrize("said", [PNPM, PNPM_JA], ids=["en", "ja"])
    def test_each_further_session_counts_once(self, key: AgentKey, said: str) -> None:
        for number in range(3):
            talk = Talk(key, f"s{number}")
            talk.say(said)
            talk.say("next", said)
        [candidate] = proposals()
        assert candidate.times_seen == 3
        assert candidate.sightings.count() == 3
        assert candidate.evidence.count() == 6

    def test_repeats_within_a_session_are_none(self, key: AgentKey) -> None:
        talk = Talk(key)
        talk.say(PNPM)
        talk.say(PNPM)
        [candidate] = proposals()
        assert (candidate.times_seen, candidate.sightings.count()) == (1, 1)

    def test_the_same_thing_twice_in_one_turn_is_one_candidate(self, key: AgentKey) -> None:
        Talk(key).say(PNPM, build.agent("OK."), PNPM)
        assert len(proposals()) == 1

    def test_case_width_and_punctuation_do_not_make_it_another(self, key: AgentKey) -> None:
        Talk(key, "a").say(PNPM)
        Talk(key, "b").say("We use ＰＮＰＭ here, not NPM, because the lockfiles keep clashing!")
        [candidate] = proposals()
        assert candidate.times_seen == 2

    def test_a_new_session_restarts_the_thirty_days_a_repeat_in_the_same_does_not(
        self, key: AgentKey
    ) -> None:
        first = Talk(key, "a")
        first.say(PNPM)
        touched = proposals()[0].touched_at
        first.say(PNPM)
        assert proposals()[0].touched_at == touched
        second = Talk(key, "b", at=first.at + timedelta(days=1))
        second.say(PNPM)
        assert proposals()[0].touched_at == second.at

    def test_an_approved_memory_is_not_proposed_again_but_counted(self, alice: User, key: AgentKey) -> None:
        Talk(key, "a").say(PNPM)
        approve(proposals()[0], alice)
        Talk(key, "b").say(PNPM)
        [candidate] = proposals()
        assert (candidate.status, candidate.times_seen) == ("approved", 2)
        assert Memory.objects.count() == 1
        assert (last_run().created, last_run().sighted) == (0, 1)

    def test_two_people_with_workspaces_of_one_name_never_mix(self, key: AgentKey) -> None:
        Talk(key).say(PNPM)
        Talk(build.key(build.person("mallory")).key).say(PNPM)
        first, second = proposals()
        assert first.namespace != second.namespace
        assert (first.times_seen, second.times_seen) == (1, 1)

    def test_the_weaker_origin_does_not_weaken_what_a_person_typed(self, key: AgentKey) -> None:
        Talk(key, "a").say("ログは今後JSONで出力するようにします。")
        talk = Talk(key, "b")
        talk.say("どうする？", build.agent("ログは今後JSONで出力するようにしますか？"))
        talk.say("うん、それで")
        assert {c.trust for c in proposals() if c.times_seen > 1} <= {"human"}


class TestNotAgain:
    def test_archived_is_reopened_by_a_new_sighting(self, key: AgentKey) -> None:
        talk = Talk(key, "a")
        talk.say(PNPM)
        assert archive.archive_due(now=talk.at + timedelta(days=30)) == 1
        later = Talk(key, "b", at=talk.at + timedelta(days=31))
        later.say(PNPM)
        [candidate] = proposals()
        assert (candidate.status, candidate.times_seen, candidate.touched_at) == ("pending", 2, later.at)
        assert candidate.decided_at is None

    def test_rejected_is_suppressed_with_a_count(self, alice: User, key: AgentKey) -> None:
        Talk(key, "a").say(PNPM)
        [candidate] = proposals()
        gate.candidate_reject(
            candidate_id=candidate.pk, version=candidate.version, user=alice, now=candidate.touched_at
        )
        for number in range(2):
            Talk(key, f"b{number}").say(PNPM)
        [candidate] = proposals()
        assert (candidate.status, candidate.suppressed, candidate.times_seen) == ("rejected", 2, 1)
        assert Tombstone.objects.get().hits == 2
        assert last_run().dropped == {"suppressed": 1}

    def test_undoing_the_rejection_lets_it_be_seen_again(self, alice: User, key: AgentKey) -> None:
        Talk(key, "a").say(PNPM)
        [candidate] = proposals()
        at = candidate.touched_at
        gate.candidate_reject(candidate_id=candidate.pk, version=candidate.version, user=alice, now=at)
        candidate.refresh_from_db()
        gate.candidate_undo(candidate_id=candidate.pk, version=candidate.version, user=alice, now=at)
        Talk(key, "b").say(PNPM)
        [candidate] = proposals()
        assert (candidate.status, candidate.times_seen) == ("pending", 2)

    def test_deleted_is_suppressed_though_no_text_of_it_remains(self, alice: User, key: AgentKey) -> None:
        Talk(key, "a").say(PNPM)
        memory = approve(proposals()[0], alice)
        memories.memory_delete(
            memory_id=memory.pk, version=memory.version, user=alice, now=memory.approved_at
        )
        Talk(key, "b").say(PNPM)
        assert not Candidate.objects.open().exists()
        assert Tombstone.objects.get().hits == 1
        assert Tombstone.objects.get().text == ""

    def test_retracted_is_suppressed(self, alice: User, key: AgentKey) -> None:
        Talk(key, "a").say(PNPM)
        memory = approve(proposals()[0], alice)
        memories.memory_retire(
            memory_id=memory.pk, version=memory.version, user=alice, reason="wrong", now=memory.approved_at
        )
        Talk(key, "b").say(PNPM)
        assert not Candidate.objects.open().exists()
        assert last_run().dropped == {"suppressed": 1}

    def test_superseded_is_proposed_with_a_mark(self, alice: User, key: AgentKey) -> None:
        Talk(key, "a").say(PNPM)
        memory = approve(proposals()[0], alice)
        memories.memory_retire(
            memory_id=memory.pk, version=memory.version, user=alice, reason="outdated", now=memory.approved_at
        )
        Talk(key, "b").say(PNPM)
        [waiting] = Candidate.objects.open()
        assert "was_true_before" in waiting.flags


class TestConflicts:
    @pytest.fixture(autouse=True)
    def _heard(self) -> Iterator[None]:
        with every_statement_is_proposed():
            yield

    @pytest.mark.parametrize(
        ("known", "other"),
        [
            ("We use npm here.", "We use pnpm here."),
            ("Production runs on Python 3.11.", "Production runs on Python 3.12."),
            ("本番環境のPythonは3.11です。", "本番環境のPythonは3.12です。"),
            ("レビュー前に必ずテストを実行する。", "レビュー前に必ずテストを実行しない。"),
            ("コミットメッセージは必ず英語で書く。", "コミットメッセージは必ず日本語で書く。"),
        ],
    )
    def test_a_contradiction_waits_beside_the_memory_and_names_it(
        self, alice: User, key: AgentKey, known: str, other: str
    ) -> None:
        Talk(key, "a").say(known)
        [first] = proposals()
        memory = approve(first, alice)
        Talk(key, "b").say(other)
        [waiting] = Candidate.objects.open()
        assert (waiting.content, waiting.times_seen) == (other, 1)
        assert (waiting.conflicts_with, "conflicts" in waiting.flags) == (memory, True)
        first.refresh_from_db()
        assert first.times_seen == 1

    def test_approving_the_correction_supersedes_the_old_one(self, alice: User, key: AgentKey) -> None:
        Talk(key, "a").say("Production runs on Python 3.11.")
        old = approve(proposals()[0], alice)
        Talk(key, "b").say("Production runs on Python 3.12.")
        [waiting] = Candidate.objects.open()
        new = gate.candidate_approve(
            candidate_id=waiting.pk,
            version=waiting.version,
            user=alice,
            now=waiting.touched_at,
            replaces=waiting.conflicts_with_id,
        )
        old.refresh_from_db()
        assert (old.status, old.superseded_by, old.valid_to) == ("superseded", new, new.valid_from)


class TestTakenBack:
    def test_a_withdrawal_closes_the_sessions_own_candidate(self, key: AgentKey) -> None:
        talk = Talk(key)
        talk.say(PNPM)
        talk.say("Forget what I said about pnpm.")
        pnpm = Candidate.objects.get(content=PNPM)
        assert (pnpm.status, pnpm.decision_reason) == ("archived", "withdrawn")

    def test_it_does_not_close_what_another_session_has_seen(self, key: AgentKey) -> None:
        Talk(key, "a").say(PNPM)
        talk = Talk(key, "b")
        talk.say(PNPM)
        talk.say("Forget what I said about pnpm.")
        assert Candidate.objects.get(content=PNPM).status == "pending"

    def test_it_does_not_close_what_a_stranger_proposed(self, key: AgentKey) -> None:
        Talk(build.key(build.person("mallory")).key).say(PNPM)
        Talk(key).say("Forget what I said about pnpm.")
        assert Candidate.objects.get(content=PNPM).status == "pending"

    def test_it_does_not_touch_what_a_person_has_decided(self, alice: User, key: AgentKey) -> None:
        talk = Talk(key)
        talk.say(PNPM)
        memory = approve(proposals()[0], alice)
        talk.say("Forget what I said about pnpm.")
        memory.refresh_from_db()
        assert memory.status == "active"

    def test_taken_back_and_said_again_elsewhere_it_is_proposed_again(self, key: AgentKey) -> None:
        talk = Talk(key, "a")
        talk.say(PNPM)
        talk.say("Forget what I said about pnpm.")
        Talk(key, "b").say(PNPM)
        assert Candidate.objects.get(content=PNPM).status == "pending"

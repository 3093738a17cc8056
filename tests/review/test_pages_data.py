"""Data: what is stored about me is counted, given whole to me alone, and erased before its time if I say so."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core import throttle
from core.models import AuditEvent, Namespace
from core.services.keys import NewKey
from core.services.members import member_remove
from decisions.models import DecisionPoint
from knowledge.services.summaries import summary_write
from memory.models import Candidate
from memory.services.memories import memory_delete, memory_edit
from review.selectors.export import FILES
from review.selectors.holdings import holdings_of
from tests import build
from tests.decisions.capture import record, sent
from tests.knowledge.make import knowledge as note
from tests.review.scene import propose, remembered, share, signed_in
from transcripts.models import AgentSession, Message, Turn
from transcripts.services.purge import transcripts_purge
from transcripts.services.scans import claim, finish

pytestmark = pytest.mark.django_db

TOKEN = "ghp_" + "EXAMPLE" + "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o"


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet(alice: User) -> None:
    throttle.forget("export", str(alice.pk))


@pytest.fixture
def key(alice: User) -> NewKey:
    return build.key(alice)


@pytest.fixture
def shop(key: NewKey) -> Namespace:
    return build.session(key.key, workspace="shop").home


@pytest.fixture
def turn(key: NewKey, shop: Namespace) -> Turn:
    return build.turn(key.key, f"Use pnpm. The token is {TOKEN}", build.agent("Done."))


def zipped(client: Client) -> zipfile.ZipFile:
    answer = client.post(reverse("data-export"))
    assert answer.status_code == 200
    return zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))  # type: ignore[attr-defined]


def lines(archive: zipfile.ZipFile, name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in archive.read(f"{name}.jsonl").splitlines()]


def scan_everything(now: datetime) -> None:
    while (job := claim(now=now)) is not None:
        messages = list(Message.objects.filter(turn_id=job.id).values_list("pk", flat=True))
        finish(job, message_ids=messages, now=now)


class TestCounting:
    def test_every_namespace_says_what_it_holds(
        self, alice: User, shop: Namespace, turn: Turn, now: datetime
    ) -> None:
        propose(shop, "Use pnpm.", turn=turn, quote="Use pnpm.")
        remembered(alice, shop, "Tests are written with pytest.", kind="fact")
        gone = remembered(alice, shop, "The office has a cat.", kind="fact")
        memory_delete(memory_id=gone.pk, version=gone.version, user=alice, now=now)
        home, there = holdings_of(user=alice)
        assert (home.sessions, home.messages, home.memories) == (0, 0, 0)
        assert (there.sessions, there.messages, there.held) == (1, 2, 1)
        assert (there.waiting, there.decided, there.memories, there.retired) == (1, 1, 1, 0)
        assert there.oldest == Message.objects.earliest("at").at
        assert there.next_purge is None  # its only turn is evidence

    def test_the_next_purge_is_named_for_what_nothing_holds(
        self, alice: User, turn: Turn, now: datetime
    ) -> None:
        (there,) = [each for each in holdings_of(user=alice) if each.sessions]
        assert there.next_purge == turn.received_at + timedelta(days=90)
        transcripts_purge(now=there.next_purge - timedelta(seconds=1))
        assert Turn.objects.filter(pk=turn.pk).exists()
        transcripts_purge(now=there.next_purge + timedelta(seconds=1))
        assert not Turn.objects.filter(pk=turn.pk).exists()

    def test_in_a_shared_namespace_conversations_are_ones_own(
        self, alice: User, shop: Namespace, turn: Turn
    ) -> None:
        bob, carol = build.person("bob"), build.person("carol")
        share(shop, alice, bob, "reader")
        propose(shop, "Use pnpm.", turn=turn, quote="Use pnpm.")
        remembered(alice, shop, "Tests are written with pytest.", kind="fact")
        (there,) = [
            each for each in holdings_of(user=bob) if each.membership and each.membership.namespace == shop
        ]
        assert (there.sessions, there.messages, there.waiting, there.memories) == (0, 0, 0, 1)
        assert not there.sees_candidates
        assert all(each.membership.namespace != shop for each in holdings_of(user=carol) if each.membership)

    def test_what_was_said_in_a_namespace_one_has_left_is_still_ones_own(
        self, alice: User, shop: Namespace, now: datetime
    ) -> None:
        bob = build.person("bob")
        share(shop, alice, bob, "reader")
        build.session(build.key(bob).key, "bobs", workspace="alice/shop")
        build.turn(AgentSession.objects.get(key="bobs").agent_key, "Hello.", session="bobs")  # type: ignore[arg-type]
        member_remove(namespace=shop, by=alice, user=bob, now=now)
        said = signed_in(bob).get(reverse("data")).content.decode()
        assert "Namespaces you have left" in said
        assert "1 session, 1 message" in said
        assert "shop" not in said

    @pytest.mark.parametrize("count", [1, 12])
    def test_more_namespaces_cost_no_more_queries(
        self,
        hers: Client,
        alice: User,
        key: NewKey,
        count: int,
        django_assert_num_queries: DjangoAssertNumQueries,
    ) -> None:
        for number in range(count):
            build.session(key.key, f"s{number}", workspace=f"w{number}")
            build.turn(key.key, "Hello.", session=f"s{number}")
        # session, user, seven of the holdings, three besides, own, two of the frame
        with django_assert_num_queries(15):
            hers.get(reverse("data"))

    def test_somebody_new_is_told_that_nothing_is_there(self) -> None:
        said = signed_in(User.objects.create_user("new")).get(reverse("data")).content.decode()
        assert "Nothing yet" in said


class TestTakingAlong:
    def test_everything_of_mine_is_in_it_and_counted(
        self, hers: Client, alice: User, shop: Namespace, turn: Turn, key: NewKey, now: datetime
    ) -> None:
        propose(shop, "Use pnpm.", turn=turn, quote="Use pnpm.")
        memory = remembered(alice, shop, "Tests run with pytst.", kind="fact")
        memory_edit(
            memory_id=memory.pk,
            version=memory.version,
            user=alice,
            content="Tests run with pytest.",
            kind="fact",
            now=now,
        )
        archive = zipped(hers)
        assert archive.testzip() is None
        assert archive.namelist()[-1] == "manifest.json"
        manifest = json.loads(archive.read("manifest.json"))
        assert manifest["lines"] == {f"{name}.jsonl": len(lines(archive, name)) for name in FILES}
        assert [each["text"] for each in lines(archive, "messages")] == [
            "Use pnpm. The token is [redacted:github-token]",
            "Done.",
        ]
        waiting = next(each for each in lines(archive, "candidates") if each["status"] == "pending")
        assert waiting["evidence"][0]["quote"] == "Use pnpm."  # type: ignore[index]
        (kept,) = lines(archive, "memories")
        assert kept["text"] == "Tests run with pytest."
        assert [each["text"] for each in kept["former_texts"]] == ["Tests run with pytst."]  # type: ignore[attr-defined]
        written = archive.read("memories/workspace-shop.md").decode()
        assert written.startswith("# workspace:shop\n\n## fact\n\n- Tests run with pytest. (")
        assert archive.read("memories/persona-default.md").decode() == "# persona:default\n"
        assert AuditEvent.objects.filter(verb="data.exported", object_id=str(alice.pk)).count() == 1

    def test_choices_and_knowledge_are_in_it_for_whom_they_are(
        self, hers: Client, alice: User, shop: Namespace, key: NewKey
    ) -> None:
        sent(build.api(key.secret), record(user_choice="Tier M"))
        note(shop, alice, slug="release-steps")
        for version, body in enumerate(("Two people.", "Three people.")):
            summary_write(namespace_id=shop.pk, version=version, user=alice, body=body, now=timezone.now())
        (point,) = DecisionPoint.objects.all()
        DecisionPoint.objects.filter(pk=point.pk).update(name="How large a change is")
        memory = remembered(alice, shop, "Tests run with pytest.", kind="fact")
        assert build.api(key.secret).get(f"/api/v1/memories/{memory.pk}/").status_code == 200
        archive = zipped(hers)
        (choice,) = lines(archive, "choices")
        assert "Tier M" in str(choice["offered"])  # as it was read; what was chosen names it by its key
        assert (choice["question"], choice["chosen"]) == ("Which tier?", ["tier m"])
        assert [each["slug"] for each in lines(archive, "knowledge")] == ["release-steps"]
        (summary,) = lines(archive, "summaries")
        assert summary["text"] == "Three people."
        assert [each["text"] for each in summary["former_texts"]] == ["Two people."]  # type: ignore[attr-defined]
        (asked,) = lines(archive, "decision_points")
        assert (asked["id"], asked["name"]) == (choice["point_id"], "How large a change is")
        (shown,) = lines(archive, "exposures")
        assert (shown["record_type"], shown["record_id"]) == ("memory", str(memory.pk))
        theirs = zipped(signed_in(build.person("bob")))
        for name in ("choices", "knowledge", "summaries", "decision_points", "exposures"):
            assert lines(theirs, name) == []

    def test_no_secret_leaves_with_it(self, hers: Client, alice: User, key: NewKey, turn: Turn) -> None:
        Message.objects.filter(turn=turn, index=0).update(text=f"An old row that held {TOKEN}")
        archive = zipped(hers)
        whole = b"".join(archive.read(name) for name in archive.namelist())
        assert TOKEN.encode() not in whole
        assert key.secret.encode() not in whole
        assert [each["name"] for each in lines(archive, "keys")] == ["laptop"]
        assert alice.password.encode() not in whole

    def test_nothing_of_others_is_in_it(
        self, hers: Client, alice: User, shop: Namespace, turn: Turn, now: datetime
    ) -> None:
        bob = build.person("bob")
        hidden = build.workspace(bob, "secretplan")
        remembered(bob, hidden, "Bob plans to leave.", kind="fact")
        share(shop, alice, bob, "reviewer")
        build.session(build.key(bob).key, "bobs", workspace="alice/shop")
        spoken = build.turn(
            AgentSession.objects.get(key="bobs").agent_key,  # type: ignore[arg-type]
            "Bob speaks in the shared workspace.",
            session="bobs",
        )
        propose(shop, "It is bob who speaks.", turn=spoken, quote="Bob speaks")
        archive = zipped(hers)
        whole = b"".join(archive.read(name) for name in archive.namelist()).decode()
        assert "Bob plans" not in whole
        assert "secretplan" not in whole
        assert "in the shared workspace" not in whole
        assert "It is bob who speaks." in whole  # the namespace's, and hers to review
        theirs = zipped(signed_in(bob))
        assert [each["text"] for each in lines(theirs, "messages")] == ["Bob speaks in the shared workspace."]

    def test_a_reader_gets_memories_and_no_candidates(self, alice: User, shop: Namespace) -> None:
        bob = build.person("bob")
        share(shop, alice, bob, "reader")
        remembered(alice, shop, "Tests run with pytest.", kind="fact")
        archive = zipped(signed_in(bob))
        assert [each["text"] for each in lines(archive, "memories")] == ["Tests run with pytest."]
        assert lines(archive, "candidates") == []
        assert "memories/workspace-alice-shop.md" in archive.namelist()

    def test_a_stranger_gets_an_empty_one_and_a_visitor_none(self, shop: Namespace, turn: Turn) -> None:
        stranger = User.objects.create_user("stranger")
        archive = zipped(signed_in(stranger))
        full = {name for name in FILES if lines(archive, name)}
        assert full == {"account", "audit"}
        assert Client().post(reverse("data-export")).status_code == 302
        assert signed_in(stranger).get(reverse("data-export")).status_code == 405

    def test_it_comes_in_pieces(self, hers: Client, key: NewKey, shop: Namespace) -> None:
        for number in range(60):
            noise = " ".join(f"{(number * 7919 + i) * 2654435761 % 2**32:x}" for i in range(2_000))
            build.turn(key.key, noise, name=f"t{number}")
        answer = hers.post(reverse("data-export"))
        sizes = [len(piece) for piece in answer.streaming_content]  # type: ignore[attr-defined]
        assert len(sizes) > 3
        assert max(sizes) < 400_000

    def test_too_many_in_a_row_are_asked_to_wait(self, hers: Client) -> None:
        codes = [hers.post(reverse("data-export")).status_code for _time in range(throttle.TRIES + 1)]
        assert codes == [200] * throttle.TRIES + [503]


class TestErasing:
    def erase(self, client: Client, days: int, sure: str = "on") -> str:
        form = {"days": days, "sure": sure}
        return client.post(reverse("data-erase"), form, follow=True).content.decode()

    def test_old_turns_go_and_evidence_newer_and_unscanned_ones_stay(
        self, hers: Client, alice: User, key: NewKey, shop: Namespace, now: datetime
    ) -> None:
        long_ago = now - timedelta(days=40)
        for name in ("old", "cited", "waiting"):
            build.session(key.key, name, workspace="shop", now=long_ago)
        old = build.turn(key.key, "Hello.", session="old", now=long_ago)
        cited = build.turn(key.key, "Use pnpm.", session="cited", now=long_ago)
        new = build.turn(key.key, "Hello again.", now=now)
        scan_everything(now + timedelta(hours=1))
        waiting = build.turn(key.key, "Not scanned yet.", session="waiting", now=long_ago)
        propose(shop, "Use pnpm.", turn=cited, quote="Use pnpm.")
        said = self.erase(hers, 30)
        assert "1 old turn is erased" in said
        assert set(Turn.objects.values_list("pk", flat=True)) == {cited.pk, new.pk, waiting.pk}
        assert not AgentSession.objects.filter(key="old").exists()
        assert old.pk not in (cited.pk, new.pk)
        event = AuditEvent.objects.get(verb="transcripts.purged")
        assert event.data == {"days": 30, "turns": 1, "sessions": 1}
        assert "nothing that old" in self.erase(hers, 30)

    def test_nobody_elses_go(self, alice: User, key: NewKey, shop: Namespace, now: datetime) -> None:
        build.turn(key.key, "Hello.", now=now - timedelta(days=40))
        scan_everything(now)
        assert "nothing that old" in self.erase(signed_in(build.person("bob")), 7)
        assert Turn.objects.exists()
        assert Candidate.objects.count() == 0

    @pytest.mark.parametrize(
        ("days", "sure", "sentence"), [(30, "", "Tick this"), (1, "on", "not one of the available")]
    )
    def test_what_is_not_meant_erases_nothing(
        self, hers: Client, key: NewKey, shop: Namespace, now: datetime, days: int, sure: str, sentence: str
    ) -> None:
        build.turn(key.key, "Hello.", now=now - timedelta(days=40))
        scan_everything(now)
        assert sentence in self.erase(hers, days, sure)
        assert Turn.objects.exists()

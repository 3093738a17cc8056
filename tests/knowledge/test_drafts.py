"""Drafts of notes and summaries: proposed, accepted with or without other words, undone to the letter."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.errors import Conflict, DomainError, Forbidden, Invalid, NotFound, Paused
from core.models import Namespace
from core.services import audit
from core.services.namespaces import namespace_pause
from knowledge.models import Knowledge, Proposal, Summary
from knowledge.notes.fields import Note
from knowledge.selectors.proposals import shown
from knowledge.services.inbox import proposals_tidy
from knowledge.services.notes import knowledge_edit, knowledge_retire
from knowledge.services.proposals import proposal_accept, proposal_file, proposal_refuse, proposal_undo
from knowledge.services.reading import knowledge_read
from memory.models import Memory
from memory.services.memories import memory_delete, memory_retire
from tests import build
from tests.knowledge.make import knowledge, note, summary
from tests.review.scene import remembered, share

pytestmark = pytest.mark.django_db

NEW = {
    "title": "Deploying",
    "slug": "deploying",
    "description": "Rules for deploying; read it before you deploy.",
    "body": "- Tag before you deploy.\n- Deploys run from main.",
}


@pytest.fixture
def now() -> datetime:
    return timezone.now() + timedelta(minutes=1)


@pytest.fixture
def tag(api: Namespace, alice: User) -> Memory:
    return remembered(alice, api, "Tag before you deploy.", kind="pattern")


def source(memory: Memory) -> dict[str, Any]:
    return {"type": "memory", "id": str(memory.pk), "version": memory.version}


def file(kind: str, tag: Memory, now: datetime, **payload: Any) -> Proposal:
    return proposal_file(
        namespace=tag.namespace,
        kind=kind,
        payload=payload,
        reason="two rules say it",
        sources=[source(tag)],
        now=now,
    ).proposal


def accept(proposal: Proposal, user: User, now: datetime, **words: Any) -> Proposal:
    proposal.refresh_from_db()
    return proposal_accept(proposal_id=proposal.pk, version=proposal.version, user=user, now=now, **words)


def undo(proposal: Proposal, user: User, now: datetime) -> Proposal:
    proposal.refresh_from_db()
    return proposal_undo(proposal_id=proposal.pk, version=proposal.version, user=user, now=now)


def texts(row: Knowledge) -> tuple[str, str, str, str]:
    row.refresh_from_db()
    return (row.title, row.slug, row.description, row.body)


class TestANewNote:
    def test_is_only_proposed_until_a_person_accepts_it(
        self, tag: Memory, alice: User, now: datetime
    ) -> None:
        proposal = file("create", tag, now, **NEW)
        assert not Knowledge.objects.exists()
        accept(proposal, alice, now)
        made = Knowledge.objects.get()
        assert texts(made) == tuple(NEW[name] for name in ("title", "slug", "description", "body"))
        assert (made.status, made.model_invocation, made.user_invocable) == ("active", False, True)
        assert made.last_sources == [source(tag)]
        tag.refresh_from_db()
        assert (tag.status, tag.content) == ("active", "Tag before you deploy.")

    def test_undo_takes_the_note_away_and_it_can_be_accepted_again(
        self, tag: Memory, alice: User, now: datetime
    ) -> None:
        proposal = file("create", tag, now, **NEW)
        accept(proposal, alice, now)
        undo(proposal, alice, now)
        assert not Knowledge.objects.exists()
        accept(proposal, alice, now)
        assert Knowledge.objects.get().slug == "deploying"
        assert audit.verify() == []

    def test_undo_refuses_once_somebody_has_changed_the_note(
        self, tag: Memory, alice: User, now: datetime
    ) -> None:
        proposal = file("create", tag, now, **NEW)
        accept(proposal, alice, now)
        made = Knowledge.objects.get()
        knowledge_edit(
            knowledge_id=made.pk, version=made.version, user=alice, note=note("deploying"), now=now
        )
        with pytest.raises(Conflict):
            undo(proposal, alice, now)
        assert Knowledge.objects.filter(pk=made.pk).exists()

    def test_takes_the_next_free_slug(self, api: Namespace, tag: Memory, alice: User, now: datetime) -> None:
        proposal = file("create", tag, now, **NEW)
        knowledge(api, alice, "deploying")
        accept(proposal, alice, now)
        assert Knowledge.objects.filter(slug="deploying-2").exists()

    def test_the_persons_own_words_win_and_their_mistakes_are_all_named(
        self, api: Namespace, tag: Memory, alice: User, now: datetime
    ) -> None:
        knowledge(api, alice, "taken")
        proposal = file("create", tag, now, **NEW)
        with pytest.raises(Invalid) as caught:
            accept(proposal, alice, now, note=Note("", "Großes", "x" * 1025, "y"))
        assert [each["field"] for each in caught.value.details["problems"]] == [
            "title",
            "description",
            "slug",
        ]
        with pytest.raises(Invalid) as caught:
            accept(proposal, alice, now, note=Note("Mine", "taken", "When deploying.", "- Tag."))
        assert caught.value.code == "slug_taken"
        assert Proposal.objects.get().state == "open"
        accept(proposal, alice, now, note=Note("Mine", "mine", "When deploying.", "- Tag."))
        assert Knowledge.objects.get(slug="mine").title == "Mine"

    def test_cannot_ask_to_stand_before_every_session_in_any_spelling(
        self, tag: Memory, alice: User, now: datetime
    ) -> None:
        for spelling in ("model_invocation", "model_invokation"):
            with pytest.raises(Invalid):
                file("create", tag, now, **NEW, **{spelling: True})
        proposal = file("create", tag, now, **NEW)
        asked = Note("Mine", "mine", "When deploying.", "- Tag.", model_invocation=True)
        accept(proposal, alice, now, note=asked)
        assert not Knowledge.objects.get().model_invocation

    def test_names_sources_that_exist(self, api: Namespace, tag: Memory, alice: User, now: datetime) -> None:
        other = remembered(alice, build.workspace(alice, "web"), "The site uses Astro.", kind="fact")
        gone = remembered(alice, api, "Deploys need a VPN.", kind="fact")
        memory_retire(memory_id=gone.pk, version=gone.version, user=alice, reason="wrong", now=now)
        for sources in (
            [],
            [source(other)],
            [source(gone)],
            [{"type": "request", "id": "7"}],
            [{"type": "moon"}],
        ):
            with pytest.raises(Invalid) as caught:
                proposal_file(namespace=api, kind="create", payload=NEW, reason="", sources=sources, now=now)
            assert caught.value.code == "unknown_source"
        assert not Proposal.objects.exists()

    def test_a_paused_namespace_takes_none(self, tag: Memory, alice: User, now: datetime) -> None:
        proposal = file("create", tag, now, **NEW)
        namespace_pause(namespace=tag.namespace, user=alice, paused=True, now=now)
        with pytest.raises(Paused):
            accept(proposal, alice, now)
        assert not Knowledge.objects.exists()

    @pytest.mark.parametrize(("role", "error"), [(None, NotFound), ("reader", Forbidden)])
    def test_strangers_and_readers_decide_nothing(
        self, tag: Memory, alice: User, now: datetime, role: str | None, error: type[DomainError]
    ) -> None:
        bob = build.person("bob")
        if role:
            share(tag.namespace, alice, bob, role)
        with pytest.raises(error):
            accept(file("create", tag, now, **NEW), bob, now)
        assert not Knowledge.objects.exists()


class TestAChangeOfANote:
    @pytest.fixture
    def held(self, api: Namespace, alice: User) -> Knowledge:
        return knowledge(
            api,
            alice,
            "deploying",
            body="- Deploys run from main.",
            model_invocation=True,
            user_invocable=False,
        )

    def change(self, held: Knowledge, tag: Memory, now: datetime, body: str = NEW["body"]) -> Proposal:
        held.refresh_from_db()
        return file(
            "update",
            tag,
            now,
            note={"id": str(held.pk), "version": held.version},
            title=held.title,
            description=NEW["description"],
            body=body,
        )

    def test_keeps_slug_and_switches_and_comes_back_to_the_letter(
        self, held: Knowledge, tag: Memory, alice: User, now: datetime
    ) -> None:
        before = texts(held)
        proposal = self.change(held, tag, now)
        accept(proposal, alice, now)
        assert texts(held) == (before[0], "deploying", NEW["description"], NEW["body"])
        assert (held.model_invocation, held.user_invocable) == (True, False)
        assert held.last_sources == [source(tag)]
        undo(proposal, alice, now)
        assert texts(held) == before
        assert held.last_sources == []
        accept(proposal, alice, now)
        assert texts(held)[3] == NEW["body"]

    def test_is_outdated_once_the_note_was_changed(
        self, held: Knowledge, tag: Memory, alice: User, now: datetime
    ) -> None:
        proposal = self.change(held, tag, now)
        knowledge_edit(
            knowledge_id=held.pk, version=held.version, user=alice, note=note("deploying"), now=now
        )
        assert shown([proposal])[0].outdated
        with pytest.raises(Conflict) as caught:
            accept(proposal, alice, now)
        assert caught.value.code == "outdated"

    def test_a_newer_draft_takes_the_place_of_one_that_waits(
        self, held: Knowledge, tag: Memory, now: datetime
    ) -> None:
        first = self.change(held, tag, now)
        second = self.change(held, tag, now, body=NEW["body"] + "\n- Watch the logs.")
        first.refresh_from_db()
        assert (first.state, second.state) == ("withdrawn", "open")

    def test_may_not_even_propose_to_drop_over_half_of_a_note_in_use(
        self, held: Knowledge, tag: Memory, alice: User, now: datetime
    ) -> None:
        key = build.key(alice).key
        build.session(key)
        knowledge_read(agent_key=key, slug="deploying", references=[], session="s1", now=now)
        with pytest.raises(Invalid) as caught:
            self.change(held, tag, now, body="- Ask the platform team about everything instead.")
        assert caught.value.code == "protected"
        self.change(held, tag, now)  # adding is no rewrite
        later = now + timedelta(days=31)
        self.change(held, tag, later, body="- Ask the platform team about everything instead.")

    def test_is_about_an_active_note_of_the_namespace(
        self, held: Knowledge, tag: Memory, alice: User, now: datetime
    ) -> None:
        foreign = knowledge(build.workspace(alice, "web"), alice, "deploying")
        with pytest.raises(Invalid):
            self.change(foreign, tag, now)
        knowledge_retire(knowledge_id=held.pk, version=held.version, user=alice, now=now)
        with pytest.raises(Invalid):
            self.change(held, tag, now)


class TestTheSummary:
    def test_is_written_by_accepting_and_comes_back_to_the_letter(
        self, tag: Memory, alice: User, now: datetime
    ) -> None:
        summary(tag.namespace, alice, "By hand.")
        proposal = file("summary", tag, now, version=1, body="By hand.\n- Tag before you deploy.")
        accept(proposal, alice, now)
        held = Summary.objects.get()
        assert (held.body, held.lines) == ("By hand.\n- Tag before you deploy.", [source(tag)])
        undo(proposal, alice, now)
        held.refresh_from_db()
        assert (held.body, held.lines) == ("By hand.", [])
        accept(proposal, alice, now, content="My words.")
        held.refresh_from_db()
        assert held.body == "My words."

    def test_the_first_one_goes_again_when_undone(self, tag: Memory, alice: User, now: datetime) -> None:
        proposal = file("summary", tag, now, version=0, body="- Tag before you deploy.")
        accept(proposal, alice, now)
        undo(proposal, alice, now)
        assert Summary.objects.get().body == ""
        accept(proposal, alice, now)
        assert Summary.objects.get().body == "- Tag before you deploy."

    def test_is_outdated_once_somebody_wrote_it(self, tag: Memory, alice: User, now: datetime) -> None:
        proposal = file("summary", tag, now, version=0, body="- Tag before you deploy.")
        summary(tag.namespace, alice, "By hand.")
        assert shown([proposal])[0].outdated
        with pytest.raises(Conflict):
            accept(proposal, alice, now)
        assert Summary.objects.get().body == "By hand."

    def test_only_the_newest_draft_waits(self, tag: Memory, alice: User, now: datetime) -> None:
        first = file("summary", tag, now, version=0, body="- Tag before you deploy.")
        file("summary", tag, now, version=0, body="- Tag before you deploy it.")
        first.refresh_from_db()
        assert first.state == "withdrawn"


class TestDeletedMemories:
    def test_take_the_drafts_made_from_them_along(self, tag: Memory, alice: User, now: datetime) -> None:
        proposal = file("create", tag, now, **NEW)
        memory_delete(memory_id=tag.pk, version=tag.version, user=alice, now=now)
        proposals_tidy(now=now)
        proposals_tidy(now=now)
        proposal.refresh_from_db()
        assert proposal.state == "withdrawn"
        assert "deploy" not in str(proposal.payload).lower()
        assert shown([proposal])[0].memories == []

    def test_a_refused_draft_keeps_no_words_either(self, tag: Memory, alice: User, now: datetime) -> None:
        proposal = file("create", tag, now, **NEW)
        proposal_refuse(proposal_id=proposal.pk, version=1, user=alice, now=now)
        memory_delete(memory_id=tag.pk, version=tag.version, user=alice, now=now)
        proposals_tidy(now=now)
        proposal.refresh_from_db()
        assert "Tag" not in str(proposal.payload)

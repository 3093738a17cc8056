"""Where scans file: never beyond what the key reaches, never where somebody paused meanwhile."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.errors import Paused
from core.models import Namespace
from core.services.members import member_remove, member_set
from core.services.namespaces import namespace_pause
from memory.models import Candidate
from memory.services import extractors
from memory.services.candidates import candidate_propose
from tests import build
from tests.memory.make import proposal
from tests.memory.pipeline import Talk, last_run, proposals, scan_all

pytestmark = pytest.mark.django_db

OF_A_PERSON = "I prefer short commit messages. Never use emojis when you write to me."
OF_A_PROJECT = "We use pnpm here, not npm, because the lockfiles keep clashing."


def test_a_key_with_a_list_files_nothing_outside_it(alice: User) -> None:
    api = build.workspace(alice)
    talk = Talk(build.key(alice, reach="list", namespaces=[api]).key)
    talk.say(OF_A_PERSON)
    assert {candidate.namespace for candidate in proposals()} == {api}


def test_a_key_that_reaches_all_files_with_the_persona(alice: User) -> None:
    Talk(build.key(alice).key).say(OF_A_PERSON)
    assert {str(candidate.namespace) for candidate in proposals()} == {"persona:default"}


def test_who_has_left_a_workspace_files_nothing_there(alice: User) -> None:
    bob = build.person("bob")
    shared = build.workspace(bob, "shared")
    member_set(namespace=shared, by=bob, user=alice, role="reviewer", now=timezone.now())
    key = build.key(alice).key
    build.session(key, workspace="bob/shared")
    build.turn(key, OF_A_PROJECT)
    member_remove(namespace=shared, by=bob, user=alice, now=timezone.now())
    scan_all()
    assert {str(candidate.namespace) for candidate in proposals()} == {"persona:default"}
    assert not Candidate.objects.filter(namespace=shared).exists()


def test_a_namespace_paused_while_the_model_computes_gets_nothing(alice: User) -> None:
    key = build.key(alice).key
    session = build.session(key)
    assert session.workspace is not None
    workspace = session.workspace
    build.turn(key, OF_A_PROJECT)
    run = extractors.run

    def pause_meanwhile(**what: Any) -> extractors.Run:
        namespace_pause(namespace=workspace, user=alice, paused=True, now=timezone.now())
        return run(**what)

    with mock.patch.object(extractors, "run", pause_meanwhile):
        scan_all()
    assert not Candidate.objects.exists()
    assert last_run().dropped == {"paused": 1}


def test_a_proposal_that_knows_nothing_of_a_pause_is_refused(alice: User) -> None:
    api = build.workspace(alice)
    stale = proposal(api, "Deploy with helm from now on.")
    namespace_pause(namespace=Namespace.objects.get(pk=api.pk), user=alice, paused=True, now=timezone.now())
    with pytest.raises(Paused):
        candidate_propose(proposal=stale, now=timezone.now())

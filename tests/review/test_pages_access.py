"""Who may open and do what: the owner, a reviewer, a reader, a stranger, and a visitor, on every page."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import AgentKey, AuditEvent, Membership, Namespace
from knowledge.models import Knowledge, Proposal, Summary
from memory.models import Candidate, Memory
from review.urls import urlpatterns
from tests import build
from tests.knowledge.make import knowledge
from tests.knowledge.nights import night
from tests.review import test_choices_access as choices
from tests.review.scene import propose, remembered, reported, share, signed_in

pytestmark = pytest.mark.django_db

NOTHING = uuid.UUID("0190f3b4-0000-7000-8000-000000000000")
ROLES = ("owner", "reviewer", "reader", "stranger")


@dataclass
class Scene:
    people: dict[str, User]
    namespace: uuid.UUID
    candidate: Candidate
    memory: Memory
    session: uuid.UUID
    turn: int
    key: uuid.UUID
    proposal: uuid.UUID
    note: uuid.UUID
    run: uuid.UUID

    def client(self, who: str) -> Client:
        return signed_in(self.people[who])

    def address(self, name: str) -> str:
        args: dict[str, list[object]] = {
            "candidate": [self.candidate.pk],
            "memory": [self.memory.pk],
            "session": [self.session],
            "scan-retry": [self.session, "turn", self.turn],
            "key": [self.key],
            "namespace": [self.namespace],
            "member": [self.namespace],
            "policy": [self.namespace],
            "prompt": [self.namespace, "extract"],
            "filter-delete": [NOTHING],
            "proposal": [self.proposal],
            "note": [self.note],
            "night": [self.run],
            "note-new": [self.namespace],
            "note-usage": [self.namespace],
            "note-files": [self.namespace],
            "summary": [self.namespace],
        }
        fitting = [start for start in args if name == start or name.startswith(f"{start}-")]
        bare = {
            "nights",
            "note-slugs",
            "memory-new",
            "memories-search",
            "key-new",
            "session-import",
            "session-import-go",
        }
        return reverse(name, args=[] if name in bare or not fitting else args[max(fitting, key=len)])


@pytest.fixture
def scene() -> Scene:
    people = {role: build.person(role) for role in ROLES}
    owner = people["owner"]
    key = build.key(owner).key
    session = build.session(key)
    turn = build.turn(key, "From now on use pnpm, not npm.")
    workspace = session.workspace
    assert workspace is not None
    share(workspace, owner, people["reviewer"], "reviewer")
    share(workspace, owner, people["reader"], "reader")
    candidate = propose(workspace, "Use pnpm, not npm.", turn=turn, quote="use pnpm, not npm")
    memory = remembered(owner, workspace, "Tests are written with pytest.", kind="fact")
    filed = reported(key, memory, "CI runs on unittest.")
    note = knowledge(workspace, owner)
    run = night(workspace, timezone.now(), stages=[])
    return Scene(
        people, workspace.pk, candidate, memory, session.pk, turn.pk, key.pk, filed.pk, note.pk, run.pk
    )


# Page: status for owner, reviewer, reader, stranger.
PAGES = {
    "review": (200, 200, 200, 200),
    "candidate": (200, 200, 403, 404),
    "candidate-row": (200, 200, 403, 404),
    "candidate-source": (200, 200, 403, 404),
    "candidate-edit": (200, 200, 403, 404),
    "proposal": (200, 200, 403, 404),
    "proposal-source": (200, 200, 403, 404),
    "news": (200, 200, 200, 200),
    "bulk-everything": (200, 200, 200, 200),
    "settings-person": (200, 200, 200, 200),
    "memory-new": (200, 200, 200, 200),
    "history": (200, 200, 200, 200),
    "memories": (200, 200, 200, 200),
    "memories-search": (200, 200, 200, 200),
    "memory": (200, 200, 200, 404),
    "memory-edit": (200, 200, 403, 404),
    "memory-delete": (200, 200, 403, 404),
    "sessions": (200, 200, 200, 200),
    "insights": (200, 200, 200, 200),
    "session-import": (200, 200, 200, 200),
    "session": (200, 404, 404, 404),
    "settings": (200, 200, 200, 200),
    "key-new": (200, 200, 200, 200),
    "namespace": (200, 200, 200, 404),
    "account-delete": (200, 200, 200, 200),
    "policy": (200, 403, 403, 404),
    "prompts": (200, 200, 200, 200),
    "nights": (200, 200, 200, 200),
    "night": (200, 200, 200, 404),
    "prompt": (200, 403, 403, 404),
    "namespace-split": (200, 403, 403, 404),
    "data": (200, 200, 200, 200),
    "knowledge": (200, 200, 200, 200),
    "note": (200, 200, 200, 404),
    "note-new": (200, 200, 403, 404),
    "note-edit": (200, 200, 403, 404),
    "note-delete": (200, 200, 403, 404),
    "note-resident": (200, 200, 403, 404),
    "note-usage": (200, 200, 200, 404),
    "note-files": (200, 200, 200, 404),
    "note-files-zip": (200, 200, 200, 404),
    "note-slugs": (200, 200, 200, 200),
    "summary": (200, 200, 200, 404),
}

# Act: form and status. 302 and 200 are done; the rest change nothing.
ACTS: dict[str, tuple[dict[str, str], tuple[int, int, int, int]]] = {
    "candidate-approve": ({"version": "1"}, (302, 302, 403, 404)),
    "candidate-reject": ({"version": "1"}, (302, 302, 403, 404)),
    "candidate-set-aside": ({"version": "1"}, (302, 302, 403, 404)),
    "filter-delete": ({}, (404, 404, 404, 404)),
    "reason": ({"act": str(NOTHING), "reason": "wrong"}, (404, 404, 404, 404)),
    "reminder-test": ({}, (409, 409, 409, 409)),
    "proposal-accept": ({"version": "1"}, (302, 302, 403, 404)),
    "proposal-refuse": ({"version": "1"}, (302, 302, 403, 404)),
    "proposal-reopen": ({"version": "1"}, (409, 409, 403, 404)),
    "candidate-reopen": ({"version": "1"}, (409, 409, 403, 404)),
    "memory-retire": ({"version": "1", "reason": "wrong"}, (302, 302, 403, 404)),
    "memory-restore": ({"version": "1"}, (409, 409, 403, 404)),
    "memory-delete": ({"version": "1"}, (302, 302, 403, 404)),
    "scan-retry": ({}, (409, 404, 404, 404)),
    "undo": ({}, (404, 404, 404, 404)),
    "key-rotate": ({}, (200, 404, 404, 404)),
    "key-revoke": ({}, (302, 404, 404, 404)),
    "namespace-rename": ({"name": "renamed"}, (302, 403, 403, 404)),
    "namespace-transfer": ({"username": "reviewer"}, (302, 403, 403, 404)),
    "namespace-night": ({}, (302, 403, 403, 404)),
    "night-undo": ({}, (302, 302, 403, 404)),
    "namespace-pause": ({"paused": "1"}, (302, 403, 403, 404)),
    "namespace-drafts": ({"on": "1", "typed_name": "api"}, (302, 403, 403, 404)),
    "member": ({"username": "stranger", "role": "reader"}, (302, 403, 403, 404)),
    "member-gone": ({"username": "reader"}, (302, 403, 403, 404)),
    "data-export": ({}, (200, 200, 200, 200)),
    "note-retire": ({"version": "1"}, (302, 302, 403, 404)),
    "note-files-undo": ({"import": str(NOTHING)}, (404, 404, 403, 404)),
    "note-restore": ({"version": "1"}, (409, 409, 403, 404)),
    "note-resident": ({"version": "1", "on": "1"}, (302, 302, 403, 404)),
    "note-replace": ({"version": "1", "by": str(NOTHING)}, (422, 422, 403, 404)),
    "note-delete": ({"version": "1"}, (302, 302, 403, 404)),
    "summary": ({"version": "0", "body": "About the api."}, (302, 302, 403, 404)),
}
# Forms that stand on a page of their own; what they do is tested with their page.
OWN_FORMS = {
    "bulk",
    "candidate-diff",
    "candidate-edit",
    "candidate-merge",
    "data-erase",
    "filter-save",
    "key-new",
    "memory-edit",
    "namespace-link",
    "namespace-merge",
    "memory-new",
    "persona-new",
    "session-import",
    "session-import-go",
}
OPEN_TO_ALL = {"home", "sign-in", "sign-out", "sign-in-link", "set_language"}


@pytest.mark.parametrize("who", ROLES)
def test_pages_open_for_whom_they_are(scene: Scene, who: str) -> None:
    client, at = scene.client(who), ROLES.index(who)
    answers = {name: client.get(scene.address(name)) for name in PAGES}
    assert {name: answer.status_code for name, answer in answers.items()} == {
        name: statuses[at] for name, statuses in PAGES.items()
    }
    if who == "stranger":
        for answer in answers.values():
            page = answer.content.decode()
            assert scene.candidate.content not in page
            assert scene.memory.content not in page


@pytest.mark.parametrize("who", ROLES)
def test_acts_are_done_for_whom_they_are(scene: Scene, who: str) -> None:
    """Each act starts from the same state: what it did is rolled back."""
    client, at, before = scene.client(who), ROLES.index(who), _states()
    found: dict[str, tuple[int, bool]] = {}
    for name, (form, _statuses) in ACTS.items():
        with transaction.atomic():
            answer = client.post(scene.address(name), form)
            found[name] = (answer.status_code, _states() != before)
            transaction.set_rollback(True)
    assert found == {name: (statuses[at], statuses[at] < 400) for name, (_form, statuses) in ACTS.items()}


def test_visitors_are_sent_to_sign_in(scene: Scene, client: Client) -> None:
    before = _states()
    for name in [*PAGES, *ACTS]:
        for answer in (client.get(scene.address(name)), client.post(scene.address(name))):
            assert answer.status_code in (302, 405), name
            assert answer.status_code == 405 or answer.headers["Location"].startswith("/sign-in/"), name
    assert _states() == before


def test_no_link_can_do_an_act(scene: Scene) -> None:
    client = scene.client("owner")
    answers = {name: client.get(scene.address(name)).status_code for name in ACTS if name not in PAGES}
    assert set(answers.values()) == {405}


def test_every_address_is_in_one_of_these_tables() -> None:
    known = {*PAGES, *ACTS, *OWN_FORMS, *OPEN_TO_ALL, *choices.NAMES}
    assert set(_names(urlpatterns)) == known


def test_a_form_without_its_token_changes_nothing_and_says_so(scene: Scene) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(scene.people["owner"])
    answer = strict.post(scene.address("candidate-approve"), {"version": "1"})
    assert answer.status_code == 403
    assert "too old" in answer.content.decode()
    assert not Memory.objects.filter(content=scene.candidate.content).exists()


def _names(patterns: object) -> list[str]:
    found: list[str] = []
    for pattern in patterns:  # type: ignore[attr-defined]
        if hasattr(pattern, "url_patterns"):
            found += _names(pattern.url_patterns)
        else:
            found.append(pattern.name)
    return found


def _states() -> list[object]:
    return [
        list(Candidate.objects.values_list("pk", "status", "version", "content")),
        list(Memory.objects.values_list("pk", "status", "version", "content")),
        list(Proposal.objects.values_list("pk", "state", "version")),
        list(Knowledge.objects.values_list("pk", "status", "version")),
        list(Summary.objects.values_list("pk", "version")),
        list(AgentKey.objects.values_list("pk", "revoked_at")),
        list(Namespace.objects.values_list("pk", "name", "owner_id", "paused_at").order_by("pk")),
        sorted(Membership.objects.values_list("namespace_id", "user_id", "role")),
        AuditEvent.objects.count(),
    ]

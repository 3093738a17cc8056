"""A namespace that holds something of everything, made through the services; and its complete removal."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from core.models import Namespace
from knowledge.models import Proposal
from knowledge.services.draft_policy import draft_policy_set
from knowledge.services.expand import expand
from knowledge.services.inbox import reports_file
from knowledge.services.notes import knowledge_edit, knowledge_replace
from knowledge.services.proposals import proposal_refuse
from knowledge.services.rehousing import knowledge_erase
from memory.models import Candidate, Memory, Request
from memory.services.candidates import candidate_propose
from memory.services.erasing import namespace_erase
from memory.services.gate import candidate_edit, candidate_reject
from memory.services.memories import memory_delete, memory_edit, memory_retire
from memory.services.policy import policy_set
from memory.services.prompts import prompt_override
from memory.services.reports import memory_report
from tests import build
from tests.knowledge.make import knowledge, note, summary
from tests.memory.make import proposal
from tests.memory.pipeline import scan_all
from tests.memory.recalling import remember
from transcripts.models import AgentSession

SAID = (
    "We decided to deploy the API with containers, because the on-call rota changes on Monday.",
    "決定: 認証はセッション方式にする。トークンは使わない。",
    "Never push to main on a Friday afternoon. Please write the release notes.",
)


def full(user: User) -> Namespace:
    """``workspace:api`` with conversations, candidates in each state, memories with history, notes, a policy."""
    made = build.key(user, name="laptop")
    home = build.workspace(user)
    build.session(made.key, "talk")
    for number, text in enumerate(SAID):
        build.turn(made.key, text, build.agent("Understood."), session="talk", name=f"t{number}")
    scan_all(now=timezone.now() + timedelta(minutes=5))
    _decide(home, user)
    _write(home, user)
    report = memory_report(
        agent_key=made.key,
        memory_id=Memory.objects.active().filter(namespace=home).latest("pk").pk,
        reason="It is 3.13 now.",
        now=timezone.now(),
    )
    reports_file(now=timezone.now())
    filed = Proposal.objects.get(report=report)
    proposal_refuse(proposal_id=filed.pk, version=filed.version, user=user, now=timezone.now())
    expand(agent_key=made.key, session="talk", text="See #steps.", now=timezone.now())
    return home


def _decide(home: Namespace, user: User) -> None:
    now = timezone.now()
    waiting = Candidate.objects.open().filter(namespace=home).order_by("pk")
    for number, candidate in enumerate(waiting):
        if number % 2:
            reason = "private" if number % 4 == 1 else ""
            candidate_reject(
                candidate_id=candidate.pk, version=candidate.version, user=user, reason=reason, now=now
            )
        else:
            candidate_edit(
                candidate_id=candidate.pk,
                version=candidate.version,
                user=user,
                content=f"{candidate.content} (said in May)",
                kind=candidate.kind,
                namespace_id=home.pk,
                now=now,
            )
    for reason in ("", "private"):
        text = f"Backups are kept for {len(reason) + 7} days."
        wished = candidate_propose(proposal=proposal(home, text, session=f"r{reason}"), now=now).candidate
        assert wished is not None
        candidate_reject(candidate_id=wished.pk, version=1, user=user, reason=reason, now=now)
    for number in range(6):
        remember(home, f"Service number {number} listens on port 80{number}0.", kind="fact")
    first, second, third, *_rest = Memory.objects.active().filter(namespace=home).order_by("pk")
    memory_edit(
        memory_id=first.pk, version=1, user=user, content="Service zero is gone.", kind="event", now=now
    )
    memory_retire(memory_id=second.pk, version=1, user=user, reason="wrong", now=now)
    memory_delete(memory_id=third.pk, version=1, user=user, now=now)
    candidate_propose(proposal=proposal(home, "Caches are warmed at night.", session="s9"), now=now)


def _write(home: Namespace, user: User) -> None:
    now = timezone.now()
    old, new = knowledge(home, user, "steps-old"), knowledge(home, user, "steps")
    knowledge_replace(knowledge_id=old.pk, version=1, user=user, by_id=new.pk, now=now)
    knowledge_edit(
        knowledge_id=new.pk, version=1, user=user, note=note("steps", body="1. Test\n2. 公開"), now=now
    )
    summary(home, user, "We ship on Tuesdays.")
    summary(home, user, "We ship on Wednesdays.", version=1)
    policy_set(
        namespace=home,
        user=user,
        enabled=True,
        min_sessions=4,
        min_confidence=0.95,
        min_age_hours=48,
        kinds=["fact"],
        typed_name="api",
        now=now,
    )
    prompt_override(namespace=home, user=user, name="extract", text="Keep decisions alone.", now=now)
    draft_policy_set(namespace=home, user=user, enabled=True, typed_name="api", now=now)


def wipe(home: Namespace) -> None:
    """As if it had never been here: rows of every room, and the namespace itself."""
    Request.objects.filter(namespace=home).delete()
    for session in AgentSession.objects.filter(workspace=home):
        session.delete()
    AgentSession.objects.filter(persona=home).delete()
    Proposal.objects.filter(namespace=home).delete()
    knowledge_erase(namespace=home)
    namespace_erase(namespace=home)
    home.delete()

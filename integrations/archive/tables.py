"""Which rows belong to a namespace, in the order in which they are written and brought back.

Left out, because it is made anew or is about this installation: search index and vectors of memories, exposures, the
audit trail (its chain of hashes cannot move), runs of extractors and of the night, token meters, keys, members.
Choices belong to a person and have a file of their own (``manage.py export_choices``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat

from core.models import Namespace
from knowledge.models import DraftPolicy, Knowledge, KnowledgeUse, Proposal, Summary
from memory.models import (
    Candidate,
    Evidence,
    Memory,
    MemoryReport,
    PromptChange,
    PromptOverride,
    Request,
    ReviewPolicy,
    Sighting,
    Tombstone,
)
from transcripts.models import AgentSession, Message, Turn, TurnPin


@dataclass(frozen=True)
class Home:
    """The namespace, and the person whose conversations belong into its archive."""

    namespace: Namespace
    user: User


@dataclass(frozen=True)
class Table:
    """One file ``<name>.jsonl``. ``omit`` names columns that are derived or concern this installation alone."""

    name: str
    model: type[Model]
    rows: Callable[[Home], QuerySet[Any]]
    omit: frozenset[str] = frozenset()

    @property
    def file(self) -> str:
        return f"{self.name}.jsonl"


def _history(model: type[Model]) -> type[Model]:
    return apps.get_model(model._meta.app_label, f"{model.__name__}History")


def _all(model: type[Model], *order: str, path: str = "namespace") -> Callable[[Home], QuerySet[Any]]:
    def rows(home: Home) -> QuerySet[Any]:
        return model._default_manager.filter(**{path: home.namespace}).order_by(*order)

    return rows


def _sessions(home: Home) -> QuerySet[AgentSession]:
    """Held here, or cited by what is remembered here; the person's own alone."""
    space = home.namespace
    cited = Evidence.objects.filter(candidate__namespace=space).values("session")
    seen = Sighting.objects.filter(candidate__namespace=space).values("session")
    led = Candidate.objects.filter(namespace=space).values("session")
    wanted = _held(space) | Q(pk__in=cited) | Q(pk__in=seen) | Q(pk__in=led)
    return AgentSession.objects.visible_to(home.user).filter(wanted).order_by("pk")


def _held(space: Namespace, path: str = "") -> Q:
    return Q(**{f"{path}workspace": space}) | Q(**{f"{path}workspace": None, f"{path}persona": space})


def _turns(home: Home) -> QuerySet[Turn]:
    """All of conversations that were held here; of others those that are cited, with what is pinned around them."""
    space = home.namespace
    cited = Evidence.objects.filter(candidate__namespace=space).values("message__turn")
    wanted = _held(space, "session__") | Q(pk__in=_pins(home).values("turn")) | Q(pk__in=cited)
    rows = Turn.objects.filter(session__in=_sessions(home).values("pk")).filter(wanted)
    return rows.order_by("session_id", "opened_at", "pk")


def _messages(home: Home) -> QuerySet[Message]:
    rows = Message.objects.filter(turn__in=_turns(home).values("pk"))
    return rows.order_by("session_id", "turn__opened_at", "turn_id", "index", "pk")


def _pins(home: Home) -> QuerySet[TurnPin]:
    candidates = Candidate.objects.filter(namespace=home.namespace)
    holders = candidates.annotate(
        holder=Concat(Value("candidate:"), Cast("pk", TextField()), output_field=TextField())
    )
    rows = TurnPin.objects.filter(turn__session__user=home.user, holder__in=holders.values("holder"))
    return rows.order_by("holder", "turn__session_id", "turn__opened_at", "turn_id")


def _requests(home: Home) -> QuerySet[Request]:
    rows = Request.objects.filter(namespace=home.namespace, message__turn__in=_turns(home).values("pk"))
    return rows.order_by("session_id", "at", "pk")


_HISTORY = frozenset({"pgh_id"})
_LEASE = frozenset({"lease_until", "lease_token"})
_SCAN = frozenset({"scan_lease_until", "scan_lease_token"})

TABLES: tuple[Table, ...] = (
    Table("sessions", AgentSession, _sessions, _SCAN | {"user"}),
    Table("turns", Turn, _turns, _LEASE),
    Table("messages", Message, _messages),
    Table("memories", Memory, _all(Memory, "pk"), frozenset({"blocks"})),
    Table(
        "memory_history",
        _history(Memory),
        _all(_history(Memory), "pgh_obj_id", "pgh_id", path="pgh_obj__namespace"),
        _HISTORY,
    ),
    Table("candidates", Candidate, _all(Candidate, "pk"), frozenset({"blocks"})),
    Table("evidence", Evidence, _all(Evidence, "candidate_id", "pk", path="candidate__namespace")),
    Table("sightings", Sighting, _all(Sighting, "candidate_id", "pk", path="candidate__namespace")),
    Table("pins", TurnPin, _pins),
    Table("requests", Request, _requests),
    Table("tombstones", Tombstone, _all(Tombstone, "pk"), frozenset({"blocks"})),
    Table("reports", MemoryReport, _all(MemoryReport, "pk", path="memory__namespace")),
    Table("knowledge", Knowledge, _all(Knowledge, "pk")),
    Table(
        "knowledge_history",
        _history(Knowledge),
        _all(_history(Knowledge), "pgh_obj_id", "pgh_id", path="pgh_obj__namespace"),
        _HISTORY,
    ),
    Table("knowledge_uses", KnowledgeUse, _all(KnowledgeUse, "pk")),
    Table("summary", Summary, _all(Summary, "pk")),
    Table(
        "summary_history",
        _history(Summary),
        _all(_history(Summary), "pgh_obj_id", "pgh_id", path="pgh_obj__namespace"),
        _HISTORY,
    ),
    Table("proposals", Proposal, _all(Proposal, "pk")),
    Table(
        "proposal_memories",
        Proposal.memories.through,
        _all(Proposal.memories.through, "proposal_id", "memory_id", path="proposal__namespace"),
    ),
    Table("review_policy", ReviewPolicy, _all(ReviewPolicy, "pk")),
    Table("draft_policy", DraftPolicy, _all(DraftPolicy, "pk")),
    Table("prompts", PromptOverride, _all(PromptOverride, "pk")),
    Table("prompt_changes", PromptChange, _all(PromptChange, "pk")),
)
# What may not be there yet where an archive is brought back: these make a namespace more than a name.
CONTENT: Iterable[type[Model]] = (Memory, Candidate, Tombstone, Knowledge, Summary, Proposal)

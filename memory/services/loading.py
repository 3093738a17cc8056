"""An operator vouches for memories and loads them past the queue (design section 7, ``load_memories``)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.dateparse import parse_datetime

from core import text
from core.actor import Actor
from core.errors import DomainError, Invalid, Paused
from core.locks import lock
from core.models import Namespace
from core.moments import in_utc
from core.nudge import nudge
from core.redact import redact
from core.selectors.access import split_reference
from core.services import audit
from core.services.namespaces import namespace_create
from memory import shortforms
from memory.models import Memory, TrustTier
from memory.services.blocks import blocks_of
from memory.services.candidates import validate
from memory.services.indexing import index_memories
from memory.services.promotion import supersede

BATCH = 500
FIELDS = {"external_id", "namespace", "kind", "content", "aliases", "at", "superseded_by"}


@dataclass
class LoadReport:
    """``problems`` lists (line number, reason); those lines were not loaded, the others were."""

    created: int = 0
    known: int = 0
    superseded: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class _Line:
    number: int
    external_id: str
    namespace: Namespace
    kind: str
    content: str
    aliases: list[str]
    at: datetime
    superseded_by: str


def memories_load(*, user: User, lines: Iterable[str], actor: Actor, now: datetime) -> LoadReport:
    """Load JSON lines as active memories; idempotent on namespace and ``external_id``.

    Each batch is one transaction with one audit event for each namespace in it. ``superseded_by`` may name a
    later line; such links are made at the end. Lines of a paused namespace are refused like any other writing there
    (design section 2): an operator resumes it first. The worker is told after each batch, so that it computes the
    vectors of one while the next is stored.
    """
    report = LoadReport()
    links: list[_Line] = []
    for batch in _batches(enumerate(lines, start=1)):
        parsed = []
        namespaces: dict[str, Namespace] = {}  # asked anew for each batch: one may be paused meanwhile
        for number, raw in batch:
            if not raw.strip():
                continue
            try:
                parsed.append(_parse(number, raw, user, namespaces, actor, now))
            except (DomainError, ValueError) as error:
                # The reason may quote the line, which may hold bytes that no terminal takes.
                reason = str(error).encode("utf-8", "backslashreplace").decode("utf-8")
                report.problems.append((number, reason))
            except RecursionError:
                report.problems.append((number, "the line is nested too deeply"))
        _store(parsed, report, actor, now)
        links.extend(line for line in parsed if line.superseded_by)
        nudge("memory.index_due", queue="default")
    _link(links, report, actor, now)
    return report


def _batches(rows: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


def _parse(
    number: int, raw: str, user: User, namespaces: dict[str, Namespace], actor: Actor, now: datetime
) -> _Line:
    row = json.loads(raw)
    if not isinstance(row, dict):
        raise Invalid("a line must be a JSON object")
    unknown = sorted(set(row) - FIELDS)
    if unknown:
        raise Invalid(f"unknown field {unknown[0]}; allowed: {', '.join(sorted(FIELDS))}")
    missing = sorted({"external_id", "namespace", "kind", "content"} - set(row))
    if missing:
        raise Invalid(f"{missing[0]} is missing")
    strings = {name: row.get(name) or "" for name in FIELDS - {"aliases"}}
    for name, value in strings.items():
        if not isinstance(value, str):
            raise Invalid(f"{name} must be a string")
        text.clean(value)
    aliases = _aliases(row.get("aliases") or [])
    if not 0 < len(strings["external_id"]) <= 200:
        raise Invalid("external_id must have 1 to 200 characters")
    content = redact(strings["content"]).text
    validate(kind=strings["kind"], content=content, confidence=1)
    reference = strings["namespace"]
    if reference not in namespaces:
        namespaces[reference] = _namespace(reference, user, actor, now)
    if namespaces[reference].is_paused:
        raise Paused(f"{namespaces[reference]} is paused; resume it to load memories there")
    return _Line(
        number,
        strings["external_id"],
        namespaces[reference],
        strings["kind"],
        content,
        aliases,
        _moment(strings["at"], now),
        strings["superseded_by"],
    )


def _aliases(given: object) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise Invalid("aliases must be a list of strings")
    if not all(0 < len(each.strip()) <= shortforms.MAX_CHARS for each in given):
        raise Invalid(f"each of the aliases must have 1 to {shortforms.MAX_CHARS} characters")
    return shortforms.checked(given)


def _moment(raw: str, now: datetime) -> datetime:
    if not raw:
        return now
    try:
        at = parse_datetime(raw) or parse_datetime(f"{raw}T00:00:00")
        if at is not None:
            return in_utc(at if at.tzinfo else at.replace(tzinfo=UTC))
    except ValueError as error:  # well formed, and no such day
        raise Invalid(f"at names a day or time that does not exist: {raw[:40]}") from error
    raise Invalid(f"at is not an ISO 8601 time: {raw[:40]}")


def _namespace(reference: str, user: User, actor: Actor, now: datetime) -> Namespace:
    parts = split_reference(reference)
    if parts is None or parts[1] is not None:
        raise Invalid(f"namespace must be persona:<name> or workspace:<name>, not {reference[:80]!r}")
    found = Namespace.objects.filter(owner=user, type=parts[0], name=parts[2]).first()
    return found or namespace_create(owner=user, type=parts[0], name=parts[2], actor=actor, now=now)


@transaction.atomic
def _store(lines: list[_Line], report: LoadReport, actor: Actor, now: datetime) -> None:
    lock(*(f"gate:{line.namespace.pk}" for line in lines))
    wanted = {(line.namespace.pk, line.external_id): line for line in lines}
    known = set(
        Memory.objects.filter(
            namespace_id__in={key[0] for key in wanted}, external_id__in=[key[1] for key in wanted]
        ).values_list("namespace_id", "external_id")
    )
    fresh = [line for key, line in wanted.items() if key not in known]
    report.known += len(lines) - len(fresh)
    memories = Memory.objects.bulk_create([_memory(line, actor, now) for line in fresh])
    index_memories(memories=memories)
    report.created += len(memories)
    by_namespace: dict[uuid.UUID, list[Memory]] = {}
    for memory in memories:
        by_namespace.setdefault(memory.namespace_id, []).append(memory)
    for namespace_id, loaded in by_namespace.items():
        audit.record(
            stream=audit.stream_of(namespace_id),
            verb="memory.loaded",
            actor=actor,
            object_type="namespace",
            object_id=namespace_id,
            to_state="active",
            data={
                "memories": [str(m.pk) for m in loaded],
                "sha256": [text.sha256(m.content) for m in loaded],
            },
            now=now,
        )


def _memory(line: _Line, actor: Actor, now: datetime) -> Memory:
    return Memory(
        namespace=line.namespace,
        kind=line.kind,
        content=line.content,
        language=text.language(line.content),
        aliases=line.aliases,
        normal_hash=text.normal_hash(line.content),
        blocks=blocks_of(namespace_id=line.namespace.pk, kind=line.kind, content=line.content),
        trust=TrustTier.HUMAN,
        actor=actor.type if actor.type == "operator" else "import",
        external_id=line.external_id,
        valid_from=line.at,
        approved_at=now,
        changed_at=now,
    )


@transaction.atomic
def _link(links: list[_Line], report: LoadReport, actor: Actor, now: datetime) -> None:
    lock(*(f"gate:{line.namespace.pk}" for line in links))
    for line in links:
        rows = Memory.objects.filter(namespace=line.namespace)
        old = rows.filter(external_id=line.external_id).first()
        new = rows.filter(external_id=line.superseded_by).first()
        if old is None or new is None or old == new:
            report.problems.append(
                (line.number, f"superseded_by {line.superseded_by[:80]} is not a line of that namespace")
            )
        elif old.status == "active":  # else it was linked before, or a person has decided about it since
            supersede(old_id=old.pk, new=new, actor=actor, group=None, now=now)
            report.superseded += 1

"""Merge and split namespaces: the acts that touch every room at once (design section 2)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F, ProtectedError, Value
from django.db.models.functions import Replace
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Invalid
from core.ids import new_id
from core.locks import lock
from core.models import Fingerprint, Namespace
from core.models.namespace import validate_name
from core.selectors.access import namespace_owned
from core.services.namespaces import namespace_create, refuse_taken
from core.services.workspaces import namespace_branch, namespace_fold, refuse_default
from decisions.services.branching import choices_branch
from decisions.services.rehousing import choices_rehouse
from knowledge.services.inbox import proposals_branch, proposals_rehouse
from knowledge.services.rehousing import knowledge_rehouse
from memory.services.branching import Branched, leaving, namespace_branch_off
from memory.services.rehousing import Rehoused, namespace_rehouse
from review.models import SavedFilter
from transcripts.services.rehousing import sessions_branch, sessions_of_places, sessions_rehouse

ATTEMPTS = 3


@dataclass(frozen=True)
class Merged:
    """``left_out``: members of the source who are not members of the target; they read nothing of it any more."""

    namespace: Namespace
    sessions: int
    memory: Rehoused
    left_out: list[str]


@dataclass(frozen=True)
class Split:
    namespace: Namespace
    sessions: int
    memory: Branched


def namespace_merge(
    *, source_id: uuid.UUID, target_id: uuid.UUID, user: User, typed_name: str, now: datetime
) -> Merged:
    """Make ``source`` part of ``target``; its name goes on leading there. It cannot be undone, so its name is typed.

    For owners of both. Raises NotFound, Forbidden, Invalid (``typed_name``, ``target``, ``persona:default``), and
    Conflict (``busy``) when agents kept opening sessions there: pause the namespace, then merge.
    """
    for _attempt in range(ATTEMPTS):
        try:
            return _merge(source_id, target_id, user, typed_name, now)
        except (ProtectedError, IntegrityError, OperationalError):
            continue  # something came into the source after its rows had left; nothing was changed
    raise Conflict(_("Agents are at work there. Pause the namespace and try again."), code="busy")


@transaction.atomic
def _merge(source_id: uuid.UUID, target_id: uuid.UUID, user: User, typed_name: str, now: datetime) -> Merged:
    source = namespace_owned(user=user, namespace_id=source_id)
    target = namespace_owned(user=user, namespace_id=target_id)
    refuse_default(source)
    if source.pk == target.pk or source.type != target.type:
        raise Invalid(_("Choose another namespace of the same type."), field="target")
    if typed_name.strip() not in (source.name, str(source)):
        raise Invalid(
            _("Type %(name)s to confirm: it becomes part of %(target)s for good.")
            % {"name": source, "target": target},
            code="name_mismatch",
            field="typed_name",
            allowed=str(source),
        )
    sessions = sessions_rehouse(source=source, target=target)
    lock(f"namespaces:{source.owner_id}", f"namespaces:{target.owner_id}")
    lock(f"gate:{source.pk}", f"gate:{target.pk}")
    moved = namespace_rehouse(source=source, target=target, user=user, group=new_id(), now=now)
    proposals_rehouse(source=source, target=target)
    choices_rehouse(source=source, target=target)
    knowledge_rehouse(source=source, target=target)
    SavedFilter.objects.filter(query__contains=str(source.pk)).update(
        query=Replace(F("query"), Value(str(source.pk)), Value(str(target.pk)))
    )
    left_out = namespace_fold(source=source, target=target, user=user, now=now)
    return Merged(target, sessions, moved, left_out)


@dataclass(frozen=True)
class SplitPlan:
    """What a split would take along; ``memories`` and ``candidates`` are ids, everything else of ``source`` stays."""

    source: Namespace
    places: Sequence[Fingerprint]
    sessions: dict[uuid.UUID, list[str]]
    memories: set[uuid.UUID]
    candidates: set[uuid.UUID]


def split_preview(
    *, namespace_id: uuid.UUID, user: User, name: str, fingerprint_ids: Collection[uuid.UUID]
) -> SplitPlan:
    """What ``namespace_split`` would do now; changes nothing. Raises what that raises."""
    source, places, sessions = _chosen(user, namespace_id, fingerprint_ids)
    _check_name(name.strip())
    refuse_taken(owner=source.owner, type=source.type, name=name.strip())
    going = leaving(source=source, session_ids=list(sessions))
    return SplitPlan(source, places, sessions, going.memories, going.candidates)


@transaction.atomic
def namespace_split(
    *,
    namespace_id: uuid.UUID,
    user: User,
    name: str,
    fingerprint_ids: Collection[uuid.UUID],
    now: datetime,
) -> Split:
    """Make a new workspace of some of a workspace's places, with their sessions and what came from them alone.

    Members and keys come along. Merging the two again is the way back. Raises NotFound, Forbidden, Invalid, Conflict.
    """
    source, places, sessions = _chosen(user, namespace_id, fingerprint_ids)
    lock(f"namespaces:{source.owner_id}")
    branch = namespace_create(
        owner=source.owner, type=source.type, name=name.strip(), actor=Actor.person(user), now=now
    )
    moved = sessions_branch(session_ids=list(sessions), source=source, target=branch)
    lock(f"gate:{source.pk}", f"gate:{branch.pk}")
    memory = namespace_branch_off(source=source, target=branch, session_ids=list(sessions))
    proposals_branch(source=source, target=branch, now=now)
    choices_branch(session_ids=list(sessions), source=source, target=branch)
    namespace_branch(source=source, branch=branch, places=places, user=user, now=now)
    branch.refresh_from_db()
    return Split(branch, moved, memory)


def _check_name(name: str) -> None:
    try:
        validate_name(name)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="invalid_name", field="name") from error


def _chosen(
    user: User, namespace_id: uuid.UUID, fingerprint_ids: Collection[uuid.UUID]
) -> tuple[Namespace, list[Fingerprint], dict[uuid.UUID, list[str]]]:
    """The workspace, the places that shall leave it, and their sessions, after every check."""
    source = namespace_owned(user=user, namespace_id=namespace_id)
    if source.type != Namespace.WORKSPACE:
        raise Invalid(_("Only a workspace has places."), field="namespace")
    places = list(source.fingerprints.filter(pk__in=list(fingerprint_ids)))
    if not places or len(places) != len(set(fingerprint_ids)):
        raise Invalid(_("Choose at least one place of this workspace."), field="fingerprints")
    sessions = sessions_of_places(workspace=source, values=[each.value for each in places])
    _refuse_half(source, places, sessions)
    return source, places, sessions


def _refuse_half(source: Namespace, places: list[Fingerprint], sessions: dict[uuid.UUID, list[str]]) -> None:
    """All places: then nothing would stay. A folder without its remote: ``r:`` decides, so sessions would come back."""
    chosen = {each.value for each in places}
    stays = set(source.fingerprints.values_list("value", flat=True)) - chosen
    if not stays:
        raise Invalid(
            _("Leave at least one place behind; to change the name, rename the workspace."),
            code="nothing_stays",
            field="fingerprints",
        )
    remotes = {value for values in sessions.values() for value in values if value.startswith("r:")}
    if remotes & stays:
        raise Invalid(
            _("A folder goes with its repository: choose the remote too."),
            code="remote_stays",
            field="fingerprints",
            allowed=sorted(remotes & stays),
        )

"""Take choices along, and bring them back: ``decisions.jsonl`` (design section 5, last line).

Exporting, importing elsewhere and exporting again gives the same bytes. Only one person's choices are in a file.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction

from core.actor import Actor
from core.errors import DomainError, Invalid
from core.ids import new_id
from core.models import AgentKey, Namespace
from core.selectors.access import namespace_for_user, split_reference
from core.services import audit
from core.services.namespaces import namespace_create
from decisions.capture.clean import redacted
from decisions.exchange import Beside, Line, instant_or_none, line_of, parse
from decisions.exchange_checks import require_sound
from decisions.exchange_points import is_point, parse_point
from decisions.inputs import RecordIn
from decisions.learning import option_key
from decisions.learning.types import OptionIn, Question
from decisions.models import Choice, DecisionPoint, Preference, Wording
from decisions.services.capture import record_capture
from decisions.services.exchange_points import point_take, points_export
from decisions.services.points import wordings_for
from transcripts.inputs import WorkspaceIn
from transcripts.models import AgentSession
from transcripts.services.sessions import session_open

_CHECKED_ELSEWHERE = [
    "point",
    "wording",
    "session",
    "reset",
    "user",
    "chosen",
    "offered",
    "context",
    "archived_at",
]


@dataclass
class Imported:
    """Counts, and per line that was left out (its number, why). ``points``: questions, with what was said."""

    created: int = 0
    known: int = 0
    points: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)


def choices_export(*, user: User) -> Iterator[str]:
    """The person's whole log, oldest first: one JSON object a line, redacted once more.

    Then what the person said about recurring questions: names, wishes, merges and splits.
    """
    rows = Choice.objects.visible_to(user).order_by("at", "id")
    rows = rows.select_related("session__workspace__owner", "point__workspace__owner", "reset")
    for row in rows.iterator(chunk_size=1000):
        yield _line(row, user)
    yield from points_export(user=user)


def choices_import(*, user: User, lines: Iterable[str], now: datetime) -> Imported:
    """Bring lines back; repeating it changes nothing. A plain record enters as a *reported* choice.

    Each line stands for itself: a bad one is named and the others are taken. Raises Invalid (``no_key``) when the
    person has no usable agent key with the scope decide, under which the lines enter.
    """
    keys = AgentKey.objects.visible_to(user).usable(now=now).filter(reach=AgentKey.REACH_ALL)
    agent_key = keys.filter(scopes__contains=["decide"]).first()
    if agent_key is None:
        raise Invalid(
            "The choices enter under an agent key: make one with the scope decide and reach all.",
            code="no_key",
        )
    report = Imported()
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            with transaction.atomic():
                if is_point(text):
                    report.points += _point(user, text, now)
                    continue
                fresh = _take(agent_key, parse(text), now)
            report.created += fresh
            report.known += not fresh
        except DomainError as error:
            report.problems.append((number, error.message))
        except ValidationError as error:
            report.problems.append((number, "; ".join(error.messages)[:300]))
        except ValueError as error:
            report.problems.append((number, str(error)[:300]))
        except RecursionError:
            report.problems.append((number, "the line is nested too deeply to be stored"))
        except DatabaseError:
            report.problems.append((number, "the line contradicts itself or what is stored"))
    with transaction.atomic():
        audit.record(
            stream=f"user:{user.pk}",
            verb="choice.import",
            actor=Actor.operator("import_choices"),
            object_type="person",
            object_id=user.pk,
            data={"created": report.created, "known": report.known, "problems": len(report.problems)},
            now=now,
        )
    return report


def _line(row: Choice, user: User) -> str:
    session, point = row.session, row.point
    workspace = point.workspace if point else session.workspace if session else None
    return line_of(
        session=session.key if session else "",
        at=row.at,
        question=redacted(row.question),
        offered=redacted(row.offered),
        context=redacted(row.context),
        beside=Beside(
            id=str(row.pk),
            workspace=workspace.reference_for(user.pk, workspace.owner.get_username()) if workspace else "",
            outcome=row.outcome,
            reason=row.reason,
            source=row.source,
            dedupe=row.dedupe,
            digest=row.digest,
            tool_use_id=row.tool_use_id,
            decision_id=row.decision_id,
            index=row.index,
            header=row.header,
            multi=row.multi,
            keys=tuple(each["key"] for each in row.offered),
            chosen=tuple(row.chosen),
            other_text=redacted(row.other_text),
            note=redacted(row.note),
            first=row.first,
            marked=row.marked,
            marked_by=row.marked_by,
            strength=row.strength,
            labelled=row.labelled,
            followed=row.followed,
            probe=row.probe,
            received_at=row.received_at.isoformat(),
            archived_at=row.archived_at.isoformat() if row.archived_at else "",
            reset_at=row.reset.at.isoformat() if row.reset else "",
        ),
    )


def _take(agent_key: AgentKey, line: Line, now: datetime) -> bool:
    """False: it was there already."""
    if line.beside is None:
        return _report(agent_key, line, now)
    beside, user = line.beside, agent_key.user
    if line.at > now:
        raise ValueError("timestamp lies in the future")
    if Choice.objects.visible_to(user).filter(dedupe=beside.dedupe).exists():
        return False
    require_sound(line, beside)
    workspace = _workspace(user, beside.workspace, now)
    session = _session(agent_key, line, workspace)
    wording = _wording(user, workspace, line, beside, now) if beside.outcome == "observed" else None
    row = Choice(
        **{
            name: getattr(beside, name)
            for name in (
                *("outcome", "reason", "source", "dedupe", "digest", "tool_use_id", "decision_id", "index"),
                *("header", "multi", "other_text", "note", "first", "marked", "marked_by", "strength"),
                *("labelled", "followed", "probe"),
            )
        },
        id=_free_id(beside),
        user=user,
        point=wording.point if wording else None,
        wording=wording,
        session=session,
        question=line.question,
        offered=[
            {"key": key, "label": label, "description": description}
            for key, label, description in zip(beside.keys, line.labels, line.descriptions, strict=True)
        ],
        chosen=list(beside.chosen),
        context=dict(line.context),
        at=line.at,
        received_at=instant_or_none(beside.received_at, "hikae.received_at") or now,
        archived_at=instant_or_none(beside.archived_at, "hikae.archived_at"),
    )
    row.reset = _reset(user, row.point, instant_or_none(beside.reset_at, "hikae.reset_at"))
    row.clean_fields(exclude=_CHECKED_ELSEWHERE)
    row.save(force_insert=True)
    if row.point is not None:
        points = DecisionPoint.objects.visible_to(user).filter(pk=row.point.pk)
        points.filter(last_choice_at=None).update(last_choice_at=row.at)
        points.filter(last_choice_at__lt=row.at).update(last_choice_at=row.at)
    return True


def _free_id(beside: Beside) -> uuid.UUID:
    """Its own, unless the same export was brought back here for somebody else."""
    wanted = uuid.UUID(beside.id)
    return new_id() if Choice.objects.filter(pk=wanted).exists() else wanted


def _point(user: User, text: str, now: datetime) -> bool:
    line = parse_point(text)
    return point_take(user=user, line=line, workspace=_workspace(user, line.workspace, now), now=now)


def _report(agent_key: AgentKey, line: Line, now: datetime) -> bool:
    answer = line.raw.get("user_choice")
    several = isinstance(answer, list) and answer and all(isinstance(each, str) for each in answer)
    name = line.raw.get("decision_id")
    if not several and not (isinstance(answer, str) and answer.strip()):
        raise ValueError(
            "user_choice must be the label that was chosen, the words that were typed, or several"
        )
    if not isinstance(name, str) or not name.strip():
        raise ValueError("decision_id must be a text")
    options = tuple(OptionIn(*pair) for pair in zip(line.labels, line.descriptions, strict=True))
    record = RecordIn(
        decision_id=name,
        at=line.at,
        question=line.question,
        options=options,
        answer=answer if isinstance(answer, str) else tuple(answer or ()),
        session=line.session,
        context=line.context,
    )
    captured = record_capture(agent_key=agent_key, record=record, now=now)
    if captured.results and captured.results[0].outcome == "quarantined":
        raise ValueError(f"set aside: {captured.results[0].reason}")
    return captured.new


def _workspace(user: User, reference: str, now: datetime) -> Namespace | None:
    """The person's own is made when it is not there; another's must be reachable. Raises NotFound."""
    if not reference:
        return None
    parts = split_reference(reference)
    if parts is None or parts[0] != Namespace.WORKSPACE:
        raise ValueError("hikae.workspace must be workspace:<name> or workspace:<owner>/<name>")
    own = Namespace.objects.owned_by(user).filter(type=parts[0], name=parts[2], owner=user)
    if parts[1] is None and not own.exists():
        return namespace_create(owner=user, type=parts[0], name=parts[2], actor=Actor.person(user), now=now)
    return namespace_for_user(user=user, reference=reference)


def _session(agent_key: AgentKey, line: Line, workspace: Namespace | None) -> AgentSession | None:
    """As it is; one that is gone is opened as of that time, so that sessions keep their order."""
    if not line.session:
        return None
    known = AgentSession.objects.visible_to(agent_key.user).filter(key=line.session).first()
    if known is not None:
        return known
    named = WorkspaceIn(line.beside.workspace) if workspace and line.beside else None
    return session_open(agent_key=agent_key, key=line.session, workspace=named, now=line.at)


def _wording(user: User, workspace: Namespace | None, line: Line, beside: Beside, now: datetime) -> Wording:
    """Under the options' own keys, which what we displayed may have hidden."""
    options = tuple(
        OptionIn(label if option_key(label) == key else key, description)
        for key, label, description in zip(beside.keys, line.labels, line.descriptions, strict=True)
    )
    question = Question(
        line.question,
        options,
        header=beside.header,
        multi=beside.multi,
        category=str(line.context.get("category", "")),
    )
    pk = workspace.pk if workspace else None
    [found] = wordings_for(user_id=user.pk, workspace_id=pk, questions=[question], now=now)
    return found


def _reset(user: User, point: DecisionPoint | None, at: datetime | None) -> Preference | None:
    if point is None or at is None:
        return None
    resets = Preference.objects.visible_to(user).live()
    found, _created = resets.get_or_create(user=user, kind="reset", point=point, category="", at=at)
    return found

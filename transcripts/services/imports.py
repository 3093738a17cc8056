"""Take in a transcript file that a signed-in person, or the operator, hands over (design section 3, Readers)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import PurePath

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Invalid, NotFound
from core.models import Namespace
from core.selectors.access import namespace_for_user
from core.services import audit
from core.services.namespaces import namespace_create, persona_default
from transcripts import checks, limits
from transcripts.inputs import MessageIn, TurnIn, Voice
from transcripts.models import AgentSession
from transcripts.readers import read
from transcripts.readers.lines import shortened
from transcripts.readers.shapes import Problem, ReadSession, ReadTurn, TooLarge
from transcripts.services.drafts import Changed
from transcripts.services.held import Held, hold
from transcripts.services.prepare import Prepared, prepare
from transcripts.services.turns import store

_NOTE_CHARS = 100  # room for the note that says how much was left out


@dataclass
class ImportReport:
    """What became of a file. `problems` name lines (0: not one line), `skipped` counts what was left out, by reason."""

    filename: str
    dry_run: bool = False
    sessions_new: int = 0
    sessions_known: int = 0
    turns_new: int = 0
    turns_known: int = 0
    turns_extended: int = 0
    messages_new: int = 0
    messages_known: int = 0
    messages_changed: int = 0
    problems: list[Problem] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    session_ids: list[uuid.UUID] = field(default_factory=list)

    @property
    def found_nothing(self) -> bool:
        return not (self.sessions_new or self.sessions_known)


def transcript_import(
    *,
    user: User,
    data: bytes,
    filename: str,
    persona: str | None = None,
    workspace: str | None = None,
    now: datetime,
    dry_run: bool = False,
    tz: str | None = None,
) -> ImportReport:
    """Store the sessions of one file as backlog: closed turns, scanned after live ones. Importing again adds nothing.

    `persona` and `workspace` are names or references; they win over what the file says, and a workspace of one's own
    is made on first use. A known message with another text stays and is counted. What cannot be read is named, the
    rest is stored in one transaction; a dry run stores nothing. Raises Invalid (`file_too_large`), NotFound.
    """
    try:
        result = read(data, filename=filename, tz=tz, speaks_for_person=True)
    except TooLarge as error:
        raise Invalid(str(error), code="file_too_large", field="file") from error
    report = ImportReport(PurePath(filename).name, dry_run, problems=list(result.problems))
    report.skipped.update(result.skipped)
    desk = _Desk(user, persona, workspace, now, report)
    # Redaction is the slow part; it is done before any row is locked.
    parts = [_Part(session, list(_batches(session, desk))) for session in result.sessions]
    with transaction.atomic():
        _import(parts, desk)
        if dry_run:
            transaction.set_rollback(True)
        elif report.messages_new:
            _audit(user, data, report, now)
    return report


@dataclass
class _Desk:
    """Who imports, where to, and the report so far."""

    user: User
    persona: str | None
    workspace: str | None
    now: datetime
    report: ImportReport
    said_at: dict[str, datetime] = field(default_factory=dict)

    def home_persona(self, named: str | None) -> Namespace:
        reference = self.persona or named
        if not reference:
            return persona_default(user=self.user, now=self.now)
        return namespace_for_user(user=self.user, reference=_reference("persona", reference))

    def home_workspace(self, named: str | None) -> Namespace | None:
        reference = self.workspace or named
        if not reference:
            return None
        reference = _reference("workspace", reference)
        try:
            return namespace_for_user(user=self.user, reference=reference)
        except NotFound:
            name = reference.partition(":")[2]
            if "/" in name:  # another person's is never made
                raise
            return namespace_create(
                owner=self.user,
                type=Namespace.WORKSPACE,
                name=name,
                actor=Actor.person(self.user),
                now=self.now,
            )


@dataclass(frozen=True)
class _Part:
    """A session of the file, and its turns in batches, each turn with its messages ready to be stored."""

    session: ReadSession
    batches: list[list[tuple[TurnIn, list[Prepared]]]]


def _batches(session: ReadSession, desk: _Desk) -> Iterator[list[tuple[TurnIn, list[Prepared]]]]:
    """What may be stored of a session's turns; what may not is named in the report."""
    voice = Voice.of_person(desk.user)
    for start in range(0, len(session.turns), limits.MAX_BATCH_TURNS):
        batch = []
        for each in session.turns[start : start + limits.MAX_BATCH_TURNS]:
            turn = _turn(session, each, desk)
            wrong = checks.turns_problems([turn], now=desk.now, trusted=True)
            desk.report.problems += [
                Problem(0, f"{turn.key}: {problem.field}: {problem.message}") for problem in wrong
            ]
            if not wrong:
                batch.append((turn, prepare(turn.messages, voice)))
        yield batch


def _import(parts: Sequence[_Part], desk: _Desk) -> None:
    held = _held([part.session for part in parts], desk)
    for each in held.values():
        each.refuse_unreached()
        each.refuse_paused()
    for part in parts:
        home = held[part.session.key]
        desk.report.session_ids.append(home.session.pk)
        for batch in part.batches:
            _store(home, batch, desk)


def _held(sessions: Sequence[ReadSession], desk: _Desk) -> dict[str, Held]:
    """All sessions of the file, the unknown ones opened, locked together."""
    keys = {session.key for session in sessions}
    known = set(AgentSession.objects.visible_to(desk.user).filter(key__in=keys).values_list("key", flat=True))
    # Making a namespace takes a lock of its person. It always comes before the sessions', else two would deadlock.
    fresh = [_opened(session, desk) for session in sessions if session.key not in known]
    AgentSession.objects.bulk_create(sorted(fresh, key=lambda row: row.key), ignore_conflicts=True)
    held = hold(voice=Voice.of_person(desk.user), keys=keys, now=desk.now)
    desk.report.sessions_new += len(fresh)
    desk.report.sessions_known += len(known)
    wanted = (desk.workspace or "").rpartition("/")[2].rpartition(":")[2]
    for key in known if wanted else ():
        home = held[key].session.workspace
        if home is None or home.name != wanted:
            desk.report.skipped["workspace_of_a_known_session"] += 1
    return held


def _opened(session: ReadSession, desk: _Desk) -> AgentSession:
    return AgentSession(
        user=desk.user,
        key=session.key,
        client=session.client[:60],
        persona=desk.home_persona(session.persona),
        workspace=desk.home_workspace(session.workspace),
        tz=session.tz or "",
        started_at=min(session.started_at or desk.now, desk.now),
        ended_at=desk.now,
    )


def _store(home: Held, batch: Sequence[tuple[TurnIn, list[Prepared]]], desk: _Desk) -> None:
    report = desk.report
    changed: list[Changed] = []
    result = store(
        voice=Voice.of_person(desk.user),
        held={home.session.key: home},
        turns=[turn for turn, _prepared in batch],
        prepared=[prepared for _turn, prepared in batch],
        now=desk.now,
        backlog=True,
        changed=changed,
    )
    statuses = Counter(stored.status for stored in result.turns)
    new = sum(stored.new for stored in result.turns)
    report.turns_new += statuses["created"]
    report.turns_extended += statuses["extended"]
    report.turns_known += statuses["replayed"]
    report.messages_new += new
    report.messages_changed += len(changed)
    report.messages_known += sum(len(turn.messages) for turn, _prepared in batch) - new - len(changed)


def _turn(session: ReadSession, turn: ReadTurn, desk: _Desk) -> TurnIn:
    """Times the file leaves open follow the message before, so that an old conversation keeps its place."""
    at = desk.said_at.get(session.key, session.started_at)
    messages = []
    for message in turn.messages:
        if message.at is not None and message.at > desk.now + limits.CLOCK_SKEW:
            desk.report.skipped["future_time"] += 1
        elif message.at is not None:
            at = message.at
        text = shortened(message.text, limits.MAX_MESSAGE_CHARS - _NOTE_CHARS)
        desk.report.skipped["end_of_long_text"] += text != message.text
        messages.append(MessageIn(message.role, text, message.key, message.origin, at))
    if at is not None:
        desk.said_at[session.key] = at
    return TurnIn(session.key, turn.key, messages, closed=True)


def _reference(kind: str, name: str) -> str:
    return name if name.startswith(f"{kind}:") else f"{kind}:{name}"


def _audit(user: User, data: bytes, report: ImportReport, now: datetime) -> None:
    audit.record(
        stream=f"user:{user.pk}",
        verb="transcript.imported",
        actor=Actor.person(user),
        object_type="file",
        object_id=sha256(data).hexdigest(),
        data={
            "sessions": [str(each) for each in report.session_ids],
            "turns": report.turns_new + report.turns_extended,
            "messages": report.messages_new,
        },
        now=now,
    )


def summary(report: ImportReport) -> Mapping[str, str]:
    """Lines for people: what is new, known and changed."""
    return {
        _("Sessions"): _("%(new)d new, %(known)d known")
        % {"new": report.sessions_new, "known": report.sessions_known},
        _("Turns"): _("%(new)d new, %(more)d extended, %(known)d known")
        % {"new": report.turns_new, "more": report.turns_extended, "known": report.turns_known},
        _("Messages"): _("%(new)d new, %(known)d known, %(changed)d differ from what is stored")
        % {"new": report.messages_new, "known": report.messages_known, "changed": report.messages_changed},
    }

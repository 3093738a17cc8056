"""Take in a transcript file that a signed-in person, or the operator, hands over (design section 3, Readers)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping
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
from transcripts.readers.shapes import Problem, ReadResult, ReadSession, ReadTurn, TooLarge
from transcripts.services.drafts import Changed
from transcripts.services.held import Held, hold
from transcripts.services.prepare import prepare
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
    with transaction.atomic():
        _import(result, _Desk(user, persona, workspace, now, report))
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


def _import(result: ReadResult, desk: _Desk) -> None:
    for session in result.sessions:
        held = _held(session, desk)
        held.refuse_unreached()
        held.refuse_paused()
        desk.report.session_ids.append(held.session.pk)
        for start in range(0, len(session.turns), limits.MAX_BATCH_TURNS):
            _store(session, held, session.turns[start : start + limits.MAX_BATCH_TURNS], desk)


def _held(session: ReadSession, desk: _Desk) -> Held:
    voice = Voice.of_person(desk.user)
    if AgentSession.objects.visible_to(desk.user).filter(key=session.key).exists():
        known = hold(voice=voice, keys=[session.key], now=desk.now)[session.key]
        desk.report.sessions_known += 1
        home = known.session.workspace
        if desk.workspace and (
            home is None or home.name != desk.workspace.rpartition("/")[2].rpartition(":")[2]
        ):
            desk.report.skipped["workspace_of_a_known_session"] += 1
        return known
    desk.report.sessions_new += 1
    AgentSession.objects.bulk_create(
        [
            AgentSession(
                user=desk.user,
                key=session.key,
                client=session.client[:60],
                persona=desk.home_persona(session.persona),
                workspace=desk.home_workspace(session.workspace),
                tz=session.tz or "",
                started_at=min(session.started_at or desk.now, desk.now),
                ended_at=desk.now,
            )
        ],
        ignore_conflicts=True,
    )
    return hold(voice=voice, keys=[session.key], now=desk.now)[session.key]


def _store(session: ReadSession, held: Held, read_turns: tuple[ReadTurn, ...], desk: _Desk) -> None:
    report, voice = desk.report, Voice.of_person(desk.user)
    turns = []
    for each in read_turns:
        turn = _turn(session, each, desk)
        wrong = checks.turns_problems([turn], now=desk.now, trusted=True)
        report.problems += [
            Problem(0, f"{turn.key}: {problem.field}: {problem.message}") for problem in wrong
        ]
        if not wrong:
            turns.append(turn)
    changed: list[Changed] = []
    result = store(
        voice=voice,
        held={session.key: held},
        turns=turns,
        prepared=[prepare(turn.messages, voice) for turn in turns],
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
    report.messages_known += sum(len(turn.messages) for turn in turns) - new - len(changed)


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

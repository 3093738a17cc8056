"""Take in a transcript file that a signed-in person, or the operator, hands over (design section 3, Readers)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import NotFound
from core.models import Namespace
from core.selectors.access import namespace_for_user
from core.services import audit
from core.services.namespaces import namespace_create, persona_default
from transcripts import limits
from transcripts.inputs import TurnIn, Voice
from transcripts.models import AgentSession
from transcripts.readers.shapes import Problem
from transcripts.services.drafts import Changed
from transcripts.services.held import Held, hold
from transcripts.services.imports_read import FileSession, FileTurn, Transcript, transcript_read
from transcripts.services.turns import store

_COUNTS = (
    *("sessions_new", "sessions_known", "turns_new", "turns_known", "turns_extended"),
    *("messages_new", "messages_known", "messages_changed"),
)


@dataclass
class ImportReport:
    """What became of a file. `problems` name lines (0: not one line), `skipped` counts what was left out, by reason.

    `homes` says where each session belongs, `known_keys` which were here before, both by the session's key.
    """

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
    homes: dict[str, Namespace] = field(default_factory=dict)
    known_keys: set[str] = field(default_factory=set)

    @property
    def left_out(self) -> dict[str, int]:
        """What was left out on purpose, by reason; reasons that never held are not told."""
        return {reason: count for reason, count in self.skipped.items() if count}

    @property
    def found_nothing(self) -> bool:
        return not (self.sessions_new or self.sessions_known)

    @property
    def adds_something(self) -> bool:
        return bool(self.sessions_new or self.messages_new)

    def add(self, other: ImportReport) -> None:
        """What became of a further part of the same file. A session stands in one part alone."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.problems += other.problems
        self.skipped += other.skipped
        self.session_ids += other.session_ids
        self.homes |= other.homes
        self.known_keys |= other.known_keys


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
    """Read one file and store it, as `transcript_read` and `transcript_store` do."""
    found = transcript_read(
        user=user, data=data, filename=filename, persona=persona, workspace=workspace, now=now, tz=tz
    )
    return transcript_store(user=user, transcript=found, now=now, dry_run=dry_run)


@transaction.atomic
def transcript_store(
    *, user: User, transcript: Transcript, now: datetime, dry_run: bool = False
) -> ImportReport:
    """Store the sessions of one file as backlog: closed turns, scanned after live ones. Importing again adds nothing.

    The person's `persona` and `workspace` win over what the file says, and a workspace of one's own is made on first
    use. A known message with another text stays and is counted. What could not be read is named, the rest is stored
    in one transaction; a dry run does all of it and takes it back. Raises NotFound, Forbidden, Paused.
    """
    report = ImportReport(
        transcript.filename,
        dry_run,
        problems=list(transcript.problems),
        skipped=Counter(transcript.skipped),
    )
    _import(transcript.sessions, _Desk(user, transcript.persona, transcript.workspace, now, report))
    if dry_run:
        transaction.set_rollback(True)
    elif report.messages_new:
        _audit(user, transcript.sha256, report, now)
    return report


@dataclass
class _Desk:
    """Who imports, where to, and the report so far."""

    user: User
    persona: str | None
    workspace: str | None
    now: datetime
    report: ImportReport

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


def _import(sessions: Sequence[FileSession], desk: _Desk) -> None:
    held = _held(sessions, desk)
    for each in held.values():
        each.refuse_unreached()
        each.refuse_paused()
    for session in sessions:
        home = held[session.key]
        desk.report.homes[session.key] = home.session.home
        desk.report.session_ids.append(home.session.pk)
        for start in range(0, len(session.turns), limits.MAX_BATCH_TURNS):
            _store(home, session.turns[start : start + limits.MAX_BATCH_TURNS], desk)


def _held(sessions: Sequence[FileSession], desk: _Desk) -> dict[str, Held]:
    """All sessions of the file, the unknown ones opened, locked together."""
    keys = {session.key for session in sessions}
    known = set(AgentSession.objects.visible_to(desk.user).filter(key__in=keys).values_list("key", flat=True))
    # Making a namespace takes a lock of its person. It always comes before the sessions', else two would deadlock.
    fresh = [_opened(session, desk) for session in sessions if session.key not in known]
    AgentSession.objects.bulk_create(sorted(fresh, key=lambda row: row.key), ignore_conflicts=True)
    held = hold(voice=Voice.of_person(desk.user), keys=keys, now=desk.now)
    desk.report.sessions_new += len(fresh)
    desk.report.sessions_known += len(known)
    desk.report.known_keys |= known
    wanted = (desk.workspace or "").rpartition("/")[2].rpartition(":")[2]
    for key in known if wanted else ():
        home = held[key].session.workspace
        if home is None or home.name != wanted:
            desk.report.skipped["workspace_of_a_known_session"] += 1
    return held


def _opened(session: FileSession, desk: _Desk) -> AgentSession:
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


def _store(home: Held, batch: Sequence[FileTurn], desk: _Desk) -> None:
    report = desk.report
    changed: list[Changed] = []
    result = store(
        voice=Voice.of_person(desk.user),
        held={home.session.key: home},
        turns=[TurnIn(home.session.key, turn.key, (), closed=True) for turn in batch],
        prepared=[turn.messages for turn in batch],
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
    report.messages_known += sum(len(turn.messages) for turn in batch) - new - len(changed)


def _reference(kind: str, name: str) -> str:
    return name if name.startswith(f"{kind}:") else f"{kind}:{name}"


def _audit(user: User, digest: str, report: ImportReport, now: datetime) -> None:
    audit.record(
        stream=f"user:{user.pk}",
        verb="transcript.imported",
        actor=Actor.person(user),
        object_type="file",
        object_id=digest,
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

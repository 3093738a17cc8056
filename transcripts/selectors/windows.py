"""What one scan looks at: stored messages in order, in scope or as context (design section 4, Extraction)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from transcripts import limits
from transcripts.jobs import COMPACTION, Job
from transcripts.models import AgentSession, Compaction, Message, Turn

CONTEXT_TURNS = 2


@dataclass(frozen=True)
class WindowMessage:
    """`in_scope` False: context only, scanned before; nothing is proposed from it."""

    message: Message
    in_scope: bool


@dataclass(frozen=True)
class StoredWindow:
    """`messages` in the order of the conversation. `session` comes with persona and workspace.

    `mode` is turn or compaction. `more`: the range goes on after this window, so the job must be claimed again;
    `scans.finish` sees to that by itself.
    """

    job: Job
    session: AgentSession
    messages: list[WindowMessage]
    mode: str
    more: bool = False

    @property
    def in_scope_ids(self) -> list[int]:
        return [each.message.pk for each in self.messages if each.in_scope]


def window_of(job: Job) -> StoredWindow:
    """The two turns before and what is not scanned yet; of a compaction at most `limits.COMPACTION_BATCH` messages.

    Raises Session/Turn/Compaction.DoesNotExist when the row was purged meanwhile.
    """
    related = ("persona", "workspace", "user", "agent_key__user")
    session = AgentSession.objects.select_related(*related).get(pk=job.session_id)
    if job.kind == COMPACTION:
        return _of_compaction(job, session)
    turn = Turn.objects.get(pk=job.id)
    turns = [*_before(turn), turn]
    messages = _of_turns(turns)
    return StoredWindow(
        job,
        session,
        [WindowMessage(each, each.turn_id == turn.pk and each.scanned_at is None) for each in messages],
        job.kind,
    )


def turn_again(turn: Turn) -> list[WindowMessage]:
    """The two turns before, and all of this turn as if it had not been scanned: to try something on the past.

    The caller has checked that the turn is visible to whoever looks (`Turn.objects.visible_to`).
    """
    return [WindowMessage(each, each.turn_id == turn.pk) for each in _of_turns([*_before(turn), turn])]


def _of_compaction(job: Job, session: AgentSession) -> StoredWindow:
    covered = Compaction.objects.only("through_id", "until").get(pk=job.id).covered
    rows = Message.objects.filter(covered, session=session, scanned_at=None)
    batch = list(
        rows.select_related("turn").order_by("turn__opened_at", "turn_id", "index")[
            : limits.COMPACTION_BATCH + 1
        ]
    )
    more, batch = len(batch) > limits.COMPACTION_BATCH, batch[: limits.COMPACTION_BATCH]
    if not batch:
        return StoredWindow(job, session, [], job.kind)
    scope = {message.pk for message in batch}
    turns = [*_before(batch[0].turn), *{message.turn_id: message.turn for message in batch}.values()]
    return StoredWindow(
        job,
        session,
        [
            WindowMessage(each, each.pk in scope)
            for each in _of_turns(turns)
            # What is unscanned beyond this batch belongs to the next one.
            if each.pk in scope or each.scanned_at is not None
        ],
        job.kind,
        more,
    )


def _before(turn: Turn) -> list[Turn]:
    return list(Turn.objects.before(turn)[:CONTEXT_TURNS])[::-1]


def _of_turns(turns: Sequence[Turn]) -> list[Message]:
    """Messages of these turns, in the order of the turns given, which share one session."""
    place = {turn.pk: number for number, turn in enumerate(turns)}
    rows: Iterable[Message] = Message.objects.filter(turn__in=place).order_by("index", "pk")
    return sorted(rows, key=lambda message: place[message.turn_id])

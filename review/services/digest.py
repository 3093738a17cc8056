"""Remind people of what waits, once a period, where they asked for it (issue "The review page", Reminders)."""

from __future__ import annotations

import hashlib
import hmac
import json
import smtplib
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.actor import Actor
from core.errors import Conflict
from core.locks import lock
from core.models import AuditEvent
from core.services import audit
from core.webhook import WebhookError, post
from review.models import DigestRun, PersonSettings
from review.periods import due
from review.selectors.digest import Waiting, waiting_for
from review.selectors.person import settings_of, webhook_secret, zone_of

ATTEMPTS = 3
BETWEEN_TESTS = timedelta(seconds=30)  # the test button must not become a way to flood somebody's mailbox
_log = structlog.get_logger(__name__)


@dataclass
class Sent:
    """What each channel said: empty is success. A channel that the person did not fill in is absent."""

    errors: dict[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return bool(self.errors) and not any(self.errors.values())


def digests_due(*, now: datetime) -> int:
    """Send every reminder whose moment has come; returns how many went out. Safe to repeat and to run twice at once."""
    sent = 0
    for own in (
        PersonSettings.objects.exclude(digest="off").filter(user__is_active=True).select_related("user")
    ):
        period = due(
            frequency=own.digest, since=own.digest_since or own.changed_at, now=now, zone=zone_of(own)
        )
        if period is None:
            continue
        run = _claim(own.user, period, now)
        if run is not None:
            sent += _run(own, run, now)
    return sent


def digest_test(*, user: User, now: datetime) -> Sent:
    """Send one now, whatever waits, to every channel that is filled in; says how each went.

    Raises Conflict (``nowhere_to_send``, ``too_soon``).
    """
    own = settings_of(user=user)
    if not (own.digest_email or own.digest_webhook):
        raise Conflict(_("Fill in an e-mail address or a webhook first."), code="nowhere_to_send")
    with transaction.atomic():
        lock(f"digest:{user.pk}")
        stream = f"user:{user.pk}"
        lately = AuditEvent.objects.filter(stream=stream, verb="digest.tested", at__gt=now - BETWEEN_TESTS)
        if lately.exists():
            raise Conflict(_("A test went out a moment ago; wait half a minute."), code="too_soon")
        audit.record(
            stream=stream,
            verb="digest.tested",
            actor=Actor.person(user),
            object_type="user",
            object_id=user.pk,
            now=now,
        )
    return _send(own, waiting_for(user=user, now=now), period="test", run=None, now=now)


@transaction.atomic
def _claim(user: User, period: str, now: datetime) -> DigestRun | None:
    """The run, if it is ours to do: a first one, or one that failed and may be tried again."""
    run, created = DigestRun.objects.get_or_create(user=user, period=period, defaults={"created_at": now})
    if created:
        return run
    again = DigestRun.objects.filter(pk=run.pk, state="failed", attempts__lt=ATTEMPTS)
    if not again.update(state="sending", attempts=F("attempts") + 1):
        return None
    run.refresh_from_db()
    return run


def _run(own: PersonSettings, run: DigestRun, now: datetime) -> bool:
    waiting = waiting_for(user=own.user, now=now)
    if not waiting:
        DigestRun.objects.filter(pk=run.pk).update(state="nothing")
        return False
    result = _send(own, waiting, period=run.period, run=run, now=now)
    done = {"email": run.email_at, "webhook": run.webhook_at}
    times = {f"{name}_at": now for name, error in result.errors.items() if not error and not done[name]}
    error = "; ".join(f"{name}: {error}" for name, error in result.errors.items() if error)
    DigestRun.objects.filter(pk=run.pk).update(
        state="failed" if error else "sent", error=error[:500], **times
    )
    if error:
        _log.warning("digest_failed", user=own.user_id, period=run.period, attempt=run.attempts)
    return not error


def _send(
    own: PersonSettings, waiting: Waiting, *, period: str, run: DigestRun | None, now: datetime
) -> Sent:
    """Network calls, outside any transaction. A channel that this run has used already is left out."""
    sent = Sent()
    if own.digest_email and not (run and run.email_at):
        sent.errors["email"] = _mail(own, waiting)
    if own.digest_webhook and not (run and run.webhook_at):
        sent.errors["webhook"] = _hook(own, waiting, period, run, now)
    return sent


def _mail(own: PersonSettings, waiting: Waiting) -> str:
    if not settings.EMAIL_IS_SET:
        return _("this server has no mail server (EMAIL_URL)")
    with translation.override(own.language or settings.LANGUAGE_CODE):
        lines = [*_sentences(waiting), "", waiting.link, "", _("Change or stop these reminders:")]
        message = EmailMessage(
            subject=_("Hikae: %(n)s to review") % {"n": waiting.pending + waiting.proposals},
            body="\n".join([*lines, waiting.settings_link, ""]),
            to=[own.digest_email],
        )
    try:
        message.send()
    except (smtplib.SMTPException, OSError) as error:
        return f"{type(error).__name__}: {error}"[:300]
    return ""


def _sentences(waiting: Waiting) -> list[str]:
    lines: list[str] = []
    if waiting.pending:
        lines.append(
            ngettext("%(n)s candidate waits for you.", "%(n)s candidates wait for you.", waiting.pending)
            % {"n": waiting.pending}
        )
    if waiting.expiring:
        lines.append(
            ngettext(
                "%(n)s of them is archived within a week.",
                "%(n)s of them are archived within a week.",
                waiting.expiring,
            )
            % {"n": waiting.expiring}
        )
    if waiting.proposals:
        lines.append(
            ngettext("%(n)s proposal waits for you.", "%(n)s proposals wait for you.", waiting.proposals)
            % {"n": waiting.proposals}
        )
    return lines or [_("Nothing waits for you.")]


def _hook(own: PersonSettings, waiting: Waiting, period: str, run: DigestRun | None, now: datetime) -> str:
    payload = {
        "event": "digest",
        "period": period,
        "pending": waiting.pending,
        "expiring": waiting.expiring,
        "proposals": waiting.proposals,
        "link": waiting.link,
    }
    body = json.dumps(payload, separators=(",", ":")).encode()
    headers = signed(body, secret=webhook_secret(own), at=now)
    headers |= {"Content-Type": "application/json", "User-Agent": f"Hikae/{settings.HIKAE_VERSION}"}
    headers["X-Hikae-Delivery"] = str(run.pk if run else uuid.uuid4())
    try:
        post(own.digest_webhook, body, headers, allow_private=settings.WEBHOOK_ALLOW_PRIVATE)
    except WebhookError as error:
        return str(error)
    return ""


def signed(body: bytes, *, secret: str, at: datetime) -> dict[str, str]:
    """Headers that let the receiver check sender and age: HMAC-SHA256 over ``<timestamp>.<body>``, in hexadecimal."""
    timestamp = str(int(at.timestamp()))
    mac = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"X-Hikae-Timestamp": timestamp, "X-Hikae-Signature": f"sha256={mac}"}

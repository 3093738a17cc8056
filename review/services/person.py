"""Change one's own settings (review-ux lines 34, 36 and 38; reminders)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from zoneinfo import available_timezones

from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.allowed import characters
from core.errors import Invalid
from core.locks import lock
from core.outbound import check_url
from core.services import audit
from review import keys
from review.models import PersonSettings
from review.selectors.person import settings_of

MAX_URL = 500


@dataclass(frozen=True)
class SettingsIn:
    """What to change; None leaves a setting as it is."""

    language: str | None = None
    theme: str | None = None
    time_zone: str | None = None
    keys_off: bool | None = None
    key_map: Mapping[str, str] | None = None
    digest: str | None = None
    digest_email: str | None = None
    digest_webhook: str | None = None


@transaction.atomic
def person_settings_set(*, user: User, changes: SettingsIn, now: datetime) -> PersonSettings:
    """Check and store; the audit event names the changed fields, never their values. Raises Invalid with the field."""
    lock(f"settings:{user.pk}")
    own = settings_of(user=user)
    wanted = {each.name: getattr(changes, each.name) for each in fields(changes)}
    wanted = {name: value for name, value in wanted.items() if value is not None}
    _check(wanted)
    if "key_map" in wanted:
        wanted["key_map"] = {k: v for k, v in wanted["key_map"].items() if keys.DEFAULT_KEYS[k] != v}
    changed = sorted(name for name, value in wanted.items() if getattr(own, name) != value)
    if not changed:
        return own
    for name in changed:
        setattr(own, name, wanted[name])
    if own.digest != "off" and not (own.digest_email or own.digest_webhook):
        raise Invalid(
            _("A reminder needs an e-mail address or a webhook to go to."),
            code="nowhere_to_send",
            field="digest_email",
        )
    if "digest" in changed:
        own.digest_since = now if own.digest != "off" else None
    if "digest_webhook" in changed:
        own.webhook_nonce = secrets.token_hex(16) if own.digest_webhook else ""
    own.changed_at = now
    own.save()
    audit.record(
        stream=f"user:{user.pk}",
        verb="settings.changed",
        actor=Actor.person(user),
        object_type="user",
        object_id=user.pk,
        data={"fields": changed},
        now=now,
    )
    return own


def _check(wanted: dict[str, object]) -> None:
    choices = {
        "language": ["", *(code for code, _name in django_settings.LANGUAGES)],
        "theme": [value for value, _label in PersonSettings.THEMES],
        "digest": [value for value, _label in PersonSettings.FREQUENCIES],
    }
    for name, allowed in choices.items():
        if name in wanted and wanted[name] not in allowed:
            raise Invalid(_("Choose one of the offered values."), field=name, allowed=allowed)
    zone = str(wanted.get("time_zone") or "")
    if zone and zone not in available_timezones():
        raise Invalid(
            _("There is no time zone of that name."),
            field="time_zone",
            allowed=_("a name such as Asia/Tokyo"),
        )
    if "key_map" in wanted:
        _check_keys(wanted["key_map"])
    if email := wanted.get("digest_email"):
        try:
            validate_email(str(email))
        except ValidationError as error:
            raise Invalid(error.messages[0], field="digest_email") from error
    if url := wanted.get("digest_webhook"):
        _check_webhook(str(url))


def _check_keys(changed: object) -> None:
    if not isinstance(changed, Mapping) or not all(isinstance(value, str) for value in changed.values()):
        raise Invalid(_("Keys are single characters, one for each action."), field="key_map")
    found = keys.problems(changed)
    if not found:
        return
    reasons = {
        "unknown": _("There is no such action."),
        "not_a_key": _("A key is one visible character."),
        "reserved": _("The keys 1 to 5 give reasons for a rejection."),
        "clash": _("Two actions would have the same key."),
    }
    raise Invalid(
        reasons[found[0][1]],
        code=found[0][1],
        field="key_map",
        actions=[act for act, reason in found if reason == found[0][1]],
        allowed=list(keys.DEFAULT_KEYS),
    )


def _check_webhook(url: str) -> None:
    try:
        check_url(url)
    except ValueError as error:
        raise Invalid(
            _("The webhook must be an http:// or https:// address with a host and without a password."),
            field="digest_webhook",
        ) from error
    if len(url) > MAX_URL:
        raise Invalid(_("The address is too long."), field="digest_webhook", allowed=characters(0, MAX_URL))

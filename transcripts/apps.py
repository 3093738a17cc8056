"""What happened: sessions, turns, messages, compactions, and what agents were shown."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TranscriptsConfig(AppConfig):
    name = "transcripts"
    verbose_name = _("Transcripts")

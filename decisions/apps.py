"""What a person keeps choosing."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DecisionsConfig(AppConfig):
    name = "decisions"
    verbose_name = _("Choices")

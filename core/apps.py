"""The floor: namespaces, members, agent keys, audit, and pure text tools."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    name = "core"
    verbose_name = _("Namespaces and access")

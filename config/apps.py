"""Registers the wiring as an application, so that its system checks run."""

from __future__ import annotations

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    label = "config"
    verbose_name = "Wiring"

    def ready(self) -> None:
        from config import checks  # noqa: F401 - importing registers the checks

"""Addresses of the pages of this room."""

from __future__ import annotations

from django.urls import path

from integrations.views import archive, bring

urlpatterns = [
    path("settings/memory/settings/data/bring/", bring.bring, name="bring"),
    path("settings/memory/settings/data/bring/go/", bring.go, name="bring-go"),
    path("settings/memory/settings/data/archive/back/", archive.back, name="archive-back"),
    path("settings/memory/settings/data/archive/<uuid:namespace_id>/", archive.take, name="archive-take"),
    path(
        "settings/memory/settings/data/memory-md/<uuid:namespace_id>/", archive.memory_file, name="memory-md"
    ),
]

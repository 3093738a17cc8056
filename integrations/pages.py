"""Addresses of the pages of this room."""

from __future__ import annotations

from django.urls import path

from integrations.views import archive, bring, claude_code

urlpatterns = [
    path("integrations/claude-code.zip", claude_code.claude_code_zip, name="claude-code-zip"),
    path("settings/memory/settings/claude-code/", claude_code.claude_code, name="claude-code"),
    path("settings/memory/settings/data/bring/", bring.bring, name="data-bring"),
    path("settings/memory/settings/data/bring/go/", bring.go, name="data-bring-go"),
    path("settings/memory/settings/data/archive/back/", archive.back, name="data-archive-back"),
    path("settings/memory/settings/data/archive/<uuid:namespace_id>/", archive.take, name="data-archive"),
    path(
        "settings/memory/settings/data/memory-md/<uuid:namespace_id>/",
        archive.memory_file,
        name="data-memory-md",
    ),
]

"""REST addresses for agent clients."""

from __future__ import annotations

from django.urls import path

from integrations.api.hooks import ClaudeCodeApi

urlpatterns = [path("hooks/claude-code/", ClaudeCodeApi.as_view(), name="api-hook-claude-code")]

"""REST addresses of reusable know-how."""

from __future__ import annotations

from django.urls import path

from knowledge.api.context import ContextApi
from knowledge.api.notes import ExpandApi, KnowledgeApi, KnowledgeNoteApi

urlpatterns = [
    path("context/", ContextApi.as_view(), name="api-context"),
    path("expand/", ExpandApi.as_view(), name="api-expand"),
    path("knowledge/", KnowledgeApi.as_view(), name="api-knowledge"),
    path("knowledge/<slug:slug>/", KnowledgeNoteApi.as_view(), name="api-knowledge-note"),
]

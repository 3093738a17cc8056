"""REST addresses of the gate."""

from __future__ import annotations

from django.urls import path

from memory.api.candidates import CandidateApi, CandidatesApi
from memory.api.memories import MemoryApi, MemoryReportApi
from memory.api.recall import RecallApi

urlpatterns = [
    path("candidates/", CandidatesApi.as_view(), name="api-candidates"),
    path("candidates/<uuid:candidate_id>/", CandidateApi.as_view(), name="api-candidate"),
    path("recall/", RecallApi.as_view(), name="api-recall"),
    path("memories/<uuid:memory_id>/", MemoryApi.as_view(), name="api-memory"),
    path("memories/<uuid:memory_id>/report/", MemoryReportApi.as_view(), name="api-memory-report"),
]

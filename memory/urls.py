"""REST addresses of the gate."""

from __future__ import annotations

from django.urls import path

from memory.api.candidates import CandidateApi, CandidatesApi

urlpatterns = [
    path("candidates/", CandidatesApi.as_view(), name="api-candidates"),
    path("candidates/<uuid:candidate_id>/", CandidateApi.as_view(), name="api-candidate"),
]

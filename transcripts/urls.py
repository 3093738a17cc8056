"""Addresses of this room."""

from __future__ import annotations

from django.urls import path

from transcripts.api.compactions import CompactionsApi
from transcripts.api.sessions import SessionApi, SessionsApi
from transcripts.api.turns import TurnsApi

urlpatterns = [
    path("sessions/", SessionsApi.as_view(), name="api-sessions"),
    # A client's key may hold any character, slashes too.
    path("sessions/<path:key>/", SessionApi.as_view(), name="api-session"),
    path("turns/", TurnsApi.as_view(), name="api-turns"),
    path("compactions/", CompactionsApi.as_view(), name="api-compactions"),
]

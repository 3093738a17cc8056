"""REST addresses of what a person keeps choosing."""

from __future__ import annotations

from django.urls import path

from decisions.api.capture import DecisionsApi
from decisions.api.preferences import PreferencesApi
from decisions.api.recommend import RecommendApi

urlpatterns = [
    path("decisions/", DecisionsApi.as_view(), name="api-decisions"),
    path("decisions/recommend/", RecommendApi.as_view(), name="api-recommend"),
    path("decisions/preferences/", PreferencesApi.as_view(), name="api-preferences"),
]

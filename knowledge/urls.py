"""REST addresses of reusable know-how."""

from __future__ import annotations

from django.urls import path

from knowledge.api.context import ContextApi

urlpatterns = [path("context/", ContextApi.as_view(), name="api-context")]

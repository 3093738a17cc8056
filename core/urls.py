"""REST addresses of the floor."""

from django.urls import path

from core.api.me import MeApi

urlpatterns = [path("me/", MeApi.as_view(), name="api-me")]

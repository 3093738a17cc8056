"""All addresses: pages under /settings/memory/, REST under /api/v1/, the admin for data fixes."""

from __future__ import annotations

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/v1/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="api-docs"),
    path("api/v1/", include("core.urls")),
    path("api/v1/", include("transcripts.urls")),
    path("api/v1/", include("memory.urls")),
    path("api/v1/", include("decisions.urls")),
    path("api/v1/", include("knowledge.urls")),
    path("api/v1/", include("integrations.urls")),
    path("admin/", admin.site.urls),
    # Browsers ask for it wherever a page names no icon, as the admin's own error pages do.
    path("favicon.ico", RedirectView.as_view(url=static("favicon.svg"), permanent=False)),
    path("", include("integrations.pages")),
    path("", include("review.urls")),
]

handler400 = "review.views.errors.bad_request"
handler403 = "review.views.errors.permission_denied"
handler404 = "review.views.errors.page_not_found"
handler500 = "review.views.errors.server_error"

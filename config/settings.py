"""Django settings, in titled sections. Values come from config/env.py, the product's numbers from each room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import env as environment
from config.embedded import locate
from config.logging import build as build_logging
from config.schedule import SCHEDULE

ENV = environment.read()
BASE_DIR = environment.BASE_DIR
TESTING = ENV.testing
DEBUG = ENV.debug

# --- identity of the installation -------------------------------------------------------------


def _secret_key() -> str:
    if ENV.secret_key:
        return ENV.secret_key
    stored = ENV.data_dir / "secret.key"  # written once by bin/up
    if stored.is_file():
        return stored.read_text(encoding="utf-8").strip()
    if TESTING or DEBUG:
        return "insecure-key-for-development-and-tests-only"
    raise ImproperlyConfigured(
        "SECRET_KEY is not set, and the data folder has no secret.key (bin/up writes one)"
    )


SECRET_KEY = _secret_key()
HIKAE_DATA: Path = ENV.data_dir
# Where people reach the site: links in mails and sign-in links begin with it. Without it: where bin/up serves.
SITE_URL = (ENV.site_url or locate.site(ENV.data_dir)).rstrip("/")  # paths are put behind it
HIKAE_VERSION = "0.1.0"

# --- servers ----------------------------------------------------------------------------------

_embedded = locate.urls(ENV.data_dir)
DATABASES: dict[str, Any] = {
    "default": environment.database(ENV.database_url or _embedded.database, pool=ENV.database_pool)
}
REDIS_URL = ENV.redis_url or _embedded.redis
# Counters of sign-in tries alone: nothing is lost with it (core.throttle).
CACHES: dict[str, Any] = {"default": environment.cache(REDIS_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- applications -----------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "pgtrigger",
    "pghistory",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "django_structlog",
    "config.apps.ConfigConfig",
    "core",
    "transcripts",
    "memory",
    "decisions",
    "knowledge",
    "review",
    "integrations",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "core.middleware.StorableAddress",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "review.middleware.ExplainedRefusal",
    "django_structlog.middlewares.RequestMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "review.context.frame",
            ],
        },
    },
]

# --- people ------------------------------------------------------------------------------------

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
OWNER_PASSWORD = ENV.owner_password  # read by manage.py bootstrap alone
AGENT_KEY = ENV.agent_key  # read by manage.py mcp alone
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "review"
LOGOUT_REDIRECT_URL = "sign-in"

# --- language and time -------------------------------------------------------------------------

LANGUAGE_CODE = ENV.language
LANGUAGES = [("en", "English"), ("ja", "日本語")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 31_536_000  # a year: the choice outlives the browser window
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = ENV.time_zone

# --- static files ------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = ENV.static_root or None
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # one machine needs no collectstatic; clusters run it and set the root
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# --- web safety --------------------------------------------------------------------------------

ALLOWED_HOSTS = ENV.allowed_hosts
CSRF_TRUSTED_ORIGINS = ENV.csrf_trusted_origins
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "review.views.errors.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = ENV.https_only
SECURE_HSTS_SECONDS = 31_536_000 if ENV.https_only else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENV.https_only else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": [],
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# --- REST --------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["core.api.auth.AgentKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["core.api.auth.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.api.parsers.StrictJSONParser"],
    "EXCEPTION_HANDLER": "core.api.errors.exception_handler",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": None,
    "UNICODE_JSON": True,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Hikae",
    "DESCRIPTION": "Long-term memory of coding agents. Nothing is remembered before a person approves it.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    # Two fields of one name with other values: named here, or the document numbers them by a hash.
    "ENUM_NAME_OVERRIDES": {
        "LayerEnum": "decisions.api.recommend.LAYERS",
        "CountedLayerEnum": "decisions.api.recommend.COUNTED_LAYERS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "core.api.schema.document_errors",
    ],
}

# --- Celery: the row is the queue, a message is only a nudge (design section 1, rule 3) ------------

CELERY_BROKER_URL = environment.broker(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "memory.sweep": {"queue": "extract"},
    "memory.scan_session": {"queue": "extract"},
    "transcripts.*": {"queue": "nightly"},
}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = SCHEDULE
# kombu restores unacknowledged messages only past the visibility timeout, and checks for them rarely
# unless told otherwise; the timeout exceeds the longest task (feasibility 2).
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "unacked_restore_throttle": 1,
    "unacked_restore_interval": 5,
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
}
CELERY_TASK_TIME_LIMIT = 840
CELERY_TASK_SOFT_TIME_LIMIT = 780
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False  # a lost nudge is found by the sweeper; a request must never wait for it

# --- models ------------------------------------------------------------------------------------

EXTRACTOR = ENV.extractor
EXTRACT_INLINE = ENV.extract_inline
LLM_BASE_URL = ENV.llm_base_url
LLM_MODEL = ENV.llm_model
LLM_API_KEY = ENV.llm_api_key
LLM_DAILY_TOKENS = ENV.llm_daily_tokens
LLM_PAYLOAD_CHARS = ENV.llm_payload_chars
LLM_TIMEOUT_SECONDS = ENV.llm_timeout_seconds
EMBED_MODEL = ENV.embed_model
EMBED_BASE_URL = ENV.embed_base_url
EMBED_API_KEY = ENV.embed_api_key
EMBED_NAME = ENV.embed_name
READY_MAX_QUEUE_SECONDS = ENV.ready_max_queue_seconds

# --- what every session starts with (design section 6): used by knowledge.selectors.resident ---------------

SUMMARY_TOKENS = ENV.summary_tokens
RESIDENT_CHARS = ENV.resident_chars

# --- what a person keeps choosing (design section 5): numbers with their owner in decisions.learning -----

CHOICES = ENV.choices

# --- reminders: mail and webhooks ----------------------------------------------------------------

_mail = environment.email(ENV.email_url)
EMAIL_IS_SET = bool(ENV.email_url)
EMAIL_BACKEND = _mail["EMAIL_BACKEND"]
EMAIL_HOST = _mail.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = _mail.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _mail.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = bool(_mail.get("EMAIL_USE_TLS"))
EMAIL_USE_SSL = bool(_mail.get("EMAIL_USE_SSL"))
EMAIL_FILE_PATH = _mail.get("EMAIL_FILE_PATH")
EMAIL_TIMEOUT = 5
DEFAULT_FROM_EMAIL = ENV.email_from
WEBHOOK_ALLOW_PRIVATE = ENV.webhook_allow_private

# --- logs --------------------------------------------------------------------------------------

LOGGING = build_logging(level=ENV.log_level, as_json=ENV.log_json)
DJANGO_STRUCTLOG_CELERY_ENABLED = True

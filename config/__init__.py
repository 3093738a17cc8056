"""Wiring only: environment, settings, Celery, checks, health and URLs (design section 1)."""

from config.celery import app as celery_app

__all__ = ["celery_app"]

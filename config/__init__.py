"""Wiring only: environment, settings, Celery, checks, health and URLs (design section 1)."""

# isort: off
from config import one_thread  # before whatever imports numpy
from config.celery import app as celery_app

__all__ = ["celery_app", "one_thread"]

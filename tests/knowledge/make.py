"""Notes and summaries, made through the services as a person would."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from core.models import Namespace
from knowledge.models import Knowledge, Summary
from knowledge.notes.fields import Note
from knowledge.services.notes import knowledge_create
from knowledge.services.summaries import summary_write


def note(slug: str = "deploy-checklist", **fields: Any) -> Note:
    given = {
        "title": slug.replace("-", " ").capitalize(),
        "description": "Steps before a release; read it before you deploy.",
        "body": f"1. Run the tests.\n2. Tag the {slug}.",
    }
    return Note(slug=slug, **{**given, **fields})


def knowledge(home: Namespace, user: User, slug: str = "deploy-checklist", **fields: Any) -> Knowledge:
    return knowledge_create(namespace_id=home.pk, user=user, note=note(slug, **fields), now=timezone.now())


def summary(home: Namespace, user: User, body: str, version: int = 0) -> Summary:
    return summary_write(namespace_id=home.pk, version=version, user=user, body=body, now=timezone.now())

"""What happens to notes and summaries when namespaces are merged or erased (design section 2)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from core.models import Namespace
from knowledge.models import Knowledge, KnowledgeUse, KnowledgeVector, Summary
from knowledge.notes import slugs
from knowledge.notes.fields import MAX_SUMMARY
from knowledge.notes.resident import shorten
from knowledge.services.night.rehousing import nights_erase, nights_rehouse

_NO_LIMIT = MAX_SUMMARY  # a character is one token at most


@transaction.atomic
def knowledge_rehouse(*, source: Namespace, target: Namespace) -> int:
    """A merge of namespaces takes them along; inside its transaction. Returns how many notes came.

    A slug that the target uses gets a number behind it. The summary is appended to the target's.
    """
    taken = set(Knowledge.objects.filter(namespace=target).values_list("slug", flat=True))
    taken |= set(Knowledge.objects.filter(namespace=source).values_list("slug", flat=True))
    held = set(Knowledge.objects.filter(namespace=target).values_list("slug", flat=True))
    moved = 0
    for note in Knowledge.objects.filter(namespace=source).order_by("pk"):
        slug = _numbered(note.slug, taken) if note.slug in held else note.slug
        taken.add(slug)
        moved += Knowledge.objects.filter(pk=note.pk).update(
            namespace=target, slug=slug, version=F("version") + 1
        )
    KnowledgeUse.objects.filter(namespace=source).update(namespace=target)
    KnowledgeVector.objects.filter(namespace=source).update(namespace=target)
    _join_summaries(source, target)
    nights_rehouse(source=source, target=target)
    return moved


@transaction.atomic
def knowledge_erase(*, namespace: Namespace) -> int:
    """Delete every note, its history and its uses, the summary and the nights; returns how many notes are gone."""
    rows = Knowledge.objects.filter(namespace=namespace)
    # A note is held by those that it replaced; all go together.
    rows.filter(status="replaced").update(status="retired", replaced_by=None)
    count = rows.count()
    rows.delete()
    Summary.objects.filter(namespace=namespace).delete()
    nights_erase(namespace=namespace)
    return count


def _numbered(slug: str, taken: set[str]) -> str:
    number = 2
    while f"{slug[: slugs.MAX_LENGTH - 4].rstrip('-')}-{number}" in taken:
        number += 1
    return f"{slug[: slugs.MAX_LENGTH - 4].rstrip('-')}-{number}"


def _join_summaries(source: Namespace, target: Namespace) -> None:
    coming = Summary.objects.filter(namespace=source).first()
    if coming is None:
        return
    kept = Summary.objects.filter(namespace=target).first()
    if kept is None:
        Summary.objects.filter(pk=coming.pk).update(namespace=target)
        return
    joined = "\n\n".join(body for body in (kept.body, coming.body) if body)
    body = shorten(joined, budget=_NO_LIMIT, characters=MAX_SUMMARY)
    Summary.objects.filter(pk=kept.pk).update(body=body, version=F("version") + 1)
    coming.delete()

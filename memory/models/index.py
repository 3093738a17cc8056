"""What recall reads: postings for words, vectors for meaning (design section 4, Recall).

Only memories that recall may return have rows here; they are written in the approving transaction (words)
or by a job right after it (vectors), and go in the transaction that retires or deletes the memory.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from core.models import Namespace
from memory.models.memory import Memory


class MemoryIndex(models.Model):
    """Length of an indexed memory in terms that count (BM25), and which vector it still waits for."""

    memory = models.OneToOneField(Memory, on_delete=models.CASCADE, primary_key=True, related_name="index")
    namespace = models.ForeignKey(Namespace, on_delete=models.CASCADE, related_name="+", db_index=False)
    length = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    vector_space = models.CharField(max_length=80, blank=True)

    class Meta:
        verbose_name = _("index entry")
        verbose_name_plural = _("index entries")
        indexes = [
            # BM25 needs the number and mean length of a namespace's entries, the floor how many have a vector.
            models.Index(fields=["namespace", "vector_space"], include=["length"], name="memory_index_sizes"),
            # The vector job fills rows whose space is not the current one.
            models.Index(fields=["vector_space", "memory"], name="memory_index_space"),
        ]

    def __str__(self) -> str:
        return str(self.memory_id)

    if TYPE_CHECKING:
        memory_id: uuid.UUID
        namespace_id: uuid.UUID


class MemoryTerm(models.Model):
    """One posting: this memory, ``length`` terms long, holds this term so often.

    The length is repeated here so that BM25 reads nothing but this table's index.
    """

    namespace = models.ForeignKey(Namespace, on_delete=models.CASCADE, related_name="+", db_index=False)
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="+")
    term = models.CharField(max_length=100)
    count = models.PositiveSmallIntegerField()
    length = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("posting")
        verbose_name_plural = _("postings")
        indexes = [
            # Recall reads the postings of the query's terms in its namespaces from the index alone.
            models.Index(
                fields=["namespace", "term"],
                include=["memory", "count", "length"],
                name="memory_term_postings",
            ),
        ]

    def __str__(self) -> str:
        return self.term


class CommonTerm(models.Model):
    """How many memories of a large namespace hold this term, where they are many: counted now and then.

    Rarity needs no exact number, and counting tens of thousands of postings was the dearest part of a question.
    The row of the empty term says how many memories there were when they were counted, and in ``length`` the sum of
    their lengths (0 in the other rows): what questions weigh by (``memory.recall.sizes``).
    """

    namespace = models.ForeignKey(Namespace, on_delete=models.CASCADE, related_name="+", db_index=False)
    term = models.CharField(max_length=100, blank=True)
    count = models.PositiveIntegerField()
    length = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("common term")
        verbose_name_plural = _("common terms")
        # Recall reads the counts of the query's terms in its namespaces.
        constraints = [
            models.UniqueConstraint(fields=["namespace", "term"], name="memory_common_term_once_a_namespace")
        ]

    def __str__(self) -> str:
        return self.term


class MemoryVector(models.Model):
    """The meaning of a memory in one embedding space (model id and dimensions), e.g. ``use-multilingual-v3/512``."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="vectors", db_index=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.CASCADE, related_name="+", db_index=False)
    space = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    vector = VectorField()

    class Meta:
        verbose_name = _("vector")
        verbose_name_plural = _("vectors")
        constraints = [models.UniqueConstraint(fields=["memory", "space"], name="memory_vector_once_a_space")]
        indexes = [
            # Exact search inside a namespace: right and fast up to thousands; larger ones get an index of their own
            # (memory.services.vector_indexes).
            models.Index(fields=["namespace", "space"], name="memory_vector_namespace"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} {self.space}"

    if TYPE_CHECKING:
        memory_id: uuid.UUID

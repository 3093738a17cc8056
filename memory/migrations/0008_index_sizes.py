"""What large namespaces are read by: sizes from one index, and the counts of their common terms."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("core", "0001_initial"), ("memory", "0007_prompt_changes")]

    operations = [
        migrations.RemoveIndex("memoryindex", "memory_index_stats"),
        migrations.AddIndex(
            "memoryindex",
            models.Index(fields=["namespace", "vector_space"], include=["length"], name="memory_index_sizes"),
        ),
        migrations.CreateModel(
            name="CommonTerm",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("term", models.CharField(blank=True, max_length=100)),
                ("count", models.PositiveIntegerField()),
                (
                    "namespace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="core.namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "common term",
                "verbose_name_plural": "common terms",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["namespace", "term"], name="memory_common_term_once_a_namespace"
                    )
                ],
            },
        ),
    ]

"""Vectors by which notes are found, and a guard against circles of replacement."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import pgvector.django.vector
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0002_namespace_aliases"),
        ("knowledge", "0004_drafts"),
    ]

    operations = [
        migrations.CreateModel(
            name="KnowledgeVector",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("space", models.CharField(max_length=80)),
                ("version", models.PositiveIntegerField()),
                ("vector", pgvector.django.vector.VectorField()),
            ],
            options={
                "verbose_name": "vector of a note",
                "verbose_name_plural": "vectors of notes",
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="knowledge",
            trigger=pgtrigger.compiler.Trigger(
                name="no_circle",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."replaced_by_id" IS NOT NULL)',
                    func="IF EXISTS (WITH RECURSIVE chain (id) AS (SELECT NEW.replaced_by_id UNION SELECT k.replaced_by_id FROM knowledge_knowledge k JOIN chain ON k.id = chain.id WHERE k.replaced_by_id IS NOT NULL) SELECT 1 FROM chain WHERE id = NEW.id) THEN RAISE EXCEPTION 'knowledge_no_circle: notes cannot replace each other in a circle' USING ERRCODE = 'check_violation'; END IF; RETURN NEW;",
                    hash="957d19b5fa79657997eadd02354e0942384aba58",
                    operation='INSERT OR UPDATE OF "replaced_by_id"',
                    pgid="pgtrigger_no_circle_a1f41",
                    table="knowledge_knowledge",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddField(
            model_name="knowledgevector",
            name="knowledge",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="vectors", to="knowledge.knowledge"
            ),
        ),
        migrations.AddField(
            model_name="knowledgevector",
            name="namespace",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="core.namespace"
            ),
        ),
        migrations.AddConstraint(
            model_name="knowledgevector",
            constraint=models.UniqueConstraint(
                fields=("knowledge", "space"), name="knowledge_vector_once_a_space"
            ),
        ),
    ]

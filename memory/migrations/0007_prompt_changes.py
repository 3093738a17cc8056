"""What owners made of a prompt is kept, wording included, for the history on its page."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0002_namespace_aliases"),
        ("memory", "0006_failed_run_names_no_extractor"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PromptChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("prompt", models.CharField(max_length=60)),
                ("based_on", models.CharField(max_length=20)),
                ("text", models.TextField(blank=True)),
                ("changed_at", models.DateTimeField()),
                (
                    "changed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="prompt_changes",
                        to="core.namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "prompt change",
                "verbose_name_plural": "prompt changes",
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["namespace", "prompt", "-id"], name="memory_promptchange_history")
                ],
            },
        ),
    ]

"""Keep the lengths of large namespaces beside their counts; what was counted without them is counted again."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_index_sizes")]

    operations = [
        # The worker counts them anew within ten minutes; until then every question does.
        migrations.RunSQL("DELETE FROM memory_commonterm", migrations.RunSQL.noop),
        migrations.AddField("commonterm", "length", models.PositiveBigIntegerField(default=0)),
    ]

from django.db import migrations


class Migration(migrations.Migration):
    """0006 took this constraint along: Django drops every index on the one column of a key that loses its own.

    In the database alone: the models have had it all the time.
    """

    dependencies = [("knowledge", "0006_no_index_twice")]

    operations = [
        migrations.RunSQL(
            "CREATE UNIQUE INDEX IF NOT EXISTS knowledge_consolidationrun_one_live"
            " ON knowledge_consolidationrun (namespace_id) WHERE state IN ('waiting', 'running')",
            migrations.RunSQL.noop,
        ),
    ]

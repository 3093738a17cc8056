"""Repeat a memory's length in its postings, so that BM25 reads one index; keep vectors in their rows."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_candidate_merged")]

    operations = [
        migrations.AddField("memoryterm", "length", models.PositiveIntegerField(default=0), preserve_default=False),
        migrations.RunSQL(
            "UPDATE memory_memoryterm t SET length = i.length FROM memory_memoryindex i WHERE i.memory_id = t.memory_id",
            migrations.RunSQL.noop,
        ),
        # The index is built again below; constraints that wait for the end of the transaction would forbid that.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.RemoveIndex("memoryterm", "memory_term_postings"),
        migrations.AddIndex(
            "memoryterm",
            models.Index(
                fields=["namespace", "term"], include=["memory", "count", "length"], name="memory_term_postings"
            ),
        ),
        # By default a row over 2 kB moves its vector out of line, and an exact scan then reads every vector twice.
        # Up to this size (vectors of about 2,000 dimensions) it stays; larger ones still move out.
        migrations.RunSQL(
            "ALTER TABLE memory_memoryvector SET (toast_tuple_target = 8160)",
            "ALTER TABLE memory_memoryvector RESET (toast_tuple_target)",
        ),
    ]

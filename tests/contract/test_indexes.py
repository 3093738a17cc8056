"""Indexes cost every write: none may repeat what another one does (ARCHITECTURE.md, "every index says who uses it")."""

from __future__ import annotations

import re
from itertools import pairwise, permutations

import pytest
from django.apps import apps
from django.db import connection

from tests.contract.test_house_rules import ROOMS, ROOT

_INDEXES = """
SELECT c.relname, x.relname, i.indkey::int[], i.indclass::int[], pg_get_expr(i.indpred, i.indrelid), i.indisunique
FROM pg_index i
JOIN pg_class c ON c.oid = i.indrelid
JOIN pg_class x ON x.oid = i.indexrelid
JOIN pg_am a ON a.oid = x.relam AND a.amname = 'btree'
WHERE i.indexprs IS NULL AND c.relname = ANY(%s)
"""


@pytest.mark.django_db
def test_no_index_repeats_the_beginning_of_another() -> None:
    tables = [model._meta.db_table for model in apps.get_models() if model._meta.app_label in ROOMS]
    with connection.cursor() as cursor:
        cursor.execute(_INDEXES, [tables])
        indexes = cursor.fetchall()
    assert len(indexes) > 100
    repeated = [
        f"{name} is the beginning of {longer}"
        for (table, name, columns, kinds, where, unique), (other, longer, more, more_kinds, limited, _u) in (
            permutations(indexes, 2)
        )
        if table == other
        and not unique
        and where is None
        and limited is None
        and more[: len(columns)] == columns
        and more_kinds[: len(kinds)] == kinds
    ]
    assert not repeated


def test_every_index_says_who_uses_it() -> None:
    silent = []
    for path in sorted(ROOT.glob("*/models/*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        silent += [
            f"{path.relative_to(ROOT)}: {line.strip()}"
            for before, line in pairwise(lines)
            if re.match(r"\s+(\w+\.)?\w*Index\((fields|$)", line) and not before.lstrip().startswith("#")
        ]
    assert not silent, silent


@pytest.mark.django_db
def test_what_the_models_promise_stands_in_the_database() -> None:
    """A migration may lose a constraint: Django takes partial unique ones for the index of a foreign key."""
    promised = {
        each.name
        for model in apps.get_models()
        if model._meta.app_label in ROOMS
        for each in (*model._meta.constraints, *model._meta.indexes)
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint UNION SELECT relname FROM pg_class WHERE relkind = 'i'"
        )
        standing = {name for (name,) in cursor.fetchall()}
    assert len(promised) > 100
    assert promised <= standing, promised - standing

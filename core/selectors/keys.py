"""The agent key that a request names by its prefix, with its person and default persona.

Written out, because every request begins with it: building and taking apart the same query by the ORM takes five times
as long as the query itself. What the columns are, the models say.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from django.contrib.auth.models import User
from django.db import connection, models

from core.models import AgentKey, Namespace

_SELDOM: Final = ("missed",)  # read on demand; JSON, which only the ORM turns into a value


def key_with_prefix(prefix: str) -> AgentKey | None:
    """Whatever its state: the caller compares the secret and looks at the dates."""
    keys, users, personas = (_columns(model) for model in (AgentKey, User, Namespace))
    with connection.cursor() as cursor:
        cursor.execute(_statement(), [prefix])
        row = cursor.fetchone()
    if row is None:
        return None
    user, persona = len(keys), len(keys) + len(users)
    key = AgentKey.from_db(connection.alias, keys, row[:user])
    key.user = User.from_db(connection.alias, users, row[user:persona])
    if key.default_persona_id is not None:
        key.default_persona = Namespace.from_db(connection.alias, personas, row[persona:])
    return key


@cache
def _columns(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields if field.attname not in _SELDOM)


@cache
def _statement() -> str:
    tables = {"k": AgentKey, "u": User, "p": Namespace}
    selected = ", ".join(
        f'{alias}."{field.column}"'
        for alias, model in tables.items()
        for field in model._meta.concrete_fields
        if field.attname not in _SELDOM
    )
    return (
        f'SELECT {selected} FROM "{AgentKey._meta.db_table}" k '  # noqa: S608 (our own names; the prefix is bound)
        f'JOIN "{User._meta.db_table}" u ON u.id = k.user_id '
        f'LEFT JOIN "{Namespace._meta.db_table}" p ON p.id = k.default_persona_id WHERE k.prefix = %s'
    )

"""How each column of an archived row is written as JSON and read again, found by its field.

References keep their meaning elsewhere: a person by user name, a key by its prefix, a session by its key, a message by
the keys of session, turn and itself. Rows with an id of their own (UUID) keep it.
"""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy
from django.contrib.auth.models import User
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from pghistory.models import Context
from pgvector.django import VectorField
from psycopg.types.json import Jsonb

from core import text
from core.ids import new_id
from core.models import AgentKey, Namespace
from core.redact import redact
from integrations.archive.tables import Table
from transcripts.models import AgentSession, Message, Turn

# Columns that hold what somebody said or wrote; they pass the redaction on the way out and on the way in.
_WORDS = frozenset(
    {
        "content",
        "original",
        "quote",
        "text",
        "body",
        "title",
        "description",
        "reason",
        "why",
        "summary",
        "target",
    }
    | {"payload", "outcome", "error", "aliases"}
)
SELF = "self"  # this namespace, whatever its id will be


@dataclass
class Place:
    """Where rows are brought back: ids of what they refer to, filled table by table."""

    namespace: Namespace
    user: User
    users: dict[str, int] = field(default_factory=dict)
    keys: dict[str, uuid.UUID] = field(default_factory=dict)
    spaces: dict[str, uuid.UUID] = field(default_factory=dict)
    sessions: dict[str, uuid.UUID] = field(default_factory=dict)
    turns: dict[tuple[str, str], int] = field(default_factory=dict)
    messages: dict[tuple[str, str, str], int] = field(default_factory=dict)
    contexts: list[tuple[uuid.UUID, Any]] = field(default_factory=list)  # who changed it and why, for history

    def context(self, value: Any) -> uuid.UUID | None:
        if value is None:
            return None
        self.contexts.append((new_id(), value))
        return self.contexts[-1][0]


@dataclass(frozen=True)
class Column:
    """``paths`` are what is read from the database for it; ``column`` is where it is stored.

    ``write``: those values, and the person whose archive it is, as JSON. ``read``: JSON checked, raises ValueError.
    ``store``: what was read as the database takes it, once the rows it may refer to are there.
    """

    name: str
    column: str
    paths: tuple[str, ...]
    write: Callable[[Sequence[Any], User], Any]
    read: Callable[[Any], Any]
    store: Callable[[Any, Place], Any]


def columns_of(table: Table) -> tuple[Column, ...]:
    """In the order of the model's fields. Raises TypeError for a reference that has no meaning elsewhere."""
    found = []
    for each in table.model._meta.concrete_fields:
        if each.name in table.omit or isinstance(each, models.AutoField):
            continue
        if each.related_model is not None:
            column = _reference(table, each)
            if column is not None:
                found.append(column)
        else:
            found.append(_plain(each))
    return tuple(found)


def own_columns(table: Table) -> Mapping[str, Callable[[Place], Any]]:
    """Columns that stand in no file because the place decides them."""
    names = {each.name: each for each in table.model._meta.concrete_fields}
    found: dict[str, Callable[[Place], Any]] = {}
    if "namespace" in names and not _is_history(table):
        found["namespace_id"] = lambda place: place.namespace.pk
    if table.model is AgentSession:
        found["user_id"] = lambda place: place.user.pk
    return found


def _is_history(table: Table) -> bool:
    return table.name.endswith("_history")


def _same(value: Any, _place: Place) -> Any:
    return value


def _plain(source: models.Field[Any, Any]) -> Column:
    name = source.name
    write: Callable[[Sequence[Any], User], Any] = lambda values, _user: _shown(values[0])  # noqa: E731
    if name in _WORDS:
        write = lambda values, _user: safe(values[0])  # noqa: E731
    if isinstance(source, VectorField):
        write = lambda values, _user: _base64(values[0])  # noqa: E731
    if name == "scan_state":  # whoever scans it now does so here
        write = lambda values, _user: "waiting" if values[0] == "leased" else values[0]  # noqa: E731
    store = _same
    if isinstance(source, models.JSONField):
        store = lambda value, _place: None if value is None else Jsonb(value)  # noqa: E731
    if isinstance(source, VectorField):
        store = lambda value, _place: _vector_text(value)  # noqa: E731
    return Column(name, str(source.column), (name,), write, lambda value: _checked(source, value), store)


def _checked(source: models.Field[Any, Any], value: Any) -> Any:
    """As the model would take it; words redacted once more. Raises ValueError with a sentence."""
    _storable(value)
    if value is None:
        if not source.null:
            raise ValueError("must not be empty")
        return None
    if isinstance(source, VectorField):
        return _vector(value)
    expected = next((kind for base, kind in _JSON_TYPES.items() if isinstance(source, base)), object)
    if not isinstance(value, expected) or (
        isinstance(value, bool) and expected is not bool and expected is not object
    ):
        raise ValueError(f"must not be {type(value).__name__}")
    try:
        found = source.to_python(value)
        if found not in source.empty_values:
            source.run_validators(found)
    except ValidationError as error:
        raise ValueError("; ".join(error.messages)) from error
    if isinstance(source, models.DateTimeField) and found.tzinfo is None:
        raise ValueError("needs an offset from UTC")
    if source.choices and found not in {choice for choice, _label in source.flatchoices}:
        raise ValueError(f"{found!r} is none of its values")
    return safe(found) if source.name in _WORDS else found


_JSON_TYPES: dict[type[Any], Any] = {
    models.CharField: str,
    models.TextField: str,
    models.UUIDField: str,
    models.DateTimeField: str,
    models.BooleanField: bool,
    models.IntegerField: int,
    models.FloatField: (int, float),
    ArrayField: list,
}


def _reference(table: Table, source: Any) -> Column | None:
    name, target = source.name, source.related_model
    if target is Context:
        return Column(
            "context",
            source.column,
            (f"{name}__metadata",),
            lambda values, _user: safe(values[0]),
            _object_or_none,
            lambda value, place: place.context(value),
        )
    if target is Namespace:
        return _space(table, name, source.column)
    if target is User:
        return Column(
            name,
            source.column,
            (f"{name}__username",),
            lambda values, _user: values[0],
            _text_or_none,
            lambda value, place: place.users.get(value),
        )
    if target is AgentKey:
        return Column(
            name,
            source.column,
            (f"{name}__prefix",),
            lambda values, _user: values[0],
            _text_or_none,
            lambda value, place: place.keys.get(value),
        )
    if target is AgentSession:
        return _keyed(
            name, source.column, (f"{name}__key",), f"{name}__user_id", lambda place: place.sessions
        )
    if target is Turn:
        turn = (f"{name}__session__key", f"{name}__key")
        return _keyed(name, source.column, turn, f"{name}__session__user_id", lambda place: place.turns)
    if target is Message:
        paths = (f"{name}__turn__session__key", f"{name}__turn__key", f"{name}__key")
        return _keyed(name, source.column, paths, f"{name}__session__user_id", lambda place: place.messages)
    if isinstance(target._meta.pk, models.UUIDField):
        return Column(
            name.removeprefix("pgh_"),
            source.column,
            (source.attname,),
            lambda values, _user: _shown(values[0]),
            _uuid_or_none,
            _same,
        )
    raise TypeError(f"{table.model.__name__}.{name} refers to rows whose ids mean nothing elsewhere")


def _space(table: Table, name: str, column: str) -> Column | None:
    if _is_history(table):
        return Column(
            name,
            column,
            (f"{name}_id", "pgh_obj__namespace_id"),
            lambda values, _user: SELF if values[0] == values[1] else _shown(values[0]),
            lambda value: SELF if value == SELF else _uuid_or_none(value),
            lambda value, place: place.namespace.pk if value == SELF else value,
        )
    if table.model is not AgentSession:
        return None
    return Column(
        name,
        column,
        (f"{name}__type", f"{name}__owner_id", f"{name}__owner__username", f"{name}__name"),
        _space_name,
        _text_or_none,
        lambda value, place: place.spaces.get(value),
    )


def _space_name(values: Sequence[Any], user: User) -> str | None:
    kind, owner_id, owner, name = values
    if kind is None:
        return None
    return f"{kind}:{name}" if owner_id == user.pk else f"{kind}:{owner}/{name}"


def _keyed(
    name: str, column: str, paths: tuple[str, ...], owner: str, known: Callable[[Place], Mapping[Any, Any]]
) -> Column:
    """A conversation is its person's: what another person said is quoted, but leads nowhere in this archive."""
    single = len(paths) == 1

    def write(values: Sequence[Any], user: User) -> Any:
        if values[-1] != user.pk:
            return None
        return values[0] if single else list(values[:-1])

    def read(value: Any) -> Any:
        _storable(value)
        if value is None:
            return None
        parts = [value] if single else value
        if (
            not isinstance(parts, list)
            or not all(isinstance(each, str) for each in parts)
            or len(parts) != len(paths)
        ):
            raise ValueError("must name a session" if single else f"must be a list of {len(paths)} keys")
        return value if single else tuple(value)

    return Column(name, column, (*paths, owner), write, read, lambda value, place: known(place).get(value))


def safe(value: Any) -> Any:
    """Every text in it, redacted once more."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, list | tuple):
        return [safe(each) for each in value]
    if isinstance(value, dict):
        return {name: safe(each) for name, each in value.items()}
    return value


def _shown(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    return value


def _base64(value: Any) -> str | None:
    return None if value is None else base64.b64encode(numpy.asarray(value, dtype="<f4").tobytes()).decode()


def _vector(value: Any) -> list[float]:
    if not isinstance(value, str):
        raise ValueError("must be base64 of 32-bit floats")
    return [float(each) for each in numpy.frombuffer(base64.b64decode(value, validate=True), dtype="<f4")]


def _vector_text(value: list[float] | None) -> str | None:
    return None if value is None else f"[{','.join(map(repr, value))}]"


def _text_or_none(value: Any) -> str | None:
    _storable(value)
    if value is not None and not isinstance(value, str):
        raise ValueError("must be a text")
    return value


def _object_or_none(value: Any) -> Any:
    _storable(value)
    if value is not None and not isinstance(value, dict):
        raise ValueError("must be an object")
    return safe(value)


def _uuid_or_none(value: Any) -> uuid.UUID | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError("must be an id")
    return uuid.UUID(value)


def _storable(value: Any) -> None:
    if isinstance(value, str):
        text.clean(value)
    elif isinstance(value, dict):
        for inner in (*value, *value.values()):
            _storable(inner)
    elif isinstance(value, list):
        for inner in value:
            _storable(inner)

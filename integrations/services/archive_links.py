"""What rows of an archive refer to: inside it, or in what this person owns; never in what is somebody else's."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from core.errors import Conflict
from core.ids import parse_id
from core.models import Namespace
from integrations.archive.columns import Place
from integrations.archive.parsing import Parsed
from integrations.archive.tables import TABLES, Table
from memory.models import Candidate
from transcripts.models import AgentSession, Message, Turn

CHUNK = 5_000


class Linker:
    """Knows which ids the archive brings, resolves the rest, and learns the ids that the database gives."""

    def __init__(self, place: Place, parsed: Parsed) -> None:
        self.place = place
        self.parsed = parsed
        self._brought: dict[type[models.Model], set[uuid.UUID]] = {}
        for table in TABLES:
            if _has_id(table):
                self._brought[table.model] = {row["id"] for row in parsed.rows[table.name]}
        self._owned = Namespace.objects.owned_by(place.user).scope()
        self._elsewhere: dict[type[models.Model], tuple[set[uuid.UUID], set[uuid.UUID]]] = {}

    def refuse_taken_ids(self) -> None:
        """Rows with these ids may be there already, in another namespace. Raises Conflict (``ids_taken``)."""
        keys = [row["key"] for row in self.parsed.rows["sessions"]]
        mine = set(
            AgentSession.objects.visible_to(self.place.user).filter(key__in=keys).values_list("pk", flat=True)
        )
        for model, ids in self._brought.items():
            for chunk in _chunks(sorted(ids)):
                found = model._default_manager.filter(pk__in=chunk).exclude(pk__in=mine)
                if found.exists():
                    raise Conflict(
                        _("Some of it is stored already, for example %(model)s %(id)s. Nothing was changed.")
                        % {"model": model._meta.verbose_name, "id": found.values_list("pk", flat=True)[0]},
                        code="ids_taken",
                    )

    def leads(self, table: Table, row: dict[str, Any]) -> bool:
        """Whether the row can be stored; references that lead nowhere, and need not, are emptied."""
        if table.name == "pins" and not self._holds(row["holder"]):
            return False
        for source in table.model._meta.concrete_fields:
            name = source.name.removeprefix("pgh_")
            if source.related_model is None or name not in row or row[name] is None:
                continue
            if not self._known(table, source, row[name]):
                if not source.null or name == "obj":
                    return False
                row[name] = None
            if source.null is False and row[name] is None:
                return False
        return all(
            row.get(source.name) is not None
            for source in table.model._meta.concrete_fields
            if source.related_model in (AgentSession, Turn, Message)
            and not source.null
            and source.name in row
        )

    def after(self, table: Table) -> None:
        """Once a table is stored: what its rows are called here, and no history of their return."""
        place = self.place
        if table.name == "sessions":
            rows = AgentSession.objects.visible_to(place.user)
            keys = [row["key"] for row in self.parsed.rows["sessions"]]
            for chunk in _chunks(keys):
                place.sessions.update(dict(rows.filter(key__in=chunk).values_list("key", "pk")))
        elif table.name == "turns":
            for chunk in _chunks(list(place.sessions.values())):
                found = Turn.objects.filter(session__in=chunk).values_list("session__key", "key", "pk")
                place.turns.update({(session, key): pk for session, key, pk in found.iterator(CHUNK)})
        elif table.name == "messages":
            self._messages()
        elif table.model.__name__ in ("Memory", "Knowledge", "Summary"):
            history: Any = table.model._meta.get_field("history").related_model
            history.objects.filter(pgh_obj__namespace=place.namespace).delete()

    def _messages(self) -> None:
        """Only those that evidence or a request names: an archive may hold millions."""
        named = {row["message"] for name in ("evidence", "requests") for row in self.parsed.rows[name]} - {
            None
        }
        turns = sorted({self.place.turns[each[:2]] for each in named if each[:2] in self.place.turns})
        for chunk in _chunks(turns):
            found = Message.objects.filter(turn__in=chunk)
            for session, turn, key, pk in found.values_list("turn__session__key", "turn__key", "key", "pk"):
                self.place.messages[session, turn, key] = pk

    def _known(self, table: Table, source: models.Field[Any, Any], value: Any) -> bool:
        target: Any = source.related_model
        if target is AgentSession:
            return value in self.place.sessions
        if target is Turn:
            return value in self.place.turns
        if target is Message:
            return value in self.place.messages
        if not isinstance(value, uuid.UUID) or target is Namespace:
            return True
        if value in self._brought.get(target, set()):
            return True
        owned, foreign = self._outside(target)
        # History may name what is long gone; that leads nowhere, and to nobody.
        return value in owned or (table.name.endswith("_history") and value not in foreign)

    def _outside(self, target: Any) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
        """Ids outside the archive that anything in it refers to: in the person's other namespaces, and elsewhere."""
        if target not in self._elsewhere:
            named = {
                row[source.name.removeprefix("pgh_")]
                for table in TABLES
                for source in table.model._meta.concrete_fields
                if source.related_model is target
                for row in self.parsed.rows[table.name]
                if isinstance(row.get(source.name.removeprefix("pgh_")), uuid.UUID)
            }
            outside = sorted(named - self._brought.get(target, set()))
            housed = any(each.name == "namespace" for each in target._meta.concrete_fields)
            path = "namespace__in" if housed else "memory__namespace__in"
            owned: set[uuid.UUID] = set()
            there: set[uuid.UUID] = set()
            for chunk in _chunks(outside):
                rows = target._default_manager.filter(pk__in=chunk)
                there |= set(rows.values_list("pk", flat=True))
                owned |= set(rows.filter(**{path: list(self._owned)}).values_list("pk", flat=True))
            self._elsewhere[target] = (owned, there - owned)
        return self._elsewhere[target]

    def _holds(self, holder: str) -> bool:
        found = parse_id(holder.removeprefix("candidate:"))
        return found in self._brought[Candidate] and holder == f"candidate:{found}"


def _has_id(table: Table) -> bool:
    return isinstance(table.model._meta.pk, models.UUIDField)


def _chunks(items: list[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]

"""``manage.py reindex [--words] [--vectors] [--namespace REF …]``: build what recall and discovery read anew.

It lives in the highest room whose rows it rebuilds.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.models import Namespace
from core.scope import Scope
from core.selectors.access import split_reference
from knowledge.services.vectors import note_vectors_forget, notes_fill_due
from memory.embedder import current_space
from memory.services.reindexing import every_namespace, words_rebuild
from memory.services.vectors import fill_due, vectors_forget


class Command(BaseCommand):
    help = (
        "Build anew what finds memories and notes, in batches behind live search: the words, the vectors, or both. "
        "Needed after a change of the text rules or of the embedding model; safe to repeat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--words", action="store_true", help="only the postings")
        parser.add_argument(
            "--vectors", action="store_true", help="only the vectors; the old ones serve meanwhile"
        )
        parser.add_argument(
            "--namespace",
            action="append",
            default=[],
            metavar="REF",
            help="workspace:<name>, persona:<name>, or workspace:<owner>/<name>; default: every namespace",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        both = not options["words"] and not options["vectors"]
        scope = self._scope(options["namespace"])
        if both or options["words"]:
            done = 0
            for done in words_rebuild(scope=scope):
                self.stdout.write(f"words: {done} memories")
            self.stdout.write(f"Words of {done} memories are indexed anew.")
        if both or options["vectors"]:
            self._vectors(scope)

    def _vectors(self, scope: Scope) -> None:
        if not current_space():
            raise CommandError(
                "There is no embedding model now (see EMBED_MODEL); recall goes on with words alone."
            )
        due = vectors_forget(scope=scope)
        filled = 0
        while step := fill_due(limit=256):
            filled += step
            self.stdout.write(f"vectors: {filled} memories")
        self.stdout.write(f"{filled} vectors are computed in {current_space()} ({due} were asked for anew).")
        note_vectors_forget(scope=scope)
        self.stdout.write(f"{notes_fill_due()} vectors of notes are computed.")

    def _scope(self, references: list[str]) -> Scope:
        if not references:
            return every_namespace()
        return Scope.of(self._namespace(reference).pk for reference in references)

    def _namespace(self, reference: str) -> Namespace:
        parts = split_reference(reference)
        if parts is None:
            raise CommandError(f"{reference} is no namespace; write persona:<name> or workspace:<name>.")
        kind, owner, name = parts
        found = list(Namespace.objects.filter(type=kind, name=name).select_related("owner"))
        if owner is not None:
            found = [namespace for namespace in found if namespace.owner.get_username() == owner]
        if len(found) > 1:
            owners = ", ".join(f"{kind}:{namespace.owner.get_username()}/{name}" for namespace in found)
            raise CommandError(f"Several people own {reference}; name one: {owners}.")
        if not found:
            raise CommandError(f"There is no namespace {reference}.")
        return found[0]

"""``manage.py doctor [--json]``: does recall read what the memories say? (design section 8)"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.embedder import current_space
from memory.selectors.drift import Finding, drift
from memory.services.reindexing import every_namespace
from memory.services.vector_indexes import vector_indexes_missing
from memory.services.word_check import words_differing


class Command(BaseCommand):
    help = (
        "Look for memories that recall cannot find, rows left over from memories that are gone, missing vectors and "
        "missing indexes. Changes nothing; each finding names the command that mends it. Ends with an error when "
        "answers are wrong or missing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="findings as JSON, for a monitor")

    def handle(self, *args: Any, **options: Any) -> None:
        space = current_space()
        everywhere = every_namespace()
        findings = list(drift(scope=everywhere, space=space))
        if not any(
            each.code in ("wordless", "elsewhere") for each in findings
        ):  # else it would be told twice
            findings += filter(None, [words_differing(scope=everywhere)])
        slow = vector_indexes_missing()
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        "space": space,
                        "findings": [asdict(each) for each in findings],
                        "unindexed_namespaces": [str(each.namespace_id) for each in slow],
                    }
                )
            )
        else:
            self._tell(space, findings, len(slow))
        urgent = [each.code for each in findings if each.urgent]
        if urgent:
            raise CommandError(f"Recall differs from the memories: {', '.join(urgent)}.")

    def _tell(self, space: str, findings: list[Finding], slow: int) -> None:
        self.stdout.write(
            f"Vectors are made in {space}."
            if space
            else "There is no embedding model now; recall goes on with words alone."
        )
        for each in findings:
            self.stdout.write(f"{each.count} {each.meaning}: {', '.join(each.examples)}")
            self.stdout.write(f"    mend it with {each.cure}")
        if slow:
            self.stdout.write(
                f"{slow} large namespaces wait for their vector index; the worker builds it within minutes."
            )
        if not findings and not slow:
            self.stdout.write("Everything that recall reads agrees with the memories.")

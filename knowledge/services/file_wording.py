"""What is wrong with files of notes, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from knowledge.notes.fields import Flaw
from knowledge.notes.problems import Problem
from knowledge.services.wording import said

_FLAWS = frozenset({"empty", "too_long", "lines", "digits", "characters"})


def problem_said(problem: Problem) -> str:
    """One sentence, with the field in front where there is one."""
    if problem.code in _FLAWS:
        sentence = said(Flaw(problem.field, problem.code, problem.limit))
    else:
        named = {"field": problem.field, "about": problem.about, "limit": problem.limit}
        sentence = _SENTENCES[problem.code]() % named
    return f"{problem.field}: {sentence}" if problem.field else sentence


# Of the archive or the folder, then of one file, then of its fields, then among notes.
_SENTENCES: Mapping[str, Callable[[], str]] = {
    "not_a_zip": lambda: _("This is not a zip file, or it is damaged."),
    "too_many_files": lambda: _("There are more than %(limit)s files; the rest was not looked at."),
    "too_large": lambda: _("All files together hold more than %(limit)s bytes; the rest was not looked at."),
    "nothing_there": lambda: _("There are no notes: knowledge/<slug>.md or memory/summary.md is looked for."),
    "file_too_large": lambda: _("The file is larger than %(limit)s bytes; it was not read."),
    "unsafe_path": lambda: _("The path leads out of the folder, or holds characters that file names cannot."),
    "symlink": lambda: _("This is a link; links are not followed."),
    "no_file": lambda: _("This is not a regular file."),
    "encrypted": lambda: _("The file is encrypted; pack it without a password."),
    "packed_strangely": lambda: _("The file is packed in a way that is not read; use the ordinary method."),
    "damaged": lambda: _("The file cannot be read: it is damaged, or its size is not what it claims."),
    "path_twice": lambda: _("There are two files of this path."),
    "not_in_tree": lambda: _("Only knowledge/<slug>.md and memory/summary.md belong here."),
    "not_utf8": lambda: _("The file is not UTF-8 text; save it as UTF-8."),
    "not_storable": lambda: _("This cannot be stored: %(about)s."),
    "no_front_matter": lambda: _("The file must begin with front matter between two lines of ---."),
    "front_too_long": lambda: _("The front matter is too long: at most %(limit)s characters."),
    "not_yaml": lambda: _("The front matter is not plain YAML (line %(about)s of the file)."),
    "not_fields": lambda: _("The front matter must be a list of fields and values."),
    "field_twice": lambda: _("The field %(about)s stands there twice."),
    "unknown_field": lambda: _("There is no such field. Known ones: %(about)s."),
    "flag_twice": lambda: _("This is given twice, in two spellings."),
    "missing": lambda: _("This is missing."),
    "not_text": lambda: _("This must be text."),
    "not_a_flag": lambda: _("This must be true or false."),
    "not_a_status": lambda: _("This must be one of: %(about)s."),
    "replaced_by_whom": lambda: _("replaced_by goes with the status replaced, and only with it."),
    "not_sources": lambda: _("This must be a list of type:id."),
    "too_many_sources": lambda: _("At most %(limit)s sources, each of at most %(limit)s characters."),
    "other_name": lambda: _("The slug is #%(about)s, other than the file's name. The slug counts."),
    "slug_twice": lambda: _("The file %(about)s has the same slug."),
    "circle": lambda: _("These replace each other in a circle: %(about)s."),
    "easily_confused": lambda: _("Easily confused with #%(about)s."),
    "slug_taken": lambda: _("The slug is taken in this namespace by another text: “%(about)s”."),
    "summary_there": lambda: _("The namespace has another summary already."),
    "no_successor": lambda: _("#%(about)s does not exist here as an active note or among these files."),
    "says_no_when": lambda: _("It does not say when to read the note; agents choose by this line."),
}

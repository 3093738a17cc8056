"""A namespace as files: ``knowledge/<slug>.md`` and ``memory/summary.md`` (design section 6). Pure: no Django."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.text import clean
from knowledge.notes import slugs
from knowledge.notes.fields import MAX_SUMMARY, flaws, says_when
from knowledge.notes.files import NoteFile, read, read_summary, write, write_summary
from knowledge.notes.packing import FileIn
from knowledge.notes.problems import WARNING, Problem, errors

NOTES, SUMMARY = "knowledge", "memory/summary.md"


@dataclass
class Tree:
    """What a set of files holds: notes by their path, flawed ones too, and the summary, None without a file of it."""

    notes: dict[str, NoteFile] = field(default_factory=dict)
    summary: str | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        return not errors(self.problems)

    def by_slug(self) -> dict[str, NoteFile]:
        return {file.note.slug: file for file in self.notes.values()}


def write_tree(notes: Iterable[NoteFile], summary: str) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of each file, by slug; an empty summary has none."""
    for file in sorted(notes, key=lambda each: each.note.slug):
        yield f"{NOTES}/{file.note.slug}.md", write(file).encode()
    if summary:
        yield SUMMARY, write_summary(summary).encode()


def read_tree(files: Sequence[FileIn], problems: Sequence[Problem] = ()) -> Tree:
    """Read all files and say everything that is wrong with them, by path; ``problems`` were found before."""
    tree = Tree(problems=list(problems))
    seen: set[str] = set()
    for file in sorted(_inside(files), key=lambda each: each.path):
        if file.path in seen:
            tree.problems.append(Problem("path_twice", file.path))
            continue
        seen.add(file.path)
        text = _decoded(file, tree)
        if text is None:
            continue
        if file.path == SUMMARY:
            tree.summary = _summary(text, tree)
        elif _is_note(file.path):
            _note(file.path, text, tree)
        else:
            tree.problems.append(Problem("not_in_tree", file.path))
    if not seen and not tree.problems:
        tree.problems.append(Problem("nothing_there"))
    tree.problems += [*_twice(tree.notes), *_chains(tree.by_slug()), *_confusing(tree.notes)]
    return tree


def _inside(files: Sequence[FileIn]) -> Iterator[FileIn]:
    """Without the one folder that people and programs pack around a tree; lone files find their place by their name."""
    tops = {file.path.partition("/")[0] for file in files if "/" in file.path}
    around = tops.pop() if len(tops) == 1 and all("/" in file.path for file in files) else ""
    for file in files:
        path = file.path
        if around and around not in (NOTES, SUMMARY.partition("/")[0]):
            path = path.partition("/")[2]
        if "/" not in path:
            path = SUMMARY if path == "summary.md" else f"{NOTES}/{path}"
        yield FileIn(path, file.data)


def _is_note(path: str) -> bool:
    folder, _slash, name = path.rpartition("/")
    return folder == NOTES and name.endswith(".md")


def _decoded(file: FileIn, tree: Tree) -> str | None:
    try:
        return clean(file.data.decode("utf-8"))
    except UnicodeDecodeError:
        tree.problems.append(Problem("not_utf8", file.path))
    except ValueError as error:
        tree.problems.append(Problem("not_storable", file.path, about=str(error)))
    return None


def _summary(text: str, tree: Tree) -> str:
    body = read_summary(text)
    if len(body) > MAX_SUMMARY:
        tree.problems.append(Problem("too_long", SUMMARY, "body", limit=MAX_SUMMARY))
    return body


def _note(path: str, text: str, tree: Tree) -> None:
    found = read(text)
    name = path.rpartition("/")[2].removesuffix(".md")
    problems = found.problems
    if found.draft is not None:
        note = found.draft.note if found.draft.note.slug else replace(found.draft.note, slug=name)
        said = {each.field for each in problems}  # one sentence a field: what is missing is also empty
        problems += [
            Problem(flaw.code, field=flaw.field, limit=flaw.limit)
            for flaw in flaws(note)
            if flaw.field not in said
        ]
        tree.notes[path] = replace(found.draft, note=note)
        if note.slug != name:
            problems.append(Problem("other_name", field="slug", about=note.slug, level=WARNING))
        if note.description and not says_when(note.description):
            problems.append(Problem("says_no_when", field="description", level=WARNING))
    tree.problems += [replace(each, path=path) for each in problems]


def _twice(notes: Mapping[str, NoteFile]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for path, file in notes.items():
        if file.note.slug in first:
            yield Problem("slug_twice", path, "slug", first[file.note.slug])
        first.setdefault(file.note.slug, path)


def _chains(notes: Mapping[str, NoteFile]) -> Iterator[Problem]:
    """Circles among these files. Whether a successor outside of them exists is for those to say who know."""
    done: set[str] = set()
    for start in notes:
        trail: list[str] = []
        slug = start
        inside: set[str] = set()
        while slug in notes and slug not in done and slug not in inside:
            trail.append(slug)
            inside.add(slug)
            slug = notes[slug].replaced_by
        if slug in inside:
            circle = [*trail[trail.index(slug) :], slug]
            yield Problem("circle", f"{NOTES}/{slug}.md", "replaced_by", " → ".join(circle))
        done.update(trail)


def _confusing(notes: Mapping[str, NoteFile]) -> Iterator[Problem]:
    living = {file.note.slug: path for path, file in notes.items() if file.status == "active"}
    for slug, path in living.items():
        if near := [other for other in slugs.near(slug, living) if other > slug]:
            yield Problem("easily_confused", path, "slug", ", ".join(near), level=WARNING)


def in_order(notes: Mapping[str, NoteFile]) -> list[str]:
    """Slugs so that each comes before what replaces it; without circles, which ``read_tree`` reports."""
    ordered: list[str] = []
    done: set[str] = set()
    for start in sorted(notes):
        trail: list[str] = []
        slug = start
        while slug in notes and slug not in done:
            done.add(slug)
            trail.append(slug)
            slug = notes[slug].replaced_by
        ordered += trail[::-1]
    return ordered[::-1]

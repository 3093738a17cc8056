"""The stage that drafts Knowledge: what belongs to a note goes there, the rest becomes new notes (design section 6).

Creation needs no usage data. Nothing drafted here stands before a session: payloads cannot even say so.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from knowledge.night import drafting, updating
from knowledge.night.asking import recurring
from knowledge.night.limits import NOTES_A_NIGHT
from knowledge.night.material import Changed, Drafted, Held, Piece, Recurring, languages
from knowledge.night.protection import may_rewrite
from knowledge.night.summarising import digest
from knowledge.night.topics import topics
from knowledge.services.drafts import used_at
from knowledge.services.night import sentences, writing
from knowledge.services.night.material import Material, material_of, outdated_lines
from knowledge.services.night.skips import Skip
from knowledge.services.night.stage import Draft, Findings, Night, Source

MOST_REQUESTS_NAMED = 10


class Notes:
    """Update before create; at most ``NOTES_A_NIGHT`` changes a night, and so many new notes wait at a time.

    The rest comes back the next night.
    """

    name = "notes"

    def __call__(self, night: Night) -> Findings:
        material = material_of(night)
        found = Findings(looked_at=len(material.pieces) + len(material.asked))
        writer = writing.Writer(night, found)
        free = self._update(night, material, found)
        asked = recurring(material.asked)
        night.keep_alive()
        made = len(material.waiting)
        taken = set(material.taken)
        for topic in topics(material.pieces, free=free, recurring=asked):
            if not topic.fresh:
                continue
            if made >= NOTES_A_NIGHT:
                found.skipped[Skip.ENOUGH] += 1
                found.carry |= _memories(topic.pieces)
                continue
            drafted = drafting.draft(topic, taken=taken, bilingual=material.bilingual)
            drafted = writer.better(drafted, taken=taken)
            taken.add(drafted.slug)
            found.drafts.append(_create(drafted))
            made += 1
        return found

    def _update(self, night: Night, material: Material, found: Findings) -> frozenset[str]:
        """File changes of notes; returns what is still free for new ones."""
        free = material.free
        waits = updating.belonging(material.waiting, material.pieces, free)
        for pieces in waits.values():
            # It belongs to a note that a person has before them: it joins once that is decided.
            found.skipped[Skip.BUSY] += len(pieces)
            found.carry |= _memories(pieces)
            free -= {piece.id for piece in pieces}
        belongs = updating.belonging(material.notes, material.pieces, free)
        changes: list[Changed] = []
        for note in material.notes:
            refused = material.refused.get(note.id, frozenset())
            added = [piece for piece in belongs.get(note.id, ()) if piece.id not in refused]
            free -= {piece.id for piece in belongs.get(note.id, ())}
            gone = outdated_lines(night, note)
            if not gone and not any(piece.fresh for piece in added):
                continue
            changed = updating.change(note, added=added, gone=gone, language=_language(note, added, material))
            if changed is None:
                continue
            if not may_rewrite(
                old=note.body,
                new=changed.body,
                used_at=used_at(knowledge_id=uuid.UUID(note.id)),
                now=night.now,
            ):
                found.skipped[Skip.PROTECTED] += 1
                continue
            changes.append(changed)
        changes.sort(key=lambda each: (-each.confidence, each.held.slug))
        alive = {piece.id: piece for piece in material.pieces}
        for changed in changes[:NOTES_A_NIGHT]:
            found.drafts.append(_update(changed, alive))
        for changed in changes[NOTES_A_NIGHT:]:
            found.skipped[Skip.ENOUGH] += 1
            found.carry |= _memories(changed.added)
        return free


def _create(drafted: Drafted) -> Draft:
    payload = {
        "title": drafted.title,
        "slug": drafted.slug,
        "description": drafted.description,
        "body": drafted.body,
    }
    sources = [*map(source_of, drafted.pieces), *_requests(drafted.recurring)]
    return Draft("create", payload, sentences.of_note(drafted), drafted.confidence, tuple(sources))


def _update(changed: Changed, alive: dict[str, Piece]) -> Draft:
    note = changed.held
    payload = {
        "note": {"id": note.id, "version": note.version},
        "title": note.title,
        "description": changed.description,
        "body": changed.body,
    }
    kept = [alive[pk] for pk in sorted(note.sources) if pk in alive]
    now_true = set(changed.gone.values()) - {""}
    came = [piece for piece in alive.values() if piece.text in now_true]
    sources = dict.fromkeys(map(source_of, [*kept, *changed.added, *came]))
    first = Source("knowledge", note.id, note.version)
    return Draft("update", payload, sentences.of_update(changed), changed.confidence, (first, *sources))


def source_of(piece: Piece) -> Source:
    """With the digest of its line, so that the line can be found when the memory is deleted."""
    return Source(piece.type, piece.id, piece.version, digest(piece.text))


def _requests(groups: Sequence[Recurring]) -> list[Source]:
    asked = {each.id: each for group in groups for each in group.asked[:MOST_REQUESTS_NAMED]}
    return [Source("request", pk) for pk in asked]


def _memories(pieces: Sequence[Piece]) -> set[uuid.UUID]:
    return {uuid.UUID(piece.id) for piece in pieces if piece.type == "memory"}


def _language(note: Held, added: Sequence[Piece], material: Material) -> str:
    """The note's own: that of the pieces it was made from, else of what comes."""
    own = [piece for piece in material.pieces if piece.id in note.sources] or list(added)
    return "ja" if languages(own) == {"ja"} or note.description.endswith("。") else "en"

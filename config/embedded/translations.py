"""Compile ``locale/*/LC_MESSAGES/*.po`` with msgfmt, or without it on a machine that has no gettext.

The compiled catalogues are not in the repository, and Japanese has to work on a bare machine.
"""

from __future__ import annotations

import ast
import shutil
import struct
import subprocess
from pathlib import Path

from config.embedded.errors import EmbeddedError


def compile_all(locale: Path) -> int:
    """Compile what is newer than its result; how many catalogues were written."""
    written = 0
    for source in sorted(locale.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.is_file() or target.stat().st_mtime < source.stat().st_mtime:
            compile_one(source, target)
            written += 1
    return written


def compile_one(source: Path, target: Path, *, msgfmt: str | None = None) -> None:
    """Write one catalogue, whole or not at all. Raises EmbeddedError naming the broken file."""
    program = shutil.which("msgfmt") if msgfmt is None else msgfmt
    fresh = target.with_suffix(".mo.new")
    if program:
        command = [program, "--check-format", "-o", str(fresh), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise EmbeddedError(f"{source} cannot be compiled:\n{done.stderr.strip()}")
    else:
        fresh.write_bytes(catalogue(messages(source)))
    fresh.replace(target)


def messages(source: Path) -> dict[str, str]:
    """Translated, non-fuzzy messages of a .po file: key as gettext stores it, to text.

    A context stands before the key with EOT between, plural forms are joined by NUL.
    """
    found: dict[str, str] = {}
    entry: dict[str, str] = {}
    field = ""
    fuzzy = False

    def close() -> None:
        if "msgid" in entry and (not fuzzy or not entry["msgid"]):  # the header is kept, as msgfmt does
            key = entry["msgid"]
            if "msgctxt" in entry:
                key = f"{entry['msgctxt']}\x04{key}"
            if "msgid_plural" in entry:
                key = f"{key}\x00{entry['msgid_plural']}"
            forms = [text for name, text in sorted(entry.items()) if name.startswith("msgstr")]
            if all(forms):
                found[key] = "\x00".join(forms)

    for number, raw in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if line.startswith("#") or not line:
            if field.startswith("msgstr"):
                close()
                entry, field, fuzzy = {}, "", False
            if line.startswith("#,") and "fuzzy" in line:
                fuzzy = True
            continue
        word, _, rest = line.partition(" ")
        if word.startswith("msg"):
            if word in {"msgid", "msgctxt"} and field.startswith("msgstr"):
                close()
                entry, fuzzy = {}, False
            field = word
        else:
            rest = line
        try:
            entry[field] = entry.get(field, "") + ast.literal_eval(rest)
        except (SyntaxError, ValueError) as error:
            raise EmbeddedError(f"{source}, line {number}, is not a line of a .po file: {line}") from error
    close()
    return found


def catalogue(texts: dict[str, str]) -> bytes:
    """A GNU .mo file, little-endian, keys sorted, no hash table (readers do not need it)."""
    pairs = sorted((key.encode(), text.encode()) for key, text in texts.items())
    header_bytes, pair_bytes = 28, 8
    keys_at = header_bytes
    texts_at = keys_at + pair_bytes * len(pairs)
    position = texts_at + pair_bytes * len(pairs)
    tables: list[bytes] = []
    body = b""
    for column in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<II", len(pair[column]), position + len(body)))
            body += pair[column] + b"\x00"
    header = struct.pack("<7I", 0x950412DE, 0, len(pairs), keys_at, texts_at, 0, 0)
    return header + b"".join(tables) + body

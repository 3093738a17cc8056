"""Japanese works with gettext installed and without it."""

from __future__ import annotations

import gettext
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.embedded import translations
from config.embedded.errors import EmbeddedError

PO = r"""# A translator's note
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#: templates/a.html:1
msgid "Review"
msgstr "レビュー"
msgctxt "verb"
msgid "Review"
msgstr "確認する"

#, python-format
msgid "%(n)s memory"
msgid_plural "%(n)s memories"
msgstr[0] "記憶 %(n)s 件"
msgstr[1] "記憶 %(n)s 件ずつ"

msgid ""
"A long "
"line with \"quotes\" and\n"
"a break"
msgstr ""
"長い「行」\n"
"改行"

#, fuzzy
msgid "Guess"
msgstr "推測"

msgid "Untranslated"
msgstr ""

#~ msgid "Gone"
#~ msgstr "以前"
"""


def read(path: Path) -> gettext.GNUTranslations:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


@pytest.mark.parametrize("msgfmt", [None, ""])
def test_both_ways_give_the_same_catalogue(msgfmt: str | None, tmp_path: Path) -> None:
    source = tmp_path / "django.po"
    source.write_text(PO, encoding="utf-8")
    translations.compile_one(source, tmp_path / "django.mo", msgfmt=msgfmt)
    found = read(tmp_path / "django.mo")
    assert found.gettext("Review") == "レビュー"
    assert found.pgettext("verb", "Review") == "確認する"
    assert found.ngettext("%(n)s memory", "%(n)s memories", 1) == "記憶 %(n)s 件"
    assert found.ngettext("%(n)s memory", "%(n)s memories", 5) == "記憶 %(n)s 件ずつ"
    assert found.gettext('A long line with "quotes" and\na break') == "長い「行」\n改行"
    for missing in ("Guess", "Untranslated", "Gone"):
        assert found.gettext(missing) == missing


@given(st.dictionaries(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30)))
def test_every_text_comes_back_from_a_catalogue(texts: dict[str, str]) -> None:
    whole = {"": "Content-Type: text/plain; charset=UTF-8\n"} | {
        key.replace("\0", "0"): text.replace("\0", "0") for key, text in texts.items()
    }
    found = gettext.GNUTranslations(_Bytes(translations.catalogue(whole)))
    for key, text in whole.items():
        assert key == "" or found.gettext(key) == text


class _Bytes:
    name = "catalogue"

    def __init__(self, content: bytes) -> None:
        self.content = content

    def read(self) -> bytes:
        return self.content


def test_only_what_is_newer_is_compiled(tmp_path: Path) -> None:
    source = tmp_path / "ja" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(PO, encoding="utf-8")
    assert translations.compile_all(tmp_path) == 1
    assert translations.compile_all(tmp_path) == 0
    later = source.with_suffix(".mo").stat().st_mtime + 5
    os.utime(source, (later, later))
    assert translations.compile_all(tmp_path) == 1


@pytest.mark.parametrize("msgfmt", [None, ""])
def test_a_broken_file_is_named_and_leaves_the_old_catalogue(msgfmt: str | None, tmp_path: Path) -> None:
    source, target = tmp_path / "django.po", tmp_path / "django.mo"
    source.write_text(PO, encoding="utf-8")
    translations.compile_one(source, target, msgfmt=msgfmt)
    before = target.read_bytes()
    source.write_text(PO + '\nmsgid "open\nmsgstr "x"\n', encoding="utf-8")
    with pytest.raises(EmbeddedError, match=r"django\.po"):
        translations.compile_one(source, target, msgfmt=msgfmt)
    assert target.read_bytes() == before


def test_the_projects_own_catalogues_compile_without_gettext(tmp_path: Path) -> None:
    locale = Path(__file__).resolve().parent.parent.parent / "locale"
    sources = sorted(locale.glob("*/LC_MESSAGES/*.po"))
    for source in sources:
        translations.compile_one(source, tmp_path / "plain.mo", msgfmt="")
        translations.compile_one(source, tmp_path / "tool.mo", msgfmt=shutil.which("msgfmt"))
        plain, tool = (vars(read(tmp_path / name))["_catalog"] for name in ("plain.mo", "tool.mo"))
        # gettext leaves the date of the last extraction out of the header; nobody reads it.
        assert {**plain, "": ""} == {**tool, "": ""}

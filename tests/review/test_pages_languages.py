"""English and Japanese: complete, and nothing of one in the other."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone, translation

from core.services.namespaces import persona_default
from memory.extractors.rules import judge
from review.phrases import PHRASES, in_words
from tests import build
from tests.review.scene import propose, remembered, reported, signed_in

ROOMS = (
    "config",
    "core",
    "transcripts",
    "memory",
    "decisions",
    "knowledge",
    "review",
    "integrations",
    "templates",
)


@pytest.fixture(scope="module")
def fresh_catalogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogues as ``makemessages`` would write them now, in a copy of the tree."""
    copy = tmp_path_factory.mktemp("tree")
    for room in (*ROOMS, "locale"):
        if (settings.BASE_DIR / room).is_dir():
            shutil.copytree(
                settings.BASE_DIR / room, copy / room, ignore=shutil.ignore_patterns("__pycache__", "*.mo")
            )
    subprocess.run(
        [
            sys.executable,
            "-m",
            "django",
            "makemessages",
            "--no-location",
            "--no-obsolete",
            "-l",
            "ja",
            "-l",
            "en",
        ],
        cwd=copy,
        env={"PYTHONPATH": str(copy), "PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin"},
        check=True,
        capture_output=True,
    )
    return copy / "locale"


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_sentence_of_the_source_is_translated(fresh_catalogues: Path, language: str) -> None:
    catalogue = fresh_catalogues / language / "LC_MESSAGES" / "django.po"
    counted = subprocess.run(
        ["msgfmt", "--check-format", "--statistics", "-o", "/dev/null", str(catalogue)],
        check=True,
        capture_output=True,
        text=True,
        env={"LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin"},
    ).stderr
    assert re.fullmatch(r"\d+ translated messages\.\n", counted), f"{counted}\n{_open_entries(catalogue)}"


def _open_entries(catalogue: Path) -> str:
    entries = catalogue.read_text(encoding="utf-8").split("\n\n")[1:]
    return "\n".join(each for each in entries if "fuzzy" in each or re.search(r'msgstr(\[0\])? ""\s*$', each))


def test_every_reason_of_the_rules_has_words() -> None:
    assert {phrase for _name, phrase in judge._REASONS} <= set(PHRASES)
    with translation.override("ja"):
        assert all(not re.search(r"[A-Za-z]{3}", in_words(phrase)) for phrase in PHRASES)


# What stays Latin in a Japanese page: names, references, commands and formats.
LATIN = re.compile(
    r"Hikae|English|alice|persona:\w+|workspace:\w+|hik_\w+|laptop|claude-code|aider|Claude Code|JSON|jsonl|HIKAE_KEY"
    r"|rules|pnpm|npm|curl|Authorization|Bearer|Content-Type|application|session|messages|role|user|text|key|http\S+"
    r"|ingest|recall|decide|Asia/Tokyo|Ctrl|Shift|Esc|Enter|PC|ID|md|default|k8s|GHA|api|turns|localhost|testserver|first|sS"
)


@pytest.mark.django_db
def test_no_english_is_left_on_a_japanese_page() -> None:
    alice = build.person("alice")
    home = persona_default(user=alice, now=timezone.now())
    key = build.key(alice)
    build.session(key.key, "s-1", client="claude-code")
    turn = build.turn(key.key, "これからは pnpm を使う。", build.agent("はい。"), session="s-1")
    waiting = propose(home, "pnpm を使う。", turn=turn, quote="pnpm を使う", kind="decision", trust="human")
    memory = remembered(alice, home, "返答は短く。")
    client = signed_in(alice, language="ja")
    pages = [
        *(
            reverse(name)
            for name in (
                "review",
                "history",
                "memories",
                "sessions",
                "insights",
                "settings",
                "memory-new",
                "key-new",
            )
        ),
        reverse("session-import"),
        reverse("candidate", args=[waiting.pk]),
        reverse("candidate-edit", args=[waiting.pk]),
        reverse("memory", args=[memory.pk]),
        reverse("memory-edit", args=[memory.pk]),
        reverse("memory-delete", args=[memory.pk]),
        reverse("session", args=[turn.session_id]),
        reverse("namespace", args=[home.pk]),
        reverse("policy", args=[home.pk]),
        reverse("proposal", args=[reported(key.key, memory, "短すぎる。").pk]),
        reverse("settings-person"),
        reverse("review") + "?kind=event",
        "/settings/memory/nowhere/",
    ]
    for address in pages:
        said = _visible(client.get(address).content.decode())
        assert not re.findall(r"[A-Za-z]{2,}", LATIN.sub("", said)), address
    stranger: User = build.person("bob")
    first_run = _visible(signed_in(stranger, language="ja").get(reverse("review")).content.decode())
    assert "まだ何も届いていません" in first_run


def _visible(page: str) -> str:
    body = re.sub(r"<(script|style|pre|code|title)\b.*?</\1>", " ", page, flags=re.S)
    labels = " ".join(re.findall(r'(?:aria-label|placeholder)="([^"]*)"', body))
    return re.sub(r"<[^>]+>", " ", body) + labels

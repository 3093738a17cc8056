"""Parts of the hook program, called directly: where a folder belongs, what is cut, what an address is."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.simulate import PROGRAM
from transcripts.readers.claude_code import read_claude_code

sys.path.insert(0, str(PROGRAM.parent))

from hikae_hook import clean, net, places, spool, transcript, trouble, where

SUMMARY = "This session is being continued from a previous conversation"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HIKAE_HOME", str(tmp_path / "hikae"))
    for name in ("HIKAE_WORKSPACE", "HIKAE_URL", "HIKAE_KEY", "HIKAE_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def repository(at: Path, remote: str = "", *, branch: str = "main") -> Path:
    (at / ".git").mkdir(parents=True)
    (at / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    lines = ["[core]", "\tbare = false", '[branch "main"]', "\turl = not-a-remote"]
    lines += ['[remote "upstream"]', "\turl = https://example.org/up/stream.git"] if remote == "two" else []
    wanted = "git@example.org:ann/app.git" if remote == "two" else remote
    lines += ['[remote "origin"]', f"\turl = {wanted}"] if remote else []
    (at / ".git" / "config").write_text("\n".join(lines))
    return at


class TestWhere:
    @pytest.mark.parametrize(
        "url",
        [
            "git@github.com:Ann/app.git", "ssh://git@github.com/Ann/app.git", "ssh://git@GitHub.com:22/Ann/app",
            "https://github.com/Ann/app", "https://ann:EXAMPLE@github.com/Ann/app.git/", "git://github.com/Ann/app",
            "HTTPS://github.com//Ann/app.git", "github.com:Ann/app",
        ],
    )  # fmt: skip
    def test_every_spelling_of_a_remote_is_one(self, url: str) -> None:
        assert where.normal_remote(url) == "github.com/Ann/app"

    @pytest.mark.parametrize(
        "url", ["", "/srv/git/app.git", "../app", "file:///srv/app.git", "C:\\code\\app", "C:/code/app", "\n"]
    )
    def test_a_path_on_a_disk_is_no_remote(self, url: str) -> None:
        assert where.normal_remote(url) == ""

    @given(st.text(max_size=80))
    def test_whatever_stands_there_it_is_read(self, url: str) -> None:
        assert "@" not in where.normal_remote(url).partition("/")[0]

    def test_origin_decides_and_its_password_is_nowhere(self, tmp_path: Path) -> None:
        place = where.place_of(str(repository(tmp_path / "x", "two", branch="feature/a")))
        assert place.workspace is not None
        assert (place.workspace["name"], place.branch) == ("app", "feature/a")
        other = where.place_of(str(repository(tmp_path / "y", "https://ann:EXAMPLE@example.org/ann/app")))
        assert other.workspace is not None
        assert other.workspace["fingerprints"][0] == place.workspace["fingerprints"][0]
        assert other.workspace["fingerprints"][1] != place.workspace["fingerprints"][1]

    def test_worktrees_and_folders_below_are_the_repository(self, tmp_path: Path) -> None:
        main = repository(tmp_path / "app")
        tree = main / ".git" / "worktrees" / "fix"
        tree.mkdir(parents=True)
        (tree / "commondir").write_text("../..\n")
        (tree / "HEAD").write_text("ref: refs/heads/fix\n")
        (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
        (tmp_path / "elsewhere" / ".git").write_text(f"gitdir: {tree}\n")
        found = where.place_of(str(tmp_path / "elsewhere" / "deep"))
        assert found.workspace == where.place_of(str(main)).workspace
        assert found.branch == "fix"
        assert found.workspace is not None
        assert found.workspace["name"] == "app"

    def test_without_git_the_folder_is_the_place_and_home_is_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        (tmp_path / "notes").mkdir()
        found = where.place_of(str(tmp_path / "notes")).workspace
        assert found is not None
        assert found["name"] == "notes"
        assert [mark[:2] for mark in found["fingerprints"]] == ["d:"]
        for folder in (str(tmp_path), "/", "", str(tmp_path / "gone")):
            assert where.place_of(folder).workspace is None

    def test_a_name_given_by_hand_wins(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HIKAE_WORKSPACE", "mine")
        assert where.place_of(str(repository(tmp_path / "app", "two"))).workspace == {
            "name": "mine",
            "fingerprints": [],
        }

    @pytest.mark.parametrize("junk", ["gitdir: /nowhere", "", "gitdir:", "\0\0", "x" * 300_000])
    def test_a_broken_repository_is_a_folder(self, tmp_path: Path, junk: str) -> None:
        (tmp_path / "app").mkdir()
        (tmp_path / "app" / ".git").write_text(junk)
        found = where.place_of(str(tmp_path / "app")).workspace
        assert found is not None
        assert found["name"] == "app"


class TestCut:
    @given(JSON)
    def test_any_value_is_cleaned_and_stays_json(self, value: Any) -> None:
        made = json.dumps(clean.cleaned(value), ensure_ascii=False)
        assert json.loads(made) is not ...
        made.encode()

    @given(
        st.dictionaries(
            st.sampled_from(["type", "uuid", "message", "isSidechain", "toolUseResult", "attachment"]), JSON
        )
    )
    def test_any_line_is_slimmed(self, raw: dict[str, Any]) -> None:
        json.dumps(transcript.slimmed(raw))
        json.dumps(
            transcript.slimmed(
                {**raw, "type": "user", "message": {"content": [raw, {"type": "tool_result", **raw}]}}
            )
        )

    @pytest.mark.parametrize(
        "path", sorted((Path(__file__).parent.parent / "data" / "transcripts").glob("claude_code*.jsonl"))
    )
    def test_slimmed_lines_say_to_the_reader_what_whole_ones_say(self, path: Path) -> None:
        """Of every published shape: the same turns, speakers and words, but for the client's summaries."""
        whole = read_claude_code(path.read_bytes(), filename=path.name, speaks_for_person=True)
        kept = []
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                raw = json.loads(line)
            except ValueError:
                kept.append(line)
                continue
            if isinstance(raw, dict) and isinstance(raw.get("uuid"), str):
                kept.append(json.dumps(transcript.slimmed(raw), ensure_ascii=False))
        slim = read_claude_code("\n".join(kept).encode() + b"\n", filename=path.name, speaks_for_person=True)
        said = [
            [
                (s.key, t.key, m.key, m.role, m.origin, m.text)
                for s in read.sessions
                for t in s.turns
                for m in t.messages
                if not m.text.startswith(SUMMARY)
            ]
            for read in (whole, slim)
        ]
        assert said[0] == said[1]
        assert said[0]


class TestAddress:
    @pytest.mark.parametrize(
        ("url", "found"),
        [
            ("http://127.0.0.1:8000/x", ("http", "127.0.0.1", 8000, "/x")),
            ("https://hikae.example", ("https", "hikae.example", 443, "")),
            ("http://[::1]:8000/x/y", ("http", "::1", 8000, "/x/y")),
            ("http://host", ("http", "host", 80, "")),
        ],
    )
    def test_it_is_taken_apart(self, url: str, found: tuple[str, str, int, str]) -> None:
        assert net.parts(url) == found

    @given(st.text(max_size=60))
    def test_or_refused(self, url: str) -> None:
        try:
            scheme, host, port, _path = net.parts(url)
        except net.Failed:
            return
        assert scheme in ("http", "https")
        assert host
        assert port >= 0


class TestTrouble:
    def test_what_went_wrong_is_said_once(self) -> None:
        trouble.note("lost")
        trouble.note("lost")
        trouble.note("no_key")
        said = trouble.news()
        assert len(said) == 2
        assert "cannot be written: 2" in said[0]
        assert trouble.news() == []
        trouble.note("lost")
        assert "cannot be written: 1" in trouble.news()[0]

    def test_and_forgotten_when_it_works_again(self) -> None:
        trouble.note("key")
        trouble.clear("key", "server")
        assert trouble.news() == []


def test_the_spool_keeps_the_order_of_its_names() -> None:
    kept = [spool.append({"hikae": {"id": os.urandom(16).hex(), "n": n}, "event": {}}) for n in range(20)]
    loaded = [spool.load(name) for name in spool.names()]
    assert [each["hikae"]["n"] for each in loaded if each] == list(range(20))
    assert [name for name, _sliced in kept] == spool.names()
    assert spool.load("gone.json") is None
    assert spool.size()[0] == 20


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "state.json"
    places.write_json(str(target), {"a": 1})
    assert places.read_json(str(target)) == {"a": 1}
    with pytest.raises(OSError, match=r"."):
        places.write_whole(str(tmp_path / "no" / "folder"), b"x")
    assert [path.name for path in tmp_path.glob("*.json*")] == ["state.json"]

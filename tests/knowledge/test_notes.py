"""Slugs, mentions and files of notes: pure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.notes import files, slugs
from knowledge.notes.fields import MAX_BODY, Flaw, Note, flaws
from knowledge.notes.mentions import MAX_MENTIONS, mentions

SLUG = st.from_regex(slugs.PATTERN.replace("$", r"\Z"), fullmatch=True).filter(lambda s: not slugs.problem(s))
LINE = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=60)
NOTE = st.builds(
    Note,
    title=LINE,
    slug=SLUG,
    description=LINE,
    body=st.text(
        st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\ufeff\0"), max_size=200
    ).map(lambda text: text.strip("\n")),
    model_invocation=st.booleans(),
    user_invocable=st.booleans(),
    sources=st.lists(st.tuples(st.sampled_from(["memory", "request"]), SLUG), max_size=3).map(tuple),
)


def slugs_in(text: str) -> list[str]:
    return [mention.slug for mention in mentions(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("リリース前に#deploy-checklistを見て", ["deploy-checklist"]),
        ("＃deploy－checklist を見てください", ["deploy-checklist"]),
        ("please follow #deploy-checklist, then #rollback.", ["deploy-checklist", "rollback"]),
        ("**#deploy** and (#rollback)", ["deploy", "rollback"]),
        ("- #one-thing\n1. #two-things", ["one-thing", "two-things"]),
        ("#deploy\n---\nand so on", ["deploy"]),
        ("#deploy #deploy", ["deploy"]),
        ("see #123 and #2024-10", []),
        ("# deploy\n\n## about #deploy", []),
        ("`#deploy` and\n```\n#deploy\n```", []),
        ("https://example.org/#deploy and <https://example.org/a#deploy>", []),
        ("issue#deploy a/#deploy &#deploy; ##deploy #deploy_x #Deploy #deploy.md", []),
        ("", []),
    ],
)
def test_a_slug_is_called_where_prose_may_stand_and_nowhere_else(text: str, found: list[str]) -> None:
    assert slugs_in(text) == found


def test_what_may_be_a_colour_is_marked() -> None:
    assert [(m.slug, m.doubtful) for m in mentions("from #fff to #face and #facade")] == [
        ("fff", True),
        ("face", True),
        ("facade", True),
    ]
    assert not mentions("#facades")[0].doubtful


def test_a_wall_of_mentions_is_cut() -> None:
    assert len(mentions(" ".join(f"#note-{n}" for n in range(200)))) == MAX_MENTIONS


@given(st.text(max_size=300))
def test_any_text_can_be_searched_for_mentions(text: str) -> None:
    assert all(not slugs.problem(slug) for slug in slugs_in(text))


@given(SLUG)
def test_every_slug_can_be_called_in_both_languages(slug: str) -> None:
    assert slugs_in(f"まず#{slug}を読んで") == slugs_in(f"read #{slug} first") == [slug]


@pytest.mark.parametrize(
    ("slug", "code"),
    [
        ("deploy", ""),
        ("a1-b2", ""),
        ("", "characters"),
        ("Deploy", "characters"),
        ("a--b", "characters"),
        ("-a", "characters"),
        ("手順", "characters"),
        ("2024-10", "digits"),
        ("a" * 65, "too_long"),
        ("a" * 64, ""),
    ],
)
def test_a_slug_is_short_lower_case_and_not_a_number(slug: str, code: str) -> None:
    assert slugs.problem(slug) == code


@given(st.text(max_size=300), st.lists(SLUG, max_size=5))
def test_every_title_gets_a_good_free_slug(title: str, taken: list[str]) -> None:
    first = slugs.suggest(title, taken)
    assert not slugs.problem(first)
    assert first not in taken
    assert slugs.suggest(title, [*taken, first]) not in {*taken, first}


def test_slugs_that_people_confuse_are_named_and_versions_are_not() -> None:
    others = ["deploy-checklists", "deploychecklist", "checklist-deploy", "depoly-checklist", "deploy-notes"]
    assert slugs.near("deploy-checklist", others) == sorted(others[:4])
    assert slugs.near("api-v2-notes", ["api-v1-notes", "api-v2-notes"]) == []


def test_everything_that_is_wrong_with_a_note_is_said_at_once() -> None:
    wrong = Note(title=" ", slug="Über", description="one\ntwo", body="x" * (MAX_BODY + 1))
    assert flaws(wrong) == [
        Flaw("title", "empty", 200),
        Flaw("body", "too_long", 8_000),
        Flaw("description", "lines"),
        Flaw("slug", "characters", 64),
    ]
    assert flaws(Note("Deploy", "deploy", "How to deploy; read before a release", "Steps.")) == []


@given(NOTE)
def test_a_note_written_and_read_again_is_the_same_to_the_byte(note: Note) -> None:
    text = files.write(files.NoteFile(note))
    again = files.read(text)
    assert again.problems == []
    assert again.file == files.NoteFile(note)
    assert files.write(again.file) == text


def test_other_spellings_line_ends_and_orders_are_read() -> None:
    text = "\ufeff---\r\nslug: deploy\r\ndescription: How\r\ntitle: 手順\r\nmodel_invokation: true\r\n---\r\nBody\r\n"
    read = files.read(text)
    assert read.file is not None
    assert read.file.note == Note("手順", "deploy", "How", "Body", model_invocation=True)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("no front matter", [("no_front_matter", "")]),
        ("---\ntitle: [\n---\n", [("not_yaml", "")]),
        ("---\n- a\n---\n", [("not_fields", "")]),
        ("---\ntitle: a\ntitle: b\n---\n", [("field_twice", "")]),
        ("---\na: &a [x]\ntitle: *a\n---\n", [("not_yaml", "")]),
        ("---\na: " + "[" * 9_000 + "\n---\n", [("not_yaml", "")]),
        ("---\na: 2024-13-45\n---\n", [("not_yaml", "")]),
        ("---\na: " + "x" * 33_000 + "\n---\n", [("front_too_long", "")]),
        (
            '---\ntitle: "a\\0b"\ndescription: d\n<<: {title: z}\n? [1]\n: 2\n---\n',
            [("unknown_field", "<<"), ("unknown_field", "?"), ("not_storable", "title")],
        ),
        (
            "---\ntitle: {}\ncolour: red\nmodel_invocation: maybe\nstatus: gone\nlast_sources: x\n---\n",
            [
                ("unknown_field", "colour"),
                ("not_text", "title"),
                ("missing", "description"),
                ("not_a_flag", "model_invocation"),
                ("not_sources", "last_sources"),
                ("not_a_status", "status"),
            ],
        ),
        (
            "---\ntitle: a\ndescription: b\nstatus: replaced\n---\n",
            [("replaced_by_whom", "replaced_by")],
        ),
        (
            "---\ntitle: a\ndescription: b\nmodel_invocation: true\nmodel_invokation: true\n---\n",
            [("flag_twice", "model_invocation")],
        ),
    ],
)
def test_a_broken_file_is_reported_whole(text: str, problems: list[tuple[str, str]]) -> None:
    read = files.read(text)
    assert read.file is None
    assert [(each.code, each.field) for each in read.problems] == problems


@given(st.text(st.characters(blacklist_categories=["Cs"]), max_size=300))
def test_any_text_can_be_read_as_a_file(text: str) -> None:
    read = files.read(f"---\n{text}")
    assert (read.file is None) == bool(read.problems)


def test_a_summary_loses_its_front_matter_and_nothing_else() -> None:
    assert files.read_summary("---\nname: x\n---\n\n# 概要\n\n---\nrest\n") == "# 概要\n\n---\nrest"
    assert files.read_summary(files.write_summary("# Summary\n\ntext")) == "# Summary\n\ntext"


@given(st.lists(st.sampled_from(["---\n", "a: b\n", "\n", "\ufeff", "\r", "text", "---"])).map("".join))
def test_a_summary_read_twice_is_the_summary_read_once(text: str) -> None:
    once = files.read_summary(text)
    assert files.read_summary(files.write_summary(once)) == once

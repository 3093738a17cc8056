"""Which pictures ``docs/screenshots.py`` takes, and the sentence that ``docs/pages.md`` says of each. Pure.

A picture is named as the address of its page is named in ``review/urls.py`` or ``integrations/pages.py``; what is
shown beside that (a state of a page) has a name of its own. A test holds that no page is forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass

R = "/settings/memory/"
SETTINGS = f"{R}settings/"
MAIN_LOOKS = ("light", "dark", "phone", "ja")


@dataclass(frozen=True)
class Picture:
    """One page: where it stands, or along which links (CSS selectors, joined by " >> ") one comes to it.

    ``state`` names what ``docs/screenshots.py`` does on the page before it takes the picture; ``looks`` are light,
    dark, phone (360 px) and ja.
    """

    name: str
    says: str
    path: str
    links: str = ""
    state: str = ""
    looks: tuple[str, ...] = ("light",)

    def files(self) -> list[tuple[str, str]]:
        """(look, file name) of each picture; the light one carries the bare name."""
        return [(look, self.name if look == "light" else f"{self.name}-{look}") for look in self.looks]


_ROW = f"{R}?flag=conflicts"
_ROWS = f"{R}?source=turn"
_CANDIDATE = "#queue > .row:has(.pick)"
_POINT = "main a[href^='/settings/memory/choices/0']"
_NOTE = "main a[href^='/settings/memory/knowledge/0']:not([href*='/in/'])"
_MEMORY = "main .list a.text"
_NAMESPACE = "main a[href*='/namespaces/']"

SECTIONS: dict[str, tuple[Picture, ...]] = {
    "Review": (
        Picture(
            "review",
            "The queue: what agents' conversations propose, the row in hand with its source beside it.",
            f"{R}?source=remember",
            state="source",
            looks=MAIN_LOOKS,
        ),
        Picture(
            "review-proposals",
            "What the night shift proposes and agents report stands on top of the same queue, with the same keys.",
            R,
        ),
        Picture(
            "review-similar",
            "What a candidate resembles, with the reasons; it may be merged, or replace the memory it disagrees with.",
            _ROW,
            state="similar",
        ),
        Picture("review-many", "Several rows decided by one press, with one undo.", _ROWS, state="many"),
        Picture(
            "review-edit",
            "Editing in the row; what changes is marked by sign and colour.",
            _ROWS,
            state="edit",
        ),
        Picture(
            "review-rejected",
            "After rejecting: a reason may be given, and Undo stays.",
            _ROWS,
            state="rejected",
        ),
        Picture(
            "review-keys",
            "Every key, on demand; each can be changed, or all switched off.",
            _ROWS,
            state="keys",
        ),
        Picture(
            "review-nothing", "A filter that finds nothing says so and offers the way back.", f"{R}?q=zebra"
        ),
        Picture(
            "candidate",
            "A candidate on a page of its own: the address to share, and the way without scripts.",
            _ROW,
            f"{_CANDIDATE} [data-act=source]",
        ),
        Picture("candidate-edit", "Its editor without scripts.", R, f"{_CANDIDATE} [data-act=edit]"),
        Picture(
            "proposal",
            "A proposal of the night shift or a report of an agent, with what would change.",
            R,
            "#queue > .proposal [data-act=source]",
        ),
        Picture("memory-new", "A memory typed by hand.", f"{R}new/"),
        Picture(
            "history", "What was decided, by whom or by which policy, each with its undo.", f"{R}history/"
        ),
    ),
    "Memories": (
        Picture("memories", "What agents may recall, by namespace.", f"{R}memories/", looks=MAIN_LOOKS),
        Picture(
            "memories-search",
            "Search as agents search: what they would get, and why each hit was found.",
            f"{R}memories/search/?q=product+images",
        ),
        Picture(
            "memory", "One memory with its evidence, its history and its acts.", f"{R}memories/", _MEMORY
        ),
        Picture("memory-edit", "Editing a memory.", f"{R}memories/", f"{_MEMORY} >> a[href*='/edit/']"),
        Picture(
            "memory-delete",
            "Deleting for good says first what it erases.",
            f"{R}memories/",
            f"{_MEMORY} >> a[href*='/delete/']",
        ),
    ),
    "Choices": (
        Picture(
            "choices",
            "What you keep choosing when an agent asks, by question.",
            f"{R}choices/",
            looks=MAIN_LOOKS,
        ),
        Picture(
            "point",
            "One question: what you chose, when, and what would be recommended.",
            f"{R}choices/",
            _POINT,
        ),
        Picture(
            "choices-settled",
            "Questions that were not asked again, with the way back.",
            f"{R}choices/settled/",
        ),
        Picture(
            "choices-backtest",
            "How recommendations would have done on your past choices.",
            f"{R}choices/backtest/",
        ),
        Picture("choices-reset", "Forgetting what was learned.", f"{R}choices/reset/"),
        Picture("choices-quarantine", "Dialogs that could not be read.", f"{R}choices/quarantine/"),
    ),
    "Knowledge": (
        Picture("knowledge", "Notes and the summary of each namespace.", f"{R}knowledge/", looks=MAIN_LOOKS),
        Picture("note", "A note, as people read it.", f"{R}knowledge/", _NOTE),
        Picture("note-edit", "Editing a note.", f"{R}knowledge/", f"{_NOTE} >> a[href*='/edit/']"),
        Picture("note-new", "A new note.", f"{R}knowledge/", "main a[href$='/new/']"),
        Picture(
            "note-resident",
            "Whether sessions start with a note, and what that costs.",
            f"{R}knowledge/",
            f"{_NOTE} >> a[href*='/resident/']",
        ),
        Picture(
            "note-delete", "Deleting a note for good.", f"{R}knowledge/", f"{_NOTE} >> a[href*='/delete/']"
        ),
        Picture(
            "summary",
            "The summary that every session starts with.",
            f"{R}knowledge/",
            "main a[href*='/summary/']",
        ),
        Picture(
            "note-usage",
            "Which notes are used, and what they cost.",
            f"{R}knowledge/",
            "main a[href$='/usage/']",
        ),
        Picture("note-files", "Notes as files, out and in.", f"{R}knowledge/", "main a[href$='/files/']"),
    ),
    "Insights": (
        Picture(
            "insights", "What 90 days came to, and whether work flows.", f"{R}insights/", looks=MAIN_LOOKS
        ),
    ),
    "Sessions": (
        Picture("sessions", "Conversations that agents sent.", f"{R}sessions/", looks=MAIN_LOOKS),
        Picture(
            "session",
            "One conversation: who said what, what was redacted, what was served.",
            f"{R}sessions/",
            "main .list a, main table a",
        ),
        Picture("session-import", "Uploading a transcript.", f"{R}sessions/import/"),
    ),
    "Settings": (
        Picture("settings", "Personas, workspaces and agent keys.", SETTINGS, looks=MAIN_LOOKS),
        Picture("settings-person", "Language, look, keyboard and reminders.", f"{SETTINGS}you/"),
        Picture("key-new", "A new agent key and what it may do.", f"{SETTINGS}keys/new/"),
        Picture("namespace", "A namespace: members, name, merging, drafts.", SETTINGS, _NAMESPACE),
        Picture(
            "namespace-split",
            "Splitting a workspace by the places its sessions ran in.",
            SETTINGS,
            f"{_NAMESPACE}:has-text('workspace') >> a[href*='/split/']",
        ),
        Picture(
            "policy",
            "Auto-approve: off by default, tried on the last 30 days before it is switched on.",
            SETTINGS,
            f"{_NAMESPACE} >> a[href*='/auto-approve/']",
        ),
        Picture("prompts", "The prompts for language models.", f"{SETTINGS}prompts/"),
        Picture(
            "prompt",
            "One prompt: the bundled text beside yours, and a trial run.",
            f"{SETTINGS}prompts/",
            "main a[href*='/prompts/']:not([href$='settings/prompts/'])",
        ),
        Picture("nights", "The night shift, by namespace.", f"{SETTINGS}nights/"),
        Picture(
            "night",
            "One night: what it looked at and proposed, with one undo.",
            f"{SETTINGS}nights/",
            "section[aria-labelledby='found'] .list a",
        ),
        Picture("data", "Your data: export, archive, erase.", f"{SETTINGS}data/"),
        Picture(
            "data-bring", "Bringing memories from another store or an archive.", f"{SETTINGS}data/bring/"
        ),
        Picture("claude-code", "Plugging in Claude Code.", f"{SETTINGS}claude-code/"),
        Picture("account-delete", "Deleting the account.", f"{SETTINGS}account/delete/"),
    ),
    "The way in, and what is not there": (
        Picture("sign-in", "Signing in with a password.", "/sign-in/", state="stranger"),
        Picture(
            "sign-in-link",
            "A link from the terminal signs in once, by a press.",
            "/sign-in-link/EXAMPLE/",
            state="stranger",
        ),
        Picture("not-found", "An address that leads nowhere.", f"{R}nothing-stands-here/"),
        Picture("api-docs", "The REST interface, to try in the browser.", "/api/v1/docs/"),
        Picture("admin", "The admin, for whoever repairs data.", "/admin/memory/candidate/"),
    ),
}

PICTURES = tuple(picture for section in SECTIONS.values() for picture in section)


def contents() -> str:
    """``docs/pages.md``, written from this list so that it cannot fall behind it."""
    lines = [
        "# Every page in pictures",
        "",
        "Taken by `docs/screenshots.py` from the invented history of `bin/up --demo`. Pages that people use most are",
        "shown in light, dark, at 360 pixels and in Japanese as well.",
    ]
    for heading, pictures in SECTIONS.items():
        lines += ["", f"## {heading}"]
        for picture in pictures:
            lines += ["", f"**{picture.says}**", ""]
            lines += [f"![{picture.name}, {look}](images/{file}.webp)" for look, file in picture.files()]
    return "\n".join(lines) + "\n"

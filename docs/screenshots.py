"""Pictures of the running demo for the README and this folder: ``docs/images/*.png``.

    bin/up --demo --port 8765 --data ./shots       (in another terminal)
    .venv/bin/python docs/screenshots.py --data ./shots --url http://127.0.0.1:8765
    .venv/bin/python docs/screenshots.py --data ./shots --every ./looks

``--every`` takes each page in light, dark, on a phone and in Japanese, whole pages into a folder of their own: what to
look through after a change of the stylesheet. They are too many to keep in the repository.

Needs Chromium (``--chromium``) and Playwright, the latter from requirements-dev.txt. Pictures are of the invented
history alone; run it against a fresh data folder, so that no real memory ends up in the repository.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
MAX_BYTES = 250_000  # a repository keeps every picture for ever


def _nothing(_page: Page) -> None:
    return None


def _source(page: Page) -> None:
    """The third row with its source open: the first two show what a row looks like at rest."""
    rows = page.locator("#queue > .row [data-act=source]")
    rows.nth(min(2, rows.count() - 1)).click()
    page.locator("#panel .in").wait_for()
    page.evaluate("scrollTo(0, 0)")


def _picked(page: Page) -> None:
    boxes = page.locator("#queue .pick input")
    for place in range(min(3, boxes.count())):
        boxes.nth(place).check()


def _similar(page: Page) -> None:
    page.locator("#queue > .row:has(.pick)").nth(1).click()  # proposals have no duplicates to choose
    page.keyboard.press("m")
    page.locator("#panel .similar").wait_for()


@dataclass(frozen=True)
class Shot:
    name: str
    path: str = "/settings/memory/"
    before: Callable[[Page], None] = _nothing
    language: str = "en"
    dark: bool = False
    width: int = 1280
    height: int = 800


SHOTS = (
    Shot("review", before=_source),
    Shot("review-dark", before=_source, dark=True),
    Shot("review-ja", before=_source, language="ja"),
    Shot("review-phone", width=360, height=740),
    Shot("review-many", before=_picked),
    Shot("review-similar", before=_similar),
    Shot("memories", "/settings/memory/memories/"),
    Shot("history", "/settings/memory/history/"),
    Shot("sessions", "/settings/memory/sessions/"),
    Shot("settings", "/settings/memory/settings/"),
    Shot("settings-you-ja", "/settings/memory/settings/you/", language="ja"),
)


R = "/settings/memory/"
SETTINGS = f"{R}settings/"
# Each page of the product: where it stands, or on which page a link (a CSS selector) leads to it.
PAGES: dict[str, tuple[str, str]] = {
    "review": (R, ""),
    "review-nothing": (f"{R}?q=zebra", ""),
    "candidate": (R, "#queue > .row:has(.pick) [data-act=source]"),
    "candidate-edit": (R, "#queue > .row:has(.pick) [data-act=edit]"),
    "proposal": (R, "#queue > .proposal [data-act=source]"),
    "new": (f"{R}new/", ""),
    "history": (f"{R}history/", ""),
    "memories": (f"{R}memories/", ""),
    "memories-nothing": (f"{R}memories/?q=zebra", ""),
    "search": (f"{R}memories/search/?q=product+images", ""),
    "memory": (f"{R}memories/", "main .list a.text"),
    "memory-edit": (f"{R}memories/", "main .list a.text >> a[href*='/edit/']"),
    "memory-delete": (f"{R}memories/", "main .list a.text >> a[href*='/delete/']"),
    "choices": (f"{R}choices/", ""),
    "choice": (f"{R}choices/", "main a[href^='/settings/memory/choices/0']"),
    "choices-settled": (f"{R}choices/settled/", ""),
    "choices-backtest": (f"{R}choices/backtest/", ""),
    "choices-reset": (f"{R}choices/reset/", ""),
    "choices-quarantine": (f"{R}choices/quarantine/", ""),
    "knowledge": (f"{R}knowledge/", ""),
    "note": (f"{R}knowledge/", "main a[href^='/settings/memory/knowledge/0']"),
    "note-new": (f"{R}knowledge/", "main a[href$='/new/']"),
    "summary": (f"{R}knowledge/", "main a[href*='/summary/']"),
    "sessions": (f"{R}sessions/", ""),
    "session": (f"{R}sessions/", "main .list a, main table a"),
    "import": (f"{R}sessions/import/", ""),
    "settings": (SETTINGS, ""),
    "you": (f"{SETTINGS}you/", ""),
    "key-new": (f"{SETTINGS}keys/new/", ""),
    "namespace": (SETTINGS, "main a[href*='/namespaces/']"),
    "policy": (SETTINGS, "main a[href*='/namespaces/'] >> a[href*='/auto-approve/']"),
    "split": (SETTINGS, "main a[href*='/namespaces/']:has-text('workspace') >> a[href*='/split/']"),
    "prompts": (f"{SETTINGS}prompts/", ""),
    "prompt": (f"{SETTINGS}prompts/", "main a[href*='/prompts/']:not([href$='settings/prompts/'])"),
    "data": (f"{SETTINGS}data/", ""),
    "account-delete": (f"{SETTINGS}account/delete/", ""),
    "not-found": (f"{R}nothing-stands-here/", ""),
}
LOOKS = {
    "light": Shot(""),
    "dark": Shot("", dark=True),
    "phone": Shot("", width=360, height=740),
    "ja": Shot("", language="ja"),
    "ja-phone": Shot("", language="ja", width=360, height=740),
}


def sign_in_link(data: Path, user: str) -> str:
    """A fresh one-time path, as the terminal would print it."""
    command = [sys.executable, str(ROOT / "manage.py"), "sign_in_link", "--user", user]
    environment = {**os.environ, "HIKAE_DATA": str(data.resolve())}
    said = subprocess.run(  # noqa: S603, our own command
        command, env=environment, check=True, capture_output=True, text=True
    ).stdout
    found = re.search(r"/sign-in-link/\S+", said)
    if found is None:
        raise SystemExit(f"sign_in_link said: {said}")
    return found.group()


def _context(browser: Browser, shot: Shot, state: str) -> BrowserContext:
    return browser.new_context(
        storage_state=state,
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
        locale={"en": "en-GB", "ja": "ja-JP"}[shot.language],
        timezone_id="Asia/Tokyo",
        reduced_motion="reduce",
        has_touch=shot.width < 500,
    )


def follow(page: Page, url: str, path: str, links: str) -> bool:
    """Open ``path`` and go along the links; False when the demo has nothing there."""
    page.goto(url + path)
    for link in filter(None, links.split(" >> ")):
        found = page.locator(link)
        if not found.count():
            return False
        page.goto(url + str(found.first.get_attribute("href")))
    return True


def take_every(browser: Browser, folder: Path, names: Sequence[str], *, url: str, state: str) -> None:
    """Whole pages in every look; a page that the demo cannot show is named."""
    folder.mkdir(parents=True, exist_ok=True)
    for look, shot in LOOKS.items():
        context = _context(browser, shot, state)
        page = context.new_page()
        page.goto(url + R)  # tells the server the browser's time zone
        for name, (path, links) in PAGES.items():
            if names and name not in names:
                continue
            if follow(page, url, path, links):
                page.screenshot(path=folder / f"{name}-{look}.png", full_page=True)
            else:
                sys.stdout.write(f"{name}: the demo has none\n")
        context.close()


def take(browser: Browser, shot: Shot, *, url: str, state: str) -> None:
    context = _context(browser, shot, state)
    page = context.new_page()
    page.goto(url + shot.path)
    page.reload()  # the second answer knows the browser's time zone
    shot.before(page)
    page.wait_for_load_state("networkidle")
    file = IMAGES / f"{shot.name}.png"
    page.screenshot(path=file)
    context.close()
    if file.stat().st_size > MAX_BYTES:
        raise SystemExit(f"{file.name} has {file.stat().st_size} bytes; at most {MAX_BYTES}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the data folder of the running demo")
    parser.add_argument("--url", default="http://127.0.0.1:8765")
    parser.add_argument("--user", default="owner")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--every", type=Path, help="a folder for every page in every look")
    parser.add_argument("names", nargs="*", help="only these pictures")
    asked = parser.parse_args()
    IMAGES.mkdir(exist_ok=True)
    state = str(asked.data / "screenshots.json")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=asked.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.goto(asked.url + sign_in_link(asked.data, asked.user))
        page.locator("main form button").first.click()
        page.wait_for_url("**/settings/memory/**")
        page.context.storage_state(path=state)
        try:
            if asked.every:
                take_every(browser, asked.every, asked.names, url=asked.url, state=state)
            for shot in () if asked.every else SHOTS:
                if not asked.names or shot.name in asked.names:
                    take(browser, shot, url=asked.url, state=state)
                    sys.stdout.write(f"{shot.name}\n")
        finally:
            Path(state).unlink()  # a session must not lie around
            browser.close()


if __name__ == "__main__":
    main()

"""Pictures of every page of the running demo: ``docs/images/*.webp``, and ``docs/pages.md`` that shows them.

    bin/up --demo --port 8765 --data ./shots       (in another terminal)
    .venv/bin/python -m docs.screenshots --data ./shots --url http://127.0.0.1:8765
    .venv/bin/python -m docs.screenshots --data ./shots --every ./looks

``--every`` takes each page in light, dark, on a phone and in Japanese, whole pages into a folder of their own: what to
look through after a change of the stylesheet. They are too many to keep in the repository.

Needs Chromium (``--chromium``) and Playwright, the latter from requirements-dev.txt. Pictures are of the invented
history alone; run it against a fresh data folder, so that no real memory ends up in the repository.
"""

from __future__ import annotations

import argparse
import base64
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, sync_playwright

from docs.pictures import PICTURES, SETTINGS, Picture, R, contents

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
MAX_BYTES = 120_000  # a repository keeps every picture for ever
MAX_HEIGHT = 1_100  # of a long page its beginning is enough
QUALITY = 60  # WebP; letters stay sharp
NIGHT_SECONDS = 240


@dataclass(frozen=True)
class Shot:
    """How the browser is set up for one look."""

    name: str
    language: str = "en"
    dark: bool = False
    width: int = 1280
    height: int = 800


LOOKS = {
    "light": Shot("light"),
    "dark": Shot("dark", dark=True),
    "phone": Shot("phone", width=360, height=740),
    "ja": Shot("ja", language="ja"),
    "ja-phone": Shot("ja-phone", language="ja", width=360, height=740),
}


PAGES = {each.name: (each.path, each.links) for each in PICTURES if each.state in ("", "stranger")}


# --- what is done on a page before its picture -----------------------------------------------------


def _source(page: Page) -> None:
    """The first candidate in hand, on top, with the words it rests on; what stands above it scrolls away."""
    row = page.locator("#queue > .row:has(.kind.heavy)").first
    if page.viewport_size and page.viewport_size["width"] < 500:
        row.locator(".text").click()
    else:
        row.locator("[data-act=source]").click()
        page.locator("#panel .in").wait_for()


def _take(page: Page) -> None:
    """The first candidate in hand; by its kind, because in the middle of a row may stand a link."""
    page.locator("#queue > .row:has(.pick) .kind").first.click()


def _similar(page: Page) -> None:
    _take(page)
    page.keyboard.press("m")
    page.locator("#panel .similar").wait_for()


def _many(page: Page) -> None:
    boxes = page.locator("#queue .pick input")
    for place in range(min(3, boxes.count())):
        boxes.nth(place).check()


def _edit(page: Page) -> None:
    _take(page)
    page.keyboard.press("e")
    page.locator("[data-editor]").press_sequentially(" (agreed)")
    page.locator(".changes ins").wait_for()


def _rejected(page: Page) -> None:
    _take(page)
    page.keyboard.press("r")
    page.locator("#toast .why").wait_for()


def _keys(page: Page) -> None:
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()


STATES: dict[str, Callable[[Page], None]] = {
    "source": _source,
    "similar": _similar,
    "many": _many,
    "edit": _edit,
    "rejected": _rejected,
    "keys": _keys,
}


def _nights(page: Page, url: str) -> None:
    """Let the night shift look at each namespace once, so that its pages have something to tell."""
    address = f"{url}{SETTINGS}nights/"
    page.goto(address)
    if page.locator("a[href*='/nights/0']").count():
        return  # it looked already
    for place in range(page.locator("form[action*='/night/'] button").count()):
        page.locator("form[action*='/night/'] button").nth(place).click()
        page.wait_for_load_state()
        page.goto(address)
    for _second in range(NIGHT_SECONDS):
        if not page.locator("main .chip:is(.accent, .warn)").count():  # none runs, none waits for a worker
            return
        page.wait_for_timeout(1_000)
        page.reload()
    raise SystemExit("The night shift did not end; is the worker running?")


# --- taking them ------------------------------------------------------------------------------------


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


def _context(browser: Browser, shot: Shot, state: str | None) -> BrowserContext:
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


def write(page: Page, file: Path, *, whole: bool) -> int:
    """The page as WebP, half as large as PNG; ``whole`` goes down to MAX_HEIGHT. Returns its bytes."""
    size = page.viewport_size or {"width": 1280, "height": 800}
    if whole:
        full = int(page.evaluate("document.documentElement.scrollHeight"))
        page.set_viewport_size({**size, "height": max(size["height"], min(full, MAX_HEIGHT))})
    page.wait_for_load_state("networkidle")
    taken = page.context.new_cdp_session(page).send(
        "Page.captureScreenshot", {"format": "webp", "quality": QUALITY}
    )
    page.set_viewport_size(size)
    file.write_bytes(base64.b64decode(taken["data"]))
    return file.stat().st_size


def take(browser: Browser, look: str, pictures: Sequence[Picture], *, url: str, state: str) -> list[str]:
    """Every picture of one look; returns what could not be taken, and why."""
    missing = []
    for stranger in (False, True):
        chosen = [each for each in pictures if look in each.looks and (each.state == "stranger") is stranger]
        context = _context(browser, LOOKS[look], None if stranger else state)
        page = context.new_page()
        page.goto(url + R)  # tells the server the browser's time zone
        for picture in chosen:
            if not follow(page, url, picture.path, picture.links):
                missing.append(f"{picture.name}: the demo has none")
                continue
            try:
                if (prepare := STATES.get(picture.state)) is not None:
                    prepare(page)
            except TimeoutError as error:
                missing.append(f"{picture.name}, {look}: {error}")
                continue
            file = IMAGES / f"{dict(picture.files())[look]}.webp"
            if (size := write(page, file, whole=not picture.state)) > MAX_BYTES:
                missing.append(f"{file.name} has {size} bytes; at most {MAX_BYTES}")
            if picture.state == "rejected":  # the demo stays as it was for the next picture
                page.keyboard.press("u")
                page.locator("#toast .why").wait_for(state="detached")
            sys.stdout.write(f"{picture.name}, {look}\n")
        context.close()
    return missing


def take_every(browser: Browser, folder: Path, names: Sequence[str], *, url: str, state: str) -> None:
    """Whole pages in every look; a page that the demo cannot show is named."""
    folder.mkdir(parents=True, exist_ok=True)
    for look, shot in LOOKS.items():
        context = _context(browser, shot, state)
        page = context.new_page()
        page.goto(url + R)
        for name, (path, links) in PAGES.items():
            if names and name not in names:
                continue
            if follow(page, url, path, links):
                page.screenshot(path=folder / f"{name}-{look}.png", full_page=True)
            else:
                sys.stdout.write(f"{name}: the demo has none\n")
        context.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the data folder of the running demo")
    parser.add_argument("--url", default="http://127.0.0.1:8765")
    parser.add_argument("--user", default="owner")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--every", type=Path, help="a folder for every page in every look")
    parser.add_argument("--looks", default="light,dark,phone,ja", help="only these, with commas between")
    parser.add_argument("names", nargs="*", help="only these pictures")
    asked = parser.parse_args()
    IMAGES.mkdir(exist_ok=True)
    state = str(asked.data / f"screenshots-{os.getpid()}.json")
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
                return
            _nights(page, asked.url)
            chosen = [each for each in PICTURES if not asked.names or each.name in asked.names]
            missing: list[str] = []
            for look in asked.looks.split(","):
                missing += take(browser, look, chosen, url=asked.url, state=state)
            (IMAGES.parent / "pages.md").write_text(contents(), encoding="utf-8")
            sys.stdout.write("".join(f"{each}\n" for each in missing))
        finally:
            Path(state).unlink()  # a session must not lie around
            browser.close()


if __name__ == "__main__":
    main()

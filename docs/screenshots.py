"""Pictures of the running demo for the README and this folder: ``docs/images/*.png``.

    bin/up --demo --port 8765 --data ./shots       (in another terminal)
    .venv/bin/python docs/screenshots.py --data ./shots --url http://127.0.0.1:8765

Needs Chromium (``--chromium``) and Playwright, the latter from requirements-dev.txt. Pictures are of the invented
history alone; run it against a fresh data folder, so that no real memory ends up in the repository.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

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
    page.locator("#queue > .row").nth(1).click()
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


def take(browser: Browser, shot: Shot, *, url: str, state: str) -> None:
    context = browser.new_context(
        storage_state=state,
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
        locale={"en": "en-GB", "ja": "ja-JP"}[shot.language],
        timezone_id="Asia/Tokyo",
        reduced_motion="reduce",
        has_touch=shot.width < 500,
    )
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
            for shot in SHOTS:
                if not asked.names or shot.name in asked.names:
                    take(browser, shot, url=asked.url, state=state)
                    sys.stdout.write(f"{shot.name}\n")
        finally:
            Path(state).unlink()  # a session must not lie around
            browser.close()


if __name__ == "__main__":
    main()

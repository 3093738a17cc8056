"""What every page must be: readable in both schemes, no wider than the screen, and without nameless figures."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# On a phone a table's heading is gone: a figure in a card has its own word.
UNNAMED = r"""innerWidth > 500 ? [] : [...document.querySelectorAll("table.cards td")]
  .filter(cell => cell.checkVisibility() && /^[\d.,%–\s]*\d[\d.,%–\s]*$/.test(cell.innerText))
  .map(cell => cell.innerText)"""
# The words of a filter's choice, against the room that it has for them.
CUT = """[...document.querySelectorAll(".filters select")].filter(each => each.checkVisibility()).filter(each => {
  const style = getComputedStyle(each), probe = document.body.appendChild(document.createElement("span"));
  probe.textContent = each.selectedOptions[0].textContent;
  Object.assign(probe.style, {font: style.font, position: "absolute", whiteSpace: "nowrap"});
  const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const needed = probe.getBoundingClientRect().width;
  probe.remove();
  return needed > room + 1;
}).map(each => each.selectedOptions[0].textContent)"""


def readable(page: Page, what: str) -> None:
    """Both schemes on one load: they differ in colours alone."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page).response["violations"]
        told = [f"{each['id']}: {[node['target'] for node in each['nodes']][:4]}" for each in found]
        assert not told, f"{what}, {scheme}: {told}"


def fitting(page: Page, what: str) -> None:
    """Nothing runs out of the screen, no choice is cut, and every figure has a name."""
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{what} scrolls sideways by {wide}px"
    assert page.evaluate(UNNAMED) == [], f"{what} shows figures without a word"
    assert page.evaluate(CUT) == [], f"{what} cuts a choice"


def look(page: Page, what: str) -> None:
    readable(page, what)
    fitting(page, what)

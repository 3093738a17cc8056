"""A reviewer who has nothing but keys: looks at the row in hand, thinks, presses, and looks where focus went.

Shared by ``benchmarks/review_keys.py`` and the browser tests, so that both press the same way.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Page

# The browser's own clock: from the key going down to another row of the queue holding focus, painted; and to the
# answer that says it is stored.
_WATCH = """() => {
  window.hikaeTook = [];
  window.hikaeStored = [];
  let pressed = null;
  const keys = new Map();
  addEventListener("keydown", () => {
    pressed = {at: performance.now(), row: document.activeElement?.id};
    keys.set(pressed.row, pressed.at);
  }, true);
  addEventListener("hikae:done", (event) => {
    hikaeStored.push(performance.now() - keys.get(`c-${event.detail.id}`));
  });
  addEventListener("focusin", (event) => {
    if (!pressed || !event.target.matches?.("#queue > .row") || event.target.id === pressed.row) return;
    const from = pressed.at;
    pressed = null;
    requestAnimationFrame(() => hikaeTook.push(performance.now() - from));
  }, true);
}"""
_IN_HAND = "document.querySelector('#queue > .row[aria-current]')?.id ?? ''"
_ARMED = "document.querySelector('#queue > .row[aria-current] [name=sure]') !== null"
_ANSWERED = "() => document.querySelector('#queue > .row.leaving') === null"
# Another row is in hand, or none is left and the page says so.
_MOVED_ON = """before => {
  const now = document.querySelector('#queue > .row[aria-current]');
  return now ? now.id !== before && document.activeElement === now : document.querySelector('#queue-empty') !== null;
}"""

APPROVE, REJECT, LATER = "a", "r", "s"
OUTCOMES = {APPROVE: "approved", REJECT: "rejected", LATER: "pending"}


@dataclass
class Reviewer:
    """``thinking`` is seconds before each press. ``decided`` maps a candidate's id to the key that met it."""

    page: Page
    thinking: float = 0.0
    decided: dict[str, str] = field(default_factory=dict)
    presses: int = 0

    def begin(self) -> None:
        """Take the first row in hand and start the clock; the page must show the queue."""
        self.page.evaluate(_WATCH)
        if not self.page.evaluate("document.activeElement.matches('#queue > .row')"):
            self.press("k")

    def press(self, key: str) -> None:
        time.sleep(self.thinking)
        self.page.keyboard.press(key)
        self.presses += 1

    def decide(self, key: str) -> str:
        """Press ``key`` on the row in hand, twice when the page asks for it; returns the row's id, "" without one."""
        row = str(self.page.evaluate(_IN_HAND))
        if not row:
            return ""
        self.press(key)
        done = self.page.wait_for_function(
            f"before => ({_MOVED_ON})(before) ? 'moved' : ({_ARMED}) ? 'armed' : null", arg=row
        ).json_value()
        if done == "armed":
            self.press(key)
            self.page.wait_for_function(_MOVED_ON, arg=row)
        self.decided[row.removeprefix("c-")] = key
        return row

    def clear(self, keys: Sequence[str], *, most: int) -> None:
        """Decide up to ``most`` rows, going round through ``keys``; the page fetches the next rows by itself.

        Returns when the server has answered each of them.
        """
        for number in range(most):
            if not self.decide(keys[number % len(keys)]):
                break
        self.page.wait_for_function(_ANSWERED)

    def took(self) -> list[float]:
        """Milliseconds from each press to the next row in focus."""
        return [float(each) for each in self.page.evaluate("hikaeTook")]

    def stored(self) -> list[float]:
        """Milliseconds from each press to the answer that it is stored; meanwhile the reviewer reads on."""
        return [float(each) for each in self.page.evaluate("hikaeStored")]


def p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else max(values, default=0.0)


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)

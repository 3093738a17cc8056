// Keys and focus of the review page. Every act works without this file: it only presses the page's own buttons.
"use strict";
(() => {
  const $ = (selector, from = document) => from.querySelector(selector);
  const wide = matchMedia("(min-width: 64.01rem)");

  // --- the row in hand -----------------------------------------------------------------------
  // Rows that were acted on and wait for the answer ("leaving") are seen, and out of reach.
  const rows = () => [...document.querySelectorAll("#queue > .row:not(.leaving)")];
  const current = () => $("#queue > .row[aria-current]:not(.leaving)");
  const panel = () => $("#panel");
  const panelIsOpen = () => panel() && panel().firstElementChild !== null;

  function take(row, { focus = true, scroll = true } = {}) {
    if (!row) return;
    document.querySelectorAll("#queue > .row").forEach((other) => {
      other.removeAttribute("aria-current");
      other.tabIndex = -1;
    });
    row.setAttribute("aria-current", "true");
    row.tabIndex = 0;
    if (focus) row.focus({ preventScroll: true });
    if (scroll) row.scrollIntoView({ block: "nearest" });
  }

  function move(step) {
    const all = rows();
    const at = all.indexOf(current());
    take(all[Math.max(0, Math.min(all.length - 1, at + step))]);
    held = 0;
    follow();
  }

  // An open panel follows the row in hand, once the reader rests on it.
  let following = 0;
  function follow() {
    clearTimeout(following);
    if (!panelIsOpen() || !wide.matches) return;
    following = setTimeout(() => {
      if (!current() || !panelIsOpen() || same()) return;
      press(current(), $(".in", panel())?.dataset.tab === "similar" ? "merge" : "source");
    }, 150);
  }

  function closePanel() {
    if (!panelIsOpen()) return false;
    panel().replaceChildren();
    take(current() || rows()[0], { scroll: false });
    return true;
  }

  const press = (row, act) => row && $(`[data-act="${act}"]`, row)?.click();

  // --- acting before the answer ----------------------------------------------------------------
  // The next row is in hand at once, and the reader reads on. Acts are sent one after the other (hx-sync), so that the
  // server keeps them in the order of the keys; what speaks of the latest act waits until that one was answered.
  const BREATH = 150; // ms: a second act so soon after one without an answer is the same press twice
  const sent = new Map(); // id of a row → when its act was pressed, and whether the reader was led on
  const waiting = []; // what to do when every act was answered
  let pressed = 0; // when the latest act was
  let moved = 0; // when the reader last did anything
  let held = 0; // no act before this moment: focus has just come back to a row that was not in hand
  const later = (doIt) => (sent.size ? waiting.push(doIt) : doIt());
  for (const kind of ["keydown", "pointerdown"]) {
    document.addEventListener(kind, () => { moved = performance.now(); }, true);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-act=approve], [data-act=reject], [data-act=set_aside]");
    const row = button && document.getElementById(`c-${button.closest("[data-for]")?.dataset.for ?? button.closest(".row")?.dataset.id}`);
    if (!row?.matches("#queue > .row")) return;
    const now = performance.now();
    const again = sent.has(row.id) || (sent.size && now - pressed < BREATH) || now < held;
    if (again || button.closest("#panel")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      // The panel may show another row before a queued act is sent: the row's own button stays.
      if (!again) press(row, button.dataset.act);
      return;
    }
    const left = !asksAgain(row, button);
    sent.set(row.id, { at: now, left });
    pressed = now;
    $("#toast .toast")?.setAttribute("inert", ""); // its Undo and reasons speak of the act before
    if (left) leave(row);
  }, true);

  // A decision or postmortem whose source was not opened: the answer may be the question "sure?".
  const asksAgain = (row, button) =>
    button.dataset.act === "approve" && $(".kind.heavy", row) && !$("[name=seen]", row)?.value && !$("[name=sure]", row);

  function leave(row) {
    let neighbour = row.nextElementSibling;
    while (neighbour?.matches(".leaving")) neighbour = neighbour.nextElementSibling;
    row.classList.add("leaving");
    row.inert = true;
    const rest = rows();
    take(neighbour || rest[rest.length - 1]);
    if (wide.matches) follow();
  }

  // Not done after all: the row is back, and in hand again unless the reader has gone on meanwhile.
  function comeBack(row, { at, left }) {
    row.classList.remove("leaving");
    row.inert = false;
    if (moved > at && current()) return;
    take(row);
    if (left) held = performance.now() + 2 * BREATH;
  }

  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const asked = detail.requestConfig.elt; // may have left the page with its row
    const row = asked.closest("[data-act]") && asked.closest(".row");
    const act = row && sent.get(row.id);
    if (!act) return;
    sent.delete(row.id);
    if (detail.failed && $("#lost")) $("#toast").replaceChildren($("#lost").content.cloneNode(true));
    if (row.isConnected) comeBack(row, act);
    if (sent.size) return;
    $("#toast [inert]")?.removeAttribute("inert");
    waiting.splice(0).forEach((doIt) => doIt());
    if ($("#queue") && !rows().length) reload();
  });

  // --- many at once ----------------------------------------------------------------------------
  const bar = () => $("#bulk");
  const picks = () => [...document.querySelectorAll("#queue > .row .pick input")];
  const everything = () => $("#everything input[type=checkbox]");
  const picking = () => Boolean(everything()?.checked) || picks().some((box) => box.checked);
  let lastPick = null;

  function count() {
    if (!bar()) return;
    const chosen = picks().filter((box) => box.checked).length;
    $(".count", bar()).textContent = chosen;
    bar().classList.toggle("on", picking());
    bar().classList.toggle("all", Boolean(everything()?.checked));
  }

  function pick(box, on, range) {
    const all = picks();
    const [from, to] = [all.indexOf(lastPick), all.indexOf(box)].sort((x, y) => x - y);
    if (range && from >= 0) all.slice(from, to + 1).forEach((each) => { each.checked = on; });
    box.checked = on;
    lastPick = box;
    // "All matching" is a promise about every row: taking one out ends it.
    if (!on && everything()?.checked) everything().click();
    count();
  }

  function unpick() {
    if (!picking()) return false;
    picks().forEach((box) => { box.checked = false; });
    if (everything()?.checked) everything().click();
    count();
    return true;
  }

  // One key for one row, or for the selection when there is one.
  const act = (verb) => (picking() ? later(() => $(`[data-bulk=${verb}]`, bar())?.click()) : press(current(), verb));

  // --- keys ------------------------------------------------------------------------------------
  // Not while typing, not with a modifier, not while an input method composes (keyCode 229: older Safari).
  const composing = (event) => event.isComposing || event.keyCode === 229;
  const typing = (target) => target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
  const keyMap = JSON.parse(document.body.dataset.keys || "{}"); // empty: the person switched single keys off
  const same = () => panelIsOpen() && $(".acts", panel())?.dataset.for === current()?.dataset.id;

  const acts = {
    next: () => move(1), previous: () => move(-1),
    approve: () => act("approve"), reject: () => act("reject"), set_aside: () => act("set_aside"),
    edit: () => press(current(), "edit"), merge: () => press(current(), "merge"),
    open: () => (same() && $(".in", panel())?.dataset.tab === "source" ? closePanel() : press(current(), "source")),
    undo: () => later(() => ($("#toast [data-key=undo]") || $("[data-key=undo]"))?.click()),
    select: () => {
      const box = current() && $(".pick input", current());
      if (box) pick(box, !box.checked, false);
    },
    help: () => $("#keys")?.showModal(),
  };
  const fixed = { ArrowDown: acts.next, ArrowUp: acts.previous, Escape: () => closePanel() || unpick() };

  function doFor(event) {
    if (Object.hasOwn(fixed, event.key)) return fixed[event.key];
    if (event.key === "Enter" && event.target.matches(".row")) return acts.open;
    if (!Object.keys(keyMap).length) return null;
    if (/^[1-5]$/.test(event.key)) return () => later(() => $(`#toast [data-key="${event.key}"]`)?.click());
    const name = Object.hasOwn(keyMap, event.key) ? keyMap[event.key] : keyMap[event.key.toLowerCase()];
    return Object.hasOwn(acts, name ?? "") ? acts[name] : null;
  }

  document.addEventListener("keydown", (event) => {
    if (composing(event) || $("dialog[open]")) return;
    const form = event.target.closest?.("[data-edit]");
    if (form) return editorKey(event, form);
    // Escape in the panel's own search closes the panel; while words stand there, the browser clears them first.
    const leaving = event.key === "Escape" && event.target.closest?.("#panel") && !event.target.value;
    if ((typing(event.target) && !leaving) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!$("#work[data-live]")) return;
    const doIt = doFor(event);
    if (!doIt || (event.repeat && doIt !== acts.next && doIt !== acts.previous)) return; // a key held down moves, no more
    doIt();
    event.preventDefault();
  });

  function changed(form) {
    return [...form.elements].some((field) =>
      field.options ? [...field.options].some((option) => option.selected !== option.defaultSelected)
        : field.type !== "hidden" && field.defaultValue !== undefined && field.value !== field.defaultValue);
  }

  function editorKey(event, form) {
    const strong = event.ctrlKey || event.metaKey;
    if (strong && event.key === "Enter") $("[data-save-approve]", form).click();
    else if (strong && event.key.toLowerCase() === "s") $("[data-save]", form).click();
    else if (event.key === "Escape" && !changed(form)) $("[data-cancel]", form).click();
    else if (event.key === "Escape") form.classList.add("unsaved");
    else return;
    event.preventDefault();
  }

  // --- what the server answered -------------------------------------------------------------------
  let choosing = false; // "same as…" was pressed: the target is chosen in the panel
  let next = null; // the row to take when the one in hand is gone
  document.addEventListener("htmx:beforeSwap", (event) => {
    const row = event.detail.target;
    if (row?.matches?.(".row")) next = row.nextElementSibling?.id || row.previousElementSibling?.id || "";
  });

  // Settling follows swapping at once (defaultSettleDelay 0): a fast second key must find the new row ready.
  document.addEventListener("htmx:afterSettle", (event) => {
    const swapped = event.detail.elt;
    if (swapped?.matches?.("#queue > .row")) {
      if (sent.has(swapped.id)) comeBack(swapped, sent.get(swapped.id));
      else take(swapped);
      const editor = $("[data-editor]", swapped);
      if (editor) {
        editor.focus();
        editor.setSelectionRange(editor.value.length, editor.value.length);
      }
    } else if (swapped?.id === "panel") {
      if (choosing) ($("[data-merge]", swapped) || $("[name=find]", swapped))?.focus();
      else if (!wide.matches) $("[data-close=panel]", swapped)?.focus();
      choosing = false;
    } else if (swapped?.id === "everything") {
      if (everything()?.checked) picks().forEach((box) => { box.checked = true; });
      count();
    }
  });

  document.addEventListener("hikae:bulk", () => {
    if (panelIsOpen()) panel().replaceChildren();
    reload(current()?.id);
  });

  document.addEventListener("hikae:done", () => {
    const open = panelIsOpen();
    if (!rows().length) return sent.size || reload();
    if (open && !wide.matches) panel().replaceChildren();
    count();
    if (!current()) take(rows().find((row) => row.id === next) || rows()[0]);
    else if (document.activeElement === document.body) take(current(), { scroll: false });
    if (open) follow();
  });

  document.addEventListener("hikae:undone", (event) => {
    if ($("#work[data-live]")) reload(`c-${event.detail.ids?.[0]}`);
    else location.reload();
  });

  // The list as the server orders it now; the toast stays as it is. Acts rest meanwhile: their rows would be replaced.
  async function reload(focusOn = "") {
    if (sent.size) return waiting.push(() => reload(focusOn));
    held = Infinity;
    try {
      await window.htmx.ajax("GET", location.href, { source: "#work", target: "#main", select: "#main > *", selectOOB: "#nav-count", swap: "innerHTML" });
    } finally {
      held = 0;
    }
    count();
    take(document.getElementById(focusOn) || rows()[0]);
    if (!rows().length) $("#main").focus();
  }

  // --- the mouse -----------------------------------------------------------------------------
  document.addEventListener("click", (event) => {
    if (event.target.matches(".pick input")) pick(event.target, event.target.checked, event.shiftKey);
    if (event.target.closest("[data-act=merge]")) choosing = event.isTrusted || current() === event.target.closest(".row");
    if (event.target.closest("[data-unpick]")) {
      unpick();
      (current() || rows()[0])?.focus();
    }
    if (event.target.closest("[data-reload]")) {
      event.preventDefault();
      if (new URLSearchParams(location.search).has("after")) location.href = event.target.closest("[data-reload]").href;
      else reload(current()?.id);
    }
    const row = event.target.closest("#queue > .row:not(.leaving)");
    if (row && row !== current()) take(row, { focus: !event.target.closest("a, button, input, textarea, select"), scroll: false });
    if (event.target.closest("[data-close=panel]")) closePanel();
  });

  // Opened from a link to a row, or back after signing in again: the same row is in hand.
  const named = location.hash.startsWith("#c-") && document.getElementById(location.hash.slice(1));
  take(named || rows()[0], { focus: Boolean(named), scroll: Boolean(named) });
  count();
})();

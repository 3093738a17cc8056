// Keys and focus of the review page. Every act works without this file: it only presses the page's own buttons.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const $ = (selector, from = document) => from.querySelector(selector);
  const wide = matchMedia("(min-width: 64.01rem)");

  // Dates are shown in the reader's zone: the server learns it from this cookie.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.includes(`hikae_tz=${zone}`)) {
    document.cookie = `hikae_tz=${zone}; path=/; max-age=31536000; samesite=lax`;
  }

  // --- the row in hand -----------------------------------------------------------------------
  const rows = () => [...document.querySelectorAll("#queue > .row")];
  const current = () => $("#queue > .row[aria-current]");
  const panel = () => $("#panel");
  const panelIsOpen = () => panel() && panel().firstElementChild !== null;

  function take(row, { focus = true, scroll = true } = {}) {
    if (!row) return;
    rows().forEach((other) => {
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
  const act = (verb) => (picking() ? $(`[data-bulk=${verb}]`, bar())?.click() : press(current(), verb));

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
    undo: () => ($("#toast [data-key=undo]") || $("[data-key=undo]"))?.click(),
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
    if (/^[1-5]$/.test(event.key)) return $(`#toast [data-key="${event.key}"]`) && (() => $(`#toast [data-key="${event.key}"]`).click());
    const name = Object.hasOwn(keyMap, event.key) ? keyMap[event.key] : keyMap[event.key.toLowerCase()];
    return Object.hasOwn(acts, name ?? "") ? acts[name] : null;
  }

  document.addEventListener("keydown", (event) => {
    if (composing(event) || $("dialog[open]")) return;
    const form = event.target.closest?.("[data-edit]");
    if (form) return editorKey(event, form);
    if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!$("#work[data-live]")) return;
    const doIt = doFor(event);
    if (!doIt) return;
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
      take(swapped, { focus: true });
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
    const at = current()?.id;
    if (panelIsOpen()) panel().replaceChildren();
    reload(at);
  });

  document.addEventListener("hikae:done", () => {
    const open = panelIsOpen();
    if (!rows().length) return reload();
    if (open && !wide.matches) panel().replaceChildren();
    count();
    take((next && document.getElementById(next)) || rows()[0]);
    if (open) follow();
  });

  document.addEventListener("hikae:undone", (event) => {
    if ($("#work[data-live]")) reload(`c-${event.detail.ids?.[0]}`);
    else location.reload();
  });

  // The list as the server orders it now; the toast stays as it is.
  async function reload(focusOn = "") {
    await window.htmx.ajax("GET", location.href, { source: "#work", target: "#main", select: "#main > *", swap: "innerHTML" });
    count();
    take(document.getElementById(focusOn) || rows()[0]);
    if (!rows().length) $("#main").focus();
  }

  // --- small comforts -----------------------------------------------------------------------------
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
    const row = event.target.closest("#queue > .row");
    if (row && row !== current()) take(row, { focus: !event.target.closest("a, button, input, textarea, select"), scroll: false });
    const button = event.target.closest("[data-close], [data-open], [data-copy]");
    if (!button) return;
    if (button.dataset.open) $(`#${button.dataset.open}`).showModal();
    if (button.dataset.close === "panel") closePanel();
    if (button.dataset.close === "toast") {
      $("#toast").replaceChildren();
      (current() || $("#main")).focus();
    }
    if (button.dataset.copy) copy(button, document.getElementById(button.dataset.copy));
  });

  async function copy(button, source) {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.classList.add("copied");
    } catch {
      getSelection().selectAllChildren(source); // no permission: select it, so that one key copies
    }
  }

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit-on-change] select")) event.target.form.requestSubmit();
  });

  // On a narrow screen the pages and tabs scroll sideways: where we are must be among what is seen.
  document.querySelectorAll(".side nav, .tabs").forEach((bar) => {
    const here = $("[aria-current]", bar);
    if (here) bar.scrollLeft += here.getBoundingClientRect().left - bar.getBoundingClientRect().left - (bar.clientWidth - here.clientWidth) / 2;
  });

  // Opened from a link to a row, or back after signing in again: the same row is in hand.
  const named = location.hash.startsWith("#c-") && document.getElementById(location.hash.slice(1));
  take(named || rows()[0], { focus: Boolean(named), scroll: Boolean(named) });
  count();
})();

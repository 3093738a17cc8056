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
      const row = current();
      if (row && panelIsOpen() && $(".acts", panel())?.dataset.for !== row.dataset.id) press(row, "source");
    }, 150);
  }

  function closePanel() {
    if (!panelIsOpen()) return false;
    panel().replaceChildren();
    take(current() || rows()[0], { scroll: false });
    return true;
  }

  const press = (row, act) => row && $(`[data-act="${act}"]`, row)?.click();

  // --- keys ------------------------------------------------------------------------------------
  // Not while typing, not with a modifier, not while an input method composes (keyCode 229: older Safari).
  const composing = (event) => event.isComposing || event.keyCode === 229;
  const typing = (target) => target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");

  const keys = {
    j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
    a: () => press(current(), "approve"), r: () => press(current(), "reject"), e: () => press(current(), "edit"),
    o: () => (panelIsOpen() && $(".acts", panel())?.dataset.for === current()?.dataset.id ? closePanel() : press(current(), "source")),
    u: () => ($("#toast [data-key=u]") || $("[data-key=u]"))?.click(),
    "?": () => $("#keys")?.showModal(),
    Escape: () => closePanel(),
  };

  document.addEventListener("keydown", (event) => {
    if (composing(event) || $("dialog[open]")) return;
    const form = event.target.closest?.("[data-edit]");
    if (form) return editorKey(event, form);
    if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!$("#work[data-live]")) return;
    if (event.key === "Enter" && event.target.matches(".row")) keys.o();
    else if (Object.hasOwn(keys, event.key)) keys[event.key]();
    else return;
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
    } else if (swapped?.id === "panel" && !wide.matches) $("[data-close=panel]", swapped)?.focus();
  });

  document.addEventListener("hikae:done", () => {
    const open = panelIsOpen();
    if (!rows().length) return reload();
    if (open && !wide.matches) panel().replaceChildren();
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
    take(document.getElementById(focusOn) || rows()[0]);
    if (!rows().length) $("#main").focus();
  }

  // --- small comforts -----------------------------------------------------------------------------
  document.addEventListener("click", (event) => {
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

  take(rows()[0], { focus: false, scroll: false });
})();

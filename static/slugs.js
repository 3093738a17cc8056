// Names of notes while somebody types "#". Without this file a text area is one like any other: the name is typed.
"use strict";
(() => {
  const { url, home, found: foundSaid, none: noneSaid } = document.currentScript.dataset;
  // The last word, if it begins with "#" and nothing stands before it that would make it part of something longer.
  // Full-width ＃ is what Japanese keyboards give; titles are searched too, so that #デプロイ finds its note.
  const TYPED = /(^|[^A-Za-z0-9_/&#＃.-])([#＃])([^\s#＃]{0,40})$/u;
  const PAUSE = 120; // ms after the last key
  const SHAPE = [
    "boxSizing", "width", "fontFamily", "fontSize", "fontWeight", "fontStyle", "letterSpacing", "lineHeight", "tabSize",
    "paddingTop", "paddingRight", "paddingBottom", "paddingLeft", "borderTopWidth", "borderRightWidth",
    "borderBottomWidth", "borderLeftWidth", "borderTopStyle", "borderRightStyle", "borderBottomStyle", "borderLeftStyle",
  ];

  function make(tag, attributes, text = "") {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
  }

  // Where the caret stands, in pixels from the top left of the text area: measured on a copy of the text before it.
  function caret(area, end) {
    const copy = make("div", { "aria-hidden": "true", class: "caret-copy" });
    const style = getComputedStyle(area);
    for (const name of SHAPE) copy.style[name] = style[name];
    copy.textContent = area.value.slice(0, end);
    const mark = make("span", {}, "#");
    copy.append(mark);
    area.after(copy);
    const place = { left: mark.offsetLeft, top: mark.offsetTop - area.scrollTop, line: mark.offsetHeight };
    copy.remove();
    return place;
  }

  function attach(area, number) {
    const list = make("ul", { role: "listbox", id: `slugs-${number}`, class: "slugs", "aria-label": "#", hidden: "" });
    const told = make("span", { role: "status", class: "aside" });
    area.parentElement.classList.add("completing");
    area.after(list, told);
    area.setAttribute("aria-autocomplete", "list");
    area.setAttribute("autocomplete", "off");
    let at = -1; // the option in hand
    let timer = 0;
    let asking = null;
    const options = () => [...list.children];

    function close() {
      clearTimeout(timer);
      asking?.abort();
      list.hidden = true;
      list.replaceChildren();
      at = -1;
      area.removeAttribute("aria-activedescendant");
      area.removeAttribute("aria-controls");
    }

    function take(index) {
      const all = options();
      at = (index + all.length) % all.length;
      all.forEach((option, i) => option.setAttribute("aria-selected", String(i === at)));
      all[at].scrollIntoView({ block: "nearest" });
      area.setAttribute("aria-activedescendant", all[at].id);
    }

    function typed() {
      if (area.selectionStart !== area.selectionEnd) return null;
      const match = TYPED.exec(area.value.slice(0, area.selectionStart));
      if (!match) return null;
      const start = area.selectionStart - match[3].length - 1;
      const startsLine = start === 0 || area.value[start - 1] === "\n";
      return match[3] || !startsLine ? { start, text: match[3] } : null; // "#" at the head of a line begins a heading
    }

    function insert(slug) {
      const word = typed();
      if (!word) return close();
      const next = area.value[area.selectionStart] || "";
      area.setRangeText(`#${slug}${/[A-Za-z0-9_/-]/.test(next) ? " " : ""}`, word.start, area.selectionStart, "end");
      close();
      area.focus();
      return undefined;
    }

    function show(notes, word) {
      const was = list.hidden;
      list.replaceChildren(...notes.map((note, i) => {
        const option = make("li", { role: "option", id: `slugs-${number}-${i}`, "aria-selected": "false", "data-slug": note.slug });
        option.append(make("code", {}, `#${note.slug}`), make("span", { dir: "auto" }, note.title), make("small", {}, note.namespace));
        return option;
      }));
      list.hidden = false;
      const place = caret(area, word.start);
      const room = area.parentElement.clientWidth - list.offsetWidth;
      list.style.left = `${Math.max(0, Math.min(area.offsetLeft + place.left, room))}px`;
      list.style.top = `${area.offsetTop + Math.min(place.top + place.line, area.offsetHeight) + 2}px`;
      area.setAttribute("aria-controls", list.id);
      take(0);
      if (was) told.textContent = foundSaid.replace("{n}", notes.length);
    }

    async function ask(word) {
      asking?.abort();
      asking = new AbortController();
      try {
        const query = new URLSearchParams({ q: word.text, in: home || "" });
        const answer = await fetch(`${url}?${query}`, { signal: asking.signal, headers: { Accept: "application/json" } });
        const notes = answer.ok && !answer.redirected ? (await answer.json()).notes : [];
        const now = typed();
        if (!now || now.text !== word.text) return;
        if (notes.length) return show(notes, now);
        if (!list.hidden) told.textContent = noneSaid;
        close();
      } catch { /* typed on, or the server is away: then the name is typed by hand */ }
    }

    function look() {
      clearTimeout(timer);
      const word = typed();
      if (!word) return close();
      timer = setTimeout(ask, PAUSE, word);
      return undefined;
    }

    area.addEventListener("input", (event) => { if (!event.isComposing) look(); });
    area.addEventListener("compositionend", look);
    area.addEventListener("click", () => { if (!typed()) close(); });
    area.addEventListener("blur", close);
    area.addEventListener("keydown", (event) => {
      if (list.hidden || event.isComposing || event.keyCode === 229) return;
      if (event.key === "ArrowDown") take(at + 1);
      else if (event.key === "ArrowUp") take(at - 1);
      else if ((event.key === "Enter" || event.key === "Tab") && !event.ctrlKey && !event.metaKey && !event.shiftKey) insert(options()[at].dataset.slug);
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    list.addEventListener("pointerdown", (event) => event.preventDefault()); // the text area keeps the focus
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[data-slug]");
      if (option) insert(option.dataset.slug);
    });
  }

  document.querySelectorAll("textarea[data-slugs]").forEach(attach);
})();

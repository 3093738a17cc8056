// Small comforts of every page. All of them work without this file, with a press more.
"use strict";
(() => {
  document.documentElement.classList.add("js");

  // Dates are shown in the reader's zone: the server learns it from this cookie.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.includes(`hikae_tz=${zone}`)) {
    document.cookie = `hikae_tz=${zone}; path=/; max-age=31536000; samesite=lax`;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-close=toast], [data-open], [data-copy]");
    if (!button) return;
    if (button.dataset.open) document.getElementById(button.dataset.open).showModal();
    if (button.dataset.copy) copy(button, document.getElementById(button.dataset.copy));
    if (button.dataset.close) {
      document.getElementById("toast").replaceChildren();
      (document.querySelector("#queue > .row[aria-current]") || document.getElementById("main")).focus();
    }
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
    const here = bar.querySelector("[aria-current]");
    if (here) bar.scrollLeft += here.getBoundingClientRect().left - bar.getBoundingClientRect().left - (bar.clientWidth - here.clientWidth) / 2;
  });
})();

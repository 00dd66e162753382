// Recall: turning leaves by keys and by swiping, printing, and parts that are loaded when asked for.
"use strict";
(() => {
  const SWIPE_PX = 60;
  const loads = document.querySelectorAll("[data-load]");
  const asked = { groups: "", skip: "0" };

  async function load(place) {
    const query = new URLSearchParams({ lang: document.documentElement.lang, skip: asked.skip });
    if (asked.groups) query.set("group", asked.groups);
    place.ariaBusy = "true";
    try {
      const answer = await fetch(`${place.dataset.load}?${query}`);
      if (answer.ok) place.innerHTML = await answer.text(); // rendered and escaped by our own server
    } catch { /* the live part of the page says that the server is lost */ }
    place.ariaBusy = "false";
  }
  const refresh = () => loads.forEach(load);

  function turn(button) {
    if (button.matches("[data-refresh]")) refresh();
    else if (button.dataset.groups !== undefined) {
      Object.assign(asked, { groups: button.dataset.groups, skip: "0" });
      load(button.closest("[data-load]"));
    } else if (button.dataset.skip !== undefined) {
      asked.skip = button.dataset.skip;
      load(button.closest("[data-load]"));
    } else if (button.matches("[data-print]")) window.print();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) turn(button);
  });
  const free = (event) => !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey
    && !document.querySelector("dialog[open]") && !event.target.closest("input, textarea, select");
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.defaultPrevented || !free(event)) return;
    const place = document.querySelector(`[data-arrow="${CSS.escape(event.key.length === 1 ? event.key.toLowerCase() : event.key)}"]`);
    if (!place) return;
    event.preventDefault();
    place.click();
  });

  let start = null;
  document.addEventListener("touchstart", (event) => { start = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!start || !document.body.classList.contains("recall")) return;
    const end = event.changedTouches[0];
    const [right, down] = [end.clientX - start.clientX, end.clientY - start.clientY];
    start = null;
    if (Math.abs(right) < SWIPE_PX || Math.abs(right) < 2 * Math.abs(down)) return;
    document.querySelector(`a[data-arrow="${right > 0 ? "ArrowLeft" : "ArrowRight"}"]`)?.click();
  }, { passive: true });

  document.addEventListener("answered", refresh); // an act was taken: what was loaded is old
  refresh();
  document.body.dataset.turns = "yes"; // keys are listened to
})();

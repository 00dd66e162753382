// How long ago each shoe's last byte came: the server says when by its own clock, and the page counts on from there.
"use strict";
(() => {
  const TICK_MS = 250;
  const MINUTE_S = 60;
  const HOUR_S = 3600;
  const { all, body } = window.tirage;
  const told = { at: {}, ahead: NaN }; // how far the server's clock is ahead of this page's own, in ms

  function words(place, seconds) {
    const [name, s, min, h] = [
      seconds < MINUTE_S ? "s" : seconds < HOUR_S ? "min" : "h", seconds % MINUTE_S, Math.floor(seconds / MINUTE_S) % MINUTE_S, Math.floor(seconds / HOUR_S),
    ];
    return place.dataset[name].replace("{s}", s).replace("{min}", min).replace("{h}", h);
  }

  function count() {
    const now = performance.now() + told.ahead;
    for (const place of all("time[data-heard]")) {
      const at = told.at[place.dataset.heard];
      const stale = body.classList.contains("stale"); // bytes may come that this page does not hear of
      place.textContent = stale ? "" : at === undefined ? place.dataset.never : words(place, Math.max(0, Math.floor((now - at) / 1000)));
    }
  }

  document.addEventListener("heard", (event) => {
    Object.assign(told, { at: event.detail.at, ahead: event.detail.now - performance.now() });
    count();
  });
  document.addEventListener("shown", count);
  setInterval(count, TICK_MS);
})();

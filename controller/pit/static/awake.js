// The screen of a table or a board stays on while its page is seen; browsers allow it on https and on this machine.
"use strict";
(() => {
  let lock = null;
  async function hold() {
    if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock?.request("screen");
    } catch { /* a battery that is low, or a policy of the machine: the page works all the same */ }
    document.body.dataset.awake = lock ? "yes" : "no";
  }
  document.addEventListener("visibilitychange", hold);
  hold();
})();

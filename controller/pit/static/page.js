// The page's own script: live parts, staleness, keys, one-second holds. No clock of this host is trusted, only performance.now().
"use strict";
(() => {
  const STALE_MS = 1300; // two beats of the server and the time for a third did not come
  const CHECK_MS = 100;
  const LATE_MS = 400; // a check that comes so late tells that this page stood still, not that the server did
  const REOPEN_MS = 1000;
  const HOLD_MS = 1000;
  const ANSWER_MS = 8000;
  const TRIES = 3;
  const body = document.body;
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // ---- live parts ---------------------------------------------------------------------------------------------------
  const live = { source: null, heard: -Infinity, opened: -Infinity, boot: "", seq: -1, checked: -Infinity, spared: false };

  function setStale(stale) {
    if (body.classList.contains("stale") === stale) return;
    body.classList.toggle("stale", stale);
    if (!stale) return;
    release();
    for (const dialog of all("dialog[open]")) dialog.close(); // open questions would lie above the banner, over a hand that may be gone
    if (live.seq >= 0) shown([]);
  }

  const shown = (parts) => document.dispatchEvent(new CustomEvent("shown", { detail: parts }));

  function put(name, html) {
    const place = one(`[data-part="${name}"]`);
    if (!place) return;
    const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
    if (holding.button && place.contains(holding.button)) release();
    place.innerHTML = html; // rendered and escaped by our own server; the policy of this page lets no other script run
    withhold(place);
    if (focused) document.getElementById(focused)?.focus();
  }

  function hear(event) {
    const message = JSON.parse(event.data);
    if (message.build !== body.dataset.build) {
      location.reload(); // a page of an older program must not go on
      return;
    }
    const known = message.boot === live.boot;
    const next = event.type === "snapshot" || (known && message.seq >= live.seq);
    if (!next || (event.type === "beat" && message.seq !== live.seq)) {
      reopen(); // something is missing: a snapshot will have it
      return;
    }
    live.boot = message.boot;
    live.seq = message.seq;
    live.heard = performance.now();
    for (const [name, html] of Object.entries(message.parts)) put(name, html);
    setStale(false);
    document.dispatchEvent(new CustomEvent("heard", { detail: message.heard }));
    if (event.type !== "beat") shown(Object.keys(message.parts));
  }

  function reopen() {
    live.source?.close();
    live.opened = performance.now();
    live.source = new EventSource(body.dataset.events);
    for (const name of ["snapshot", "parts", "beat"]) live.source.addEventListener(name, hear);
    live.source.onerror = () => setStale(true);
  }

  function check() {
    const now = performance.now();
    live.spared = !live.spared && now - live.checked > LATE_MS; // once: what came meanwhile waits to be heard
    live.checked = now;
    if (live.spared || now - live.heard <= STALE_MS) return;
    setStale(true);
    // The browser gives up for good after an error answer, and waits for ever on a dead network.
    const waiting = live.source.readyState === EventSource.CLOSED ? REOPEN_MS : 3 * REOPEN_MS;
    if (now - live.opened > waiting) reopen();
  }

  // ---- staff number -------------------------------------------------------------------------------------------------
  // With accounts the page says who signed in; without, people type their number.
  const person = one("#person");
  const staff = () => person?.dataset.number ?? sessionStorage.getItem("staff") ?? "";
  const signIn = () => location.assign(`/signin?next=${encodeURIComponent(location.pathname)}`);

  function showStaff() {
    const place = one("#staff b");
    if (place) place.textContent = staff() || place.dataset.none;
  }

  function ask(name, done) {
    const dialog = one(`#ask-${name}`);
    const form = one("form", dialog);
    const field = one("input, textarea", form);
    field.value = "";
    form.onsubmit = () => done(field.value.trim());
    dialog.showModal();
    field.focus();
  }

  function withStaff(then) {
    if (staff()) then();
    else if (person) signIn();
    else ask("staff", (number) => { sessionStorage.setItem("staff", number); showStaff(); then(); });
  }

  // Parts are the same for everybody; what this person may not give or open is taken off the page here, and refused there.
  const gives = body.dataset.gives?.split(" ");
  const opens = body.dataset.mayOpen?.split(" ");
  const PAGE_ACTS = { earlier: "correct", unsettled: "accept", bank: "show_bank" }; // keys of the page that lead to acts
  function withhold(place) {
    if (!gives) return;
    for (const button of all("[data-act], [data-page]", place)) {
      const act = button.dataset.act ?? PAGE_ACTS[button.dataset.page];
      button.hidden = Boolean(act) && !gives.includes(act);
    }
    for (const link of all("[data-opens]", place)) link.hidden = !opens.includes(link.dataset.opens);
  }

  // ---- commands -----------------------------------------------------------------------------------------------------
  function uuid() {
    // crypto.randomUUID is only there on https and on this machine itself
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  }

  let answerTimer = 0;
  function answer(sentence) {
    const place = one("#answer");
    clearTimeout(answerTimer);
    place.textContent = sentence;
    place.hidden = !sentence;
    answerTimer = setTimeout(() => { place.hidden = true; }, ANSWER_MS);
  }

  async function post(path, content) {
    const language = document.documentElement.lang; // the answer is shown on this page
    const headers = { "Content-Type": "application/json", "X-Tirage-Command": "1", "Accept-Language": language };
    const token = sessionStorage.getItem("token");
    if (token) headers.Authorization = `Bearer ${token}`;
    if (person?.dataset.csrf) headers["X-Tirage-Csrf"] = person.dataset.csrf;
    const text = JSON.stringify(content);
    for (let tries = 0; tries < TRIES; tries += 1) {
      try { // the id makes it safe to say it again
        const response = await fetch(path, { method: "POST", headers, body: text });
        return { status: response.status, ...(await response.json()) };
      } catch { /* no answer came: try again */ }
    }
    return { status: 0, accepted: false, sentence: body.dataset.lost };
  }

  async function send(of, hand, act) {
    const path = `/table/${encodeURIComponent(of)}/commands`;
    const content = { id: uuid(), staff: staff(), hand, act };
    const result = await post(path, content);
    answer(result.sentence);
    if (result.accepted) document.dispatchEvent(new Event("answered")); // what a page has loaded aside is old now
    if (person && result.status === 401) signIn();
    if (person || result.status !== 403) return;
    ask("token", async (token) => {
      sessionStorage.setItem("token", token);
      const again = await post(path, content);
      if (again.status === 403) sessionStorage.removeItem("token");
      answer(again.sentence);
    });
  }

  // ---- the acts: what is asked before each one is sent -----------------------------------------------------------------
  // What the person saw when the question opened goes with the answer: the table refuses it if that has changed.
  const seen = (button) => ({
    of: button.dataset.of || body.dataset.table,
    hand: button.dataset.hand ?? "",
    holds: JSON.parse(button.dataset.holds || "[]"),
    spots: JSON.parse(button.dataset.spots || "[]"),
  });

  const acts = {
    turned: (at) => send(at.of, at.hand, { kind: "turned" }),
    takes: (at, button) => send(at.of, at.hand, { kind: "takes", seat: button.dataset.seat, place: Number(button.dataset.at) }),
    opened_next: (at, button) => send(at.of, at.hand, { kind: "opened_next", place: Number(button.dataset.at) }),
    close_bets: (at) => send(at.of, "", { kind: "close_bets" }),
    begin_maintenance: (at) => send(at.of, "", { kind: "begin_maintenance" }),
    end_maintenance: (at) => send(at.of, "", { kind: "end_maintenance" }),
    rest_of_hand: (at) => send(at.of, at.hand, { kind: "rest_of_hand" }),
    new_hand: (at) => send(at.of, at.hand, { kind: "new_hand" }),
    void: (at) => send(at.of, at.hand, { kind: "void" }),
    close_table: (at) => send(at.of, "", { kind: "close_table" }),
    new_shoe: (at) => {
      const dialog = one("#ask-new_shoe");
      const serial = one("[name=serial]", dialog);
      serial.value = "";
      unreasoned(dialog);
      choose("new_shoe", () => send(at.of, "", { kind: "new_shoe", serial: serial.value.trim(), ...because(dialog) }));
      one("#ask-new_shoe [data-confirm]").focus();
    },
    mark_hand: (at) => choose("mark_hand", (value) => send(at.of, at.hand, { kind: "mark_hand", sort: value })),
    on_duty: (at) => {
      const number = one("#ask-on_duty input");
      number.value = "";
      choose("on_duty", (value) => send(at.of, "", { kind: "on_duty", post: value, staff: number.value.trim() }));
    },
    open_table: (at) => ask("open_table", (limits) => send(at.of, "", { kind: "open_table", day: "", limits })),
    accept: (at) => send(at.of, at.hand, { kind: "accept", holds: at.holds }),
    correct: (at) => {
      const dialog = one("#ask-correct");
      let result = ""; // of several sides it is put together first, then confirmed
      unreasoned(dialog);
      choose("correct", (value) => send(at.of, at.hand, { kind: "correct", result: value, ...because(dialog) }));
      const done = dialog.chosen;
      if (afresh(dialog)) dialog.chosen = (value) => { if (value) result = value; else done(result); };
    },
    close_shoe: (at) => {
      const stub = one("#ask-close_shoe input");
      stub.value = "";
      choose("close_shoe", () => send(at.of, at.hand, { kind: "close_shoe", stub: stub.value ? Number(stub.value) : null }));
    },
    key_card: (at) => keyCard(at),
    review: (at, button) => send(at.of, "", { kind: "review", incident: button.dataset.incident }),
    acknowledge: (at, button) => {
      one("#ask-acknowledge .what").textContent = button.dataset.what;
      const incident = button.dataset.incident;
      ask("acknowledge", (note) => send(at.of, "", { kind: "acknowledge", incident, note }));
    },
  };

  // Why something is set right: a field of free words, empty as its question opens.
  const reason = (dialog) => one("[name=reason]", dialog);
  const unreasoned = (dialog) => { reason(dialog).value = ""; };
  const because = (dialog) => (reason(dialog).value.trim() ? { reason: reason(dialog).value.trim() } : {});

  function choose(name, done) {
    const dialog = one(`#ask-${name}`);
    dialog.chosen = (value) => { dialog.close(); done(value); };
    dialog.showModal();
  }

  // A result of several sides is put together: who won each of them, in turn. Its keys are those of the side that is due.
  const sidesOf = (dialog) => all(".side-calls", dialog).map((group) => all("button", group));
  function due(sides, at) {
    sides.forEach((buttons, side) => buttons.forEach((button) => {
      if (side === at) button.dataset.key = button.dataset.sideKey;
      else delete button.dataset.key;
    }));
  }

  function afresh(dialog) {
    const sides = sidesOf(dialog);
    for (const button of sides.flat()) button.ariaPressed = "false";
    due(sides, 0);
    const confirm = one("[data-confirm]", dialog);
    if (sides.length && confirm) confirm.disabled = true;
    return sides.length > 0;
  }

  // Returns the result once every side has its own; empty until then.
  function composed(dialog, button) {
    const chosen = (buttons) => buttons.find((other) => other.ariaPressed === "true");
    const at = sidesOf(dialog).findIndex((buttons) => buttons.includes(button));
    if (at === 0 && sidesOf(dialog).every(chosen)) afresh(dialog);
    const sides = sidesOf(dialog);
    for (const other of sides[at]) other.ariaPressed = String(other === button);
    const next = sides.findIndex((buttons) => !chosen(buttons));
    due(sides, Math.max(next, 0));
    one("[data-confirm]", dialog).disabled = next >= 0;
    return next < 0 ? sides.map((buttons) => chosen(buttons).dataset.won).join("/") : "";
  }

  function keyCard(at) {
    const dialog = one("#ask-key_card");
    const places = one(".places", dialog);
    const card = { spot: at.spots.length === 1 ? at.spots[0] : null, rank: "", suit: "" };
    // A spot has a number as its key while it is asked for; once it is known, numbers are ranks.
    const asks = card.spot === null;
    places.replaceChildren(...at.spots.map((spot, place) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "act", textContent: `${places.dataset[spot[0]]} ${spot[1]}` });
      button.dataset.spot = String(place);
      if (asks) {
        button.dataset.key = String(place + 1);
        button.append(Object.assign(document.createElement("kbd"), { textContent: button.dataset.key }));
      }
      button.ariaPressed = String(spot === card.spot);
      return button;
    }));
    all("[data-rank], [data-suit]", dialog).forEach((button) => { button.ariaPressed = "false"; });

    function pick(what, value, button) {
      card[what] = value;
      for (const other of all("button", button.parentElement)) other.ariaPressed = String(other === button);
      if (what === "spot") for (const other of all("button", places)) { delete other.dataset.key; one("kbd", other)?.remove(); }
      if (!card.spot || !card.rank || !card.suit) return;
      dialog.close();
      const [seat, index] = card.spot;
      send(at.of, at.hand, { kind: "key_card", seat, index, card: card.rank + card.suit });
    }
    dialog.chosen = (value, button) => {
      if (button.dataset.spot) pick("spot", at.spots[Number(button.dataset.spot)], button);
      else pick(button.dataset.rank ? "rank" : "suit", value, button);
    };
    dialog.showModal();
  }

  function give(button) {
    const dialog = button.closest("dialog");
    if (dialog?.id === "keys") dialog.close();
    if (dialog && button.dataset.won) {
      const result = composed(dialog, button);
      if (result) dialog.chosen(result, button);
    } else if (dialog && dialog.id !== "keys") dialog.chosen(button.dataset.value ?? button.dataset.rank ?? button.dataset.suit, button);
    else if (button.dataset.act) {
      const at = seen(button);
      withStaff(() => acts[button.dataset.act](at, button));
    }
  }

  function turnTo(name) {
    one("#keys")?.close();
    if (name === "list") one("#keys").showModal();
    else document.dispatchEvent(new CustomEvent(name === "sound" ? "armed" : name));
  }

  document.addEventListener("unsettled", () => { // to the next hand that is still open, round and round
    const rows = all("[data-row]");
    const next = rows[(rows.indexOf(document.activeElement.closest("[data-row]")) + 1) % rows.length];
    if (next) all("button", next).find((button) => !button.hidden)?.focus();
  });

  // ---- pressing: a tap, or a hold of one second with its progress shown ------------------------------------------------
  const holding = { button: null, since: 0, frame: 0 };
  const held = (button) => button.dataset.press === "hold";

  function press(button) {
    if (button.id === "sound" || button.id === "list" || button.dataset.page) { turnTo(button.dataset.page ?? button.id); return; }
    if (body.classList.contains("stale") || button.disabled) return;
    answer("");
    if (!held(button)) { give(button); return; }
    release();
    if (!button.offsetParent) button.closest("dialog").showModal(); // so that the hold is seen
    const start = () => {
      Object.assign(holding, { button, since: performance.now() });
      holding.frame = requestAnimationFrame(grow);
    };
    if (staff()) start();
    else withStaff(() => {}); // the number first; the hold is then a second press, on purpose
  }

  function grow(now) {
    const done = Math.min(1, Math.max(0, (now - holding.since) / HOLD_MS));
    holding.button.style.setProperty("--held", String(done));
    if (done < 1) { holding.frame = requestAnimationFrame(grow); return; }
    const button = holding.button;
    release();
    give(button);
  }

  function release() {
    cancelAnimationFrame(holding.frame);
    holding.button?.style.removeProperty("--held");
    holding.button = null;
  }

  const names = { Backspace: "-" };

  function buttonFor(key) {
    const open = one("dialog[open]");
    const name = names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
    const places = open ? [open] : [one("main"), one("#keys")]; // what the list alone holds has its key all the same
    const row = open ? null : document.activeElement.closest("[data-row]"); // a row that is stood on has the keys of its own buttons
    const own = row && all("[data-row-key]", row).find((button) => button.dataset.rowKey === name && !button.hidden);
    if (own) return own;
    const found = places.flatMap((place) => (place ? all("button[data-key]", place) : [])).filter((button) => !button.hidden && (!open || button.offsetParent));
    return found.find((button) => button.dataset.key === name || button.dataset.pad === name);
  }

  function typing(target) {
    if (target instanceof HTMLTextAreaElement) return true;
    return target instanceof HTMLInputElement;
  }

  // An empty field has nothing to take back but the question itself.
  const takesBack = (field) => !field.value && Boolean(field.closest("dialog")?.querySelector("[data-back]:not([hidden])"));

  // In a field of digits letters are still keys; in any other field all belongs to the field.
  function mayBeKey(event) {
    if (event.key.length !== 1) return event.key in names && (!typing(event.target) || takesBack(event.target));
    return !typing(event.target) || (event.target.inputMode === "numeric" && /[^0-9]/.test(event.key) && Boolean(event.target.closest("dialog")?.chosen));
  }

  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const focused = document.activeElement?.closest?.("button.act");
    if (focused && held(focused) && !focused.disabled && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      press(focused);
      return;
    }
    if (event.key === "Enter" && event.target instanceof HTMLTextAreaElement && !event.shiftKey) {
      event.preventDefault(); // a note is one line; Shift and Enter begin another
      event.target.form.requestSubmit();
      return;
    }
    if (event.key === "Enter" && event.target.matches("[name=reason]") && !one("[data-confirm]", event.target.closest("dialog"))) {
      event.preventDefault(); // its keys are keys again
      event.target.blur();
      return;
    }
    const open = one("dialog[open]");
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (step && open?.arrow && !event.target.matches("[name=reason]")) {
      event.preventDefault();
      open.arrow(step);
      return;
    }
    const ends = event.key === "Enter" && open && !document.activeElement.matches("[data-close]") && one("[data-confirm]", open);
    const pad = event.key === "Enter" && !open && !document.activeElement.closest("a, button, input, select");
    if (!ends && !pad && !mayBeKey(event)) return;
    const button = ends || buttonFor(event.key);
    if (!button) return;
    event.preventDefault();
    press(button);
  });
  document.addEventListener("keyup", release);
  window.addEventListener("blur", release);

  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("button.act");
    if (button && held(button) && event.button === 0) press(button);
  });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, release);
  document.addEventListener("contextmenu", (event) => { if (holding.button) event.preventDefault(); });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    if (event.detail && !button.closest("dialog")) button.blur(); // a later Enter means the table, not what was touched last
    if (button.id === "sound" || button.id === "list") turnTo(button.id);
    else if (button.dataset.page) turnTo(button.dataset.page);
    else if (button.matches("[data-close]")) button.closest("dialog").close();
    else if (button.id === "staff") ask("staff", (number) => { sessionStorage.setItem("staff", number); showStaff(); });
    else if (button.matches("[data-act], [data-spot], [data-rank], [data-suit], [data-press=tap]") && !held(button)) press(button);
  });

  one("#token-form")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const result = await post("/token", { token: one("#token-form input").value });
    if (result.accepted) location.reload();
    else answer(result.sentence);
  });

  const actAs = (number) => { sessionStorage.setItem("staff", number); showStaff(); };
  window.tirage = { actAs, afresh, ask, because, unreasoned, one, all, body, post, send, staff, uuid, acts, withStaff, person };
  showStaff();
  withhold(body);
  // Not before every script of the page is there: what is heard first must reach all of them, and keys must find their acts.
  document.addEventListener("DOMContentLoaded", () => {
    if (!body.dataset.events) { setStale(false); return; }
    reopen();
    setInterval(check, CHECK_MS);
  });
})();

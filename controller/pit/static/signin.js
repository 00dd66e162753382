// Signing in and out, the own password, displays, and what waits for a second person.
"use strict";
(() => {
  const CHECK_MS = 5000;
  const POLL_MS = 2000;
  const one = (selector, root = document) => root.querySelector(selector);
  const person = one("#person");

  function say(sentence) {
    const place = one("#answer");
    place.textContent = sentence;
    place.hidden = !sentence;
  }

  const toSignIn = () => location.assign(`/signin?next=${encodeURIComponent(location.pathname)}`);

  async function post(path, content) {
    const language = document.documentElement.lang; // the answer is shown on this page
    const headers = { "Content-Type": "application/json", "X-Tirage-Command": "1", "Accept-Language": language };
    if (person?.dataset.csrf) headers["X-Tirage-Csrf"] = person.dataset.csrf;
    try {
      const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(content) });
      return { status: response.status, ...(await response.json()) };
    } catch {
      return { status: 0, accepted: false, sentence: document.body.dataset.lost };
    }
  }

  function onSubmit(selector, then) {
    const form = one(selector);
    form?.addEventListener("submit", async (event) => {
      event.preventDefault();
      say("");
      const button = one("button[type=submit]", form);
      button.disabled = true;
      await then(Object.fromEntries(new FormData(form)), form);
      button.disabled = false;
    });
  }

  onSubmit("#signin-form", async (content, form) => {
    const result = await post("/signin", content);
    form.elements.password.value = "";
    if (result.accepted) location.replace(result.must_change ? "/me" : form.dataset.after);
    else say(result.sentence);
  });

  onSubmit("#password-form", async (content, form) => {
    const result = await post("/me/password", content);
    form.reset();
    if (result.accepted) location.reload(); // a new session: the page must carry its token
    else say(result.sentence);
  });

  one("#signout")?.addEventListener("click", async () => {
    await post("/signout", {});
    location.replace("/signin");
  });

  // A display gets its token in the fragment, which no server and no proxy sees.
  async function admitDisplay(form) {
    const token = new URLSearchParams(location.hash.slice(1)).get("display");
    if (!token) return;
    history.replaceState(null, "", location.pathname + location.search);
    const result = await post("/display", { token });
    if (result.accepted && form.dataset.after !== "/me") location.replace(form.dataset.after);
    else say(result.sentence);
  }
  const signIn = one("#signin-form");
  if (signIn) admitDisplay(signIn);

  // A page that lost its stream asks whether the session is over: then the person must know it.
  async function check() {
    if (!document.body.classList.contains("stale")) return;
    try {
      if ((await fetch("/me/session")).status === 401) toSignIn();
    } catch { /* the server is away: the page says so already */ }
  }
  if (person?.dataset.number && document.body.dataset.events) setInterval(check, CHECK_MS);

  // ---- what waits for a second person ---------------------------------------------------------------------------------
  const list = one("#approvals");
  let shown = "";

  function entry(approval) {
    const item = one("#approval").content.cloneNode(true).firstElementChild;
    for (const place of item.querySelectorAll("[data-of]")) {
      const value = approval[place.dataset.of];
      place.textContent = typeof value === "object" ? JSON.stringify(value, null, 1) : value;
    }
    one(".told", item).replaceChildren(...approval.told.flatMap(([label, text]) => [["dt", label], ["dd", text]])
      .map(([tag, textContent]) => Object.assign(document.createElement(tag), { textContent })));
    item.dataset.state = approval.state;
    const name = approval.names[approval.first];
    if (name) one("[data-of=first]", item).textContent += ` ${name}`;
    const choices = one(".choices", item);
    if (!approval.may || approval.state !== "pending") choices.remove();
    for (const button of item.querySelectorAll("[data-verdict]")) {
      button.id = `${button.dataset.verdict}-${approval.id}`;
      button.addEventListener("click", async () => {
        const result = await post(`/approvals/${approval.id}`, { verdict: button.dataset.verdict, hash: approval.hash });
        say(result.sentence);
        poll();
      });
    }
    return item;
  }

  async function poll() {
    try {
      const response = await fetch(`/approvals/list?lang=${document.documentElement.lang}`);
      if (response.status === 401) { toSignIn(); return; }
      const { approvals } = await response.json();
      const now = JSON.stringify(approvals);
      if (now === shown) return;
      shown = now;
      const focused = document.activeElement?.id;
      list.replaceChildren(...approvals.map(entry));
      if (!approvals.length) list.textContent = list.dataset.none;
      if (focused) document.getElementById(focused)?.focus();
    } catch { say(document.body.dataset.lost); }
  }
  if (list) {
    poll();
    setInterval(poll, POLL_MS);
  }
})();

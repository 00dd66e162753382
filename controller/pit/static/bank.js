// The bank's question: an act of the stage, what it must be told, and Enter. A refusal is told by its sentence.
"use strict";
(() => {
  const { one, all, body, send, withStaff } = window.tirage;
  const dialog = one("#bank");
  const form = one(".bank-form", dialog);
  const confirm = one("[data-confirm]", dialog);
  let asked = null; // the act that was chosen, with its fields

  const places = () => all("[data-field]", form).filter((place) => !place.hidden);
  const input = (place) => one("input", place);
  const picks = (place) => one(".choices", place);
  const chosen = (place) => one("[aria-pressed=true]", place)?.dataset.value ?? "";
  const value = (place) => input(place)?.value.trim() ?? chosen(place);
  const ref = () => one("[data-ref]", dialog)?.dataset.ref ?? "";

  // Digits of a keyboard alone, a long sum also in the groups that the page shows: nothing that a machine would read otherwise.
  const WHOLE = /^(?:[0-9]+|[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+)$/;
  const MOST = { who: 9999, place: 9999 };
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");

  // Returns the number of a field, null for anything else, which is told at the field and never sent.
  function number(place) {
    const text = value(place);
    const most = Number(place.dataset.most ?? MOST[place.dataset.field]);
    const told = WHOLE.test(text) ? Number(text.replace(/[^0-9]/g, "")) : NaN;
    return told <= most ? told : null;
  }

  const numeric = (place) => input(place)?.inputMode === "numeric";
  function say(place, sentence) {
    const said = one(".wrong-here", place);
    said.textContent = sentence;
    said.hidden = !sentence;
  }

  // Returns the first field that holds what is no number, with a sentence at each.
  function misread() {
    const wrong = places().filter((place) => numeric(place) && value(place) && number(place) === null);
    for (const place of wrong) say(place, place.dataset.wrong.replace("{came}", () => value(place)));
    return wrong[0];
  }

  // Whether the coup, the banker or who speaks is another one than when the act was chosen; of people the act means the same.
  const OF_PEOPLE = ["sit", "leave_place", "penalise", "readmit"];
  const moved = () => asked !== null && !OF_PEOPLE.includes(asked.kind) && asked.ref !== ref();
  document.addEventListener("shown", (event) => {
    if (dialog.open && event.detail.includes("bankacts")) draw();
  });

  // With accounts only what this person may give is offered; the server refuses the rest.
  const gives = body.dataset.gives?.split(" ");
  function withhold() {
    for (const button of all(".bank-acts button", dialog)) button.hidden = Boolean(gives) && !gives.includes(button.dataset.value);
  }

  function draw() {
    withhold();
    one(".bank-acts", dialog).hidden = asked !== null;
    form.hidden = asked === null;
    one(".moved", form).hidden = !moved();
    confirm.disabled = asked === null || moved();
    one("[data-back]", dialog).hidden = asked === null;
  }

  // What will be sent, as the page writes sums; nothing while the field holds something else.
  function echo() {
    const told = number(one("[data-field=amount]", form));
    one("output", form).textContent = told === null ? "" : grouped(told);
  }
  form.addEventListener("input", (event) => {
    const place = event.target.closest("[data-field]");
    if (numeric(place)) say(place, "");
    echo();
  });

  function fill(place) {
    const field = place.dataset.field;
    const kept = one(`[data-choices="${field}"]`, dialog);
    if (input(place)) input(place).value = field === "amount" && asked.kind === "take_bank" ? one("[data-passed-at]", dialog).dataset.passedAt : "";
    else picks(place).replaceChildren(...kept.content.cloneNode(true).children);
    if (!input(place) && picks(place).firstElementChild) picks(place).firstElementChild.ariaPressed = "true"; // the usual one
    if (numeric(place)) say(place, "");
    echo();
  }

  function choose(button) {
    asked = { kind: button.dataset.value, asks: button.dataset.asks.split(" ").filter(Boolean), ref: ref() };
    one(".asks", form).textContent = one("span", button).textContent;
    for (const place of all("[data-field]", form)) place.hidden = !asked.asks.includes(place.dataset.field);
    places().forEach(fill);
    draw();
    toNext();
  }

  function toNext() {
    const empty = places().find((place) => input(place) && !value(place));
    (empty ? input(empty) : confirm).focus();
    return empty;
  }

  function give() {
    const wrong = misread();
    if (wrong) { input(wrong).focus(); return; }
    if (toNext() || moved()) return;
    const told = places().map((place) => [place.dataset.field, numeric(place) ? number(place) : value(place)]);
    dialog.close();
    send(body.dataset.table, asked.ref, { kind: asked.kind, ...Object.fromEntries(told) });
  }

  function back() {
    asked = null;
    draw();
    one(".bank-acts button", dialog)?.focus();
  }

  dialog.chosen = (_, button) => {
    if (button === confirm) give();
    else if (button.matches("[data-back]")) back();
    else if (button.closest(".bank-acts")) choose(button);
    else for (const other of all("button", button.parentElement)) other.ariaPressed = String(other === button);
  };

  document.addEventListener("bank", () => withStaff(() => {
    asked = null;
    draw();
    dialog.showModal();
  }));
})();

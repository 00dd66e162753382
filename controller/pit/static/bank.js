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

  function draw() {
    one(".bank-acts", dialog).hidden = asked !== null;
    form.hidden = asked === null;
    confirm.disabled = asked === null;
    one("[data-back]", dialog).hidden = asked === null;
  }

  // A long sum is read in groups of three before it counts.
  function echo() {
    const digits = one("[name=amount]", form).value.replace(/\D/g, "");
    one("output", form).textContent = digits.length > 3 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u202f") : "";
  }
  one("[name=amount]", form).addEventListener("input", echo);

  function fill(place) {
    const field = place.dataset.field;
    const kept = one(`[data-choices="${field}"]`, dialog);
    if (input(place)) input(place).value = field === "amount" && asked.kind === "take_bank" ? one("[data-passed-at]", dialog).dataset.passedAt : "";
    else picks(place).replaceChildren(...kept.content.cloneNode(true).children);
    if (!input(place) && picks(place).firstElementChild) picks(place).firstElementChild.ariaPressed = "true"; // the usual one
    echo();
  }

  function choose(button) {
    asked = { kind: button.dataset.value, asks: button.dataset.asks.split(" ").filter(Boolean) };
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
    if (toNext()) return;
    const told = places().map((place) => {
      const number = input(place)?.inputMode === "numeric";
      return [place.dataset.field, number ? Number(value(place)) : value(place)];
    });
    dialog.close();
    send(body.dataset.table, "", { kind: asked.kind, ...Object.fromEntries(told) });
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

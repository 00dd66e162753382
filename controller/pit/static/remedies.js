// A deal that went wrong: the situation, the house's remedy, the cards or the side it names. Its effect is shown before Enter is held.
"use strict";
(() => {
  const { actAs, ask, one, all, body, acts, trial, confirmed, face, staff, person } = window.tirage;
  const dialog = one("#remedies");
  const words = dialog.dataset;
  const seats = JSON.parse(words.seats);
  const decider = one("[data-decider]", dialog);
  const tried = trial(dialog, (result) => { decider.hidden = Boolean(person) || !result.asks_number; }); // who signed in is who decides
  const KEYS = "123456789ABCDEFGHIJKLMNOPQSTUVWXYZ";
  const SEVERAL = "cards";
  const OF_CARDS = ["cards", "card", "last-card"];
  const known = { hand: null, situations: [], sanctions: [], dealer: null };
  const chosen = { situation: null, remedy: null, places: [], side: "", sanction: "none" };

  const digit = (place) => String((place + 1) % 10); // the tenth card has the key 0
  const names = () => chosen.remedy?.names ?? "";
  const steps = { cards: words.askCards, card: words.askCard, "last-card": words.askLast, side: words.askSide, nothing: words.askConfirm };

  function offer(says, key, ...notes) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "act" });
    Object.assign(button.dataset, { press: "tap", key, value: String(KEYS.indexOf(key)) });
    const texts = [["span", says], ...notes.filter(Boolean).map((note) => ["small", note]), ["kbd", key]];
    button.append(...texts.map(([tag, text]) => Object.assign(document.createElement(tag), { textContent: text })));
    return button;
  }

  function drawOffers() {
    const list = chosen.situation ? chosen.situation.remedies : known.situations;
    const offers = chosen.remedy ? [] : list.map((item, at) => {
      const button = offer(item.says, KEYS[at], item.silent ? words.silentTag : "", item.post === "dealer" ? words.dealerTag : "", item.id);
      button.classList.toggle("fits", Boolean(item.fits));
      return button;
    });
    one(".offers", dialog).replaceChildren(...offers);
  }

  function drawCards() {
    const count = {};
    one(".lay-row", dialog).hidden = !OF_CARDS.includes(names());
    one(".lay-row", dialog).replaceChildren(...known.hand.cards.map((card, place) => {
      if (card.seat) count[card.seat] = (count[card.seat] ?? 0) + 1;
      const button = face({
        nth: digit(place), card: card.card, chosen: chosen.places.includes(place),
        where: card.seat ? `${seats[card.seat]} ${count[card.seat]}` : words.loose,
        words: card.side === "unread" ? words.unread : words.back, more: card.seat || "loose",
      });
      Object.assign(button.dataset, { key: digit(place), value: String(place) });
      return button;
    }));
  }

  function drawRest() {
    const said = [chosen.situation, chosen.remedy].filter(Boolean).map((item) => item.says);
    one(".said", dialog).replaceChildren(...said.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    one(".asks", dialog).textContent = chosen.remedy ? steps[names()] : chosen.situation?.silent ? words.askSilent : chosen.situation ? words.askRemedy : words.askSituation;
    one(".sides", dialog).hidden = names() !== "side";
    for (const button of all("[data-side]", dialog)) button.ariaPressed = String(button.dataset.side === chosen.side);
    one(".sanctions", dialog).hidden = !chosen.remedy || !known.sanctions.length;
    for (const button of all("[data-sanction]", dialog)) {
      button.hidden = button.dataset.sanction !== "none" && !known.sanctions.includes(button.dataset.sanction);
      button.ariaPressed = String(button.dataset.sanction === chosen.sanction);
    }
    const unchecked = !person && chosen.situation?.post === "supervisor" ? words.unchecked.replace("#", staff()) : "";
    one(".decides", dialog).textContent = [chosen.situation?.decider, unchecked].filter(Boolean).join(". ");
    one(".decides", dialog).dataset.post = chosen.situation?.post ?? "";
    one(".silent", dialog).hidden = !chosen.situation?.silent || Boolean(chosen.remedy);
    one(".preview", dialog).hidden = !chosen.remedy; // the list needs the room
    one("[data-back]", dialog).disabled = !chosen.situation;
  }

  function shown() {
    drawOffers();
    drawCards();
    drawRest();
    decider.hidden = true;
    if (chosen.remedy && !chosen.situation.yours) { tried.clear(); one(".preview", dialog).textContent = words.notYours; return; }
    const told = { side: chosen.side, nothing: true }[names()] ?? chosen.places.length;
    if (!chosen.remedy || !told) { tried.clear(); return; }
    tried.about(known.hand.ref, {
      kind: "apply", irregularity: chosen.situation.id, remedy: chosen.remedy.name,
      places: chosen.places, seat: chosen.side || null, sanction: chosen.sanction,
    });
  }

  function remedy(offered) {
    const last = known.hand.cards.length - 1;
    const places = ["last-card", "cards", "card"].includes(offered?.names) ? [last] : []; // what was drawn last is meant most often
    Object.assign(chosen, { remedy: offered, places, side: "", sanction: "none" });
  }

  function situation(found) {
    chosen.situation = found;
    remedy(found.remedies.length === 1 ? found.remedies[0] : null);
  }

  function card(place) {
    const others = chosen.places.filter((other) => other !== place);
    if (names() !== SEVERAL) chosen.places = [place];
    else chosen.places = others.length < chosen.places.length ? others : [...others, place].sort((a, b) => a - b);
  }

  function back() {
    const one_ = chosen.situation?.remedies.length === 1;
    if (!chosen.remedy || one_) chosen.situation = null;
    remedy(null);
  }

  // The number of who decides counts for this ruling alone.
  function decides() {
    known.dealer ??= staff();
    ask("staff", (number) => { actAs(number); shown(); });
  }
  dialog.addEventListener("close", () => {
    if (known.dealer) actAs(known.dealer);
    known.dealer = null;
  });

  dialog.chosen = (value, button) => {
    if (button.matches("[data-confirm]")) { confirmed(dialog); return; }
    if (button === decider) { decides(); return; }
    if (button.matches("[data-back]")) back();
    else if (button.dataset.side) chosen.side = button.dataset.side;
    else if (button.dataset.sanction) chosen.sanction = button.dataset.sanction;
    else if (button.matches(".lay-card")) card(Number(value));
    else if (chosen.situation) remedy(chosen.situation.remedies[Number(value)]);
    else situation(known.situations[Number(value)]);
    shown();
  };

  async function told() {
    const path = `/table/${encodeURIComponent(body.dataset.table)}/hands?lang=${document.documentElement.lang}`;
    const response = await fetch(path);
    return response.ok ? response.json() : { hands: [] };
  }

  async function open(ref) {
    const { hands, situations, sanctions } = await told();
    const seen = hands.find((other) => other.ref === ref);
    const hand = seen?.open ? seen : hands.find((other) => other.open && !(seen && other.ref)); // none begun has no name
    if (!hand?.open) return;
    const all_ = situations.map((item) => ({ ...item, fits: hand.fits.includes(item.id) }));
    const sorted = [...all_.filter((item) => item.fits), ...all_.filter((item) => !item.fits)];
    Object.assign(known, { hand, situations: sorted, sanctions });
    Object.assign(chosen, { situation: null });
    remedy(null);
    const of = one(".of", dialog);
    of.textContent = of.dataset.hand.replace("#", hand.number);
    one(".carried-note", dialog).hidden = !hand.opener_seen;
    dialog.showModal();
    shown();
  }

  // What changes on the felt meanwhile is tried anew: nothing is confirmed that was not shown.
  document.addEventListener("shown", async (event) => {
    if (!dialog.open || !event.detail.includes("felt")) return;
    tried.clear();
    const hand = (await told()).hands.find((other) => other.ref === known.hand.ref);
    if (!dialog.open) return;
    if (!hand?.open) { dialog.close(); return; }
    known.hand = hand;
    shown();
  });

  acts.apply = (at) => open(at.hand);
})();

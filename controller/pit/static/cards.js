// What is set right by hand: cards as they lie, earlier hands, hands that the shoe did not tell of. Each is tried before it counts.
"use strict";
(() => {
  const { afresh, because, unreasoned, one, all, body, post, send, staff, uuid, acts, withStaff, person } = window.tirage;
  const table = body.dataset.table;
  const path = `/table/${encodeURIComponent(table)}`;
  const language = document.documentElement.lang;

  async function hands() {
    const response = await fetch(`${path}/hands?lang=${language}`);
    return response.ok ? (await response.json()).hands : [];
  }

  // ---- trying: the answer of the judge comes before the hold that confirms ----------------------------------------------
  function trial(dialog, heard = () => {}) {
    const place = one(".preview", dialog);
    const confirm = one("[data-confirm]", dialog);
    let turn = 0;
    let refused = ""; // with accounts a role that may not try will not be allowed to at the next key either
    function clear() {
      turn += 1;
      place.replaceChildren();
      confirm.disabled = true;
      dialog.asked = null;
    }
    async function about(hand, act) {
      turn += 1;
      const mine = turn;
      confirm.disabled = true;
      if (refused) { place.textContent = refused; return; }
      const result = await post(`${path}/preview`, { id: uuid(), staff: staff(), hand, act });
      if (person && result.status === 403) refused = result.sentence;
      if (mine !== turn || !dialog.open) return;
      place.innerHTML = result.html ?? ""; // rendered and escaped by our own server, as all parts are
      if (!result.accepted) place.textContent = result.sentence;
      dialog.asked = { hand, act, accepts: result.accepts ?? [] };
      confirm.disabled = !result.accepted;
      heard(result);
    }
    return { clear, about };
  }

  function confirmed(dialog) {
    const { hand, act, accepts } = dialog.asked;
    const why = one("[name=reason]", dialog) ? because(dialog) : {};
    dialog.close();
    send(table, hand, act.kind === "relay" ? { ...act, accepts, ...why } : { ...act, ...why });
  }

  // ---- a card as a small face ------------------------------------------------------------------------------------------
  const made = one("#card-face").content.firstElementChild;
  function face({ nth, card, where, chosen, words, more }) {
    const button = made.cloneNode(true);
    one(".nth", button).textContent = nth;
    one(".where", button).textContent = where;
    if (card) {
      one(".pip b", button).textContent = card[0] === "T" ? "10" : card[0];
      one("use", button).setAttribute("href", `#suit-${card[1]}`);
      button.classList.add("HD".includes(card[1]) ? "red" : "black");
    } else {
      one(".pip", button).textContent = words;
      button.classList.add("hidden-face");
    }
    button.className += more ? ` ${more}` : "";
    button.ariaPressed = String(chosen);
    return button;
  }

  // ---- the cards as they lie ---------------------------------------------------------------------------------------------
  const seats = JSON.parse(one("#cards").dataset.seats); // the table's seats in dealing order, with their words
  const lay = { dialog: one("#cards"), ref: "", cards: [], at: -1, open: false, initial: 2, rank: "" };
  const tryLay = trial(lay.dialog);

  const lies = (card) => card.fate === "hand";
  const on = (seat) => lay.cards.filter((card) => lies(card) && card.seat === seat);

  function layout() {
    const count = {};
    return lay.cards.map((card, place) => {
      const base = { kind: "placed", place, fate: card.fate, seen: card.seen, card: card.keyed };
      if (!lies(card) || !card.seat) return { ...base, seat: null, index: 0 };
      count[card.seat] = (count[card.seat] ?? 0) + 1;
      return { ...base, seat: card.seat, index: count[card.seat] };
    });
  }

  function drawLay() {
    const words = lay.dialog.dataset;
    const count = {};
    const faces = lay.cards.map((card, place) => {
      if (lies(card)) count[card.seat] = (count[card.seat] ?? 0) + 1;
      const spot = card.seat ? `${seats[card.seat]} ${count[card.seat]}` : words.loose;
      const where = lies(card) ? spot : words[card.fate];
      const known = card.keyed ?? card.card;
      const button = face({
        nth: String(place + 1), card: known, chosen: place === lay.at,
        where: card.seen ? where : `${where} · ${words.notSeen}`,
        words: card.side === "unread" ? words.unread : words.back,
        more: `${lies(card) ? card.seat || "loose" : "gone"}${card.changed ? " changed" : ""}`,
      });
      Object.assign(button.dataset, { key: String(place + 1), value: String(place) });
      return button;
    });
    one(".lay-row", lay.dialog).replaceChildren(...faces);
    one(".none", lay.dialog).hidden = faces.length > 0;
    const keying = !one(".faces-row", lay.dialog).hidden;
    one(".fates", lay.dialog).hidden = keying;
    all(".lay-row button", lay.dialog).forEach((button) => { if (keying) delete button.dataset.key; });
    for (const button of all(".fates button", lay.dialog)) button.disabled = lay.at < 0;
  }

  function laid() {
    drawLay();
    if (lay.cards.length && lay.cards.every((card) => !lies(card) || card.seat)) tryLay.about(lay.ref, { kind: "relay", cards: layout() });
    else tryLay.clear();
  }

  function move(card, seat) {
    const left = card.seat;
    Object.assign(card, { seat, fate: "hand", changed: true });
    if (left === seat || !left || !lay.cards.length) return;
    // A side that would lack one of its first cards got the other's: two cards were exchanged.
    if (lay.cards.filter(lies).length < Object.keys(seats).length * lay.initial || on(left).length >= lay.initial) return;
    const place = lay.cards.indexOf(card);
    const others = on(seat).filter((other) => other !== card);
    const later = others.filter((other) => lay.cards.indexOf(other) > place);
    const other = later[0] ?? others.at(-1);
    if (other) Object.assign(other, { seat: left, changed: true });
  }

  const fates = {
    ...Object.fromEntries(Object.keys(seats).map((seat) => [seat, (card) => move(card, seat)])),
    burnt: (card) => Object.assign(card, { fate: lies(card) ? "burnt" : "hand", changed: true }),
    next: (card) => Object.assign(card, { fate: lies(card) ? "next" : "hand", changed: true }),
    seen: (card) => Object.assign(card, { seen: !card.seen, changed: true }),
  };

  function keying(asks) {
    one(".faces-row", lay.dialog).hidden = !asks;
    lay.rank = "";
    for (const button of all("[data-rank]", lay.dialog)) button.ariaPressed = "false";
    drawLay();
  }

  lay.dialog.chosen = (value, button) => {
    const card = lay.cards[lay.at];
    if (button.matches("[data-confirm]")) confirmed(lay.dialog);
    else if (button.matches(".lay-card")) { lay.at = Number(value); drawLay(); }
    else if (!card) return;
    else if (button.dataset.rank) {
      lay.rank = button.dataset.rank;
      for (const other of all("[data-rank]", lay.dialog)) other.ariaPressed = String(other === button);
    } else if (button.dataset.suit) {
      if (!lay.rank) return;
      Object.assign(card, { keyed: lay.rank + button.dataset.suit, seen: true, changed: true });
      keying(false);
      laid();
    } else if (value === "face") keying(true);
    else { fates[value](card); laid(); }
  };
  lay.dialog.arrow = (step) => {
    lay.at = Math.max(0, Math.min(lay.cards.length - 1, lay.at + step));
    drawLay();
  };

  async function openLay(ref) {
    const known = await hands();
    const hand = ref ? known.find((one_) => one_.ref === ref) : known.find((one_) => one_.open) ?? known[0];
    Object.assign(lay, { ref: hand?.ref ?? "", at: -1, open: hand?.open ?? false, initial: hand?.initial ?? 2 });
    lay.cards = (hand?.cards ?? []).map((card) => ({ ...card, fate: "hand", keyed: null, changed: false }));
    lay.at = lay.cards.findIndex((card) => card.side === "unread"); // K then keys its face
    const of = one(".of", lay.dialog);
    of.textContent = hand ? `${of.dataset.hand.replace("#", hand.number)} · ${hand.open ? of.dataset.open : hand.says}` : "";
    keying(false);
    unreasoned(lay.dialog);
    lay.dialog.showModal();
    laid();
  }

  // Cards that are drawn while the question is open join it; what was said of the others stays.
  document.addEventListener("shown", async (event) => {
    if (!lay.dialog.open || !lay.open || !event.detail.includes("felt")) return;
    const hand = (await hands()).find((one_) => one_.ref === lay.ref);
    if (!hand || !lay.dialog.open) return;
    lay.cards = hand.cards.map((card, place) => lay.cards[place] ?? { ...card, fate: "hand", keyed: null, changed: false });
    laid();
  });

  // ---- earlier hands -------------------------------------------------------------------------------------------------------
  const earlier = { dialog: one("#earlier"), hands: [], at: 0 };
  const tryEarlier = trial(earlier.dialog);

  function drawEarlier() {
    const place = one(".hands-list", earlier.dialog);
    place.replaceChildren(...earlier.hands.map((hand, at) => {
      const row = document.createElement("button");
      Object.assign(row, { type: "button", className: `hand-row ${hand.call}` });
      Object.assign(row.dataset, { value: String(at), press: "tap" });
      if (at < 9) row.dataset.key = String(at + 1);
      const cards = hand.cards.map((card) => (card.card ?? "–").replace("T", "10")).join(" ");
      const texts = { kbd: at < 9 ? at + 1 : "", b: place.dataset.hand.replace("#", hand.number), strong: hand.open ? place.dataset.open : hand.says, span: cards };
      row.append(...Object.entries(texts).map(([tag, text]) => Object.assign(document.createElement(tag), { textContent: text })));
      row.ariaPressed = String(at === earlier.at);
      return row;
    }));
    if (!earlier.hands.length) place.textContent = place.dataset.none;
    one("[aria-pressed=true]", place)?.scrollIntoView({ block: "nearest" });
  }

  earlier.dialog.chosen = (value, button) => {
    const hand = earlier.hands[earlier.at];
    if (button.matches("[data-confirm]")) confirmed(earlier.dialog);
    else if (button.matches(".hand-row")) { earlier.at = Number(value); tryEarlier.clear(); drawEarlier(); }
    else if (!hand) return;
    else if (value === "relay") { earlier.dialog.close(); openLay(hand.ref); }
    else tryEarlier.about(hand.ref, value === "void" ? { kind: "void" } : { kind: "correct", result: value });
  };
  earlier.dialog.arrow = (step) => {
    earlier.at = Math.max(0, Math.min(earlier.hands.length - 1, earlier.at + step));
    tryEarlier.clear();
    drawEarlier();
  };

  async function openEarlier(ref = "") {
    const known = await hands();
    Object.assign(earlier, { hands: known, at: Math.max(0, known.findIndex((hand) => hand.ref === ref)) });
    tryEarlier.clear();
    afresh(earlier.dialog);
    unreasoned(earlier.dialog);
    drawEarlier();
    earlier.dialog.showModal();
  }

  // Where the table keeps money a result and a void are tried here first: what would be paid is seen before it is.
  const RULED_BY_MONEY = { void: (ref) => tryEarlier.about(ref, { kind: "void" }), correct: () => {} };
  for (const [kind, begin] of Object.entries(RULED_BY_MONEY)) {
    const bare = acts[kind];
    acts[kind] = async (at, button) => {
      if (one("[data-part=bank] .bank")) await openEarlier(at.hand);
      if (earlier.dialog.open && earlier.hands[earlier.at]?.ref === at.hand) begin(at.hand);
      else { earlier.dialog.close(); bare(at, button); }
    };
  }

  // ---- a hand keyed card by card ---------------------------------------------------------------------------------------------
  const manual = { dialog: one("#manual"), cards: {}, at: 0, rank: "", result: "" };
  const tryManual = trial(manual.dialog);
  const spots = JSON.parse(manual.dialog.dataset.spots);
  const initial = Number(manual.dialog.dataset.initial);

  function drawManual() {
    one(".lay-row", manual.dialog).replaceChildren(...spots.map(([seat, index], at) => {
      const more = `${seat}${at === manual.at ? " cursor" : ""}`;
      const rank = at === manual.at ? manual.rank.replace("T", "10") : "";
      const button = face({ nth: "", card: manual.cards[at], chosen: at === manual.at, words: rank, where: `${seats[seat]} ${index}`, more });
      button.dataset.value = String(at);
      return button;
    }));
    for (const button of all(".calls [data-value]", manual.dialog)) button.ariaPressed = String(button.dataset.value === manual.result);
    for (const button of all("[data-rank]", manual.dialog)) button.ariaPressed = String(button.dataset.rank === manual.rank);
  }

  function keyed() {
    drawManual();
    const cards = spots.flatMap(([seat, index], at) => (manual.cards[at] ? [{ seat, index, card: manual.cards[at] }] : []))
      .map((card, place) => ({ kind: "placed", place, ...card }));
    if (manual.result && cards.length >= initial) tryManual.about("", { kind: "manual_hand", cards, result: manual.result });
    else tryManual.clear();
  }

  function takeBack() {
    const last = Math.max(-1, ...Object.keys(manual.cards).map(Number));
    if (manual.rank) manual.rank = "";
    else if (last >= 0) { delete manual.cards[last]; manual.at = last; }
  }

  manual.dialog.chosen = (value, button) => {
    if (button.matches("[data-confirm]")) { confirmed(manual.dialog); return; }
    if (button.matches(".lay-card")) manual.at = Number(value);
    else if (button.dataset.rank) manual.rank = button.dataset.rank;
    else if (button.dataset.suit) {
      if (!manual.rank || manual.at >= spots.length) return;
      manual.cards[manual.at] = manual.rank + button.dataset.suit;
      manual.rank = "";
      const free = spots.findIndex((_, at) => !manual.cards[at]);
      manual.at = free < 0 ? spots.length : free;
    } else if (value === "back") takeBack();
    else manual.result = value;
    keyed();
  };
  manual.dialog.arrow = (step) => {
    manual.at = Math.max(0, Math.min(spots.length - 1, manual.at + step));
    drawManual();
  };

  // ---- hands of which only the results are known ---------------------------------------------------------------------------------
  const blind = { dialog: one("#blind"), results: [] };
  const names = JSON.parse(blind.dialog.dataset.calls);
  const tryBlind = trial(blind.dialog);

  function drawBlind() {
    one(".told", blind.dialog).replaceChildren(...blind.results.map((result) => {
      const item = document.createElement("li");
      item.className = result.replace("/", " of-");
      item.textContent = names[result];
      return item;
    }));
    if (blind.results.length) tryBlind.about("", { kind: "blind_hands", results: blind.results });
    else tryBlind.clear();
  }

  blind.dialog.chosen = (value, button) => {
    if (button.matches("[data-confirm]")) { confirmed(blind.dialog); return; }
    if (value === "back") blind.results.pop();
    else blind.results.push(value);
    afresh(blind.dialog);
    drawBlind();
  };

  // ---- how they are opened ---------------------------------------------------------------------------------------------------------
  acts.relay = (at) => openLay(at.hand);
  acts.manual_hand = () => {
    Object.assign(manual, { cards: {}, at: 0, rank: "", result: "" });
    afresh(manual.dialog);
    manual.dialog.showModal();
    keyed();
  };
  acts.blind_hands = () => {
    blind.results = [];
    afresh(blind.dialog);
    blind.dialog.showModal();
    drawBlind();
  };
  document.addEventListener("earlier", () => withStaff(() => openEarlier()));
  Object.assign(window.tirage, { trial, confirmed, face });

  // Other pages lead here with the hand that they mean.
  const asked = new URLSearchParams(location.search);
  for (const [name, open] of [["hand", openLay], ["earlier", openEarlier]]) {
    const ref = asked.get(name);
    if (ref) document.addEventListener("shown", () => withStaff(() => open(ref)), { once: true });
  }
})();

// Cards as they are drawn: a coloured face with name, cost, text and types.

import { ask, h } from "./page.js";

/** All cards by name, as the server tells them. */
export const CARDS = new Map();

/** What can be chosen for a new game; it fills CARDS. */
export async function loadOffers() {
  const offers = await ask("/api/play/offers");
  for (const card of offers.cards) CARDS.set(card.name, card);
  return offers;
}

const KINDS = ["Curse", "Attack", "Reaction", "Treasure", "Victory", "Action"];

/** The class that colours a card: its most telling type. */
export function kindOf(name) {
  const types = CARDS.get(name)?.types ?? [];
  return (KINDS.find((kind) => types.includes(kind)) ?? "Action").toLowerCase();
}

const BONUS = /^(\+(\d+ \w+|\$\d+)|\$\d+|-?\d+ VP)$/;

/** What is printed on a card, what it simply gives in bold. */
export function textOf(name) {
  return CARDS.get(name).lines.map((line) => h(BONUS.test(line) ? "b" : "span", {}, line));
}

/** A coin with a number. */
export const coin = (n) => h("span", { class: "coin", "aria-hidden": "true" }, n);

/**
 * A card: a button if it can be clicked, else a plain box.
 * `left` is the number of cards of a pile, `act` the click, `label` what a screen reader says of it, `mark` at its
 * corner is a share of the win, or the key that takes it.
 */
export function cardOf(name, { left, act, label, key, pressed, mark, small = false, tag = "" } = {}) {
  const card = CARDS.get(name);
  const classes = [
    "card",
    kindOf(name),
    small ? "small" : "",
    act ? "legal" : "",
    left === 0 ? "empty" : "",
    pressed ? "chosen" : "",
    tag,
  ];
  const face = [
    h("span", { class: "name" }, name),
    h("span", { class: "text" }, textOf(name)),
    h("span", { class: "foot" }, coin(card.cost), h("span", { class: "type" }, card.types.join(" – "))),
    left === undefined ? null : h("span", { class: "left", "aria-hidden": "true" }, left),
    mark ? h("span", { class: mark.share ? "mark" : "mark key", "aria-hidden": "true" }, mark.share ?? mark.key) : null,
  ];
  const attributes = { class: classes.filter(Boolean).join(" "), "data-key": key, "data-card": name };
  if (!act) return h("div", { ...attributes, role: "group", "aria-label": label ?? name }, face);
  return h(
    "button",
    { ...attributes, type: "button", onclick: act, "aria-label": label ?? name, "aria-pressed": pressed },
    face,
  );
}

/** A card as a word in its colour, with how many there are: "Copper ×3". */
export function chip(name, n = 1) {
  return h("span", { class: `chip ${kindOf(name)}` }, name, n > 1 ? ` ×${n}` : "");
}

/** Several cards as words, or what to say if there are none. */
export const chips = (pairs, none = "none") =>
  pairs.length
    ? h(
        "span",
        { class: "chips" },
        pairs.map(([name, n]) => chip(name, n)),
      )
    : h("span", { class: "soft" }, none);

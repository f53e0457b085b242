// Draw cards: a coloured face with name, cost, text and types.

import { ask, h } from "./page.js";

/** All cards by name, from the server. */
export const CARDS = new Map();

/** Fetch the choices for a new game. Fills CARDS. */
export async function loadOffers() {
  const offers = await ask("/api/play/offers");
  for (const card of offers.cards) CARDS.set(card.name, card);
  return offers;
}

const KINDS = ["Curse", "Attack", "Reaction", "Treasure", "Victory", "Action"];

/** The CSS class of the main one of some types. */
export const mainType = (types) => (KINDS.find((kind) => types.includes(kind)) ?? "Action").toLowerCase();

/** The CSS class of a card's main type. */
export const kindOf = (name) => mainType(CARDS.get(name)?.types ?? []);

const BONUS = /^(\+(\d+ \w+|\$\d+)|\$\d+|-?\d+ VP)$/;

/** The text of a card. Plain bonuses are bold. */
export function textOf(name) {
  return CARDS.get(name).lines.map((line) => h(BONUS.test(line) ? "b" : "span", {}, line));
}

/** A coin with a number. */
export const coin = (n) => h("span", { class: "coin", "aria-hidden": "true" }, n);

/**
 * A card: a button if it can be clicked, else a plain box.
 * `left` is the number of cards of a pile, `cost` the present cost, `act` the click, `label` the label for screen
 * readers, `mark` at its corner is a share of the win, or the key that takes it.
 */
export function cardOf(name, { left, cost, act, label, key, pressed, mark, small = false, tag = "" } = {}) {
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
    h("span", { class: "foot" }, coin(cost ?? card.cost), h("span", { class: "type" }, card.types.join(" – "))),
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

/** A card as a coloured word with its number: "Copper ×3". */
export function chip(name, n = 1) {
  return h("span", { class: `chip ${kindOf(name)}` }, name, n > 1 ? ` ×${n}` : "");
}

/** Several cards as words, or `none` for an empty list. */
export const chips = (pairs, none = "none") =>
  pairs.length
    ? h(
        "span",
        { class: "chips" },
        pairs.map(([name, n]) => chip(name, n)),
      )
    : h("span", { class: "soft" }, none);

// Choose the ten cards of a kingdom: by name, by click, from recommended kingdoms, or at random.

import { mainType } from "./cards.js";
import { $, Refusal, ask, attempt, field, fill, h, say, sentence } from "./page.js";

/** The cards of a kingdom, without Platinum and Colony. */
export const SIZE = 10;

const letters = (text) => text.toLowerCase().replace(/[^a-z]/g, "");

/**
 * A control for up to ten cards of `offers`, and for Platinum and Colony, which are chosen together. `changed` is
 * called after every change; `firstEdition` returns true if first-edition cards are drawn too.
 */
export class Picker {
  constructor(offers, { changed, firstEdition = () => false }) {
    Object.assign(this, { offers, changed, firstEdition });
    this.cards = offers.cards
      .filter((card) => !card.basic)
      .sort((one, other) => one.cost - other.cost || one.name.localeCompare(other.name));
    this.colony = this.cards.filter((card) => card.colony).map((card) => card.name);
    this.chosen = new Map(); // name -> whether it was drawn
    this.unknown = []; // names that are no card: { text, why, close }
    this.added = Promise.resolve(); // the last call of `add` that asked the server
    this.buttons = new Map(this.cards.map((card) => [card.name, this.#button(card)]));
    this.#makeParts();
    this.#show();
  }

  /** The names of the chosen cards. */
  get names() {
    return [...this.chosen.keys()];
  }

  /** The number of the chosen cards, without Platinum and Colony. */
  get size() {
    return this.names.filter((name) => !this.colony.includes(name)).length;
  }

  /** The names of the chosen cards that were drawn. */
  get drawn() {
    return this.names.filter((name) => this.chosen.get(name));
  }

  /** Choose these cards in place of the others. */
  set(names, drawn = []) {
    this.chosen = new Map(names.map((name) => [name, drawn.includes(name)]));
    this.cards.filter((card) => names.includes(card.name)).forEach((card) => this.#open(card));
    this.#show();
    this.changed();
  }

  /** Choose the cards of typed names; names that are no card stay in sight with the closest ones. */
  async add(texts) {
    const wanted = texts.map((text) => text.trim()).filter(Boolean);
    const local = (text) =>
      this.cards.find((card) => letters(card.name) === letters(text)) ?? only(this.#beginning(text));
    const others = wanted.filter((text) => !local(text));
    for (const text of wanted) if (local(text)) this.#take(local(text).name);
    if (!others.length) return;
    const asked = attempt(() =>
      ask("/api/ask/cards", { names: others.slice(0, MOST_UNKNOWN).map((text) => text.slice(0, LONGEST)) }),
    );
    const unanswered = () =>
      others.map((text) => ({ text, card: "", why: `'${text}' could not be checked.`, close: [] }));
    const earlier = this.added;
    this.added = (async () => {
      const found = await asked;
      await earlier; // answers may arrive in another order than the names were typed
      for (const one of found?.cards ?? unanswered()) {
        if (one.card) this.#take(one.card);
        else if (!this.unknown.some((other) => other.text === one.text)) this.unknown.push(one);
      }
      this.#show();
    })();
    await this.added;
  }

  /** Add what is typed. Returns false, and moves the focus there, while a name is left that is no card. */
  async settle() {
    await this.#enter(false);
    if (!this.unknown.length) return true;
    say(
      `${this.unknown.map((one) => `'${one.text}'`).join(", ")}: choose another card, or remove it.`,
      "error",
    );
    $("button", this.notFound).focus();
    return false;
  }

  #makeParts() {
    this.typed = h("input", {
      id: "typed",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "Chapel, Witch, ...",
      "aria-describedby": "found",
    });
    this.found = h("p", { id: "found", class: "note", role: "status" });
    this.notFound = h("ul", { class: "not-found", "aria-label": "Unknown card names", "aria-live": "polite" });
    this.slots = h("ol", { class: "slots", "aria-label": "The kingdom" });
    this.counted = h("span", { class: "note" });
    this.kingdoms = h(
      "select",
      { id: "kingdoms" },
      h("option", { value: "" }, "Choose …"),
      this.offers.kingdoms.map((one) => h("option", {}, one.name)),
    );
    const names = [...new Set(this.offers.cards.filter((card) => !card.basic).map((card) => card.group))];
    const [first, ...others] = names.map((group) => {
      const cards = this.cards.filter((card) => card.group === group);
      const buttons = cards.map((card) => this.buttons.get(card.name));
      return h("div", { class: "gallery", role: "group", "aria-label": group }, buttons);
    });
    this.folded = new Map(
      others.map((gallery, place) => [names[place + 1], h("details", {}, h("summary", {}, names[place + 1]), gallery)]),
    );
    this.element = h(
      "div",
      { class: "picker" },
      this.slots,
      h(
        "div",
        { class: "pick-tools" },
        field("Add by name", this.typed),
        field("Or a kingdom", this.kingdoms),
        h("button", { type: "button", id: "draw", onclick: () => this.#draw() }, "Draw the rest"),
        h("button", { type: "button", class: "quiet", onclick: () => this.#clear() }, "Clear"),
      ),
      this.found,
      this.notFound,
      first,
      [...this.folded.values()],
    );
    this.typed.addEventListener("input", () => this.#type());
    this.typed.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !this.typed.value.trim()) return;
      event.preventDefault();
      this.#enter(true);
    });
    this.kingdoms.addEventListener("change", () => {
      const kingdom = this.offers.kingdoms.find((one) => one.name === this.kingdoms.value);
      if (kingdom) this.set(kingdom.cards);
    });
  }

  #button(card) {
    return h(
      "button",
      {
        type: "button",
        class: `pick ${mainType(card.types)}`,
        "aria-pressed": "false",
        "data-card": card.name,
        title: card.lines.join(". "),
        onclick: () => this.#toggle(card.name),
      },
      h("span", { class: "cost" }, h("span", { class: "unseen" }, "costs "), card.cost),
      h("span", { class: "name" }, card.name),
    );
  }

  #toggle(name) {
    if (!this.chosen.has(name)) return this.#take(name);
    for (const each of this.#together(name)) this.chosen.delete(each);
    say("");
    this.#show();
    this.changed();
  }

  /** Show the set of a card. */
  #open(card) {
    if (this.folded.has(card.group)) this.folded.get(card.group).open = true;
  }

  /** The cards that are chosen and removed with a card. */
  #together(name) {
    return this.colony.includes(name) ? this.colony : [name];
  }

  #take(name) {
    if (this.chosen.has(name)) return;
    const isColony = this.colony.includes(name);
    if (!isColony && this.size >= SIZE) return say("Ten cards are chosen. Remove one first.", "error");
    for (const each of this.#together(name)) this.chosen.set(each, false);
    this.#open(this.cards.find((card) => card.name === name));
    say("");
    this.#show();
    this.changed();
  }

  #clear() {
    this.unknown = [];
    this.kingdoms.value = "";
    this.set([]);
  }

  async #draw() {
    const kept = this.names.filter((name) => !this.chosen.get(name));
    const answer = await attempt(() =>
      ask("/api/ask/draw", {
        cards: kept,
        seed: Math.floor(Math.random() * 2 ** 32),
        firstEdition: this.firstEdition(),
      }),
    );
    if (!answer) return;
    this.kingdoms.value = "";
    this.set(answer.cards, answer.drawn);
    say(`Drawn: ${answer.drawn.join(", ") || "nothing, there are ten cards"}.`);
  }

  #beginning(text) {
    const wanted = letters(text);
    return wanted ? this.cards.filter((card) => letters(card.name).startsWith(wanted)) : [];
  }

  /** The cards that a text may mean while it is typed: those that begin with it, else those that contain it. */
  #matches(text) {
    const begins = this.#beginning(text);
    return begins.length || !letters(text)
      ? begins
      : this.cards.filter((card) => letters(card.name).includes(letters(text)));
  }

  /** The cards of the set that a text names. Three letters are enough. */
  #ofSet(text) {
    const wanted = letters(text);
    return wanted.length < 3 ? [] : this.cards.filter((card) => letters(card.group).startsWith(wanted));
  }

  /** Take the names before the last comma, and show what the rest may mean. */
  #type() {
    const parts = this.typed.value.split(",");
    if (parts.length > 1) {
      this.typed.value = parts.at(-1).trimStart();
      this.add(parts.slice(0, -1));
    }
    const text = this.typed.value;
    const fits = this.#matches(text);
    const ofSet = fits.length ? [] : this.#ofSet(text);
    const shown = [...fits, ...ofSet];
    for (const [name, button] of this.buttons)
      button.classList.toggle("off", Boolean(shown.length) && !shown.some((card) => card.name === name));
    const rest = fits
      .slice(1, 4)
      .map((card) => card.name)
      .join(", ");
    this.found.textContent = fits.length
      ? `Enter takes ${fits[0].name}${rest ? `; also ${rest}` : ""}`
      : ofSet.length
        ? `The cards of ${ofSet[0].group} are shown below.`
        : "";
    if (shown.every((card) => card.group === shown[0].group)) shown.slice(0, 1).forEach((card) => this.#open(card));
    clearTimeout(this.later);
    if (letters(text) && !shown.length) this.later = setTimeout(() => this.#explain(text), 250);
  }

  /** Show why a text that is being typed is no card, and the closest cards. */
  async #explain(text) {
    try {
      const {
        cards: [found],
      } = await ask("/api/ask/cards", { names: [text.slice(0, LONGEST)] });
      if (this.typed.value === text)
        this.found.textContent = found.card ? `Enter takes ${found.card}` : sentence(found.why);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** Add what is typed; with `first` the first card that it may mean. */
  async #enter(first) {
    const text = this.typed.value;
    const fits = first ? this.#matches(text) : [];
    const isSet = !this.#matches(text).length && this.#ofSet(text).length > 0;
    if (isSet && first) return;
    this.typed.value = "";
    this.#type();
    if (isSet) return;
    await this.add([fits.length ? fits[0].name : text]);
  }

  #show() {
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", this.chosen.has(name));
    const takeOut = (name) => {
      this.#toggle(name);
      this.typed.focus();
    };
    const slot = (card) =>
      h(
        "li",
        { class: mainType(card.types) },
        h(
          "button",
          { type: "button", "aria-label": `Remove ${card.name}`, onclick: () => takeOut(card.name) },
          h("span", {}, card.name, this.chosen.get(card.name) ? h("i", {}, " drawn") : null),
          h("span", { "aria-hidden": "true" }, "×"),
        ),
      );
    fill(
      this.slots,
      this.cards.filter((card) => this.chosen.has(card.name)).map(slot),
      Array.from({ length: SIZE - this.size }, () => h("li", { class: "empty", "aria-hidden": "true" })),
    );
    fill(
      this.notFound,
      this.unknown.map((one) => this.#unknownRow(one)),
    );
    const colony = this.size < this.chosen.size ? `, ${this.colony.join(" and ")}` : "";
    this.counted.textContent = `${this.size} of ${SIZE}${colony}`;
  }

  #unknownRow(one) {
    const replace = (name) => {
      this.unknown = this.unknown.filter((other) => other !== one);
      if (name) this.#take(name);
      this.#show();
      this.typed.focus();
    };
    return h(
      "li",
      {},
      h("span", {}, sentence(one.why)),
      one.close.map((name) => h("button", { type: "button", onclick: () => replace(name) }, name)),
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": `Remove '${one.text}'`, onclick: () => replace("") },
        "Remove it",
      ),
    );
  }
}

const LONGEST = 200; // characters of a name that the server takes
const MOST_UNKNOWN = 60;

const only = (found) => (found.length === 1 ? found[0] : undefined);

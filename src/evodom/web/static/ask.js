// The page that asks for advice: ten cards, players, minutes; and the answers so far.

import { $, ask, attempt, begin, count, fill, h, say } from "./page.js";
import { ago, doing, progress, share, watching } from "./told.js";

const SIZE = 10;
const MINUTES = [[0.5, "½ minute"], [1, "1 minute"], [2, "2 minutes"], [5, "5 minutes"], [10, "10 minutes"], [30, "30 minutes"]];
const MORE = [
  ["seed", "Seed", 0, "What is random follows from it; empty: a new one"],
  ["learn", "Games of learning", 2000, "Empty: as many as fit into the time"],
  ["generations", "Generations", 1, "Instead of minutes: the same answer on every machine"],
  ["games", "Games of each figure", 100, "10,000 by default"],
  ["strategies", "Strategies in a generation", 8, "128 by default"],
];

begin();
const offers = await attempt(() => ask("/api/play/offers"));
const cards = (offers?.cards ?? []).filter((card) => !card.basic).sort((one, other) => one.cost - other.cost || one.name.localeCompare(other.name));
const chosen = new Map(); // name -> whether it was drawn

const plain = (text) => text.toLowerCase().replace(/[^a-z]/g, "");

const typed = h("input", { id: "typed", type: "text", autocomplete: "off", spellcheck: "false", placeholder: "Chapel, Witch, ...", "aria-describedby": "found" });
const found = h("span", { id: "found", class: "note", role: "status" });
const slots = h("ol", { class: "slots", "aria-label": "The kingdom" });
const counted = h("span", { class: "note" });
const gallery = h("div", { class: "gallery", role: "group", "aria-label": "Cards of the second edition" });
const older = h("div", { class: "gallery", role: "group", "aria-label": "Cards of the first edition only" });
const kingdoms = h("select", { id: "kingdoms" }, h("option", { value: "" }, "Recommended ..."), (offers?.kingdoms ?? []).map((one) => h("option", {}, one.name)));
const submit = h("button", { class: "main", type: "submit" });
const minutes = h("select", { id: "minutes" }, MINUTES.map(([value, name]) => h("option", { value, selected: value === 1 }, name)));
const more = Object.fromEntries(MORE.map(([name, , least]) => [name, h("input", { id: name, type: "number", min: least, step: 1, inputmode: "numeric" })]));
const anew = h("input", { id: "anew", type: "checkbox" });
const list = h("ul", { class: "tasks" });

const pick = (card) => h("button", { type: "button", class: `pick ${card.types.at(-1).toLowerCase()}`, "aria-pressed": "false", title: card.lines.join(". "), onclick: () => toggle(card.name) },
  h("span", { class: "cost" }, h("span", { class: "unseen" }, "costs "), card.cost), h("span", { class: "name" }, card.name));
const buttons = new Map(cards.map((card) => [card.name, pick(card)]));
for (const card of cards) (card.dropped ? older : gallery).append(buttons.get(card.name));

function toggle(name, drawn = false) {
  if (chosen.has(name)) chosen.delete(name);
  else if (chosen.size >= SIZE) return say("Ten cards are chosen already: take one out first.", "error");
  else chosen.set(name, drawn);
  say("");
  show();
}

function show() {
  for (const [name, button] of buttons) button.setAttribute("aria-pressed", chosen.has(name));
  const order = cards.filter((card) => chosen.has(card.name));
  fill(slots,
    order.map((card) => h("li", { class: card.types.at(-1).toLowerCase() },
      h("button", { type: "button", "aria-label": `Take ${card.name} out`, onclick: () => { toggle(card.name); typed.focus(); } }, h("span", {}, card.name, chosen.get(card.name) ? h("i", {}, " drawn") : null), h("span", { "aria-hidden": "true" }, "×")))),
    Array.from({ length: SIZE - chosen.size }, () => h("li", { class: "empty", "aria-hidden": "true" })));
  const left = SIZE - chosen.size;
  counted.textContent = `${chosen.size} of ${SIZE}`;
  submit.textContent = left === 0 ? "Find the best plan" : left === SIZE ? "Draw ten cards, and find the best plan" : `Draw ${count(left, "card")}, and find the best plan`;
}

const matches = (text) => {
  const wanted = plain(text);
  if (!wanted) return [];
  const begins = cards.filter((card) => plain(card.name).startsWith(wanted));
  return begins.length ? begins : cards.filter((card) => plain(card.name).includes(wanted));
};

function type() {
  const parts = typed.value.split(",");
  for (const part of parts.slice(0, -1)) add(part);
  if (parts.length > 1) typed.value = parts.at(-1).trimStart();
  const fits = matches(typed.value);
  for (const [name, button] of buttons) button.classList.toggle("off", Boolean(plain(typed.value)) && !fits.some((card) => card.name === name));
  const shown = fits.slice(0, 4).map((card) => card.name).join(", ");
  found.textContent = !plain(typed.value) ? "" : !fits.length ? "No card is called so." : `Enter takes ${fits[0].name}${fits.length > 1 ? `; also ${shown.slice(fits[0].name.length + 2)}` : ""}`;
  if (fits.some((card) => card.dropped) && fits.every((card) => card.dropped)) $("#older").open = true;
}

function add(text) {
  const fits = matches(text);
  const exact = fits.find((card) => plain(card.name) === plain(text)) ?? fits[0];
  if (!plain(text)) return;
  if (!exact) return say(`No card is called '${text.trim()}'.`, "error");
  if (!chosen.has(exact.name)) toggle(exact.name);
}

typed.addEventListener("input", type);
typed.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !typed.value.trim()) return;
  event.preventDefault();
  add(typed.value);
  typed.value = "";
  type();
});
kingdoms.addEventListener("change", () => {
  const kingdom = offers.kingdoms.find((one) => one.name === kingdoms.value);
  if (!kingdom) return;
  chosen.clear();
  for (const name of kingdom.cards) chosen.set(name, false);
  if (kingdom.cards.some((name) => cards.find((card) => card.name === name)?.dropped)) $("#older").open = true;
  show();
});

async function draw() {
  const kept = [...chosen].filter(([, drawn]) => !drawn).map(([name]) => name);
  const answer = await attempt(() => ask("/api/ask/draw", { cards: kept, seed: Math.floor(Math.random() * 2 ** 32) }));
  if (!answer) return;
  chosen.clear();
  for (const name of answer.cards) chosen.set(name, answer.drawn.includes(name));
  kingdoms.value = "";
  show();
  say(`Drawn: ${answer.drawn.join(", ") || "nothing, there are ten cards"}.`);
}

async function send(event) {
  event.preventDefault();
  if (typed.value.trim()) return add(typed.value), (typed.value = ""), type();
  const body = { cards: [...chosen.keys()], players: Number($("input[name=players]:checked").value), anew: anew.checked };
  body.drawn = [...chosen].filter(([, drawn]) => drawn).map(([name]) => name);
  for (const [name, input] of Object.entries(more)) if (input.value) body[name] = Number(input.value);
  if (!more.generations.value) body.minutes = Number(minutes.value);
  submit.disabled = true;
  const task = await attempt(() => ask("/api/ask", body));
  submit.disabled = false;
  if (task) location.assign(`/ask/${task.name}`);
}

const players = h("fieldset", { class: "choice" }, h("legend", {}, "Players"), [2, 3, 4].map((n) => h("label", {}, h("input", { type: "radio", name: "players", value: n, checked: n === 2 }), h("span", {}, n))));
const form = h("form", { class: "asking", onsubmit: send },
  h("section", { "aria-labelledby": "cards-title" },
    h("h2", { id: "cards-title" }, "Ten cards ", counted),
    slots,
    h("div", { class: "tools" },
      h("p", { class: "field" }, h("label", { for: "typed" }, "Add by name"), typed),
      h("p", { class: "field" }, h("label", { for: "kingdoms" }, "Or a kingdom"), kingdoms),
      h("button", { type: "button", onclick: draw }, "Draw the rest"),
      h("button", { type: "button", class: "quiet", onclick: () => { chosen.clear(); kingdoms.value = ""; show(); } }, "Clear")),
    found, gallery,
    h("details", { id: "older" }, h("summary", {}, "Cards of the first edition only"), older)),
  h("div", { class: "tools last" }, players,
    h("p", { class: "field" }, h("label", { for: "minutes" }, "Time"), minutes),
    submit),
  h("details", {}, h("summary", {}, "To repeat an answer"),
    h("p", { class: "note" }, "With the same seed, games of learning and generations the answer is the same as that of evodom advise, on any machine."),
    h("div", { class: "fields" }, MORE.map(([name, label, , note]) => h("p", { class: "field" }, h("label", { for: name }, label), more[name], h("span", { class: "note" }, note)))),
    h("p", {}, h("label", { for: "anew" }, anew, " Start anew: forget what was found for these cards before"))));

const answers = h("section", { "aria-labelledby": "answers-title", hidden: true }, h("h2", { id: "answers-title" }, "Answers"), list);
fill($("#main"), h("h1", {}, "Ask"), h("p", { class: "lede" }, "Pick ten cards, and find out what is best with them: what to buy, how to open, which cards are traps."), form, answers);

const asked = new URLSearchParams(location.search);
for (const name of (asked.get("cards") ?? "").split(",")) if (buttons.has(name) && chosen.size < SIZE) chosen.set(name, false);
if (["2", "3", "4"].includes(asked.get("players"))) $(`input[name=players][value="${asked.get("players")}"]`).checked = true;
show();

const row = (task) => h("li", {}, h("a", { href: `/ask/${task.name}` },
  h("span", { class: "name" }, task.title),
  h("span", { class: "note" }, `${count(task.asked.players, "player")} · ${task.state === "done" ? ago(task.created) : doing(task)}`),
  task.state === "running" ? progress("How much is done", share(task)) : null));

watching(async () => {
  const { tasks } = await ask("/api/tasks?kind=advice");
  answers.hidden = !tasks.length;
  fill(list, tasks.slice(0, 30).map(row));
  return tasks.some((task) => task.state === "running" || task.state === "waiting") ? 2 : 10;
});

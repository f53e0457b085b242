// The form for advice: ten cards, players, minutes. Below it are the saved answers.

import { $, TABLES, ask, attempt, begin, count, field, fill, h } from "./page.js";
import { Picker, SIZE } from "./picker.js";
import { damagedRows, poll, taskLink } from "./tasks.js";

const MINUTES = [
  [0.5, "½ minute"],
  [1, "1 minute"],
  [2, "2 minutes"],
  [5, "5 minutes"],
  [10, "10 minutes"],
  [30, "30 minutes"],
];
const MORE = [
  ["seed", "Seed", 0, "Random seed. Empty: a new seed"],
  ["learned_games", "Training games", 2000, "Empty: the number that the time allows"],
  ["generations", "Generations", 1, "Instead of minutes. Gives the same answer on every machine"],
  ["games", "Games per win rate", 100, "Default: 10,000"],
  ["strategies", "Strategies per generation", 8, "Default: 128"],
];

begin();
const offers = await attempt(() => ask("/api/play/offers"));
const picker = new Picker(offers ?? { cards: [], kingdoms: [] }, { changed: show });
const submit = h("button", { class: "main", type: "submit" });
const minutes = h(
  "select",
  { id: "minutes" },
  MINUTES.map(([value, name]) => h("option", { value, selected: value === 1 }, name)),
);
const more = Object.fromEntries(
  MORE.map(([name, , least]) => [
    name,
    h("input", { id: name, type: "number", min: least, step: 1, inputmode: "numeric" }),
  ]),
);
const overwrite = h("input", { id: "overwrite", type: "checkbox" });
const list = h("ul", { class: "tasks" });

function show() {
  const left = SIZE - picker.size;
  submit.textContent =
    left === 0
      ? "Find the best plan"
      : left === SIZE
        ? "Draw ten cards and find the best plan"
        : `Draw ${count(left, "card")} and find the best plan`;
}

async function send(event) {
  event.preventDefault();
  if (!(await picker.settle())) return;
  const body = { cards: picker.names, drawn: picker.drawn, overwrite: overwrite.checked };
  body.players = Number($("input[name=players]:checked").value);
  for (const [name, input] of Object.entries(more)) if (input.value) body[name] = Number(input.value);
  if (!more.generations.value) body.minutes = Number(minutes.value);
  submit.disabled = true;
  const task = await attempt(() => ask("/api/ask", body));
  submit.disabled = false;
  if (task) location.assign(`/ask/${task.name}`);
}

const players = h(
  "fieldset",
  { class: "choice" },
  h("legend", {}, "Players"),
  TABLES.map((n) =>
    h("label", {}, h("input", { type: "radio", name: "players", value: n, checked: n === 2 }), h("span", {}, n)),
  ),
);
const form = h(
  "form",
  { class: "asking", onsubmit: send },
  h(
    "section",
    { "aria-labelledby": "cards-title" },
    h("h2", { id: "cards-title" }, "Ten cards ", picker.counted),
    picker.element,
  ),
  h(
    "div",
    { class: "tools last" },
    players,
    field("Time", minutes),
    submit,
  ),
  h(
    "details",
    {},
    h("summary", {}, "To repeat an answer"),
    h(
      "p",
      { class: "note" },
      "The same seed, training games and generations give the same answer as evodom advise, " +
        "on any machine.",
    ),
    h(
      "div",
      { class: "fields" },
      MORE.map(([name, label, , note]) => field(label, more[name], note)),
    ),
    h(
      "p",
      {},
      h("label", { for: "overwrite" }, overwrite, " Start from the beginning: ignore earlier results for these cards"),
    ),
  ),
);

const answers = h(
  "section",
  { "aria-labelledby": "answers-title", hidden: true },
  h("h2", { id: "answers-title" }, "Answers"),
  list,
);
fill(
  $("#main"),
  h("h1", {}, "Ask"),
  h(
    "p",
    { class: "lede" },
    "Pick ten cards. The answer lists what to buy, how to open and which cards to avoid.",
  ),
  form,
  answers,
);

const asked = new URLSearchParams(location.search);
if (TABLES.map(String).includes(asked.get("players")))
  $(`input[name=players][value="${asked.get("players")}"]`).checked = true;
show();
await picker.add((asked.get("cards") ?? "").split(","));

const row = (task) => taskLink(`/ask/${task.name}`, task, `${count(task.asked.players, "player")} · `);

poll(async () => {
  const { tasks, damaged } = await ask("/api/tasks?kind=advice");
  answers.hidden = !tasks.length && !damaged.length;
  fill(list, tasks.slice(0, 30).map(row), damagedRows(damaged));
  return tasks.some((task) => task.state === "running") ? 2 : 10;
});

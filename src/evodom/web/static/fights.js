// The form of a new fight: enemies and deck, by name.

import { $, ask, attempt, begin, field, fill, h, keep, setting } from "./page.js";
import { ago, savedSessions } from "./tasks.js";

const POOLS = {
  weak: "The first three fights",
  strong: "Later fights",
  elite: "Elites",
  boss: "Bosses",
  event: "Of events",
};

begin();
const offers = await attempt(() => ask("/api/fights"));
const last = JSON.parse(setting("fight", "{}"));
const options = (id, names) =>
  h(
    "datalist",
    { id },
    names.map((name) => h("option", { value: name })),
  );

const enemies = h("input", {
  id: "enemies",
  value: last.enemies ?? "Gremlin Nob",
  list: "encounters",
  autocomplete: "off",
  spellcheck: "false",
  required: true,
});
const deck = h(
  "textarea",
  {
    id: "deck",
    rows: 2,
    spellcheck: "false",
    placeholder: `The starter deck: ${Object.entries(offers?.starter.deck ?? {})
      .map(([name, n]) => (n > 1 ? `${n} ${name}` : name))
      .join(", ")}`,
  },
  last.deck ?? "",
);
const relics = h("input", {
  id: "relics",
  value: last.relics ?? "Burning Blood",
  autocomplete: "off",
  spellcheck: "false",
});
const potions = h("input", {
  id: "potions",
  value: last.potions ?? "",
  autocomplete: "off",
  spellcheck: "false",
  placeholder: "Fire Potion",
});
const numbers = {
  hp: [1, 999, "as at the start"],
  max_hp: [1, 999, "by ascension"],
  ascension: [0, 20, "20"],
  seed: [0, Number.MAX_SAFE_INTEGER, "a new one"],
};
const inputs = Object.fromEntries(
  Object.entries(numbers).map(([name, [min, max, placeholder]]) => [
    name,
    h("input", {
      id: name,
      type: "number",
      min,
      max,
      placeholder,
      value: name === "seed" ? null : (last[name] ?? null),
    }),
  ]),
);
const payoff = h(
  "select",
  { id: "payoff" },
  [
    ["hp", "Remaining HP"],
    ["win", "The win"],
    ["both", "Both"],
  ].map(([value, name]) => h("option", { value, selected: last.payoff === value }, name)),
);

function form() {
  const said = {
    enemies: enemies.value,
    deck: deck.value,
    relics: relics.value,
    potions: potions.value,
    payoff: payoff.value,
  };
  for (const [name, input] of Object.entries(inputs)) if (input.value !== "") said[name] = Number(input.value);
  return said;
}

async function start(event) {
  event.preventDefault();
  const said = form();
  const fight = await attempt(() => ask("/api/fights", said));
  if (!fight) return;
  keep("fight", JSON.stringify(said));
  location.assign(`/fights/${fight.name}`);
}

/** Saved fights: unfinished first, the latest unfolded, then finished. */
function saved(all) {
  const line = (one) => [
    h("span", { class: "name" }, one.problem ? one.name : one.title.split(",")[0]),
    h("span", { class: "note" }, one.problem || one.title.split(",").slice(1).join(",").trim()),
    h("span", { class: "note" }, `${one.stage ? `${one.stage} · ` : ""}${ago(one.modified)}`),
  ];
  const row = (one) =>
    h(
      "li",
      {},
      one.problem
        ? h("div", { class: "row" }, line(one))
        : h("a", { href: `/fights/${encodeURIComponent(one.name)}` }, line(one)),
    );
  return all.length ? savedSessions(all, "fights", "tasks begun", row) : null;
}

const pools = Object.entries(POOLS).map(([pool, label]) =>
  h(
    "div",
    { class: "pool" },
    h("h3", {}, label),
    (offers?.encounters ?? [])
      .filter((one) => one.pool === pool)
      .map((one) =>
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              enemies.value = one.name;
              enemies.focus();
            },
          },
          one.name,
        ),
      ),
  ),
);

fill(
  $("#main"),
  h("h1", {}, "Fights"),
  h(
    "p",
    { class: "lede" },
    "A fight of the Ironclad in the first act of Slay the Spire, move by move: the value of each choice, " +
      "the probability of losing, and the best line up to the next draw.",
  ),
  saved(offers?.fights ?? []),
  h(
    "form",
    { onsubmit: start },
    h(
      "section",
      { "aria-labelledby": "against" },
      h("h2", { id: "against" }, "Against"),
      field("An encounter, or enemies left to right", enemies, "Example: nob, or 3 louses. Short names are accepted."),
      h("div", { class: "pools" }, pools),
    ),
    h(
      "section",
      { "aria-labelledby": "with" },
      h("h2", { id: "with" }, "With"),
      field("Deck", deck, "Example: Bash+, 5 Strike, 4 Defend, Pommel Strike. Empty: the starter deck."),
      h(
        "div",
        { class: "fields" },
        field("Relics", relics),
        field("Potions", potions),
        field("What counts", payoff),
        field("HP", inputs.hp),
        field("Maximum HP", inputs.max_hp),
        field("Ascension", inputs.ascension),
        field("Seed", inputs.seed),
      ),
    ),
    h("p", {}, h("button", { class: "main", type: "submit" }, "Start the fight")),
  ),
  options(
    "encounters",
    (offers?.encounters ?? []).map((one) => one.name),
  ),
);

// The page of one fight: the position, every move with its value, and the moves so far.

import { $, Refusal, ask, attempt, begin, fill, h, keep, say, setting } from "./page.js";
import { confirmButton, formatCount, lastPathPart } from "./tasks.js";

begin();
const name = lastPathPart();
const board = h("div", { class: "fight" });
fill($("#main"), h("p", { class: "crumb" }, h("a", { href: "/fights" }, "Fights")), board);

let fight = null;
let busy = false;
let happened = "";

/** Send an action for the fight shown, and show the answer. */
async function act(what, body = {}) {
  if (busy) return;
  busy = true;
  board.setAttribute("aria-busy", "true");
  try {
    const focused = document.activeElement?.dataset?.key;
    const before = what ? fight : null;
    fight = what
      ? await ask(`/api/fights/${name}/${what}`, { at: fight.at, ...body })
      : await ask(`/api/fights/${name}`);
    say("");
    happened = before && fight.at !== before.at && what !== "undo" ? changes(before, fight) : "";
    show();
    if (before && fight.over && !before.over) $(".end", board).focus();
    if (focused) $(`[data-key="${CSS.escape(focused)}"]`, board)?.focus();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 404)
      fill(
        board,
        h("p", { class: "status" }, error.message),
        h("p", {}, h("a", { class: "button main", href: "/fights" }, "Start a fight")),
      );
    else say(error.message, "error");
    if (error.status === 409) setTimeout(() => act(), 0);
  } finally {
    busy = false;
    board.removeAttribute("aria-busy");
  }
}

const simulations = h(
  "select",
  { id: "simulations", "aria-label": "Simulations" },
  [100, 1000, 10000, 100000].map((n) =>
    h("option", { value: n, selected: String(n) === setting("simulations", "1000") }, formatCount(n)),
  ),
);
simulations.addEventListener("change", () => keep("simulations", simulations.value));

/** HP as a bar with its number. */
function health(hp, most, block, label) {
  const bar = h("meter", {
    min: 0,
    max: most,
    low: most * 0.3,
    high: most * 0.5,
    optimum: most,
    value: hp,
    "aria-label": `${label}: ${hp} of ${most} HP`,
  });
  return h(
    "p",
    { class: "health" },
    bar,
    h("span", {}, `${hp}/${most} HP`),
    block ? h("span", { class: "block" }, `${block} block`) : null,
  );
}

const statuses = (list) =>
  list.length
    ? h(
        "ul",
        { class: "statuses" },
        list.map((one) => h("li", {}, `${one.name} ${one.n}`)),
      )
    : null;

const enemy = (one, several) =>
  h(
    "li",
    { class: "enemy" },
    h("h3", {}, several ? `${one.place} ` : "", one.name),
    health(one.hp, one.max_hp, one.block, one.name),
    h(
      "p",
      { class: "intent" },
      h("span", { class: "note" }, "intends "),
      one.intent,
      one.damage ? [": ", h("b", {}, `${one.damage} damage`)] : null,
    ),
    statuses(one.statuses),
  );

/** Equal cards of the hand. A click plays one; with several enemies, the enemy's name is clicked. */
function card(one) {
  const ways = fight.moves.filter((move) => move.hand && move.card === one.name);
  const face = [
    one.cost === ""
      ? h("span", { class: "cost" }, h("span", { class: "unseen" }, "not playable "), "–")
      : h("span", { class: "cost" }, h("span", { class: "unseen" }, "costs "), one.cost),
    h("span", { class: "name" }, one.name, one.n > 1 ? h("span", { class: "times" }, ` ×${one.n}`) : null),
    h("span", { class: "text" }, one.text),
  ];
  const kind = `spire ${one.kind.toLowerCase()}`;
  const play = (way) => ({
    type: "button",
    "data-key": `hand:${way.text}`,
    onclick: () => act("play", { move: way.move }),
  });
  if (ways.length === 1) return h("li", {}, h("button", { class: `${kind} can`, ...play(ways[0]) }, face));
  if (!ways.length) return h("li", { class: kind }, face);
  const place = new Map(fight.enemies.map((enemy) => [enemy.place, `${enemy.place} ${enemy.name}`]));
  return h(
    "li",
    { class: `${kind} can` },
    face,
    h(
      "span",
      { class: "targets" },
      ways.map((way) => h("button", { "aria-label": way.text, ...play(way) }, place.get(way.enemy) ?? way.text)),
    ),
  );
}

const pile = (label, cards) => {
  const n = cards.reduce((sum, one) => sum + one.n, 0);
  return h(
    "details",
    { class: "pile" },
    h("summary", {}, `${label}: ${n}`),
    h("p", {}, cards.map((one) => (one.n > 1 ? `${one.n} ${one.name}` : one.name)).join(", ") || "empty"),
  );
};

/** Every move with its values from search and solver. */
function moves() {
  const figures = new Map((fight.figures ?? []).map((one) => [one.move, one]));
  const proven = new Map((fight.proven ?? []).map((one) => [one.move, one.worth]));
  const all = fight.can_end ? [...fight.moves, { move: 0, text: "End the turn", end: true }] : fight.moves;
  const known = figures.size || proven.size;
  const rank = (one) =>
    proven.size ? -(proven.get(one.move) ?? -1e9) : figures.size ? -(figures.get(one.move)?.visits ?? 0) : 0;
  const order = known ? [...all].sort((one, other) => rank(one) - rank(other)) : all;
  const most = Math.max(1, ...[...figures.values()].map((one) => one.visits));
  const best = known ? order[0]?.move : null;
  const cell = (label, value) => h("td", { class: "n" }, h("span", { class: "label" }, label), value);
  const row = (one) => {
    const found = figures.get(one.move);
    const play = h(
      "button",
      { type: "button", "data-key": one.end ? "end" : one.text, onclick: () => act("play", { move: one.move }) },
      one.text,
    );
    return h(
      "tr",
      { class: one.move === best ? "best" : "" },
      h("th", { scope: "row" }, play),
      figures.size
        ? [
            cell("worth", typeof found?.worth === "number" ? found.worth.toFixed(2) : "–"),
            cell("lost, %", typeof found?.death === "number" ? (100 * found.death).toFixed(1) : "–"),
            h(
              "td",
              { class: "visits" },
              h("span", { class: "label" }, "visits"),
              h("meter", { min: 0, max: most, value: found?.visits ?? 0, "aria-hidden": "true" }),
              h("span", {}, formatCount(found?.visits ?? 0)),
            ),
          ]
        : null,
      proven.size ? cell("proven", proven.has(one.move) ? proven.get(one.move).toFixed(3) : "–") : null,
    );
  };
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "move"),
    figures.size
      ? [
          h("th", { scope: "col", class: "n" }, "value"),
          h("th", { scope: "col", class: "n" }, "lost, %"),
          h("th", { scope: "col" }, "visits"),
        ]
      : null,
    proven.size ? h("th", { scope: "col", class: "n" }, "proven") : null,
  );
  return h(
    "table",
    { class: `moves${known ? "" : " plain"}` },
    known ? h("thead", {}, head) : null,
    h("tbody", {}, order.map(row)),
  );
}

/** Describe the change between two positions. */
function changes(before, now) {
  const lost = (what, from, to) =>
    from > to ? `${what} lost ${from - to} HP` : to > from ? `${what} gained ${to - from} HP` : "";
  const places = new Map(now.enemies.map((one) => [one.place, one]));
  const enemyName = (one) => `${before.enemies.length > 1 ? `${one.place} ` : ""}${one.name}`;
  const foes = before.enemies.map((one) =>
    places.has(one.place) ? lost(enemyName(one), one.hp, places.get(one.place).hp) : `${enemyName(one)} is gone`,
  );
  const known = new Set(before.enemies.map((one) => one.place));
  const come = now.enemies.filter((one) => !known.has(one.place)).map((one) => `${one.name} came`);
  return [lost("You", before.you.hp, now.you.hp), ...foes, ...come].filter(Boolean).join(", ");
}

/** The moves so far, one line per turn, latest first. */
function played() {
  const turns = [[]];
  for (const said of fight.log) {
    if (said === END) turns.push([]);
    else turns.at(-1).push(said);
  }
  const line = (said, index) =>
    h("li", { value: index + 1 }, said.join(", ") || (index < turns.length - 1 ? "nothing" : "nothing yet"));
  return h(
    "section",
    { "aria-labelledby": "played-title" },
    h("h2", { id: "played-title" }, "Turns so far"),
    h("ol", { class: "played" }, turns.map(line).reverse()),
  );
}

const END = "end the turn";

/** Start the same fight again, with the same seed or a new one. */
async function again(seed) {
  const begun = await attempt(() => ask("/api/fights", { like: fight.name, ...seed }));
  if (begun) location.assign(`/fights/${begun.name}`);
}

const ended = () =>
  h(
    "section",
    { class: `panel end ${fight.won ? "won" : "lost"}`, tabindex: "-1", "aria-label": "The end" },
    h("p", { class: "status", role: "status" }, fight.end),
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "button", class: "main", onclick: () => again({}) }, "Again, with other luck"),
      h("button", { type: "button", onclick: () => again({ seed: fight.seed }) }, "Again, with the same"),
      h("a", { class: "button", href: "/fights" }, "Another fight"),
    ),
  );

function advice() {
  if (fight.over) return null;
  const n = () => ({ simulations: Number(simulations.value) });
  const line = fight.line?.length
    ? h(
        "div",
        { class: "line" },
        h(
          "p",
          {},
          h("b", {}, "Best line: "),
          fight.line.map((one) => `${one.text} (${one.worth.toFixed(2)})`).join(", "),
          ".",
        ),
        h("button", { type: "button", "data-key": "play-line", onclick: () => act("play-line") }, "Play this line"),
      )
    : null;
  const note = fight.figures
    ? h(
        "p",
        { class: "note" },
        `After ${formatCount(fight.searched)} simulations. Value: average of the network's estimate and ` +
          "fast playouts. Use it to compare moves.",
      )
    : null;
  return [
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        { type: "button", "data-key": "weigh", onclick: () => act("weigh", n()) },
        fight.figures ? "Search more" : "Evaluate the moves",
      ),
      h("button", { type: "button", "data-key": "line", onclick: () => act("line", n()) }, "Best line"),
      h("button", { type: "button", "data-key": "prove", onclick: () => act("prove") }, "Prove it"),
      h("label", { class: "inline" }, "Simulations ", simulations),
    ),
    note,
    line,
  ];
}

function show() {
  document.title = `${fight.title.split(",")[0]} · evodom`;
  const { you } = fight;
  const hand = fight.hand.length
    ? h("ul", { class: "hand" }, fight.hand.map(card))
    : h("p", { class: "note" }, "The hand is empty.");
  fill(
    board,
    h(
      "header",
      {},
      h("h1", {}, fight.title.split(",")[0]),
      h(
        "p",
        { class: "note" },
        `Turn ${fight.turn} · ${fight.title.split(",").slice(1).join(",").trim()}`,
        fight.seed === null ? "" : ` · seed ${fight.seed}`,
      ),
    ),
    fight.over ? ended() : null,
    h("p", { class: "happened", role: "status" }, happened ? `${happened}.` : ""),
    h(
      "div",
      { class: "arena" },
      h(
        "section",
        { "aria-label": "You" },
        h("h2", {}, "You"),
        health(you.hp, you.max_hp, you.block, "You"),
        h("p", { class: "energy" }, h("b", {}, you.energy), " energy"),
        statuses(you.statuses),
        fight.potions.length ? h("p", { class: "note" }, `Potions: ${fight.potions.join(", ")}`) : null,
      ),
      fight.over
        ? null
        : h(
            "section",
            { "aria-label": "Enemies" },
            h("h2", {}, "Enemies"),
            h(
              "ul",
              { class: "enemies" },
              fight.enemies.map((one) => enemy(one, fight.enemies.length > 1)),
            ),
          ),
    ),
    fight.over
      ? null
      : h(
          "section",
          { "aria-labelledby": "hand-title" },
          h("h2", { id: "hand-title" }, fight.question || "Hand"),
          hand,
          back(),
          h(
            "div",
            { class: "piles" },
            pile("Draw pile", fight.piles.draw),
            pile("Discard pile", fight.piles.discard),
            pile("Exhausted", fight.piles.exhaust),
          ),
          fight.next.length ? h("p", { class: "note" }, `Drawn next: ${fight.next.join(", ")}.`) : null,
        ),
    fight.over
      ? null
      : h(
          "section",
          { "aria-labelledby": "moves-title" },
          h("h2", { id: "moves-title" }, "All moves"),
          advice(),
          moves(),
          h(
            "p",
            { class: "note keys" },
            "Keys: ",
            h("kbd", {}, "e"),
            " ends the turn, ",
            h("kbd", {}, "u"),
            " takes a move back, ",
            h("kbd", {}, "n"),
            " evaluates the moves.",
          ),
        ),
    fight.over ? back() : null,
    fight.log.length ? played() : null,
  );
}

/** Buttons that end the turn or undo moves. Undoing all asks for confirmation. */
function back() {
  const all = confirmButton("Restart the fight", "Take back all moves?", () => act("undo", { n: 0 }));
  all.dataset.key = "again";
  all.disabled = !fight.played;
  return h(
    "div",
    { class: "buttons" },
    fight.can_end
      ? h(
          "button",
          { type: "button", class: "main", "data-key": "end", onclick: () => act("play", { move: 0 }) },
          "End the turn",
        )
      : null,
    h(
      "button",
      { type: "button", "data-key": "undo", disabled: !fight.played, onclick: () => act("undo", { n: 1 }) },
      "Undo",
    ),
    all,
  );
}

document.addEventListener("keydown", (event) => {
  if (!fight || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName))
    return;
  if (event.key === "u" && fight.played) act("undo", { n: 1 });
  else if (event.key === "e" && fight.can_end) act("play", { move: 0 });
  else if (event.key === "n" && !fight.over) act("weigh", { simulations: Number(simulations.value) });
});

await act();

// The page of saved games and of a new game.

import { $, TABLES, ask, attempt, begin, field, fill, h, say } from "./page.js";
import { Picker } from "./picker.js";
import { savedSessions } from "./tasks.js";

/** The settings of a new game without its cards. */
const plan = { firstEdition: false, seats: [], drawSeats: true, seed: "", name: "" };
let offers = null;
let games = [];
let picker = null;
const seated = h("div", {});

/** Read the address: ?kingdom=a,b,c and &who=network, as often as there are opponents. */
async function readAddress() {
  const asked = new URLSearchParams(location.search);
  const kingdom = asked.get("kingdom") ?? "";
  const named = offers.kingdoms.find((one) => one.name === kingdom);
  const who = asked.getAll("who");
  const seats = who.includes("person") ? who : ["person", ...who];
  if (who.length) plan.seats = seats.slice(0, TABLES.at(-1)).map((one) => ({ who: one, person: "" }));
  if (named) picker.set(named.cards);
  else await picker.add(kingdom.split(","));
}

function drawPage() {
  fill(
    $("#main"),
    h("h1", {}, "Play Dominion"),
    games.length ? saved() : null,
    h(
      "form",
      { onsubmit: start },
      games.length ? h("h2", {}, "A new game") : null,
      h(
        "div",
        { class: "columns" },
        h(
          "fieldset",
          {},
          h("legend", {}, "Kingdom ", picker.counted),
          h("p", { class: "note" }, "Missing cards are drawn when the game starts."),
          picker.element,
          check("firstEdition", "Also draw cards that are only in the first edition"),
        ),
        h(
          "div",
          {},
          h("fieldset", {}, h("legend", {}, "Players"), seated),
          more(),
          h("button", { class: "main", type: "submit", id: "start" }, "Start the game"),
        ),
      ),
    ),
  );
}

/** Draw the players again. The focus stays. */
function drawSeats() {
  const focused = document.activeElement?.id;
  fill(seated, players());
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function saved() {
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const said = (game) =>
    game.problem || `${game.players.join(", ")}${game.terminal ? `. Only in the terminal: ${game.terminal}` : ""}`;
  const line = (game) => [
    h("span", { class: "name" }, game.name),
    h("span", { class: "players-of" }, said(game)),
    h("span", {}, game.stage),
    h("time", { class: "when", datetime: game.modified }, when.format(new Date(game.modified))),
  ];
  const row = (game) =>
    h(
      "li",
      {},
      game.problem || game.terminal
        ? h("div", { class: "broken" }, line(game))
        : h("a", { href: `/play/${encodeURIComponent(game.name)}` }, line(game)),
    );
  return savedSessions(games, "games", "saved", row);
}

function players() {
  const number = h(
    "select",
    { id: "number", onchange: () => change({ seats: seatsFor(Number(number.value)) }) },
    TABLES.map((n) => h("option", { value: n, selected: n === plan.seats.length }, n)),
  );
  const people = plan.seats.filter((seat) => seat.who === "person").length;
  return [
    field("At the table", number),
    h(
      "ol",
      { class: "seats" },
      plan.seats.map((seat, index) =>
        h("li", {}, who(seat, index), people > 1 && seat.who === "person" ? called(seat, index) : null),
      ),
    ),
    people > 1 ? h("p", { class: "soft" }, "Players share this screen. Pass it on before a hand is shown.") : null,
    check("drawSeats", "Random first player"),
  ];
}

/** Set the number of seats. New seats copy the last opponent. */
function seatsFor(n) {
  const last = plan.seats.findLast((seat) => seat.who !== "person") ?? {
    who: offers.networks[0] ?? "big-money",
    person: "",
  };
  return Array.from({ length: n }, (_, index) => plan.seats[index] ?? { ...last });
}

function who(seat, index) {
  const option = (value, label) => h("option", { value, selected: seat.who === value }, label);
  const fitting = offers.baselines.filter((one) => one.needs.every((card) => picker.names.includes(card)));
  const thinking = (name) =>
    name.includes(":")
      ? `Network with search, ${name.split(":")[1].replace("s", " s")} a decision`
      : "Shipped network";
  const groups = [
    offers.networks.length
      ? h(
          "optgroup",
          { label: "Networks" },
          offers.networks.map((name) => option(name, thinking(name))),
        )
      : null,
    offers.runs.length
      ? h(
          "optgroup",
          { label: "Champions of saved runs" },
          offers.runs.map((run) =>
            option(`${run.key}:1`, `${run.key}, in ${run.kingdom === "custom" ? "its own kingdom" : run.kingdom}`),
          ),
        )
      : null,
    h(
      "optgroup",
      { label: "Baselines" },
      fitting.map((one) => option(one.name, one.name)),
    ),
  ];
  const known = [
    ...offers.networks,
    ...offers.runs.map((run) => `${run.key}:1`),
    ...fitting.map((one) => one.name),
    "person",
  ];
  const select = h(
    "select",
    { id: `seat-${index}`, "aria-label": `Player ${index + 1}`, onchange: () => seatAs(index, select.value) },
    option("person", "A person"),
    groups,
    known.includes(seat.who) ? null : option(seat.who, seat.who),
  );
  return select;
}

/** Set the player of a seat. A champion also sets the kingdom, and the size of a table that has no other champion. */
function seatAs(index, value) {
  const seats = plan.seats.map((seat, place) => (place === index ? { ...seat, who: value } : seat));
  const run = offers.runs.find((one) => `${one.key}:1` === value);
  const isFirst = plan.seats.every((seat) => !offers.runs.some((one) => `${one.key}:1` === seat.who));
  if (run) say(`${run.key} plays only in its kingdom, which is used. It was made for ${run.players} players.`);
  plan.seats = seats;
  change({ seats: run && isFirst ? seatsFor(Math.max(run.players, index + 1)) : seats });
  if (run) picker.set(run.cards);
}

function called(seat, index) {
  const input = h("input", {
    id: `name-${index}`,
    maxlength: 20,
    placeholder: "Name",
    "aria-label": `Name of player ${index + 1}`,
    value: seat.person,
  });
  input.addEventListener("input", () => {
    seat.person = input.value;
  });
  return input;
}

function more() {
  const text = (name, label, options) => {
    const input = h("input", { id: name, value: plan[name], ...options });
    input.addEventListener("input", () => {
      plan[name] = input.value;
    });
    return field(label, input);
  };
  return h(
    "details",
    { open: Boolean(plan.seed || plan.name) },
    h("summary", {}, "More"),
    text("name", "Save the game as", { placeholder: "named after the opponent" }),
    text("seed", "Seed", { inputmode: "numeric", placeholder: "drawn" }),
  );
}

function check(name, label) {
  const box = h("input", {
    type: "checkbox",
    id: name,
    checked: plan[name],
    onchange: () => {
      plan[name] = box.checked;
    },
  });
  return h("label", { class: "check", for: name }, box, label);
}

function change(what) {
  Object.assign(plan, what);
  drawSeats();
}

async function start(event) {
  event.preventDefault();
  if (!(await picker.settle())) return;
  const people = plan.seats.filter((seat) => seat.who === "person");
  const nameOf = (seat) => seat.person.trim() || `Player ${plan.seats.indexOf(seat) + 1}`;
  const body = {
    kingdom: picker.names.join(", ") || "random",
    firstEdition: plan.firstEdition,
    players: plan.seats.map((seat) =>
      seat.who === "person" ? { person: people.length > 1 ? nameOf(seat) : "You" } : { who: seat.who },
    ),
    drawSeats: plan.drawSeats,
    name: plan.name.trim(),
    ...(plan.seed.trim() ? { seed: Number(plan.seed) } : {}),
  };
  const begun = await attempt(() => ask("/api/play/games", body));
  if (begun) location.assign(`/play/${encodeURIComponent(begun.name)}`);
}

begin();
await attempt(async () => {
  [offers, { games }] = await Promise.all([ask("/api/play/offers"), ask("/api/play/games")]);
  plan.seats = ["person", offers.networks[0] ?? "big-money"].map((who) => ({ who, person: "" }));
  picker = new Picker(offers, { changed: drawSeats, firstEdition: () => plan.firstEdition });
  drawPage();
  drawSeats();
  await readAddress();
  drawSeats();
});

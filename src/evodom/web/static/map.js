// The act map with its best route for the user's room values.

import { $, Refusal, ask, attempt, begin, count, field, fill, h, keep, say, setting, table } from "./page.js";
import { parseHtml } from "./tasks.js";

begin();
const usual = await attempt(() => ask("/api/map"));
const address = new URLSearchParams(location.search);
const number = (id, attributes) => h("input", { id, type: "number", inputmode: "decimal", ...attributes });

const seed = h("input", {
  id: "seed",
  value: address.get("seed") ?? setting("seed", "AGCK93XT"),
  autocomplete: "off",
  spellcheck: "false",
  required: true,
});
const act = h(
  "select",
  { id: "act" },
  [1, 2, 3, 4].map((n) => h("option", { value: n, selected: String(n) === (address.get("act") ?? "1") }, n)),
);
const ascension = number("ascension", { min: 0, max: 20, value: address.get("ascension") ?? 20 });
const tolerance = h("input", { id: "tolerance", type: "range", min: 0, max: 1, step: 0.05, value: 0.5 });
const tolerated = h("output", { for: "tolerance" }, "0.5");
const hp = number("hp", { min: 1, max: 999, placeholder: "not asked" });
const least = h("input", { id: "least", placeholder: "1 shop before 12", autocomplete: "off" });
const most = h("input", { id: "most", placeholder: "2 elites", autocomplete: "off" });
const weights = (usual?.rooms ?? []).map((room) => ({
  room,
  value: number(`value-${room.name}`, { value: room.value, step: "any", "aria-label": `${room.name}, value` }),
  risk: number(`risk-${room.name}`, { value: room.risk, step: "any", "aria-label": `${room.name}, risk` }),
}));

const picture = h("div", { class: "picture" });
const summary = h("div", {});
const legend = h("ul", { class: "legend rooms", "aria-label": "Rooms" });
const routes = h("div", { class: "routes", role: "group", "aria-label": "The best routes" });

const form = h(
  "form",
  {
    class: "weights",
    onsubmit: (event) => {
      event.preventDefault();
      find();
    },
  },
  h("div", { class: "fields" }, field("Seed", seed), field("Act", act), field("Ascension", ascension)),
  h(
    "details",
    { id: "weights", open: !matchMedia("(max-width: 48rem)").matches },
    h("summary", {}, "Values of rooms"), // folded on a phone: the map follows
    table(
      ["room", "value", "risk"],
      weights.map(({ room, value, risk }) => [
        h("th", { scope: "row" }, parseHtml(room.sign), room.name),
        h("td", {}, value),
        h("td", {}, risk),
      ]),
    ),
    field("Risk tolerance", tolerance, [tolerated, " (0: avoid risk, 1: ignore risk)"]),
  ),
  h(
    "details",
    {},
    h("summary", {}, "Rules"),
    h(
      "div",
      { class: "fields" },
      field("At least", least),
      field("At most", most),
      field("Starting HP (exclude routes that kill you)", hp),
    ),
  ),
  h(
    "div",
    { class: "buttons" },
    h("button", { type: "submit", class: "main" }, "Find the route"),
    h("button", { type: "button", class: "quiet", onclick: reset }, "Usual values"),
  ),
);

fill(
  $("#main"),
  h("h1", {}, "Map"),
  h(
    "p",
    { class: "lede" },
    "The act map of a run's seed and the best route for your room values.",
  ),
  h(
    "div",
    { class: "mapping" },
    h("div", { class: "side" }, form, legend),
    h("section", { class: "shown", "aria-label": "The route" }, summary, routes, picture),
  ),
);

const numbers = (which) => Object.fromEntries(weights.map((one) => [one.room.name, one[which].value || "0"]));
const rules = (input) =>
  input.value
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter(Boolean);

let number_of_call = 0;

async function find() {
  const call = ++number_of_call;
  const body = {
    seed: seed.value,
    act: Number(act.value),
    ascension: Number(ascension.value || 20),
    value: numbers("value"),
    risk: numbers("risk"),
    tolerance: tolerance.value,
    at_least: rules(least),
    at_most: rules(most),
  };
  if (hp.value) body.hp = Number(hp.value);
  try {
    const found = await ask("/api/map", body);
    if (call !== number_of_call) return;
    say("");
    keep("seed", seed.value);
    history.replaceState(
      null,
      "",
      `?seed=${encodeURIComponent(seed.value)}&act=${act.value}&ascension=${body.ascension}`,
    );
    show(found, 0);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (call === number_of_call) say(error.message, "error");
  }
}

function show(found, at) {
  const route = found.routes[at];
  fill(picture, parseHtml(route.svg));
  fill(
    summary,
    h("h2", {}, found.title),
    h(
      "p",
      { role: "status" },
      h("b", {}, `Value ${route.value}`),
      `: ${route.rooms.map((one) => count(one.n, one.name)).join(", ")}. `,
      at === 0 ? found.summary : "",
    ),
    found.burning ? h("p", { class: "note" }, `The burning elite has ${found.burning}.`) : null,
    h(
      "details",
      {},
      h("summary", {}, "The route, floor by floor"),
      table(
        ["floor", "column", "room", "value"],
        route.steps.map((step) => [
          h("td", { class: "n" }, step.floor),
          h("td", { class: "n" }, step.column),
          h("td", {}, step.room),
          h("td", { class: "n" }, step.worth),
        ]),
      ),
    ),
  );
  fill(
    routes,
    found.routes.length > 1
      ? [
          h(
            "div",
            { class: "buttons" },
            h("span", { class: "note" }, "The best routes:"),
            found.routes.map((one, place) =>
              h(
                "button",
                {
                  type: "button",
                  "aria-pressed": place === at,
                  onclick: () => {
                    show(found, place);
                    routes.querySelectorAll("button")[place].focus();
                  },
                },
                `${place + 1} (${one.value})`,
              ),
            ),
          ),
        ]
      : [],
  );
  fill(
    legend,
    found.rooms.map((one) => h("li", {}, parseHtml(one.sign), `${one.name} ${one.n}`)),
  );
}

function reset() {
  for (const { room, value, risk } of weights) {
    value.value = room.value;
    risk.value = room.risk;
  }
  tolerance.value = 0.5;
  tolerated.textContent = "0.5";
  find();
}

let later;
form.addEventListener("input", (event) => {
  if (event.target === tolerance) tolerated.textContent = tolerance.value;
  if ([seed, least, most].includes(event.target)) return;
  clearTimeout(later);
  later = setTimeout(find, 250);
});

await find();

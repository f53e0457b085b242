// Saved runs with progress, tournaments, and the forms of a new run and a new tournament.

import { $, TABLES, ask, attempt, begin, count, field, fill, h } from "./page.js";
import {
  actionButton,
  ago,
  confirmButton,
  damagedRows,
  deleteTask,
  fillIfChanged,
  poll,
  progress,
  resumeTask,
  share,
  statusText,
  stop,
  taskLink,
} from "./tasks.js";

const KINDS = { evolved: "evolved", learned: "learned", fights: "learned fights", answer: "an answer" };

begin();
const list = h("div", {});
const evolving = h("div", {});
const starting = h("section", { "aria-labelledby": "start-title" });
const contests = h("div", {});
const entering = h("section", { "aria-labelledby": "tournament-title" });
fill(
  $("#main"),
  h("h1", {}, "Watch"),
  h(
    "p",
    { class: "lede" },
    "Saved runs and runs in progress, started here or by evodom evolve, train and advise in another window.",
  ),
  starting,
  h("section", { "aria-labelledby": "runs-title" }, h("h2", { id: "runs-title" }, "Runs"), evolving, list),
  entering,
  contests,
);

/** A run in the list. */
function row(run) {
  if (run.parts) return answerRow(run);
  if (run.problem)
    return h(
      "li",
      { class: "broken" },
      h("div", { class: "row" }, h("span", { class: "name" }, run.key), h("span", { class: "note" }, run.problem)),
    );
  const part = run.goal ? Math.min(1, run.done / run.goal) : null;
  const where = run.kingdom ? run.kingdom.name || run.kingdom.cards.slice(0, 3).join(", ") + ", ..." : run.fights;
  const how = [
    KINDS[run.kind],
    run.kind === "evolved" ? run.model : "",
    run.players ? count(run.players, "player") : "",
  ]
    .filter(Boolean)
    .join(", ");
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/watch/${encodeURIComponent(run.key)}` },
      h("span", { class: "name" }, run.key, run.active ? h("span", { class: "live" }, "working") : null),
      h("span", { class: "note" }, `${where} · ${how}`),
      h(
        "span",
        { class: "note" },
        `${run.unit} ${run.done}${run.goal ? ` of ${run.goal}` : ""} · ${run.active ? "now" : ago(run.modified)}`,
      ),
      run.active ? progress(`Progress of ${run.key}`, part) : null,
    ),
  );
}

/** An answer in the list, with its parts. */
function answerRow(answer) {
  const where = answer.kingdom?.name || (answer.kingdom?.cards ?? []).slice(0, 3).join(", ") + ", ...";
  const part = (one) => h("a", { href: `/watch/${encodeURIComponent(one.key)}` }, one.title);
  return h(
    "li",
    {},
    h(
      "div",
      { class: "row" },
      h("span", { class: "name" }, answer.key, answer.active ? h("span", { class: "live" }, "working") : null),
      h(
        "span",
        { class: "note" },
        `${where} · ${KINDS.answer}, ${count(answer.players, "player")} · ` +
          (answer.active ? "now" : ago(answer.modified)),
      ),
      h(
        "span",
        { class: "note" },
        "Parts: ",
        answer.parts.flatMap((one, place) => [place ? ", " : "", part(one)]),
      ),
    ),
  );
}

/** A run that was started here and is not complete. */
function taskRow(task) {
  const then = (act) => async () => {
    await act(task.name);
    await look();
  };
  return h(
    "li",
    {},
    h(
      "div",
      { class: "row" },
      h("span", { class: "name" }, task.title),
      h("span", { class: "note" }, statusText(task), task.why ? `: ${task.why}.`.replace("..", ".") : ""),
      h(
        "span",
        { class: "beside" },
        task.state === "running"
          ? actionButton("Stop", "", then(stop))
          : [
              actionButton("Go on", "", then(resumeTask)),
              confirmButton("Remove", "Remove? What is saved stays.", then(deleteTask)),
            ],
      ),
      task.state === "running" ? progress(`Progress of ${task.title}`, share(task)) : null,
    ),
  );
}

/** The form of a new run. */
async function offerStart() {
  const { kingdoms } = await ask("/api/play/offers");
  const names = kingdoms.map((one) => one.name).sort((a, b) => (b === "First Game") - (a === "First Game"));
  const select = (id, values) =>
    h(
      "select",
      { id },
      values.map((value) => h("option", { value }, value)),
    );
  const fields = {
    kingdom: select("kingdom", [...names, "random"]),
    players: select("run-players", TABLES),
    generations: h("input", { id: "generations", type: "number", min: 1, max: 2000, value: 20, required: true }),
    key: h("input", { id: "key", maxlength: 40, placeholder: "named by date" }),
  };
  const labels = { kingdom: "Kingdom", players: "Players", generations: "Generations", key: "Name" };
  const begun = () => `run-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-")}`;
  const send = async (event) => {
    event.preventDefault();
    const { kingdom, players: n, generations, key } = fields;
    const body = { kingdom: kingdom.value, players: Number(n.value), generations: Number(generations.value) };
    if (!(await attempt(() => ask("/api/runs", { ...body, key: key.value.trim() || begun() })))) return;
    key.value = "";
    await look();
  };
  fill(
    starting,
    h("h2", { id: "start-title" }, "A new run"),
    h("p", { class: "note" }, "Evolves strategies like evodom evolve, one generation after the other, and saves each."),
    h(
      "form",
      { class: "tools", onsubmit: send },
      Object.entries(labels).map(([name, label]) => field(label, fields[name])),
      h("button", { class: "main", type: "submit" }, "Start the run"),
    ),
  );
}

let keys = null;

/** The form of a new tournament. */
async function enter(runs) {
  const playing = runs.filter((run) => !run.problem && run.kind !== "fights");
  const now = playing.map((run) => run.key).join(" ");
  if (now === keys) return;
  keys = now;
  const { baselines, network } = await ask("/api/entrants");
  const box = (word, label) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "entrant", value: word }), label);
  const players = h(
    "select",
    { id: "players" },
    h("option", { value: "" }, "as in the runs, else 2"),
    TABLES.map((n) => h("option", { value: n }, n)),
  );
  const hold = async (event) => {
    event.preventDefault();
    const entrants = [...event.target.querySelectorAll("input:checked")].map((one) => one.value);
    const size = players.value ? { players: Math.min(Number(players.value), Math.max(2, entrants.length)) } : {};
    const task = await attempt(() => ask("/api/tournaments", { entrants, ...size }));
    if (task) location.assign(`/tournament/${task.name}`);
  };
  fill(
    entering,
    h("h2", { id: "tournament-title" }, "A tournament"),
    h(
      "details",
      {},
      h("summary", {}, "Choose who plays"),
      h(
        "form",
        { onsubmit: hold },
        h(
          "p",
          { class: "note" },
          "Plays all tables until the ranking is significant or 20,000 games are played. Runs must share " +
            "a kingdom. Without runs it is First Game.",
        ),
        playing.length
          ? h(
              "fieldset",
              {},
              h("legend", {}, "Champions of runs"),
              h(
                "div",
                { class: "checks" },
                playing.slice(0, 40).map((run) => box(run.key, run.key)),
              ),
            )
          : null,
        h(
          "fieldset",
          {},
          h("legend", {}, "Baselines"),
          h(
            "div",
            { class: "checks" },
            box(network, "network"),
            baselines.map((name) => box(name, name)),
          ),
        ),
        h(
          "div",
          { class: "tools" },
          field("Players at a table", players),
          h("button", { class: "main", type: "submit" }, "Start the tournament"),
        ),
      ),
    ),
  );
}

async function look() {
  const { runs } = await ask("/api/runs");
  fillIfChanged(list, runs, () =>
    runs.length
      ? h("ul", { class: "tasks runs" }, runs.map(row))
      : h(
          "p",
          { class: "note" },
          "No runs yet. Start one above or with evodom evolve demo, or ask for a plan, which is saved as well.",
        ),
  );
  const begun = (await ask("/api/tasks?kind=evolution")).tasks.filter((task) => task.state !== "done");
  fillIfChanged(evolving, begun, () => (begun.length ? h("ul", { class: "tasks runs" }, begun.map(taskRow)) : []));
  await enter(runs);
  const { tasks, damaged } = await ask("/api/tasks?kind=tournament");
  fillIfChanged(contests, [damaged, tasks.map((task) => [task.name, task.state, task.progress])], () =>
    tasks.length || damaged.length
      ? h(
          "ul",
          { class: "tasks" },
          tasks.slice(0, 20).map((task) => taskLink(`/tournament/${task.name}`, task)),
          damagedRows(damaged),
        )
      : [],
  );
  return [...begun, ...tasks].some((task) => task.state === "running") || runs.some((run) => run.active) ? 1.5 : 5;
}

await attempt(offerStart);
poll(look);

// The page of one answer: progress and the best list so far, then the result.

import { $, ask, begin, count, fill, h, say } from "./page.js";
import {
  actionButton,
  buyList,
  clock,
  deleteButton,
  fillIfChanged,
  formatCount,
  lastPathPart,
  parseHtml,
  poll,
  progress,
  resumeButton,
  share,
  statusText,
  stop,
} from "./tasks.js";

const STEPS = [
  ["learning", "Learn from games"],
  ["evolving", "Evolve strategies"],
  ["tournament", "Compare all in a tournament"],
  ["best_response", "Train a best response"],
  ["list", "Make a list"],
  ["figures", "Measure"],
];

begin();
const name = lastPathPart();
const head = h("header", { class: "answer" });
const body = h("div", { class: "stack" });
fill($("#main"), head, body);

let before = "";

poll(async () => {
  const task = await ask(`/api/tasks/${name}`);
  const { cards, drawn, players, minutes, seed, learned_games: learned, generations } = task.asked;
  const time = minutes < 1 ? `${Math.round(60 * minutes)} seconds` : count(minutes, "minute");
  const effort = generations
    ? `${learned ? `${count(learned, "training game")}, ` : ""}${count(generations, "generation")}`
    : `about ${time}`;
  document.title = `${task.state === "done" ? "" : `${statusText(task)} · `}${task.title} · evodom`;
  fillIfChanged(head, [task.state], () => [
    h("p", { class: "crumb" }, h("a", { href: "/ask" }, "Ask")),
    h("h1", {}, task.title.includes(",") ? "What is best with these ten cards?" : task.title),
    h(
      "ul",
      { class: "cards" },
      cards.map((card) => h("li", {}, card, drawn.includes(card) ? h("i", {}, " drawn") : null)),
    ),
    h("p", { class: "note" }, `${count(players, "player")} · ${effort} · seed ${seed}`),
  ]);
  if (before && before !== task.state)
    say(
      {
        done: "The search is complete.",
        stopped: "Stopped.",
        failed: "The search failed.",
        running: "The search has started.",
      }[task.state] ?? "",
    );
  before = task.state;
  body.classList.toggle("found", task.state === "done");
  if (task.state === "done") fillIfChanged(body, ["done"], () => foundParts(task));
  else if (task.state === "running") searching(task);
  else fillIfChanged(body, [task.state, task.why], () => ended(task));
  return task.state === "running" ? 1 : 0;
});

const live = {
  status: h("p", { class: "status", role: "status" }),
  bar: progress("Progress of this step", null),
  facts: h("p", { class: "note facts" }),
  steps: h("ol", { class: "steps" }),
  plan: h("div", {}),
  course: h("div", {}),
};

/** Show the progress of a search. */
function searching(task) {
  fillIfChanged(body, ["searching"], () => [
    h(
      "section",
      { class: "panel", "aria-label": "Progress" },
      live.status,
      live.bar,
      live.facts,
      live.steps,
      h(
        "p",
        { class: "beside" },
        actionButton("Stop", "", () => stop(name)),
        h("span", { class: "note" }, "You can close this page. The search continues."),
      ),
    ),
    live.plan,
    live.course,
  ]);
  const { stage, step, done, total, games, best, plan } = task.progress;
  const at = stage === "measuring" ? step : stage;
  fillIfChanged(live.status, statusText(task), () => statusText(task));
  const value = share(task);
  if (value === null) live.bar.removeAttribute("value");
  else live.bar.value = value;
  const facts = [
    clock((Date.now() - Date.parse(task.started)) / 1000),
    stage === "learning" && total ? `${formatCount(done)} of ${formatCount(total)} training games` : "",
    stage === "evolving" ? `generation ${done}` : "",
    games ? `${formatCount(games)} games played` : "",
    best ? `best so far: ${best}` : "",
  ];
  live.facts.textContent = facts.filter(Boolean).join(" · ");
  const now = STEPS.findIndex(([key]) => key === at);
  fillIfChanged(live.steps, now, () =>
    STEPS.map(([, label], place) =>
      h(
        "li",
        { class: place < now ? "past" : place === now ? "now" : "", "aria-current": place === now ? "step" : null },
        label,
      ),
    ),
  );
  const about = plan
    ? `The champion of generation ${plan.generation}, before measuring and shortening. Buy the first card that you can.`
    : "It appears after the training, which takes the first two fifths of the time.";
  fillIfChanged(live.plan, plan ?? "", () =>
    h(
      "section",
      {},
      h("h2", {}, "The best list so far"),
      h("p", { class: "note" }, about),
      plan ? buyList(plan.lines.slice(0, 14)) : null,
    ),
  );
  fillIfChanged(live.course, task.course ?? "", () => (task.course ? parseHtml(task.course) : []));
}

/** Show why a search ended without an answer. */
function ended(task) {
  return h(
    "section",
    { class: "panel" },
    h("p", { class: "status" }, statusText(task), task.why ? `: ${task.why}.`.replace("..", ".") : "."),
    h("p", {}, resumeButton("Go on", name), " ", deleteButton(name, "/ask")),
    h("p", { class: "note" }, "It continues from the saved state."),
  );
}

/** Show the result. */
function foundParts(task) {
  const { result, asked } = task;
  const others = Array.from({ length: asked.players - 1 }, () => ({ who: result.opponent }));
  const play = async () => {
    const game = await ask("/api/play/games", {
      kingdom: asked.cards.join(","),
      players: [{ person: "You" }, ...others],
    });
    location.assign(`/play/${encodeURIComponent(game.name)}`);
  };
  const again = `/ask?cards=${encodeURIComponent(asked.cards.join(","))}&players=${asked.players}`;
  return [
    h(
      "p",
      { class: "buttons" },
      actionButton("Play against it", "main", play),
      h("a", { class: "button", href: again }, "Ask again"),
      deleteButton(name, "/ask"),
    ),
    ...parseHtml(result.html),
  ];
}

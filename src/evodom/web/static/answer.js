// One answer: how far the search is and the best list so far, or what was found.

import { $, ask, attempt, begin, count, fill, h, say } from "./page.js";
import {
  action,
  careful,
  clock,
  doing,
  forget,
  goOn,
  named,
  planned,
  progress,
  renew,
  share,
  stop,
  watching,
  whole,
  written,
} from "./told.js";

const STEPS = [
  ["learning", "Learn from games"],
  ["evolving", "Evolve strategies"],
  ["tournament", "Let them meet"],
  ["attack", "Attack the best"],
  ["list", "Make a list"],
  ["figures", "Measure"],
];

begin();
const name = named();
const head = h("header", { class: "answer" });
const body = h("div", { class: "told" });
fill($("#main"), head, body);

let before = "";

watching(async () => {
  const task = await ask(`/api/tasks/${name}`);
  const { cards, drawn, players, minutes, seed, learned_games: learned, generations } = task.asked;
  const time = minutes < 1 ? `${Math.round(60 * minutes)} seconds` : count(minutes, "minute");
  const effort = generations
    ? `${learned ? `${count(learned, "game")} of learning, ` : ""}${count(generations, "generation")}`
    : `about ${time}`;
  document.title = `${task.state === "done" ? "" : `${doing(task)} · `}${task.title} · evodom`;
  renew(head, [task.state], () => [
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
        done: "The plan is found.",
        stopped: "Stopped.",
        failed: "The search failed.",
        running: "The search has begun.",
      }[task.state] ?? "",
    );
  before = task.state;
  body.classList.toggle("found", task.state === "done");
  if (task.state === "done") renew(body, ["done"], () => foundParts(task));
  else if (task.state === "running" || task.state === "waiting") searching(task);
  else renew(body, [task.state, task.why], () => ended(task));
  return task.state === "running" ? 1 : task.state === "waiting" ? 2 : 0;
});

const live = {
  status: h("p", { class: "status", role: "status" }),
  bar: progress("How much of this step is done", null),
  facts: h("p", { class: "note facts" }),
  steps: h("ol", { class: "steps" }),
  plan: h("div", {}),
  course: h("div", {}),
};

/** Show how far a search is. */
function searching(task) {
  renew(body, ["searching"], () => [
    h(
      "section",
      { class: "panel", "aria-label": "How far it is" },
      live.status,
      live.bar,
      live.facts,
      live.steps,
      h(
        "p",
        { class: "beside" },
        action("Stop", "", () => stop(name)),
        h("span", { class: "note" }, "This page may be closed: the search goes on."),
      ),
    ),
    live.plan,
    live.course,
  ]);
  const { stage, step, done, total, games, best } = task.progress;
  const at = stage === "measuring" ? step : stage;
  renew(live.status, doing(task), () => doing(task));
  const value = share(task);
  if (value === null) live.bar.removeAttribute("value");
  else live.bar.value = value;
  live.bar.hidden = task.state === "waiting";
  const facts = [
    task.seconds ? clock(task.seconds) : "",
    stage === "learning" && total ? `${whole(done)} of ${whole(total)} games learned from` : "",
    stage === "evolving" ? `generation ${done}` : "",
    games ? `${whole(games)} games played` : "",
    best
      ? `best so far: ${best.replace(/^advise.*?(buylist|graded|network)/, "$1").replace("buylist", "buy list")}`
      : "",
  ];
  live.facts.textContent = facts.filter(Boolean).join(" · ");
  const now = STEPS.findIndex(([key]) => key === at);
  renew(live.steps, now, () =>
    STEPS.map(([, label], place) =>
      h(
        "li",
        { class: place < now ? "past" : place === now ? "now" : "", "aria-current": place === now ? "step" : null },
        label,
      ),
    ),
  );
  renew(live.plan, task.plan ?? "", () =>
    task.plan
      ? h(
          "section",
          {},
          h("h2", {}, "The best list so far"),
          h(
            "p",
            { class: "note" },
            `The champion of generation ${task.plan.generation}, before it is measured and tidied. ` +
              "Buy the first that you can.",
          ),
          planned(task.plan.lines.slice(0, 14)),
        )
      : h(
          "section",
          {},
          h("h2", {}, "The best list so far"),
          h(
            "p",
            { class: "note" },
            "It appears once strategies evolve, after the first two fifths of the time, which are for learning.",
          ),
        ),
  );
  renew(live.course, task.course ?? "", () => (task.course ? written(task.course) : []));
}

/** Show why a search has ended without an answer. */
function ended(task) {
  return h(
    "section",
    { class: "panel" },
    h("p", { class: "status" }, doing(task), task.why ? `: ${task.why}.`.replace("..", ".") : "."),
    h(
      "p",
      {},
      action("Go on", "main", async () => {
        await goOn(name);
        location.reload();
      }),
      " ",
      careful("Delete", "Delete for good?", async () => {
        await forget(name);
        location.assign("/ask");
      }),
    ),
    h("p", { class: "note" }, "Going on begins from what is saved."),
  );
}

/** Show what was found. */
function foundParts(task) {
  const { result, asked } = task;
  const others = Array.from({ length: asked.players - 1 }, () => ({ who: result.play.opponent }));
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
      action("Play against it", "main", play),
      h("a", { class: "button", href: again }, "Ask again"),
      careful("Delete", "Delete for good?", async () => {
        await forget(name);
        location.assign("/ask");
      }),
    ),
    ...written(result.html),
  ];
}

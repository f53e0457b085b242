// The page of one tournament: progress, then ranking and win rates.

import { $, ask, begin, count, fill, h, table } from "./page.js";
import {
  actionButton,
  deleteButton,
  fillIfChanged,
  formatCount,
  lastPathPart,
  poll,
  progress,
  resumeButton,
  share,
  statusText,
  stop,
} from "./tasks.js";

begin();
const name = lastPathPart();
const body = h("div", { class: "stack" });
fill($("#main"), h("p", { class: "crumb" }, h("a", { href: "/watch" }, "Watch")), h("h1", {}, "Tournament"), body);

const percent = (one) => (one === null || one === undefined ? "" : (100 * one).toFixed(1));

/** The ranking with win rates. */
function standings({ standings: found, not_told_apart: unclear }) {
  const close = new Set(unclear.map(([one]) => one));
  return h(
    "div",
    { class: "scroll", tabindex: 0 },
    table(
      [
        h("th", { scope: "col" }, h("span", { class: "unseen" }, "place")),
        "strategy",
        ...["wins, %", "from", "to"].map((title) => h("th", { scope: "col", class: "n" }, title)),
      ],
      found.map((one, at) => [
        h("td", { class: "n" }, at + 1, close.has(one.name) ? "~" : ""),
        h("th", { scope: "row" }, one.name),
        ["share", "low", "high"].map((name) => h("td", { class: "n" }, percent(one.win[name]))),
      ]),
      { caption: "Win rates over all tables with 95 % intervals. ~: not significantly better than the next" },
    ),
  );
}

/** The matrix of pairwise win rates. */
function matrix({ standings: found, matrix: pairs }) {
  return h(
    "div",
    { class: "scroll", tabindex: 0 },
    table(
      [h("td", {}), ...found.map((one, at) => h("th", { scope: "col", class: "n", title: one.name }, at + 1))],
      found.map((one, at) => [
        h("th", { scope: "row" }, `${at + 1} ${one.name}`),
        pairs[at].map((pair) => h("td", { class: "n" }, pair ? percent(pair.beats.share) : "·")),
      ]),
      { class: "matrix", caption: "How often the row beats the column, % (a tie counts half)" },
    ),
  );
}

poll(async () => {
  const task = await ask(`/api/tasks/${name}`);
  fillIfChanged(body, [task.state, task.progress], () => {
    if (task.state === "running") {
      return h(
        "section",
        { class: "panel" },
        h("p", { class: "status", role: "status" }, statusText(task)),
        progress("Progress", share(task)),
        h(
          "p",
          { class: "note" },
          task.progress.games
            ? `${formatCount(task.progress.games)} games, at most ${formatCount(task.progress.total)}`
            : "",
        ),
        h(
          "p",
          {},
          actionButton("Stop", "", () => stop(name)),
        ),
      );
    }
    const gone = deleteButton(name, "/watch");
    if (task.state !== "done")
      return h(
        "section",
        { class: "panel" },
        h("p", { class: "status" }, statusText(task), `: ${task.why}.`),
        h("p", {}, resumeButton("Begin again", name), " ", gone),
      );
    const { result, kingdom, command } = task.result;
    return [
      h(
        "p",
        { class: "lede" },
        result.order_clear
          ? "The whole ranking is correct with 95 % confidence."
          : `After ${formatCount(result.course.n_games)} games, some neighbours are not significantly different.`,
      ),
      h(
        "p",
        { class: "note" },
        [
          kingdom.name === "custom" ? kingdom.cards.join(", ") : kingdom.name,
          `${count(task.asked.players, "player")} at a table`,
          `${formatCount(result.course.n_games)} games`,
          `seed ${task.asked.seed}`,
        ].join(" · "),
      ),
      task.result.note ? h("p", { class: "note" }, task.result.note) : null,
      standings(result),
      matrix(result),
      h("p", {}, "Repeat it at a terminal:"),
      h("pre", { tabindex: 0 }, h("code", {}, command)),
      h("p", {}, gone),
    ];
  });
  return task.state === "running" ? 1 : 0;
});

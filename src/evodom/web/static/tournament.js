// One tournament: how far it is, or who won and by how much.

import { $, ask, begin, count, fill, h } from "./page.js";
import { action, careful, doing, forget, goOn, named, progress, renew, share, stop, watching, whole } from "./told.js";

begin();
const name = named();
const body = h("div", { class: "told" });
fill($("#main"), h("p", { class: "crumb" }, h("a", { href: "/watch" }, "Watch")), h("h1", {}, "Tournament"), body);

const percent = (one) => (one === null || one === undefined ? "" : (100 * one).toFixed(1));

/** The places, with what each wins. */
function standings({ standings: found, not_told_apart: unclear }) {
  const close = new Set(unclear.map(([one]) => one));
  return h(
    "div",
    { class: "scroll", tabindex: 0 },
    h(
      "table",
      {},
      h("caption", {}, "Wins at all tables, 95 % intervals; ~ marks one not told apart from the next"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, h("span", { class: "unseen" }, "place")),
          h("th", { scope: "col" }, "strategy"),
          h("th", { scope: "col", class: "n" }, "wins, %"),
          h("th", { scope: "col", class: "n" }, "from"),
          h("th", { scope: "col", class: "n" }, "to"),
        ),
      ),
      h(
        "tbody",
        {},
        found.map((one, at) =>
          h(
            "tr",
            {},
            h("td", { class: "n" }, at + 1, close.has(one.name) ? "~" : ""),
            h("th", { scope: "row" }, one.name),
            h("td", { class: "n" }, percent(one.win.share)),
            h("td", { class: "n" }, percent(one.win.low)),
            h("td", { class: "n" }, percent(one.win.high)),
          ),
        ),
      ),
    ),
  );
}

/** How often the row is ahead of the column. */
function matrix({ standings: found, matrix: pairs }) {
  return h(
    "div",
    { class: "scroll", tabindex: 0 },
    h(
      "table",
      { class: "matrix" },
      h("caption", {}, "How often the row is ahead of the column, % (a tie is half)"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          found.map((one, at) => h("th", { scope: "col", class: "n", title: one.name }, at + 1)),
        ),
      ),
      h(
        "tbody",
        {},
        found.map((one, at) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, `${at + 1} ${one.name}`),
            pairs[at].map((pair) => h("td", { class: "n" }, pair ? percent(pair.beats.share) : "·")),
          ),
        ),
      ),
    ),
  );
}

watching(async () => {
  const task = await ask(`/api/tasks/${name}`);
  renew(body, [task.state, task.progress, task.ahead], () => {
    if (task.state === "running" || task.state === "waiting") {
      return h(
        "section",
        { class: "panel" },
        h("p", { class: "status", role: "status" }, doing(task)),
        progress("How much is done", share(task)),
        h(
          "p",
          { class: "note" },
          task.progress.games ? `${whole(task.progress.games)} games, at most ${whole(task.progress.total)}` : "",
        ),
        h(
          "p",
          {},
          action("Stop", "", () => stop(name)),
        ),
      );
    }
    const gone = careful("Delete", "Delete for good?", async () => {
      await forget(name);
      location.assign("/watch");
    });
    if (task.state !== "done")
      return h(
        "section",
        { class: "panel" },
        h("p", { class: "status" }, doing(task), `: ${task.why}.`),
        h(
          "p",
          {},
          action("Begin again", "main", async () => {
            await goOn(name);
            location.reload();
          }),
          " ",
          gone,
        ),
      );
    const { result, kingdom, command } = task.result;
    return [
      h(
        "p",
        { class: "lede" },
        result.order_clear
          ? "The order is clear: with 95 % confidence all of it is right."
          : `After ${whole(result.course.n_games)} games not all are told apart.`,
      ),
      h(
        "p",
        { class: "note" },
        [
          kingdom.name === "custom" ? kingdom.cards.join(", ") : kingdom.name,
          `${count(task.asked.players, "player")} at a table`,
          `${whole(result.course.n_games)} games`,
          `seed ${task.asked.seed}`,
        ].join(" · "),
      ),
      standings(result),
      matrix(result),
      h("p", {}, "Repeat it at a terminal:"),
      h("pre", { tabindex: 0 }, h("code", {}, command)),
      h("p", {}, gone),
    ];
  });
  return task.state === "running" ? 1 : task.state === "waiting" ? 2 : 0;
});

// The start page: introduction, first step, recent games and answers, links.

import { $, ask, attempt, begin, count, fill, h } from "./page.js";
import { ageOrStatus, ago, linkRow } from "./tasks.js";

const PLACES = [
  ["/play", "Play", "Dominion against networks, champions and baselines, or with friends at one screen."],
  ["/ask", "Ask", "The best plan for ten cards: what to buy, how to open, which cards to avoid."],
  ["/watch", "Watch", "Saved runs and their progress, reports with pictures, tournaments between strategies."],
  ["/fights", "Fights", "A Slay the Spire fight, move by move, with the value of every move."],
  ["/map", "Map", "The act map of a Slay the Spire run and the best route for your room values."],
];

const RECENT = 3;

const recent = h("div", { class: "recent" });

begin();
fill(
  $("#main"),
  h("h1", {}, "evodom"),
  h(
    "p",
    { class: "lede" },
    "evodom finds strong strategies for Dominion. It evolves them, trains networks, and measures how often " +
      "they win. You can play against them. It also solves fights and routes of Slay the Spire. " +
      "Everything runs on this machine.",
  ),
  h(
    "section",
    { class: "panel", "aria-labelledby": "first-title" },
    h("h2", { id: "first-title" }, "First step"),
    h(
      "p",
      {},
      "Choose ten Dominion cards, or draw them at random. After about a minute you get a buy list, the opening " +
        "and an opponent.",
    ),
    h(
      "p",
      { class: "buttons" },
      h("a", { class: "button main", href: "/ask" }, "Find a plan for ten cards"),
      h("a", { class: "button", href: "/play" }, "Play a game"),
    ),
  ),
  recent,
  h(
    "section",
    { "aria-labelledby": "places-title" },
    h("h2", { id: "places-title" }, "All pages"),
    h(
      "ul",
      { class: "places" },
      PLACES.map(([path, name, what]) => h("li", {}, h("a", { href: path }, h("h3", {}, name), h("p", {}, what)))),
    ),
    h(
      "p",
      {},
      "Only in a terminal: ",
      h("code", {}, "evodom risk"),
      " has the odds of battles of Risk, ",
      h("code", {}, "evodom --help"),
      " all commands.",
    ),
  ),
);

/** The latest games or answers, with a link to the rest. */
function latest(id, title, rows, more) {
  return rows.length
    ? h(
        "section",
        { "aria-labelledby": id },
        h("h2", { id }, title),
        h("ul", { class: "tasks" }, rows),
        h("p", {}, h("a", { href: more[0] }, more[1])),
      )
    : null;
}

await attempt(async () => {
  const [{ games }, { tasks }] = await Promise.all([ask("/api/play/games"), ask("/api/tasks?kind=advice")]);
  const game = (one) =>
    linkRow(
      `/play/${encodeURIComponent(one.name)}`,
      one.name,
      `${one.players.join(", ")} · ${one.over ? "over" : one.stage} · ${ago(one.modified)}`,
    );
  const answer = (one) =>
    linkRow(`/ask/${one.name}`, one.title, `${count(one.asked.players, "player")} · ${ageOrStatus(one)}`);
  fill(
    recent,
    latest(
      "games-title",
      "Recent games",
      games
        .filter((one) => !one.problem)
        .slice(0, RECENT)
        .map(game),
      ["/play", "All games"],
    ),
    latest("answers-title", "Recent answers", tasks.slice(0, RECENT).map(answer), ["/ask", "All answers"]),
  );
});

// The chart and the table of win probabilities by turn.

import { h, s, table } from "./page.js";

const HEIGHT = 220;
const EDGE = { left: 44, right: 12, top: 10, bottom: 26 };

/** The win probability of each player over the turns of a review. */
export function curve(found) {
  const width = matchMedia("(min-width: 40rem)").matches ? 640 : 340;
  const n = found.turns.length;
  const x = (index) => EDGE.left + (n > 1 ? index / (n - 1) : 0.5) * (width - EDGE.left - EDGE.right);
  const y = (share) => EDGE.top + (1 - share) * (HEIGHT - EDGE.top - EDGE.bottom);
  const grid = [0, 0.5, 1].map((share) => [
    s("line", { class: "grid", x1: EDGE.left, x2: width - EDGE.right, y1: y(share), y2: y(share) }),
    s("text", { x: EDGE.left - 6, y: y(share) + 4, "text-anchor": "end" }, `${100 * share} %`),
  ]);
  const step = Math.max(1, Math.ceil(n / (width / 60)));
  const ticks = found.turns
    .map((turn, index) =>
      index % step || (found.over && index === n - 1)
        ? []
        : [s("text", { x: x(index), y: HEIGHT - 8, "text-anchor": "middle" }, turn)],
    )
    .flat();
  const line = (shares, seat) =>
    s("polyline", {
      class: `line line-${seat}`,
      points: shares.map((share, index) => `${x(index).toFixed(1)},${y(share).toFixed(1)}`).join(" "),
    });
  const dots = found.mistakes.map((one) => {
    const index = found.turns.indexOf(one.turn);
    return index < 0
      ? []
      : [s("circle", { class: "dot", cx: x(index), cy: y(found.chances[found.seat][index]), r: 5 })];
  });
  const picture = s(
    "svg",
    {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      "aria-label": "Win probability by turn. The table below lists the values.",
    },
    ...grid.flat(),
    ...ticks,
    ...found.chances.map(line),
    ...dots.flat(),
  );
  const key = found.names.map((name, seat) =>
    h(
      "li",
      {},
      s(
        "svg",
        { viewBox: "0 0 24 8", class: "swatch", "aria-hidden": "true" },
        s("polyline", { class: `line line-${seat}`, points: "1,4 23,4" }),
      ),
      seat === found.seat ? "You" : name,
    ),
  );
  return h(
    "figure",
    { class: "curve" },
    h("figcaption", {}, h("h3", {}, "Win probability by turn"), h("ul", { class: "key" }, key)),
    picture,
    values(found),
  );
}

const CAUSES = [
  ["own", "Your decisions"],
  ["others", "Opponents' decisions"],
  ["luck", "Luck of the draw"],
];

/** A row for each turn: the win probabilities, and the changes since the turn before by cause, in percentage points. */
function values(found) {
  const last = found.turns.length - 1;
  const names = found.names.map((name, seat) => (seat === found.seat ? "You" : name));
  const change = (share) =>
    share === undefined ? "" : `${share < -0.005 ? "−" : share > 0.005 ? "+" : ""}${Math.round(100 * Math.abs(share))}`;
  const row = (turn, index) => [
    h("th", { scope: "row", class: "number" }, found.over && index === last ? "end" : turn),
    found.chances.map((shares) => h("td", { class: "number" }, Math.round(100 * shares[index]))),
    CAUSES.map(([name]) => h("td", { class: "number" }, change(found.split.changes[name][index - 1]))),
  ];
  const head = ["Turn", ...names, ...CAUSES.map(([, title]) => title)];
  return h(
    "details",
    {},
    h("summary", {}, "Values, %"),
    h("div", { class: "scroll", tabindex: "0" }, table(head, found.turns.map(row))),
  );
}

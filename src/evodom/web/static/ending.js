// The end of a game: places, purchases and the review.

import { count, h, sentence, table } from "./page.js";
import { CARDS, chip, chips } from "./cards.js";
import { curve } from "./curve.js";

/** The suffix of a name that is at the table twice. */
export const SEATED = / (#\d+|\(\d+\))$/;

/** The result and the links to continue. */
export function ending(game) {
  const { end, players, people } = game.state;
  const place = (one) =>
    h(
      "li",
      { class: one.seat === game.state.seat ? "own" : "" },
      h(
        "div",
        { class: "line" },
        h("b", {}, `${one.place}. ${players[one.seat].name}`),
        h("b", {}, `${one.vp} VP`, one.tokens ? ` (${count(one.tokens, "token")})` : ""),
        h("span", { class: "soft" }, count(one.turns, "turn")),
      ),
      chips(one.cards),
    );
  const cards = game.state.supply.map((pile) => pile.name).filter((name) => !CARDS.get(name).basic);
  const who = players.map((player) => ["who", player.person ? "person" : player.name.replace(SEATED, "")]);
  const again = new URLSearchParams([["kingdom", cards.join(",")], ...who]);
  return h(
    "section",
    { class: "ending", "aria-label": "The end" },
    h("h2", { id: "question", tabindex: "-1" }, end.headline),
    h("ol", { class: "place-list" }, end.places.map(place)),
    h(
      "p",
      { class: "answers" },
      h(
        "button",
        { type: "button", class: "main", "data-key": "again", onclick: () => game.actions.again(cards) },
        "Play again",
      ),
      h("a", { class: "button", href: `/play?${again}` }, "Another game"),
      game.review
        ? null
        : people.map((seat) =>
            h(
              "button",
              { type: "button", "data-key": `review:${seat}`, onclick: () => game.actions.lookBack(seat) },
              people.length > 1 ? `Review as ${players[seat].name}` : "Review the game",
            ),
          ),
    ),
    game.review ? review(game) : null,
    h("details", {}, h("summary", {}, "Cards gained by each player"), purchases(game)),
    h(
      "p",
      { class: "soft" },
      `Seed ${end.seed}.`,
      end.command ? [" Repeat this game in a terminal: ", h("code", {}, end.command)] : null,
    ),
  );
}

function purchases(game) {
  const { bought, places } = game.state.end;
  const seats = places.map((one) => one.seat);
  const counts = bought.map((pairs) => new Map(pairs));
  const names = [...new Set(bought.flatMap((pairs) => pairs.map(([name]) => name)))];
  const order = (name) => game.state.supply.findIndex((pile) => pile.name === name);
  return h(
    "div",
    { class: "scroll" },
    table(
      ["Card", ...seats.map((seat) => game.state.players[seat].name)],
      names
        .sort((a, b) => order(a) - order(b))
        .map((name) => [
          h("th", { scope: "row" }, chip(name)),
          seats.map((seat) => h("td", { class: "number" }, counts[seat].get(name) ?? "–")),
        ]),
    ),
  );
}

const percent = (share) => `${Math.round(100 * share)} %`;

function review(game) {
  const found = game.review;
  if (!found.mistakes) {
    return h(
      "section",
      { class: "review", "aria-label": "Review" },
      h("h2", {}, "Reviewing …"),
      h("progress", { max: found.of, value: found.done, "aria-label": "Decisions reviewed" }),
      h(
        "p",
        { class: "soft" },
        `${found.done} of ${found.of} decisions reviewed`,
        found.done < found.of ? "" : "; computing win probabilities by turn",
      ),
    );
  }
  const more = found.mistakes.slice(found.most);
  return h(
    "section",
    { class: "review", "aria-label": "Review" },
    h("h2", {}, "Review"),
    h("p", {}, found.summary),
    causes(found),
    curve(found),
    found.mistakes.length
      ? [h("h3", {}, "Largest mistakes"), mistakes(found.mistakes.slice(0, found.most), game)]
      : null,
    more.length
      ? h("details", {}, h("summary", {}, count(more.length, "more mistake")), mistakes(more, game, found.most + 1))
      : null,
  );
}

const mistakes = (list, game, start = 1) =>
  h(
    "ol",
    { class: "dearest", start },
    list.map((one) => mistake(one, game)),
  );

const signed = (share) => `${100 * share <= -0.05 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)}`;

/** The change of the win probability by cause, summed over the game. */
function causes(found) {
  const own = found.chances[found.seat];
  const row = (one) => [
    h("th", { scope: "row" }, sentence(one.cause)),
    h("td", { class: "number" }, signed(one.sum)),
    h("td", { class: "number" }, (100 * one.margin).toFixed(1)),
  ];
  return [
    h("h3", {}, `From ${percent(own[0])} to ${percent(own.at(-1))}`),
    table(["Cause", "Points", "±"], found.split.sums.map(row), { class: "causes" }),
    h("p", { class: "soft" }, found.split.compared),
  ];
}

/** All choices of a decision. The choice made and the better one are marked. */
function choices(one) {
  const { choices: names, optional, options } = one.position.question;
  const role = (name) => (name === one.choiceName ? "chosen-mark" : name === one.bestName ? "best-mark" : "");
  const said = (name) => (name === one.choiceName ? " (chosen)" : name === one.bestName ? " (better)" : "");
  const cards = names.map((name) =>
    h("span", { class: role(name) }, options[name] ?? chip(name), h("span", { class: "unseen" }, said(name))),
  );
  const none = optional
    ? h("span", { class: role("pass") }, "nothing", h("span", { class: "unseen" }, said("pass")))
    : null;
  return h("span", { class: "chips" }, cards, none);
}

function mistake(one, game) {
  const found = game.review;
  const position = one.position;
  const where = one.coins === null ? one.title : `buying with $${one.coins}`;
  const piles = position.supply.filter((pile) => pile.left < 4).map((pile) => [pile.name, pile.left]);
  const fact = (label, ...content) => [h("dt", {}, label), h("dd", {}, content)];
  return h(
    "li",
    {},
    h("h4", {}, `Turn ${one.turn}, ${where}`, h("span", { class: "cost" }, `−${(100 * one.lost).toFixed(1)} points`)),
    h(
      "p",
      {},
      h("b", {}, one.choice),
      ` wins ${percent(one.share)}, `,
      h("b", {}, one.best),
      ` ${percent(one.bestShare)}: a loss of ${(100 * one.lost).toFixed(1)} ± ${(100 * one.margin).toFixed(1)} points.`,
    ),
    h(
      "dl",
      { class: "position" },
      fact("Choices", choices(one)),
      fact("In play", chips(position.inPlay)),
      fact("Hand", chips(position.hand)),
      fact("Your deck", chips(position.owned), h("span", { class: "soft" }, ` ${position.vp} VP`)),
      piles.length
        ? fact(
            "Running out",
            piles.map(([name, left]) => h("span", {}, chip(name), ` ${left} left `)),
          )
        : null,
      fact(
        "Others",
        position.players
          .filter((_, seat) => seat !== found.seat)
          .map(
            (player) =>
              `${player.name}: ${player.hand} in hand, ${player.deck} in the deck, ${player.discard} discarded`,
          )
          .join("; "),
      ),
    ),
    h(
      "p",
      {},
      h(
        "button",
        {
          type: "button",
          "data-key": `from:${one.number}`,
          onclick: () => game.actions.playFrom(found.seat, one.number),
        },
        "Play again from here",
      ),
    ),
  );
}

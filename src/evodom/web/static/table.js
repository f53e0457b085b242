// The page of one game: requests states from the server and draws them.

import { $, Refusal, ask, attempt, begin, count, fill, h, pause, say } from "./page.js";
import { CARDS, loadOffers } from "./cards.js";
import { draw, openHelp } from "./board.js";
import { SEATED } from "./ending.js";
import { listen } from "./keys.js";

document.body.className = "playing";
fill(
  $("#main"),
  h("h1", { class: "unseen" }, "A game of Dominion"),
  h("p", { id: "announcer", class: "unseen", role: "status", "aria-live": "polite" }),
  h("div", { id: "board" }),
);
document.body.append(h("dialog", { id: "dialog", "aria-labelledby": "dialog-title" }));

const name = decodeURIComponent(location.pathname.split("/").pop());
const home = `/api/play/games/${encodeURIComponent(name)}`;

/** The state of the page. `state` is the last state from the server; the other fields are local. */
const game = {
  name,
  state: null,
  log: [],
  chosen: [], // keys of the cards picked for a choice of several
  past: null, // the state at the end of an earlier turn, while that is shown
  confirming: "", // the card of little use that a second click takes
  hint: null, // the chances, for the state they were asked for
  shownSeat: null, // who has said "show my hand" on this screen
  busy: false,
  byKeyboard: false, // whether the last thing done was a key
  thinkingHint: false,
  review: null,
  actions: null,
};

const seat = () => game.state.seat;

/** Store a state from the server. */
function take(state) {
  const before = game.state;
  if (state.early) {
    if (game.state) game.state = { ...game.state, waiting: true };
  } else {
    mergeLog(state.log);
    for (const card of state.faces) CARDS.set(card.name, card);
    game.state = state;
  }
  if (!game.state) return;
  if (!before || before.at !== game.state.at || before.asked !== game.state.asked) {
    game.chosen = [];
    game.confirming = "";
    game.past = null;
    game.hint = null;
  }
  if (game.state.seat === null || game.state.seat !== game.shownSeat) game.shownSeat = null;
  for (const note of state.news ?? []) say(note);
  announce(before, game.state);
  const { over, question, waiting } = game.state;
  document.title = `${over ? "Over" : question && !waiting ? "Your move" : "…"} · ${name} · evodom`;
  draw(game);
}

function mergeLog(turns) {
  if (!turns.length) return;
  game.log.length = Math.min(game.log.length, turns[0].index);
  game.log.push(...turns);
}

/** Announce the opponents' turns and the question to screen readers. */
function announce(before, now) {
  const since = before ? (before.log.at(-1)?.index ?? -1) : -1;
  const others = before ? now.log.filter((turn) => turn.seat !== now.seat && turn.index >= since) : [];
  const turnTexts = others.map((turn) => `${now.players[turn.seat].name}: ${turn.text}.`);
  const asked = now.over ? now.end.headline : now.waiting ? "" : now.question ? now.question.text : handover(now);
  const left =
    now.question && !now.waiting
      ? ` ${count(now.turn.actions, "Action")}, ${count(now.turn.buys, "Buy")}, $${now.turn.coins}.`
      : "";
  $("#announcer").textContent = [
    now.warning && now.warning !== before?.warning ? now.warning : "",
    ...turnTexts,
    asked + left,
  ]
    .filter(Boolean)
    .join(" ");
}

const handover = (state) => (state.asked === null ? "" : `Pass the screen to ${state.players[state.asked].name}.`);

/** Send an action and draw the answer. Poll while opponents are playing. */
async function act(path, body) {
  if (game.busy) return;
  game.busy = true;
  say("");
  try {
    take(await ask(path, body));
    await follow();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 404 && !game.state)
      fill(
        $("#board"),
        h("p", {}, error.message),
        h("p", {}, h("a", { class: "button main", href: "/play" }, "Start a game")),
      );
    else say(error.message, "error");
    if (error.status === 409) await attempt(async () => take(await ask(look(true))));
  } finally {
    game.busy = false;
    draw(game);
  }
}

/** Poll until the opponents have played. A missing server is retried. */
async function follow() {
  let away = false;
  while (game.state === null || game.state.waiting) {
    await pause(0.3);
    try {
      take(await ask(look(game.state === null)));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 0) throw error;
      away = true;
      say(error.message, "error");
      await pause(2);
    }
  }
  if (away) say("");
}

const look = (whole) => {
  const asked = new URLSearchParams();
  if (game.shownSeat !== null) asked.set("seat", game.shownSeat);
  if (whole) asked.set("log", "all");
  return `${home}?${asked}`;
};

const at = () => ({ seat: seat(), at: game.state.at });

game.actions = {
  choose: (names) => act(`${home}/choose`, { ...at(), names }),
  undo: () => act(`${home}/undo`, { seat: game.state.asked ?? game.state.people[0], at: game.state.at }),
  treasures: (ask) => act(`${home}/treasures`, { ...at(), ask }),
  help: () => openHelp(),
  redraw: () => draw(game),
  /** Ask for a second click on a card. */
  confirm(name, verb) {
    game.confirming = name;
    draw(game);
    say(`${verb} ${name}? Choose it again to confirm.`);
  },
  /** Show the end of a turn, counted over all players from 0; the present after the last one. */
  async step(turn) {
    const last = game.past?.of ?? game.log.length;
    const found =
      turn >= last - 1 || turn < 0 ? null : await attempt(() => ask(`${home}/step?turn=${turn}`));
    game.past = found;
    draw(game);
    $("#announcer").textContent = found ? `Turn ${game.log[turn].turn}: ${game.log[turn].text}` : "The present.";
  },
  /** Show the hand of who is asked: they have the screen now. */
  async show() {
    game.shownSeat = game.state.asked;
    await act(look(true));
  },
  async hint() {
    if (game.thinkingHint || game.hint) return;
    const asked = game.state.at;
    game.thinkingHint = true;
    draw(game);
    const found = await attempt(() => ask(`${home}/hint`, at()));
    game.thinkingHint = false;
    if (found && game.state.at === asked) game.hint = found;
    draw(game);
  },
  /** Begin another game with the same cards and players. */
  async again(cards) {
    const { players } = game.state;
    const people = players.filter((player) => player.person);
    const seats = players.map((player) =>
      player.person ? { person: people.length > 1 ? player.name : "You" } : { who: player.name.replace(SEATED, "") },
    );
    const begun = await attempt(() =>
      ask("/api/play/games", { kingdom: cards.join(", "), players: seats, firstEdition: true }),
    );
    if (begun) location.assign(`/play/${encodeURIComponent(begun.name)}`);
  },
  /** Begin a game from a position of this one. */
  async playFrom(who, number) {
    const begun = await attempt(() => ask(`${home}/play-from`, { seat: who, number }));
    if (begun) location.assign(`/play/${encodeURIComponent(begun.name)}`);
  },
  /** Have the game looked back at; tells how far that is. */
  async lookBack(who) {
    game.review = { seat: who, done: 0, of: 1 };
    draw(game);
    while (game.review && !game.review.mistakes) {
      const found = await attempt(() => ask(`${home}/review`, { seat: who }));
      game.review = found ? { seat: who, ...found } : null;
      draw(game);
      if (found && !found.mistakes) await pause(0.5);
    }
  },
};

/** Refresh when the window becomes visible: the game may have continued in another window. */
document.addEventListener("visibilitychange", async () => {
  if (document.hidden || game.busy || !game.state) return;
  const state = await ask(look(true)).catch(() => null);
  if (state && !game.busy && state.at !== game.state.at) take(state);
});

begin();
document.title = `${name} · evodom`;
await attempt(async () => {
  await loadOffers();
  listen(game);
  await act(look(true));
});

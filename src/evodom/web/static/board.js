// Draw the table: Supply, play area, the question with the hand, players and log.

import { $, count, fill, h, keep, sentence, setting } from "./page.js";
import { CARDS, cardOf, chip, chips, kindOf } from "./cards.js";
import { HELP } from "./keys.js";
import { ending } from "./ending.js";

/** Draw the whole game. The focus stays, or moves to the question. */
export function draw(table) {
  const game = table.past ? inThePast(table) : table;
  const board = $("#board");
  if (!game.state) return;
  const inside =
    board.contains(document.activeElement) || (game.byKeyboard && document.activeElement === document.body);
  const focused = inside ? (document.activeElement.dataset.key ?? "") : null;
  const log = $("#log");
  const atEnd = !log || log.scrollTop + log.clientHeight > log.scrollHeight - 40;
  const scrolled = log?.scrollTop ?? 0;
  const numbers = { next: 1 };
  board.className = game.state.over ? "over" : "";
  board.dataset.at = game.state.at;
  board.setAttribute("aria-busy", String(game.busy || game.state.waiting));
  fill(board, ...(game.state.over ? overParts(game) : openParts(game, numbers)));
  const drawn = $("#log");
  if (drawn) drawn.scrollTop = atEnd ? drawn.scrollHeight : scrolled;
  if (focused !== null)
    ($(`[data-key="${CSS.escape(focused)}"]`, board) ?? $("#question", board))?.focus({ preventScroll: true });
}

/** The game at the end of an earlier turn: nothing can be chosen. */
function inThePast(table) {
  const state = { ...table.past, question: null, waiting: false, over: false, canUndo: false, at: table.state.at };
  return { ...table, state, log: table.log.slice(0, table.past.step + 1), hint: null };
}

function openParts(game, numbers) {
  const dockParts = dock(game, numbers);
  return [
    h("div", { class: "table" }, supply(game, numbers), dockParts),
    h("div", { class: "aside" }, players(game), game.hint && isWide() ? hintPanel(game) : null, log(game), tools(game)),
  ];
}

function overParts(game) {
  return [
    ending(game),
    h("div", { class: "table" }, supply(game, { next: 1 })),
    h("div", { class: "aside" }, players(game), log(game)),
  ];
}

// Choices.

const question = (game) => (game.state.waiting || game.busy ? null : game.state.question);

/** Return true if a card of a zone can be chosen now. */
const isLegal = (game, zone, name) => question(game)?.zone === zone && question(game).choices.includes(name);

/** The present cost of a card, which Bridge can lower. */
const costNow = (game, name) => game.state.supply.find((pile) => pile.name === name)?.cost;

/** Cards that a player buys or gains only by a second click: few want them. */
const JUNK = ["Copper", "Curse"];

/** A card that may be a choice. A click chooses it, or marks it if the question takes several cards. */
function choice(game, zone, name, place, shown, numbers) {
  const asked = question(game);
  const options = { cost: costNow(game, name), ...shown };
  const key = `${zone}:${name}:${place}`;
  if (!isLegal(game, zone, name)) return cardOf(name, { ...options, key });
  const share = shareOf(game, name);
  const mark = share ? { share } : numbers.next <= 9 && !hasShares(game) ? { key: numbers.next } : null;
  numbers.next += 1;
  const verb = sentence(asked.verb.split(" ")[0]);
  const label = `${verb} ${options.label ?? name}`;
  if (["Buy", "Gain"].includes(verb) && zone === "supply" && JUNK.includes(name)) {
    const act = () => (game.confirming === name ? game.actions.choose([name]) : game.actions.confirm(name, verb));
    return cardOf(name, { ...options, key, label, mark, pressed: game.confirming === name, act });
  }
  if (asked.most < 2) return cardOf(name, { ...options, key, label, mark, act: () => game.actions.choose([name]) });
  const pressed = game.chosen.includes(key);
  const toggle = () => {
    if (pressed) game.chosen = game.chosen.filter((one) => one !== key);
    else game.chosen = [...game.chosen, key].slice(-asked.most);
    game.actions.redraw();
  };
  return cardOf(name, { ...options, key, label, mark, pressed, act: toggle });
}

/** True after a hint for single choices: keys beside the probabilities would look like one. */
const hasShares = (game) => Boolean(game.hint) && question(game)?.most < 2;

/** The win probability of one choice; "" if probabilities belong to sets of cards. */
function shareOf(game, name) {
  const found = hasShares(game) ? game.hint.shares[name] : undefined;
  return found === undefined ? "" : percent(found);
}

/** True if the window is wide enough for a column beside the table. */
const isWide = () => matchMedia("(min-width: 62rem)").matches;

const percent = (share) => `${Math.round(100 * share)} %`;

// The Supply.

function supply(game, numbers) {
  const piles = game.state.supply;
  const pile = ({ name, left, cost }, small) =>
    h(
      "li",
      {},
      choice(
        game,
        "supply",
        name,
        "",
        { left, cost, small, label: `${name}, costs $${cost}, ${left} left` },
        numbers,
      ),
    );
  const isBasic = (each) => CARDS.get(each.name).basic || CARDS.get(each.name).colony;
  const basic = piles.filter(isBasic);
  const kingdom = piles.filter((each) => !isBasic(each));
  return h(
    "section",
    { class: "supply", "aria-label": "Supply" },
    h("h2", { class: "unseen" }, "Supply"),
    h(
      "ul",
      { class: basic.length > 7 ? "basic nine" : "basic" },
      basic.map((each) => pile(each, true)),
    ),
    h(
      "ul",
      { class: "kingdom" },
      kingdom.map((each) => pile(each, false)),
    ),
    game.state.trash.length
      ? h("p", { class: "trash" }, h("span", { class: "soft" }, "Trash "), chips(game.state.trash))
      : null,
  );
}

function inPlay(game) {
  const { inPlay: cards, turn, seat, players: all } = game.state;
  const shown = turn.seat === seat ? ["In play", "Next turn"] : ["Next turn"];
  const own = seat === null ? [] : all[seat].places.filter(({ place }) => !shown.includes(place));
  return h(
    "section",
    { class: "in-play", "aria-label": "Play area" },
    h("h2", {}, turn.seat === seat ? "In play" : `In play by ${all[turn.seat].name}`),
    chips(cards, "nothing yet"),
    own.map((one) => [h("h2", {}, one.place === "In play" ? "Your cards in play" : one.place), placeOf(one)]),
  );
}

/** The cards of a place, and the number of unseen ones. */
const placeOf = ({ cards, unseen }) => [
  cards.length ? chips(cards) : null,
  unseen ? h("span", { class: "soft" }, ` ${unseen} unseen`) : null,
];

// The question and the hand.

function dock(game, numbers) {
  const { state } = game;
  if (game.past) return pastDock(game);
  if (state.seat === null && state.asked !== null) return handover(game);
  const asked = question(game);
  return h(
    "section",
    { class: "dock", "aria-label": "Your turn and your hand" },
    h("div", { class: "status-line" }, status(game), inPlay(game), quickTools(game)),
    since(game),
    h(
      "div",
      { class: "question-line" },
      h("h2", { id: "question", class: "question", tabindex: "-1" }, asked ? asked.text : waitingFor(game)),
      asked ? h("div", { class: "answers" }, answers(game, asked, numbers)) : null,
    ),
    state.aim.map((line) => h("p", { class: "soft aim" }, line)),
    state.warning ? h("p", { class: "warning" }, state.warning) : null,
    game.hint && !isWide() ? hintPanel(game) : null,
    h(
      "div",
      { class: "dock-cards" },
      asked && asked.there.length ? there(game, asked, numbers) : null,
      hand(game, numbers),
    ),
  );
}

/** A turn of the past, with a step back and forward. */
function pastDock(game) {
  const { state, past } = game;
  const turn = game.log.at(-1);
  const go = (label, key, step, options = {}) =>
    h("button", { type: "button", "data-key": key, onclick: () => game.actions.step(step), ...options }, label);
  return h(
    "section",
    { class: "dock past", "aria-label": "A turn of the game" },
    h("div", { class: "status-line" }, inPlay(game)),
    h(
      "div",
      { class: "question-line" },
      h(
        "h2",
        { id: "question", class: "question", tabindex: "-1" },
        `Turn ${turn.turn} of ${state.players[turn.seat].name}`,
      ),
      h(
        "div",
        { class: "answers" },
        go("◀ Back", "back", past.step - 1, { disabled: past.step === 0 }),
        go("Forward ▶", "forward", past.step + 1, { class: "main" }),
        go("To the present", "present", past.of),
      ),
    ),
    h("p", { class: "told" }, words(turn.text)),
    h("p", { class: "soft" }, `${past.step + 1} of ${past.of} turns. The table is shown at the end of this turn.`),
    state.seat === null ? null : h("div", { class: "dock-cards" }, hand(game, { next: 1 })),
  );
}

/** The opponents' turns since this seat's last turn. */
function newTurns(game) {
  const { seat, turn } = game.state;
  const now = game.log.length - 1;
  const past = turn.seat === seat ? game.log.slice(0, now) : game.log;
  return past.slice(past.findLastIndex((one) => one.seat === seat) + 1);
}

/** The opponents' new turns. On a phone the log is too far away. */
function since(game) {
  const others = newTurns(game);
  const line = (one) => h("li", {}, h("b", {}, game.state.players[one.seat].name), " ", words(one.text));
  return others.length
    ? h("ul", { class: "since plain", tabindex: "0", "aria-label": "Since your last turn" }, others.map(line))
    : null;
}

function waitingFor(game) {
  const { state } = game;
  const seat = state.asked ?? state.turn.seat;
  return seat === state.seat ? "The others are playing …" : `${state.players[seat].name} is playing …`;
}

function handover(game) {
  const name = game.state.players[game.state.asked].name;
  return h(
    "section",
    { class: "dock handover", "aria-label": "Pass the screen" },
    h("h2", { id: "question", tabindex: "-1" }, `Pass the screen to ${name}`),
    h("p", {}, "Their hand is shown after a click."),
    h(
      "button",
      { type: "button", class: "main", "data-key": "show", onclick: game.actions.show },
      `I am ${name}: show my hand`,
    ),
    game.state.canUndo ? h("p", {}, tool("Undo", game.actions.undo, { disabled: game.busy })) : null,
  );
}

/** Buttons beside a question. */
function answers(game, asked, numbers) {
  if (asked.most > 1) return [several(game, asked)];
  const buttons = [];
  if (asked.labels) {
    const [yes, no] = asked.labels;
    const one = asked.choices[0];
    buttons.push(
      h(
        "button",
        { type: "button", class: "main", "data-key": "yes", onclick: () => game.actions.choose([one]) },
        yes === "yes" ? "Yes" : `${sentence(yes)} ${one}`,
      ),
    );
    if (asked.optional) buttons.push(passButton(game, no === "no" ? "No" : sentence(no)));
    return buttons;
  }
  if (asked.all.length)
    buttons.push(
      h(
        "button",
        { type: "button", class: "main", "data-key": "all", onclick: () => game.actions.choose(asked.all) },
        "Play all Treasures",
      ),
    );
  for (const name of asked.zone === "hand" || asked.zone === "supply" || shown(asked) ? [] : asked.choices) {
    const text = asked.options[name] ?? `${asked.verb.split(" ")[0]} ${name}`;
    buttons.push(optionButton(game, name, text, numbers));
  }
  if (asked.optional) buttons.push(passButton(game, PASS[asked.kind] ?? "None"));
  return buttons;
}

/** The button of an option, or of a card that is not on the table. Its mark is the share of the win, or the key. */
function optionButton(game, name, text, numbers) {
  const share = shareOf(game, question(game).options[name] ?? name);
  const mark = share || (numbers.next <= 9 && !hasShares(game) ? String(numbers.next) : "");
  numbers.next += 1;
  return h(
    "button",
    { type: "button", class: "option legal", "data-key": `option:${name}`, onclick: () => game.actions.choose([name]) },
    mark ? h("span", { class: share ? "mark" : "mark key", "aria-hidden": "true" }, mark) : null,
    sentence(text),
  );
}

/** True if a question's cards are shown beside the hand. */
const shown = (asked) => ["revealed", "discard", "trash"].includes(asked.zone);

const PASS = {
  buy: "End turn",
  play_action: "No more Actions",
  play_treasure: "No more Treasures",
  reveal_watchtower: "Neither",
};

function passButton(game, label) {
  const share = shareOf(game, "pass");
  return h(
    "button",
    { type: "button", "data-key": "pass", onclick: () => game.actions.choose(["pass"]) },
    label,
    share ? h("span", { class: "soft" }, ` ${share}`) : null,
  );
}

/** The button that confirms all marked cards. */
function several(game, asked) {
  const n = game.chosen.length;
  const verb = sentence(asked.verb.split(" ")[0]);
  const names = game.chosen.map((key) => key.split(":")[1]);
  const enough = n >= asked.least;
  const label = n
    ? `${verb} ${count(n, "card")}`
    : asked.least
      ? `${verb} ${count(asked.least, "card")}`
      : `${verb} none`;
  const go = () => game.actions.choose(asked.optional && n < asked.most ? [...names, "pass"] : names);
  const pickedText = asked.least ? `${n} of ${asked.least} picked` : `${n} picked, up to ${asked.most}`;
  return [
    h("span", { class: "soft picked" }, pickedText),
    h("button", { type: "button", class: "main", "data-key": "pass", disabled: !enough, onclick: go }, label),
  ];
}

/** The cards of a question that are not in the hand: from a deck, the discard pile or the trash. */
function there(game, asked, numbers) {
  const offDeck = "Off your deck";
  const where = {
    revealed: asked.owner === null ? offDeck : `Revealed by ${game.state.players[asked.owner].name}`,
    discard: "Your discard pile",
    trash: "Trashed",
  }[asked.zone];
  return h(
    "div",
    { class: "there" },
    h("h3", {}, where ?? offDeck),
    h(
      "ul",
      { class: "cards" },
      each(asked.there, (name, place) => h("li", {}, choice(game, asked.zone, name, place, {}, numbers))),
    ),
  );
}

/** Call `draw` for each single card of [name, number] pairs. */
const each = (pairs, call) => pairs.flatMap(([name, n]) => Array.from({ length: n }, (_, place) => call(name, place)));

/** Hands with more cards than this are drawn smaller. */
const MANY = 7;

function hand(game, numbers) {
  const { state } = game;
  const cards = each(state.hand, (name, place) => h("li", {}, choice(game, "hand", name, place, {}, numbers)));
  const classes = cards.length > MANY ? "cards hand many" : "cards hand";
  return h(
    "ul",
    { class: classes, "aria-label": "Hand" },
    cards.length ? cards : h("li", { class: "soft" }, "Your hand is empty."),
  );
}

function hintPanel(game) {
  const { chances, recommendation, notes, hints, opponents } = game.hint;
  const row = (one, place) =>
    h(
      "li",
      { class: place && one.rank > chances[place - 1].rank ? "next-rank" : "" },
      h("span", { class: "who" }, `${one.rank}. ${one.text}`),
      one.share === null
        ? h("span", { class: "figure" }, "too few playouts")
        : [
            h("progress", { max: 1, value: one.share, "aria-hidden": "true" }),
            h(
              "span",
              { class: "figure" },
              `${percent(one.share)} (${Math.round(100 * one.low)} to ${Math.round(100 * one.high)})`,
            ),
          ],
    );
  const opinion = (one) =>
    h(
      "li",
      {},
      h("span", { class: "who" }, `${one.name}: `),
      one.shares
        .slice(0, 4)
        .map(([name, share]) => `${name === "pass" ? "nothing" : name} ${percent(share)}`)
        .join(", "),
    );
  return h(
    "div",
    { class: "hint" },
    recommendation ? h("p", { class: "recommended" }, recommendation) : null,
    chances.length
      ? h(
          "ol",
          { class: chances.some((one) => one.name.includes(" + ")) ? "chances sets" : "chances" },
          chances.map(row),
        )
      : null,
    notes.filter(Boolean).map((note) => h("p", { class: "soft" }, note)),
    hints.length ? [h("h3", {}, opponents), h("ul", { class: "opinions" }, hints.map(opinion))] : null,
  );
}

// Beside the table.

function status(game) {
  const { turn, players: all, vp, coinsInHand, seat, question: asked } = game.state;
  const mine = turn.seat === seat;
  const more = mine && asked?.kind === "play_action" && coinsInHand > 0;
  const name = turn.extra ? "Extra turn" : "Turn";
  const cell = (n, what) => h("li", {}, h("b", {}, n), " ", what);
  return h(
    "ul",
    { class: "status", "aria-label": "This turn" },
    h("li", {}, h("b", {}, `${name} ${turn.number}`), mine ? "" : ` of ${all[turn.seat].name}`),
    cell(turn.actions, turn.actions === 1 ? "Action" : "Actions"),
    cell(turn.buys, turn.buys === 1 ? "Buy" : "Buys"),
    h("li", {}, h("b", {}, `$${turn.coins}`), more ? ` and $${coinsInHand} in hand` : ""),
    vp === undefined ? null : cell(vp, "VP"),
  );
}

function players(game) {
  const { players: all, turn, over } = game.state;
  const row = (player, seat) => [
    h(
      "tr",
      {
        class: seat === turn.seat && !over ? "active" : "",
        "aria-current": seat === turn.seat && !over ? "true" : null,
      },
      h("th", { scope: "row" }, player.name),
      h("td", {}, player.hand),
      h("td", {}, player.deck),
      h("td", {}, player.discard, player.top ? [" ", chip(player.top)] : null),
      h("td", {}, player.vp),
    ),
    player.places.length || player.tokens
      ? h("tr", { class: "lasting" }, h("td", { colspan: 5 }, tokens(player), player.places.map(place)))
      : null,
  ];
  const tokens = (player) => (player.tokens ? h("span", { class: "soft" }, count(player.tokens, "VP token")) : null);
  const place = (one) => h("span", {}, h("span", { class: "soft" }, `${one.place} `), placeOf(one));
  const head = ["Player", "Hand", "Deck", "Discard", "VP"].map((title) => h("th", { scope: "col" }, title));
  return h(
    "section",
    { class: "players", "aria-label": "Players" },
    h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, all.flatMap(row))),
    h(
      "details",
      { open: setting("decks", "off") === "on", ontoggle: (event) => keep("decks", event.target.open ? "on" : "off") },
      h("summary", {}, "Deck lists"),
      h("p", { class: "soft" }, "Gains and trashings are public: all cards that each player owns."),
      h(
        "dl",
        { class: "decks" },
        all.map((player) => [h("dt", {}, player.name), h("dd", {}, chips(player.cards))]),
      ),
    ),
  );
}

function log(game) {
  const { players: all } = game.state;
  const line = (turn) => [
    turn.seat === 0 && !turn.extra ? h("li", { class: "round" }, `Turn ${turn.turn}`) : null,
    h(
      "li",
      { class: turn.seat === game.state.seat ? "own" : "" },
      h("b", {}, all[turn.seat].name),
      " ",
      words(turn.text),
    ),
  ];
  return h(
    "section",
    { class: "log", "aria-label": "Log" },
    h("h2", { class: "unseen" }, "Log"),
    h("ol", { id: "log", tabindex: "0", "aria-label": "Log" }, game.log.flatMap(line)),
  );
}

/** A text of strings and cards, with card names in their colours. */
const words = (text) =>
  text.map((part) => (part.card ? h("span", { class: `word ${kindOf(part.card)}` }, part.card) : part));

const tool = (label, act, options = {}) =>
  h("button", { type: "button", class: "tool", onclick: act, "data-key": `tool:${label}`, ...options }, label);

/** Frequent commands, beside the question. */
function quickTools(game) {
  const asks = Boolean(question(game));
  const others = newTurns(game);
  return h(
    "div",
    { class: "tools" },
    others.length
      ? tool("Their turns", () => game.actions.step(others[0].index), {
          title: "Show the opponents' turns one by one",
          disabled: game.busy,
        })
      : null,
    tool("Undo", game.actions.undo, { disabled: !game.state.canUndo || game.busy }),
    tool(game.thinkingHint ? "Thinking …" : "Hint", game.actions.hint, {
      disabled: !asks || game.thinkingHint || Boolean(game.hint),
    }),
  );
}

function tools(game) {
  const { asksTreasures } = game.state;
  const label = asksTreasures ? "Treasures: one at a time" : "Treasures: all together";
  return h(
    "section",
    { class: "tools", "aria-label": "Tools" },
    tool(label, () => game.actions.treasures(!asksTreasures), {
      disabled: !question(game),
      title: "Change how Treasures are played",
    }),
    tool("Cards", () => openCards(game)),
    tool("Keys", openHelp),
    tool("Step back", () => game.actions.step(game.log.length - 2), {
      disabled: game.busy || game.log.length < 2,
      title: "Go back through the game, turn by turn",
    }),
  );
}

// Dialogs.

function open(title, ...content) {
  const dialog = $("#dialog");
  const close = h("form", { method: "dialog" }, h("button", { class: "main" }, "Close"));
  fill(dialog, h("div", { class: "head" }, h("h2", { id: "dialog-title" }, title), close), content);
  dialog.showModal();
}

/** Show the list of keys. */
export function openHelp() {
  const box = h("input", { type: "checkbox", id: "keys", checked: setting("keys", "on") === "on" });
  box.addEventListener("change", () => keep("keys", box.checked ? "on" : "off"));
  open(
    "Keys",
    h(
      "table",
      { class: "keys" },
      h(
        "tbody",
        {},
        HELP.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what))),
      ),
    ),
    h("p", { class: "row check" }, box, h("label", { for: "keys" }, "Use single-key shortcuts")),
  );
}

function openCards(game) {
  const card = ({ name, cost }) => {
    const { cost: printed, types, set, lines } = CARDS.get(name);
    const now = cost === printed ? "" : ` ($${cost} now)`;
    const facts = [`$${printed}${now}`, types.join(" – "), set].filter(Boolean).join(" · ");
    return h(
      "li",
      {},
      h("h3", {}, chip(name), " ", h("span", { class: "soft" }, facts)),
      h("p", {}, `${lines.join(". ")}.`),
    );
  };
  open("Cards of this game", h("ul", { class: "plain" }, game.state.supply.map(card)));
}

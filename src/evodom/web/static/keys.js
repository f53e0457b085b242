// Play by keyboard: numbers and letters find a choice, arrows move, Enter chooses.

import { $, setting } from "./page.js";

export const HELP = [
  ["1 … 9", "select the choice with this number"],
  ["a … z", "go to the next choice that begins with the letter"],
  ["← ↑ → ↓", "go to the next choice in that direction"],
  ["Enter", "take the choice"],
  ["0", "finish choosing: end the turn, pass, confirm"],
  ["Backspace", "undo"],
  [".", "hint"],
  ["[ and ]", "a turn back, a turn forward"],
  ["Escape", "back to the present"],
  ["?", "this list"],
];

const choices = () => [...document.querySelectorAll("#board button.legal")];

/** Handle keys. They can be switched off, for speech input (WCAG 2.1.4). */
export function listen(game) {
  document.addEventListener("pointerdown", () => {
    game.byKeyboard = false;
  });
  document.addEventListener("keydown", (event) => {
    if (setting("keys", "on") === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, dialog[open]") || $("dialog[open]")) return;
    game.byKeyboard = true;
    if (press(event.key, game)) event.preventDefault();
  });
}

/** Run the command of a key; return false if it has none. */
function press(key, game) {
  if (key === "?") game.actions.help();
  else if (key === "Backspace") game.state?.canUndo && game.actions.undo();
  else if (key === ".") game.state?.question && game.actions.hint();
  else if (key === "[") step(game, -1);
  else if (key === "]" && game.past) step(game, 1);
  else if (key === "Escape" && game.past) game.actions.step(game.past.of);
  else if (key === "0") $("#board [data-key=pass]")?.click();
  else if (/^[1-9]$/.test(key)) choices()[Number(key) - 1]?.click();
  else if (ARROWS[key]) return move(ARROWS[key]);
  else if (/^[a-z]$/i.test(key)) return seek(key.toLowerCase());
  else return false;
  return true;
}

/** Go one turn back or forward. */
function step(game, by) {
  if (game.state && !game.busy) game.actions.step(Math.max(0, (game.past?.step ?? game.log.length - 1) + by));
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Focus the nearest choice in a direction; without focus, the first choice. */
function move([dx, dy]) {
  const all = choices();
  const here = document.activeElement;
  if (!all.includes(here)) {
    all[0]?.focus();
    return all.length > 0;
  }
  const from = centre(here);
  const distance = (one) => {
    const to = centre(one);
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    return along > 4 ? along + 3 * aside : Infinity;
  };
  const nearest = all.filter((one) => distance(one) < Infinity).sort((a, b) => distance(a) - distance(b))[0];
  nearest?.focus();
  return true;
}

function centre(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Focus the next choice that begins with a letter. */
function seek(letter) {
  const all = choices();
  const begun = all.filter((one) => one.dataset.card?.toLowerCase().startsWith(letter));
  if (!begun.length) return false;
  const next = begun.findIndex((one) => one === document.activeElement) + 1;
  begun[next % begun.length].focus();
  return true;
}

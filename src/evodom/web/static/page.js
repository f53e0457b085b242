// Shared by all pages: elements, requests, the navigation bar, messages.

/** Make an element: h("button", { class: "main", onclick: f, "aria-label": "Gold" }, "Gold", child, ...). */
export function h(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  set(made, attributes);
  made.append(...kept(children));
  return made;
}

/** The children without missing ones. */
const kept = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

const SVG = "http://www.w3.org/2000/svg";

/** Make an SVG element: s("path", { d: "M0 0" }). */
export function s(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  set(made, attributes);
  made.append(...children.flat(Infinity));
  return made;
}

function set(element, attributes) {
  for (const [key, given] of Object.entries(attributes)) {
    const value = key.startsWith("aria-") && typeof given === "boolean" ? String(given) : given; // "" would say neither
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
}

/** The first element that matches a selector. */
export const $ = (selector, within = document) => within.querySelector(selector);

/** Replace the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...kept(children));
  return element;
}

/** A table of rows of cells. Titles are texts or cells. */
export const table = (titles, rows, { caption, ...attributes } = {}) =>
  h(
    "table",
    attributes,
    caption ? h("caption", {}, caption) : null,
    h("thead", {}, h("tr", {}, titles.map((one) => (one instanceof Node ? one : h("th", { scope: "col" }, one))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row))),
  );

/** An input with its label, and perhaps a note. */
export const field = (label, input, note) =>
  h(
    "p",
    { class: "field" },
    h("label", { for: input.id }, label),
    input,
    note ? h("span", { class: "note" }, note) : null,
  );

/** "1 card", "2 cards". */
export const count = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

/** An error answer: one line of text, and `status`, the HTTP status (0: no answer). */
export class Refusal extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

/** Wait some seconds. */
export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/**
 * Request from the server: GET without a body, else POST of the body as JSON. Return the answer or throw a Refusal.
 * While the server compiles, show that in the message line and repeat the request.
 */
export async function ask(path, body, { signal } = {}) {
  for (;;) {
    const response = await request(path, body, signal);
    const said = await response.json().catch(() => ({ error: "the server's answer cannot be read." }));
    if (response.ok && said.state !== "compiling") {
      if (waiting) say("");
      waiting = "";
      return said;
    }
    if (!response.ok && response.status !== 503) throw new Refusal(sentence(said.error), response.status);
    wait(response.ok ? said.doing : said.error, response.ok ? said.seconds : null);
    await pause(1);
  }
}

let waiting = "";

/** Show the server's activity and its seconds. Screen readers do not announce the seconds. */
function wait(doing, seconds) {
  if (waiting !== doing) say(sentence((waiting = doing)), "busy");
  if (seconds === null) return;
  const clock = $("#message .seconds") ?? h("span", { class: "seconds", "aria-hidden": "true" });
  clock.textContent = ` ${Math.round(seconds)} s`;
  $("#message").append(clock);
}

async function request(path, body, signal) {
  const options =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    return await fetch(path, { ...options, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server does not answer. Is evodom serve still running?", 0);
  }
}

/** A text with a capital first letter. */
export const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Show one line, also for screen readers. `kind` is "" (dismissed automatically), "busy" or "error". "" clears it. */
export function say(text, kind = "") {
  const line = $("#message");
  clearTimeout(fading);
  if (text && !kind) fading = setTimeout(() => say(""), 6000 + 40 * text.length);
  line.className = kind;
  line.textContent = text;
  line.hidden = !text;
}

let fading = 0;

/** Run a request and show its error, if any. Return undefined then. */
export async function attempt(task) {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message, "error");
    return undefined;
  }
}

const PLACES = [
  ["/play", "Play"],
  ["/ask", "Ask"],
  ["/watch", "Watch"],
  ["/fights", "Fights"],
  ["/map", "Map"],
];

/** Numbers of players at a table. */
export const TABLES = [2, 3, 4, 5, 6];

/** Draw the navigation bar and the message line. Each page calls this first. */
export function begin() {
  const here = location.pathname;
  const links = PLACES.map(([path, name]) =>
    h("a", { href: path, "aria-current": here === path || here.startsWith(`${path}/`) ? "page" : null }, name),
  );
  const theme = h("button", { type: "button", class: "quiet", id: "theme", onclick: nextTheme });
  const bar = h(
    "header",
    { class: "bar" },
    h("a", { class: "home", href: "/" }, "evodom"),
    h("nav", { "aria-label": "Places" }, links),
    theme,
  );
  const message = h("p", { id: "message", role: "status", hidden: true });
  document.body.prepend(h("a", { class: "skip", href: "#main" }, "Skip to the content"), bar);
  document.body.append(message);
  showTheme();
}

/** A setting of this browser, or its default. */
export function setting(name, otherwise) {
  try {
    return localStorage.getItem(`evodom.${name}`) ?? otherwise;
  } catch {
    return otherwise; // a browser may refuse to keep anything
  }
}

/** Store a setting in this browser. */
export function keep(name, value) {
  try {
    localStorage.setItem(`evodom.${name}`, value);
  } catch {
    // storage is disabled: the setting lasts until the page is closed
  }
}

const THEMES = { auto: "Colours: system", light: "Colours: light", dark: "Colours: dark" };

function nextTheme() {
  const names = Object.keys(THEMES);
  keep("theme", names[(names.indexOf(setting("theme", "auto")) + 1) % names.length]);
  showTheme();
}

function showTheme() {
  const theme = setting("theme", "auto");
  document.documentElement.dataset.theme = theme;
  $("#theme").textContent = { auto: "◐", light: "☀", dark: "☾" }[theme] ?? "◐";
  $("#theme").setAttribute("aria-label", THEMES[theme] ?? THEMES.auto);
  $("#theme").title = THEMES[theme] ?? THEMES.auto;
}

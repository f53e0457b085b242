// What the pages of answers, runs, fights and maps share.

import { Refusal, ask, attempt, fill, h, pause, say } from "./page.js";

/** Make elements of HTML that the server wrote; scripts in it would not run. */
export function written(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  return [...made.content.childNodes];
}

/** 12,345 */
export const whole = (n) => Math.round(n).toLocaleString("en");

/** 0:07, 1:05:09 */
export function clock(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, at) => (at ? String(part).padStart(2, "0") : String(part))).join(":");
}

/** "3 minutes ago" */
export function ago(iso) {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  const units = [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const [name, size] = units.find(([, length]) => seconds >= length) ?? ["", 0];
  if (!name) return "just now";
  const n = Math.floor(seconds / size);
  return `${n} ${name}${n === 1 ? "" : "s"} ago`;
}

/** What the last part of the address says: the name of an answer, the key of a run. */
export const named = () => decodeURIComponent(location.pathname.split("/").at(-1));

/**
 * Look again every few seconds, as long as `look` returns the seconds to wait; a page that is not seen waits.
 * Where the server does not answer, that is said, and it is asked again.
 */
export async function watching(look) {
  let lost = false;
  for (;;) {
    if (document.hidden)
      await new Promise((seen) => document.addEventListener("visibilitychange", seen, { once: true }));
    let seconds;
    try {
      seconds = await look();
      if (lost) say("");
      lost = false;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      say(error.message, "error");
      if (error.status) return;
      lost = true;
      seconds = 2;
    }
    if (!seconds) return;
    await pause(seconds);
  }
}

const STAGES = {
  compiling: "Compiling",
  learning: "Learning from games",
  evolving: "Evolving strategies",
  tournament: "Letting them meet",
  attack: "Attacking the best",
  list: "Making a list to follow",
  figures: "Measuring what to expect",
  playing: "Playing",
};

/** What a task is doing, in a few words. */
export function doing(task) {
  if (task.state === "waiting") return task.ahead ? `Waiting for ${task.ahead} before it` : "About to begin";
  if (task.state !== "running") return { done: "Done", stopped: "Stopped", failed: "Failed" }[task.state];
  const { stage, step, stopping } = task.progress;
  if (stopping) return "Stopping, and saving what it has";
  return STAGES[stage === "measuring" ? step : stage] ?? "Beginning";
}

/** Which share of its stage is done, or null. */
export function share(task) {
  const { done, total, stage } = task.progress;
  return total && stage !== "measuring" ? Math.min(1, done / total) : null;
}

/** A bar of progress with its name. */
export function progress(label, value) {
  const bar = h("progress", { max: 1, "aria-label": label });
  if (value !== null) bar.value = value;
  return bar;
}

/** A button that asks the server for something, and is off meanwhile. */
export function action(label, kind, task) {
  const button = h("button", { type: "button", class: kind }, label);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await attempt(task);
    button.disabled = false;
  });
  return button;
}

/** Ask again before something is lost: the first click asks, the second does it. */
export function careful(label, question, task) {
  const button = h("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", async () => {
    if (button.textContent === label) {
      button.textContent = question;
      setTimeout(() => {
        button.textContent = label;
      }, 4000);
    } else {
      await attempt(task);
    }
  });
  return button;
}

/** Put content in its place only if it is new, so that what is folded open, or has the focus, stays so. */
export function renew(element, sign, make) {
  const now = JSON.stringify(sign);
  if (element.dataset.sign === now) return;
  element.dataset.sign = now;
  fill(element, make());
}

/** The lines of a list, each with its condition apart. */
export function planned(lines) {
  return h(
    "ol",
    { class: "plan" },
    lines.map((line) => {
      const cut = / (once|until|from|while|if) /.exec(line);
      return h(
        "li",
        {},
        h("b", {}, cut ? line.slice(0, cut.index) : line),
        cut ? h("span", {}, line.slice(cut.index)) : null,
      );
    }),
  );
}

/** Damaged files of tasks as items of a list. */
export const brokenRows = (damaged) =>
  damaged.map(({ file, why }) =>
    h(
      "li",
      { class: "broken" },
      h(
        "div",
        { class: "row" },
        h("span", { class: "name" }, "Damaged file"),
        h("span", { class: "note" }, `${file}: ${why}`),
      ),
    ),
  );

/** Stop a task, go on with it, forget it. */
export const stop = (name) => ask(`/api/tasks/${name}/stop`, {});
export const goOn = (name) => ask(`/api/tasks/${name}/go-on`, {});
export const forget = (name) => ask(`/api/tasks/${name}/delete`, {});

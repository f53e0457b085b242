// Shared by the pages of answers, runs, fights and maps: polling, progress, buttons of tasks, formats.

import { Refusal, ask, attempt, fill, h, pause, say } from "./page.js";

/** Parse HTML from the server into nodes. Scripts in it do not run. */
export function parseHtml(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  return [...made.content.childNodes];
}

/** 12,345 */
export const formatCount = (n) => Math.round(n).toLocaleString("en");

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

/** The last part of the address: the name of an answer or the key of a run. */
export const lastPathPart = () => decodeURIComponent(location.pathname.split("/").at(-1));

/**
 * Call `look` again after the seconds that it returns; stop at 0. A hidden page waits.
 * If the server does not answer, show that and retry.
 */
export async function poll(look) {
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
  tournament: "Comparing all in a tournament",
  best_response: "Training a best response",
  list: "Making a buy list",
  figures: "Measuring win rates",
  playing: "Playing",
};

/** The activity of a task in a few words. */
export function statusText(task) {
  if (task.progress.elsewhere) return "Running in another server";
  if (task.state !== "running") return { done: "Done", stopped: "Stopped", failed: "Failed" }[task.state];
  const { stage, step, stopping } = task.progress;
  if (stopping) return "Stopping and saving";
  return STAGES[stage === "measuring" ? step : stage] ?? "Beginning";
}

/** The finished share of a task's stage, or null. */
export function share(task) {
  const { done, total, stage } = task.progress;
  return total && stage !== "measuring" ? Math.min(1, done / total) : null;
}

/** A progress bar with an accessible label. */
export function progress(label, value) {
  const bar = h("progress", { max: 1, "aria-label": label });
  if (value !== null) bar.value = value;
  return bar;
}

/** A button that runs a request and is disabled meanwhile. */
export function actionButton(label, kind, task) {
  const button = h("button", { type: "button", class: kind }, label);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await attempt(task);
    button.disabled = false;
  });
  return button;
}

/** A button that asks for confirmation: the first click asks, the second acts. */
export function confirmButton(label, question, task) {
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

/** A button that deletes a task after a confirmation, and goes to another page. */
export const deleteButton = (name, next) =>
  confirmButton("Delete", "Delete permanently?", async () => {
    await deleteTask(name);
    location.assign(next);
  });

/** A button that restarts a task. */
export const resumeButton = (label, name) =>
  actionButton(label, "main", async () => {
    await resumeTask(name);
    location.reload();
  });

/** A row of a list: a link with a name, a note and perhaps a bar. */
export const linkRow = (href, name, note, bar = null) =>
  h("li", {}, h("a", { href }, h("span", { class: "name" }, name), h("span", { class: "note" }, note), bar));

/** The age of a task that is done, or the activity of another task. */
export const ageOrStatus = (task) => (task.state === "done" ? ago(task.started) : statusText(task));

/** A row for a task. `facts` precede its state. */
export const taskLink = (href, task, facts = "") =>
  linkRow(
    href,
    task.title,
    facts + ageOrStatus(task),
    task.state === "running" ? progress("How much is done", share(task)) : null,
  );

/** Number of unfinished sessions that are not folded. */
const SHOWN = 4;

/** Saved sessions, `what` in the plural: unfinished ones, the older ones folded, then finished ones. */
export function savedSessions(all, what, classes, row) {
  const list = (found) => h("ul", { class: classes }, found.map(row));
  const rest = (title, found) => (found.length ? h("details", {}, h("summary", {}, title), list(found)) : null);
  const open = all.filter((one) => !one.over);
  const over = all.filter((one) => one.over);
  return h(
    "section",
    { "aria-label": `Saved ${what}` },
    open.length ? [h("h2", {}, "Go on"), list(open.slice(0, SHOWN)), rest(`Older ${what}`, open.slice(SHOWN))] : null,
    rest(`Finished ${what} (${over.length})`, over),
  );
}

/** Replace content only if `sign` changed, so that focus and unfolded details stay. */
export function fillIfChanged(element, sign, make) {
  const now = JSON.stringify(sign);
  if (element.dataset.sign === now) return;
  element.dataset.sign = now;
  fill(element, make());
}

/** The lines of a buy list, with conditions set apart. */
export function buyList(lines) {
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

/** List items for damaged task files. */
export const damagedRows = (damaged) =>
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

/** Stop, resume or delete a task. */
export const stop = (name) => ask(`/api/tasks/${name}/stop`, {});
export const resumeTask = (name) => ask(`/api/tasks/${name}/go-on`, {});
export const deleteTask = (name) => ask(`/api/tasks/${name}/delete`, {});

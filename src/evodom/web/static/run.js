// The page of one run: progress, charts, best list, report.

import { $, ask, begin, count, fill, h } from "./page.js";
import {
  actionButton,
  ago,
  buyList,
  fillIfChanged,
  lastPathPart,
  parseHtml,
  poll,
  progress,
  share,
  statusText,
  stop,
} from "./tasks.js";

begin();
const key = lastPathPart();
const head = h("header", { class: "answer" });
const status = h("section", { class: "panel", "aria-label": "Progress" });
const report = h("section", { "aria-label": "Report" });
const course = h("div", {});
const plan = h("section", {});
fill($("#main"), head, h("div", { class: "stack" }, status, report, course, plan));

const reported = () => ask(`/api/runs/${encodeURIComponent(key)}/report`, {});

function reportParts(run) {
  const [task] = run.reports;
  const begin = (label) => actionButton(label, task ? "" : "main", reported);
  if (!task)
    return h(
      "p",
      { class: "beside" },
      begin("Write a report"),
      h("span", { class: "note" }, "Takes some seconds. The page has the statistics of evodom report with charts."),
    );
  if (task.state === "running")
    return [
      h("p", { class: "status" }, `Report: ${statusText(task).toLowerCase()}`),
      progress("Progress of the report", share(task)),
      actionButton("Stop", "", () => stop(task.name)),
    ];
  if (task.state !== "done") return [h("p", {}, `The report was not written: ${task.why}.`), begin("Write it again")];
  const page = `/report/${task.name}`;
  return [
    h("h2", {}, "Report"),
    h(
      "p",
      {},
      h("a", { class: "button main", href: page, target: "_blank", rel: "noopener" }, "Open the report"),
      " ",
      begin("Write it again"),
      h("span", { class: "note" }, ` written ${ago(task.started)}`),
    ),
  ];
}

poll(async () => {
  const run = await ask(`/api/runs/${encodeURIComponent(key)}`);
  document.title = `${run.active ? "Running · " : ""}${key} · evodom`;
  if (run.problem) return (fill(status, h("p", { class: "status" }, run.problem)), 0);
  const cards = run.kingdom?.cards ?? [];
  fillIfChanged(head, [run.kingdom, run.seed, run.model], () => [
    h("p", { class: "crumb" }, h("a", { href: "/watch" }, "Watch")),
    h("h1", {}, key),
    cards.length
      ? h(
          "ul",
          { class: "cards" },
          cards.map((card) => h("li", {}, card)),
        )
      : null,
    h(
      "p",
      { class: "note" },
      [
        run.kingdom?.name,
        run.kind === "evolved" ? `evolved, ${run.model}` : "learned",
        run.fights,
        run.players ? count(run.players, "player") : "",
        `seed ${run.seed}`,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
  ]);
  fillIfChanged(status, [run.active, run.done, run.goal, run.active ? 0 : ago(run.modified)], () => [
    h(
      "p",
      { class: "status", role: "status" },
      run.active ? "Running" : run.goal && run.done >= run.goal ? "Done" : "At rest",
      h("span", { class: "live-count" }, ` · ${run.unit} ${run.done}${run.goal ? ` of ${run.goal}` : ""}`),
    ),
    progress(`Progress of ${key}`, run.goal ? Math.min(1, run.done / run.goal) : 0),
    h(
      "p",
      { class: "note" },
      run.active ? "Another process is running it. This page updates." : `Last changed ${ago(run.modified)}.`,
    ),
    run.note ? h("p", { class: "note" }, run.note) : null,
  ]);
  fillIfChanged(
    report,
    run.reports.map((task) => [task.name, task.state, task.progress]),
    () => reportParts(run),
  );
  fillIfChanged(course, run.course, () => (run.course ? parseHtml(run.course) : []));
  fillIfChanged(plan, run.plan, () =>
    run.plan
      ? [
          h("h2", {}, run.plan.draws ? "The champion's preferences" : "The best list so far"),
          h(
            "p",
            { class: "note" },
            run.plan.draws
              ? "The last generation's champion draws each buy at random, by weight. The most likely card comes first."
              : "The last generation's champion: buy the first card that you can.",
          ),
          h(
            "div",
            { class: "grid" },
            run.plan.lists.map((order) =>
              h("div", {}, order.when ? h("h3", { class: "stage-title" }, order.when) : null, buyList(order.lines)),
            ),
          ),
          run.plan.notes.length
            ? h(
                "ul",
                { class: "note" },
                run.plan.notes.map((note) => h("li", {}, note)),
              )
            : null,
        ]
      : [],
  );
  const open = run.reports.some((task) => task.state === "running");
  return run.active || open ? 1 : 4;
});

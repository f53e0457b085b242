// One run: how far it is, its course in pictures, its best list, its report.

import { $, ask, attempt, begin, count, fill, h } from "./page.js";
import { action, ago, doing, named, planned, progress, renew, share, watching, written } from "./told.js";

begin();
const key = named();
const head = h("header", { class: "answer" });
const status = h("section", { class: "panel", "aria-label": "How far it is" });
const report = h("section", { "aria-label": "Report" });
const course = h("div", {});
const plan = h("section", {});
fill($("#main"), head, h("div", { class: "told" }, status, report, course, plan));

const reported = () => ask(`/api/runs/${encodeURIComponent(key)}/report`, {});

function reportParts(run) {
  const [task] = run.reports;
  const begin = (label) => action(label, task ? "" : "main", reported);
  if (!task)
    return h(
      "p",
      { class: "beside" },
      begin("Write a report"),
      h("span", { class: "note" }, "Some seconds of games, and all that evodom report tells, with pictures."),
    );
  if (task.state === "running" || task.state === "waiting")
    return [
      h("p", { class: "status" }, `Report: ${doing(task).toLowerCase()}`),
      progress("How much of the report is done", share(task)),
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
      begin("Write it anew"),
      h("span", { class: "note" }, ` written ${ago(task.created)}`),
    ),
  ];
}

watching(async () => {
  const run = await ask(`/api/runs/${encodeURIComponent(key)}`);
  document.title = `${run.active ? "Working · " : ""}${key} · evodom`;
  if (run.problem) return (fill(status, h("p", { class: "status" }, run.problem)), 0);
  const cards = run.kingdom?.cards ?? [];
  renew(head, [run.kingdom, run.seed, run.model], () => [
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
  renew(status, [run.active, run.done, run.goal, run.active ? 0 : ago(run.modified)], () => [
    h(
      "p",
      { class: "status", role: "status" },
      run.active ? "Working" : run.goal && run.done >= run.goal ? "Done" : "At rest",
      h("span", { class: "live-count" }, ` · ${run.unit} ${run.done}${run.goal ? ` of ${run.goal}` : ""}`),
    ),
    progress(`How much of ${key} is done`, run.goal ? Math.min(1, run.done / run.goal) : 0),
    h(
      "p",
      { class: "note" },
      run.active ? "Another process is writing it; this page follows." : `Last changed ${ago(run.modified)}.`,
    ),
    run.note ? h("p", { class: "note" }, run.note) : null,
  ]);
  renew(
    report,
    run.reports.map((task) => [task.name, task.state, task.progress]),
    () => reportParts(run),
  );
  renew(course, run.course, () => (run.course ? written(run.course) : []));
  renew(plan, run.plan, () =>
    run.plan
      ? [
          h("h2", {}, "The best list so far"),
          h("p", { class: "note" }, "The champion of the last generation in words: buy the first that you can."),
          h(
            "div",
            { class: "grid" },
            run.plan.lists.map((order) =>
              h("div", {}, order.when ? h("h3", { class: "stage-title" }, order.when) : null, planned(order.lines)),
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
  const open = run.reports.some((task) => task.state === "running" || task.state === "waiting");
  return run.active || open ? 1 : 4;
});

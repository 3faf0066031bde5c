import { count, duration, percent } from "../core/text.js";
import { factList, statusLabel } from "./blocks.js";
import { h, svg } from "./elements.js";
import type { Fact, PageItem, PageRun } from "./page-data.js";

/** The verdict, and what it rests on. */
export function showHeader(run: PageRun): HTMLElement {
  const { passed, interrupted, score, tally } = run;
  const verdict = passed ? "Passed" : "Not passed";
  const errors = tally.error - interrupted;
  const ended = [
    tally.failed > 0 && statusLabel("failed", `${tally.failed} failed`),
    errors > 0 && statusLabel("error", count(errors, "error")),
    interrupted > 0 && statusLabel("error", `${interrupted} interrupted`),
    statusLabel("passed", `${tally.passed} passed`),
  ];
  const needed: Fact[] = [
    ...(score.needed === undefined ? [] : [["needed", percent(score.needed)] as const]),
    ...(score.baseline === undefined ? [] : [["baseline", percent(score.baseline)] as const]),
  ];
  return h(
    "header",
    { class: passed ? "passed" : "failed" },
    h("p", { class: "title" }, run.title),
    h(
      "h1",
      {},
      h("span", { class: "verdict" }, verdict),
      " ",
      h("span", { class: "score" }, percent(score.value)),
      interrupted > 0 && h("span", { class: "interrupted" }, " interrupted"),
    ),
    scale(score),
    h("p", { class: "tally" }, ...ended),
    interrupted > 0 && h("p", { class: "note" }, `The run was stopped: ${count(interrupted, run.noun)} did not end.`),
    run.gates.length > 0 &&
      h(
        "ul",
        { class: "gates" },
        ...run.gates.map(({ passed, decided = true, text }) =>
          h("li", {}, passed && !decided ? `– ${text}` : statusLabel(passed ? "passed" : "failed", text)),
        ),
      ),
    run.comparison.length > 0 && h("ul", { class: "comparison" }, ...run.comparison.map((line) => h("li", {}, line))),
    factList([...needed, ["duration", duration(run.duration_ms)], ...run.figures]),
    h(
      "p",
      { class: "origin" },
      h("time", { datetime: run.started_at }, new Date(run.started_at).toLocaleString()),
      h("span", {}, run.run_id),
      h("span", {}, run.project_root),
    ),
  );
}

/** Where the score lies between nothing and all, with its interval, what is needed, and the baseline. */
function scale({ value, low, high, needed, baseline }: PageRun["score"]): Element {
  const at = (share: number) => `${Math.min(1, Math.max(0, share)) * 100}%`;
  const said = [
    `score ${percent(value)}`,
    low !== undefined && high !== undefined && `interval ${percent(low)} to ${percent(high)}`,
    needed !== undefined && `${percent(needed)} needed`,
    baseline !== undefined && `baseline ${percent(baseline)}`,
  ];
  const tick = (share: number, name: string) =>
    svg("line", { class: name, x1: at(share), x2: at(share), y1: "2", y2: "22" }, svg("title", {}, name));
  return svg(
    "svg",
    { class: "scale", role: "img", "aria-label": said.filter(Boolean).join(", "), width: "100%", height: "24" },
    svg("rect", { class: "track", x: "0", y: "11", width: "100%", height: "2" }),
    svg("rect", { class: "earned", x: "0", y: "10", width: at(value), height: "4" }),
    low !== undefined &&
      high !== undefined &&
      svg("rect", { class: "interval", x: at(low), y: "7", width: at(high - low), height: "10", rx: "2" }),
    needed !== undefined && tick(needed, "needed"),
    baseline !== undefined && tick(baseline, "baseline"),
    svg("circle", { cx: at(value), cy: "12", r: "6" }),
  );
}

/** More bars than that are no drawing; those that took longest, and those that did not pass, are. */
const MOST_BARS = 2_000;
const MOST_LANES = 16;

/** What ran when, and how long; a click on a bar calls `open`. Nothing where there is nothing to compare. */
export function showTimeline(items: readonly PageItem[], open: (item: PageItem) => void): Element | undefined {
  const ran = items.filter(({ began, ended, marks }) => ended > began && !marks.includes("interrupted"));
  const end = ran.reduce((latest, { ended }) => Math.max(latest, ended), 0);
  if (ran.length < 2 || end === 0) return undefined;
  const lanes: number[] = [];
  const bars = [...ran]
    .sort((a, b) => a.began - b.began)
    .map((item) => {
      const free = lanes.findIndex((until) => until <= item.began);
      const lane = free < 0 ? Math.min(lanes.length, MOST_LANES - 1) : free;
      lanes[lane] = Math.max(item.ended, lanes[lane] ?? 0);
      return { item, lane };
    });
  const length = ({ item }: (typeof bars)[number]) => item.ended - item.began + (item.status === "passed" ? 0 : end);
  const shown = bars.length <= MOST_BARS ? bars : bars.sort((a, b) => length(b) - length(a)).slice(0, MOST_BARS);
  const height = lanes.length * 7;
  const share = (ms: number) => `${((ms / end) * 100).toFixed(3)}%`;
  const drawing = svg(
    "svg",
    { width: "100%", height: String(height), role: "img", "aria-label": `What ran when, within ${duration(end)}` },
    ...shown.map(({ item, lane }) => {
      const { began, ended, status, id, duration_ms } = item;
      const bar = svg(
        "rect",
        { class: status, x: share(began), y: String(lane * 7), width: share(ended - began), height: "5" },
        svg("title", {}, `${id}: ${status}, ${duration(duration_ms)}`),
      );
      bar.addEventListener("click", () => open(item));
      return bar;
    }),
  );
  return h(
    "figure",
    { class: "timeline" },
    drawing,
    h("figcaption", {}, h("span", {}, "0"), h("span", {}, duration(end))),
  );
}

import { count, duration } from "../core/text.js";
import { factList, showBlocks, statusLabel } from "./blocks.js";
import { h } from "./elements.js";
import type { PageData, PageItem, PageRun } from "./page-data.js";
import { type Choice, isShown, selectItems } from "./select-items.js";

/** How many rows are made at once; more are when the end comes into sight. */
const ROWS = 200;

export interface List {
  elements: Node[];
  /** Shows an item, whatever is chosen. */
  reveal: (item: PageItem) => void;
}

/** All items, with what chooses among them. */
export function showList({ run, items }: PageData): List {
  const rows = h("ul", { class: "items" });
  const more = h("button", { class: "more", type: "button", hidden: true });
  const found = h("p", { class: "found", role: "status" });
  const form = choiceForm(items);
  let chosen: PageItem[] = [];

  const addRows = (upTo = rows.childElementCount + ROWS) => {
    rows.append(...chosen.slice(rows.childElementCount, upTo).map((item) => row(item, run)));
    const left = chosen.length - rows.childElementCount;
    more.hidden = left === 0;
    more.textContent = `Show more: ${left.toLocaleString("en")} left`;
  };
  const update = () => {
    chosen = selectItems(items, choiceOf(form));
    rows.replaceChildren();
    addRows();
    const [n, all] = [chosen.length, items.length].map((length) => length.toLocaleString("en"));
    found.textContent = n === all ? count(items.length, run.noun) : `${n} of ${count(items.length, run.noun)}`;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(update, items.length > 1000 ? 150 : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => {
    const at = rows.childElementCount;
    addRows();
    rows.children[at]?.querySelector("summary")?.focus();
  });
  new IntersectionObserver(([entry]) => entry?.isIntersecting && !more.hidden && addRows(), {
    rootMargin: "600px",
  }).observe(more);
  rows.addEventListener("keydown", moveFocus);
  addEventListener("beforeprint", () => addRows(1000));
  update();
  return {
    elements: [form, found, rows, more],
    reveal(item) {
      if (!chosen.includes(item)) {
        form.reset();
        update();
      }
      const index = chosen.indexOf(item);
      if (index >= rows.childElementCount) addRows(index + 1);
      const details = rows.children[index]?.querySelector("details");
      if (!details) return;
      details.open = true;
      details.querySelector("summary")?.focus();
      details.scrollIntoView({ block: "nearest" });
    },
  };
}

function choiceOf(form: HTMLFormElement): Choice {
  const data = new FormData(form);
  const of = (name: string) => String(data.get(name) ?? "");
  return {
    show: of("show"),
    text: of("text"),
    tag: of("tag"),
    type: of("type"),
    order: of("order") as Choice["order"],
  };
}

const SHOWN = ["all", "failed", "error", "interrupted", "flaky", "worse", "better", "new", "changed", "passed"];

function choiceForm(items: readonly PageItem[]): HTMLFormElement {
  const tags = [...new Set(items.flatMap((item) => item.tags))].sort();
  const types = [...new Set(items.map((item) => item.type))].sort();
  const choices = SHOWN.flatMap((show) => {
    const n = items.filter((item) => isShown(item, show)).length;
    // What every run has can be chosen in every run.
    if (n === 0 && !["all", "failed", "passed"].includes(show)) return [];
    const radio = h("input", { type: "radio", name: "show", value: show, checked: show === "all" });
    return [h("label", {}, radio, h("span", {}, show, " ", h("b", {}, n.toLocaleString("en"))))];
  });
  return h(
    "form",
    { class: "choice", role: "search", "aria-label": "Filter" },
    h("fieldset", {}, h("legend", { class: "hidden" }, "Show"), ...choices),
    h(
      "label",
      { class: "search" },
      h("span", { class: "hidden" }, "Search"),
      h("input", { type: "search", name: "text", placeholder: "search id, reason, output", autocomplete: "off" }),
    ),
    tags.length > 0 && select("tag", "Tag", [["", "any tag"], ...tags.map((tag) => [tag, tag] as const)]),
    types.length > 1 && select("type", "Type", [["", "any type"], ...types.map((type) => [type, type] as const)]),
    select("order", "Order", [
      ["failed", "failed first"],
      ["written", "as written"],
      ["slow", "slowest first"],
    ]),
  );
}

function select(name: string, title: string, options: readonly (readonly [string, string])[]): HTMLElement {
  const element = h("select", { name });
  for (const [value, text] of options) {
    const option = h("option", {}, text);
    option.value = value;
    element.append(option);
  }
  return h("label", {}, h("span", { class: "hidden" }, title), element);
}

function row(item: PageItem, run: PageRun): HTMLElement {
  const { id, status, marks, tags, description, why, runs, duration_ms } = item;
  const interrupted = marks.includes("interrupted");
  const details = h(
    "details",
    { class: status },
    h(
      "summary",
      {},
      statusLabel(status, interrupted ? "interrupted" : status),
      h(
        "span",
        { class: "what" },
        h("span", { class: "id" }, id),
        ...marks.filter((mark) => mark !== "interrupted").map((mark) => h("span", { class: `mark ${mark}` }, mark)),
        ...tags.map((tag) => h("span", { class: "tag" }, tag)),
        h("span", { class: "description" }, description),
      ),
      runs.length > 0 && runMarks(runs),
      h("span", { class: "time" }, duration(duration_ms)),
      status !== "passed" && !interrupted && h("span", { class: "why" }, why || "no reason was given"),
    ),
  );
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(body(item, run));
  });
  return h("li", {}, details);
}

/** How each run ended, a square each. */
function runMarks(runs: PageItem["runs"]): HTMLElement {
  const passed = runs.filter((status) => status === "passed").length;
  return h(
    "span",
    { class: "runs" },
    ...runs.slice(0, 12).map((status) => h("i", { class: status })),
    ` ${passed}/${runs.length}`,
  );
}

/** What an item opens to; made when it is first opened. */
function body(item: PageItem, run: PageRun): HTMLElement {
  const cells = run.columns.flatMap((title, index) =>
    index > 0 && item.cells[index] ? [[title, item.cells[index]] as const] : [],
  );
  return h(
    "div",
    { class: "body" },
    h("p", { class: "description" }, item.description),
    item.status === "passed" && item.why !== "" && h("p", { class: "why" }, item.why),
    item.again !== undefined && command(item.again),
    ...(item.blocks === null
      ? [h("p", { class: "note" }, `The page would be too large with the details; they are in ${run.plural}/.`)]
      : showBlocks(item.blocks)),
    factList([["source", item.source], ...cells]),
  );
}

function command(again: string): HTMLElement {
  const code = h("code", {}, again);
  const button = h("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(code);
    }
  });
  return h("p", { class: "again" }, code, button);
}

/** Up and down go from row to row, Home and End to the first and last. */
function moveFocus(event: KeyboardEvent): void {
  const summaries = [
    ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(":scope > li > * > summary"),
  ];
  const at = summaries.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: summaries.length - 1 }[event.key];
  if (to === undefined || !summaries[to]) return;
  event.preventDefault();
  summaries[to].focus();
}

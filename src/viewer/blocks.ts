import { h } from "./elements.js";
import type { Block, Fact, ScoreLine, Status, Turn } from "./page-data.js";

const SIGNS: Record<Status, string> = { passed: "✓", failed: "✗", error: "!" };

/** `✗ failed`, in the colour of it. */
export function statusLabel(status: Status, word: string = status): HTMLElement {
  return h(
    "span",
    { class: `status ${status}` },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[status]),
    word,
  );
}

/** How an item ended, and what it did. */
export function showBlocks(blocks: readonly Block[]): Node[] {
  return blocks.map(showBlock);
}

function showBlock(block: Block): Node {
  switch (block.kind) {
    case "facts":
      return factList(block.facts);
    case "text":
      return titled(block.title, scrollable(block.title, block.text));
    case "scores":
      return titled("Assertions", h("ul", { class: "scores" }, ...block.scores.map(scoreItem)));
    case "session":
      return titled("Session", h("ol", { class: "session" }, ...block.turns.map(turnItem)));
    case "patch":
      return titled(
        "Changes",
        ...block.files.map((file) => h("p", { class: "change" }, file)),
        block.text !== "" && patch(block.text),
      );
    case "files":
      return h("p", { class: "files" }, ...block.files.map(([name, path]) => fileLink(name, path)));
    case "run":
      return runOf(block);
  }
}

/** A run of several; open where there is something to look into. */
function runOf({ title, status, blocks }: Extract<Block, { kind: "run" }>): HTMLElement {
  return h(
    "details",
    { class: `run ${status}`, open: status !== "passed" },
    h("summary", {}, h("h3", {}, title), statusLabel(status)),
    h("div", {}, ...showBlocks(blocks)),
  );
}

function titled(title: string, ...children: (Node | false)[]): HTMLElement {
  return h("section", {}, h("h3", {}, title), ...children);
}

export function factList(facts: readonly Fact[]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

/** Text that is longer than the page is wide; whoever has no mouse scrolls it with the arrow keys. */
function scrollable(title: string, ...children: (Node | string)[]): HTMLElement {
  return h("pre", { tabindex: "0", role: "group", "aria-label": title }, ...children);
}

function scoreItem({ type, status, reason, facts }: ScoreLine): HTMLElement {
  return h(
    "li",
    {},
    statusLabel(status),
    h("div", {}, h("code", {}, type), reason !== "" && h("p", {}, reason), facts.length > 0 && factList(facts)),
  );
}

function turnItem(turn: Turn): HTMLElement {
  if (!("tool" in turn)) {
    const who = turn.name === undefined ? turn.role : `${turn.name} (${turn.role})`;
    return h("li", { class: turn.role === "user" ? "user" : undefined }, h("h4", {}, who), h("p", {}, turn.text));
  }
  const part = (title: string, text: string | undefined) =>
    text !== undefined && text !== "" && h("p", { class: title }, h("b", {}, title), " ", h("code", {}, text));
  return h(
    "li",
    { class: "tool" },
    h("h4", {}, "calls ", h("code", {}, turn.tool)),
    part("arguments", turn.arguments),
    part("result", turn.result),
    part("error", turn.error),
  );
}

function patch(text: string): HTMLElement {
  const lines = text.split("\n").map((line) => {
    const kind = /^(\+\+\+|---|diff |index )/.test(line)
      ? "head"
      : ({ "+": "added", "-": "removed", "@": "place" } as Record<string, string>)[line.charAt(0)];
    return h("span", { class: kind }, `${line}\n`);
  });
  const element = scrollable("Patch", ...lines);
  element.classList.add("patch");
  return element;
}

function fileLink(name: string, path: string): Node {
  // A path of another place leads nowhere from where the page is read.
  if (/^([a-z]:)?[/\\]/i.test(path)) return h("span", {}, `${name}: ${path}`);
  return h("a", { href: `./${path.split("/").map(encodeURIComponent).join("/")}` }, name);
}

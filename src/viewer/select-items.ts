import type { Block, PageItem } from "./page-data.js";

/** Which items are shown, and in which order. */
export interface Choice {
  /** `all`, a status or a mark. */
  show: string;
  /** Words that all have to be there, in any case. */
  text: string;
  /** Empty: any; so with a type. */
  tag: string;
  type: string;
  order: Order;
}

type Order = "failed" | "written" | "slow";

export function selectItems(items: readonly PageItem[], { show, text, tag, type, order }: Choice): PageItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = items.filter(
    (item) =>
      isShown(item, show) &&
      (tag === "" || item.tags.includes(tag)) &&
      (type === "" || item.type === type) &&
      (words.length === 0 || words.every((word) => searched(item).includes(word))),
  );
  if (order === "failed") return chosen.sort((a, b) => rank(a) - rank(b));
  return order === "slow" ? chosen.sort((a, b) => b.duration_ms - a.duration_ms) : chosen;
}

export function isShown(item: PageItem, show: string): boolean {
  if (show === "all") return true;
  // What did not end has no verdict, and would bury the errors that say something.
  if (item.marks.includes("interrupted")) return show === "interrupted";
  return item.status === show || item.marks.some((mark) => mark === show);
}

function rank({ status, marks }: PageItem): number {
  if (marks.includes("interrupted")) return 2;
  return { failed: 0, error: 1, passed: 3 }[status];
}

const texts = new WeakMap<PageItem, string>();

/** All that can be found of an item. Put together when first something is looked for. */
function searched(item: PageItem): string {
  let text = texts.get(item);
  if (text === undefined) {
    const { id, type, description, why, source, tags } = item;
    text = [id, type, description, why, source, ...tags, ...(item.blocks ?? []).flatMap(textsOf)]
      .join("\n")
      .toLowerCase();
    texts.set(item, text);
  }
  return text;
}

function textsOf(block: Block): string[] {
  switch (block.kind) {
    case "facts":
      return block.facts.map(([, value]) => value);
    case "text":
      return [block.text];
    case "scores":
      return block.scores.flatMap(({ type, reason, facts }) => [type, reason, ...facts.map(([, value]) => value)]);
    case "session":
      return block.turns.flatMap((turn) =>
        "tool" in turn
          ? [turn.tool, turn.arguments, turn.result ?? "", turn.error ?? ""]
          : [turn.name ?? "", turn.text],
      );
    case "patch":
      return [...block.files, block.text];
    case "run":
      return block.blocks.flatMap(textsOf);
    case "files":
      return [];
  }
}

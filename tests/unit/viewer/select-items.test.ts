import { describe, expect, it } from "vitest";
import type { PageItem } from "../../../src/viewer/page-data.js";
import { type Choice, selectItems } from "../../../src/viewer/select-items.js";

function item(id: string, more: Partial<PageItem> = {}): PageItem {
  return {
    id,
    type: "command",
    status: "passed",
    duration_ms: 10,
    description: "",
    why: "",
    cells: [],
    source: "/p/suite.yaml",
    tags: [],
    marks: [],
    runs: [],
    began: 0,
    ended: 10,
    blocks: [],
    ...more,
  };
}

const ITEMS = [
  item("fine", { tags: ["smoke"], duration_ms: 30 }),
  item("stopped", { status: "error", marks: ["interrupted"] }),
  item("broken", { type: "http", status: "error", why: "Timed Out after 1 s" }),
  item("wrong", { status: "failed", marks: ["flaky", "worse"], duration_ms: 20 }),
];

const ids = (choice: Partial<Choice>) =>
  selectItems(ITEMS, { show: "all", text: "", tag: "", type: "", order: "failed", ...choice }).map(({ id }) => id);

describe("selectItems", () => {
  it("puts first what failed, then errors, what was stopped, and what passed", () => {
    expect(ids({})).toEqual(["wrong", "broken", "stopped", "fine"]);
    expect(ids({ order: "written" })).toEqual(["fine", "stopped", "broken", "wrong"]);
    expect(ids({ order: "slow" }).slice(0, 2)).toEqual(["fine", "wrong"]);
  });

  it.each([
    ["failed", ["wrong"]],
    ["flaky", ["wrong"]],
    ["error", ["broken"]],
    ["interrupted", ["stopped"]],
    ["passed", ["fine"]],
    ["better", []],
  ])("shows what is %s", (show, expected) => {
    expect(ids({ show })).toEqual(expected);
  });

  it("finds words in any case and order, all of them, in all that is shown", () => {
    expect(ids({ text: "OUT timed" })).toEqual(["broken"]);
    expect(ids({ text: "timed smoke" })).toEqual([]);
    expect(ids({ tag: "smoke" })).toEqual(["fine"]);
    expect(ids({ type: "http" })).toEqual(["broken"]);
    const deep = item("deep", {
      blocks: [
        {
          kind: "run",
          title: "Run 1",
          status: "passed",
          blocks: [
            { kind: "session", turns: [{ tool: "look_up", arguments: "{}", result: "on its way" }] },
            { kind: "patch", files: [], path: "changes.patch", text: "+added line" },
            { kind: "scores", scores: [{ type: "contains", status: "passed", reason: "because", facts: [] }] },
            { kind: "facts", facts: [["model", "small-1"]] },
          ],
        },
      ],
    });
    const finds = (text: string) =>
      selectItems([deep], { show: "all", text, tag: "", type: "", order: "failed" }).length === 1;
    expect(["look_up", "way", "added", "because", "small-1"].filter(finds)).toHaveLength(5);
    // Words of the page itself are in every item.
    expect(finds("model")).toBe(false);
  });
});

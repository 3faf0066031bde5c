import { describe, expect, it } from "vitest";
import type { TrajectoryAssertion } from "../../../../src/suites/format/assertion.js";
import type { Json } from "../../../../src/suites/json.js";
import { matchesPartly } from "../../../../src/suites/scorers/trajectory.js";
import type { ToolCall } from "../../../../src/suites/session.js";
import { scoreOne } from "../../../helpers/scored-trial.js";

const CALLS: ToolCall[] = [
  { name: "search", arguments: { query: "flights", filters: { max: 3 } } },
  { name: "book", arguments: { id: 7 }, error: "sold out\nsorry" },
  { name: "search", arguments: { query: "trains" } },
  { name: "book", arguments: { id: 8 } },
];

const reason = async (assertion: Partial<TrajectoryAssertion>, toolCalls = CALLS) => {
  const whole = { type: "trajectory", mustCall: [], mustNotCall: [], noErrors: false, ...assertion } as const;
  const score = await scoreOne(whole, { output: "done", session: { toolCalls } });
  expect(score.status).toBe(score.reason === "" ? "passed" : "failed");
  return score.reason;
};

describe("trajectory", () => {
  it.each<[Partial<TrajectoryAssertion>, string]>([
    [{ mustCall: [{ name: "search" }, { name: "book" }] }, ""],
    [
      { mustCall: [{ name: "pay" }] },
      "'pay' was not called; there was call 1 'search', call 2 'book', call 3 'search', call 4 'book'",
    ],
    [{ mustCall: [{ name: "search", arguments: { filters: { max: 3 } } }] }, ""],
    [
      { mustCall: [{ name: "book", arguments: { id: 9 } }] },
      `'book' was not called with {"id":9}; there was call 2 'book' with {"id":7}, call 4 'book' with {"id":8}`,
    ],
    [{ mustCall: [{ name: "book", times: 2 }] }, ""],
    [{ mustCall: [{ name: "book", times: 1 }] }, "'book' was to be called 1 time, not 2: call 2 'book', call 4 'book'"],
    [{ mustCall: [{ name: "book", arguments: { id: 7 }, times: 1 }] }, ""],
    [{ mustCall: [{ name: "pay", times: 0 }] }, ""],
    [{ mustNotCall: ["pay"] }, ""],
    [{ mustNotCall: ["book"] }, "call 2 'book' must not be called; call 4 'book' must not be called"],
    [{ order: ["search", "search", "book"] }, ""],
    [{ order: ["book", "search", "book"] }, ""],
    [
      { order: ["book", "book", "search"] },
      "order: 'search' (number 3) is not called after call 4 'book'; there was call 1 'search', call 2 'book', call 3 'search', call 4 'book'",
    ],
    [{ exact: ["search", "book", "search", "book"] }, ""],
    [{ exact: ["search", "search"] }, "exact: expected 'search' as call 2, found call 2 'book'"],
    [{ exact: ["search", "book", "search"] }, "exact: expected no more calls, found call 4 'book'"],
    [{ exact: ["search", "book", "search", "book", "pay"] }, "exact: expected 'pay' as call 5, found only 4 calls"],
    [{ exact: [] }, "exact: expected no more calls, found call 1 'search'"],
    [{ maxCalls: 4 }, ""],
    [{ maxCalls: 3 }, "4 calls, expected at most 3: call 1 'search', call 2 'book', call 3 'search', call 4 'book'"],
    [{ noErrors: true }, "call 2 'book' failed: sold out ⏎ sorry"],
  ])("%j: %j", async (assertion, expected) => expect(await reason(assertion)).toBe(expected));

  it("says that there was no call at all", async () => {
    expect(await reason({ mustCall: [{ name: "pay" }] }, [])).toBe("'pay' was not called; there was no call at all");
    expect(await reason({ mustCall: [{ name: "x" }], order: ["a"], exact: ["a"] }, [])).toContain("found only 0 calls");
  });

  it("stays short, however many calls there were, and bears arguments of any depth", async () => {
    const many = Array.from({ length: 5_000 }, () => ({ name: "search", arguments: { q: "x".repeat(100) } }));
    const text = await reason(
      { mustCall: [{ name: "search", arguments: { q: 1 } }], mustNotCall: ["search"], maxCalls: 1 },
      many,
    );
    expect(text.length).toBeLessThan(3_000);
    expect(text).toMatch(/; and 4982 more$/);
    const deep: Json = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    const mustCall = [{ name: "a", arguments: [1] }];
    const whole = { type: "trajectory", mustCall, mustNotCall: [], noErrors: false } as const;
    const session = { toolCalls: [{ name: "a", arguments: deep }] };
    expect(await scoreOne(whole, { output: "x", session })).toMatchObject({ status: "error" });
  });

  it("names every part that is not met", async () => {
    const text = await reason({ mustCall: [{ name: "pay" }], mustNotCall: ["search"], maxCalls: 0, noErrors: true });
    expect(text.split("; ").length).toBeGreaterThanOrEqual(5);
  });
});

describe("a partial match", () => {
  it.each<[expected: Json, actual: Json | undefined, boolean]>([
    [{}, { a: 1 }, true],
    [{}, [], false],
    [{}, "x", false],
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2, d: 3 }], x: 0 } }, true],
    [[1], [1, 2], false],
    [[1, 2], [2, 1], false],
    [[], [], true],
    ["1", 1, false],
    [1, 1.0, true],
    [0, false, false],
    [null, null, true],
    [{ a: null }, {}, false],
    [null, undefined, false],
    [{ toString: 1 }, {}, false],
  ])("%j holds of %j: %s", (expected, actual, holds) => expect(matchesPartly(expected, actual)).toBe(holds));
});

import { describe, expect, it } from "vitest";
import { createRunId, itemStem, RUN_ID, sha256Hex } from "../../../src/core/ids.js";

describe("itemStem", () => {
  it.each([
    ["judge", "judge"],
    ["_judge_", "judge"],
    ["a b/c\\d:e", "a_b_c_d_e"],
    ["..a..b..", "a..b"],
    ["__-x-__", "-x-"],
    ["ü", "check"],
    ["___", "check"],
    ["x".repeat(600), "x".repeat(40)],
    // Stripped before it is cut: what the cut lays bare stays.
    [`${"x".repeat(39)}_y`, `${"x".repeat(39)}_`],
  ])("labels %j with %j and the hash of the exact id", (id, label) => {
    expect(itemStem(id)).toBe(`${label}-${sha256Hex(id)}`);
    expect(itemStem(id).length).toBeLessThanOrEqual(105);
  });

  it("differs for ids that differ in case, underscores or at their ends, also where case does not count", () => {
    const ids = ["judge", "Judge", "_judge_", "x".repeat(600), `${"x".repeat(599)}y`, "x".repeat(40)];
    expect(new Set(ids.map((id) => itemStem(id).toLowerCase())).size).toBe(ids.length);
  });
});

describe("createRunId", () => {
  it("is the time in UTC and eight random hexadecimal digits", () => {
    const id = createRunId(new Date("2024-02-03T04:05:06.789+01:00"));
    expect(id).toMatch(/^20240203_030506_[0-9a-f]{8}$/);
    expect(id).toMatch(RUN_ID);
    expect(new Set(Array.from({ length: 100 }, () => createRunId())).size).toBe(100);
  });
});

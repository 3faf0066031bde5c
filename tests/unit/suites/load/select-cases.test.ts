import { describe, expect, it } from "vitest";
import { UserError } from "../../../../src/core/errors.js";
import { type CaseSelection, selectCases } from "../../../../src/suites/load/select-cases.js";

const cases = [
  { id: "smoke-1", tags: ["Fast", "web"] },
  { id: "smoke-2", tags: [] },
  { id: "code", tags: ["slow"] },
  { id: "Überfall", tags: ["web"] },
];

const idsOf = (selection: CaseSelection) => selectCases(cases, selection).map(({ id }) => id);

describe("selectCases", () => {
  it.each<[CaseSelection, string[]]>([
    [{}, ["smoke-1", "smoke-2", "code", "Überfall"]],
    [{ filter: "SMOKE" }, ["smoke-1", "smoke-2"]],
    [{ filter: "fas" }, ["smoke-1"]],
    [{ filter: "über" }, ["Überfall"]],
    [{ tags: ["web"] }, ["smoke-1", "Überfall"]],
    [{ tags: ["web", "slow"] }, ["smoke-1", "code", "Überfall"]],
    [{ ids: ["code", "smoke-1"] }, ["smoke-1", "code"]],
    [{ ids: ["code", "smoke-1"], tags: ["slow"] }, ["code"]],
    [{ sample: 99 }, ["smoke-1", "smoke-2", "code", "Überfall"]],
    [{ filter: "smoke", tags: ["web"], sample: 5 }, ["smoke-1"]],
  ])("%j", (selection, ids) => {
    expect(idsOf(selection)).toEqual(ids);
  });

  it.each<[CaseSelection, object]>([
    [{ ids: ["cod"] }, { code: "usage", message: "no case has the id 'cod' (did you mean 'code'?)" }],
    // A tag, too, is taken by its case: only --filter is not.
    [{ tags: ["fast"] }, { code: "no_cases", message: "no cases selected: none of the 4 cases has the tag 'fast'" }],
    [
      { filter: "x", tags: ["a", "b"], ids: ["code"] },
      {
        code: "no_cases",
        message:
          "no cases selected: none of the 4 cases holds 'x' in its id or a tag and has the tag 'a' or 'b' and has the id 'code'",
      },
    ],
  ])("says that %j selects nothing", (selection, error) => {
    expect(() => idsOf(selection)).toThrow(UserError);
    expect(() => idsOf(selection)).toThrow(expect.objectContaining(error));
  });
});

describe("a sample", () => {
  const many = Array.from({ length: 100 }, (_, n) => ({ id: `case-${n}`, tags: [] }));
  const drawn = (from: typeof many, size: number, seed?: string) =>
    selectCases(from, { sample: size, seed }).map(({ id }) => id);

  it("is the same each time, wherever the cases stand, and in the order of the file", () => {
    const sample = drawn(many, 10, "s");
    expect(sample).toHaveLength(10);
    expect(drawn(many, 10, "s")).toEqual(sample);
    expect(drawn(many.toReversed(), 10, "s")).toEqual(sample.toReversed());
    expect(sample).toEqual(many.map(({ id }) => id).filter((id) => sample.includes(id)));
  });

  it("is another one with another seed", () => {
    expect(drawn(many, 10, "s")).not.toEqual(drawn(many, 10, "t"));
    expect(drawn(many, 10)).not.toEqual(drawn(many, 10, "s"));
  });

  it("holds a smaller one, and changes by one case at most when one is added", () => {
    const sample = drawn(many, 10);
    expect(drawn(many, 5).filter((id) => !sample.includes(id))).toEqual([]);
    const after = drawn([...many, { id: "new", tags: [] }], 10);
    expect(sample.filter((id) => !after.includes(id)).length).toBeLessThanOrEqual(1);
  });

  it("draws every case about as often: 200 samples of 10 from 100", () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 200; seed++) {
      for (const id of drawn(many, 10, String(seed))) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    // 20 each on average, with a standard deviation of 4.2.
    expect(counts.size).toBe(100);
    expect(Math.min(...counts.values())).toBeGreaterThan(3);
    expect(Math.max(...counts.values())).toBeLessThan(40);
  });
});

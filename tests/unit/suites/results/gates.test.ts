import { describe, expect, it } from "vitest";
import type { Comparison } from "../../../../src/report/suite-schema.js";
import { judgeGates } from "../../../../src/suites/results/gates.js";

const comparison: Comparison = {
  baseline: "/b.json",
  baseline_run_id: "x",
  compared: 40,
  baseline_score: 0.9,
  score: 0.8,
  drop: 0.1,
  drop_interval: { low: 0.02, high: 0.2, level: 0.95, method: "paired bootstrap" },
  p_value: 0.01,
  least_p_value: 1e-9,
  method: "exact permutation",
  baseline_cost_usd: 0.1,
  cost_usd: 0.1,
  cost_cases: 10,
  baseline_latency_ms: 100,
  latency_ms: 100,
  better: [],
  worse: [],
  same: 40,
  changed: [],
  added: [],
  removed: [],
};
const input = { score: 0.8, allPassed: false, errors: 0, interrupted: 0, comparison };

const drop = (changes: Partial<Comparison>) =>
  judgeGates({ ...input, limits: { max_drop: 0.03 }, comparison: { ...comparison, ...changes } })[1];

describe("max_drop", () => {
  it("is missed by a drop that is no noise", () => {
    expect(drop({})).toEqual({
      name: "max_drop",
      passed: false,
      value: 0.1,
      limit: 0.03,
      decided: true,
      text: "drop 10 points (90% to 80% over 40 cases), at most 3 points allowed, p = 0.010",
    });
  });

  it("is met by one that may be", () => {
    expect(drop({ p_value: 0.05 })).toMatchObject({ passed: true, text: expect.stringMatching(/may be noise$/) });
  });

  it("says when it can't be missed, by cases and runs", () => {
    expect(drop({ compared: 5, p_value: 0.06, least_p_value: 0.06 })?.text).toMatch(/so few cases and runs .* missed$/);
    expect(drop({ compared: 2, p_value: 0.06, least_p_value: 0.004 })?.text).toMatch(/may be noise$/);
  });

  it("says why there is nothing to compare", () => {
    const without = judgeGates({ ...input, limits: { max_drop: 0.03 }, comparison: null })[1];
    expect(without).toMatchObject({ passed: true, value: null, text: "drop: no baseline to compare with" });
    const text = "drop: no case is in both the run and the baseline";
    expect(drop({ compared: 0, drop: null })).toMatchObject({ passed: true, value: null, text });
  });

  it("has decided nothing where it can't be missed, or there is nothing to compare with", () => {
    const few = { p_value: 0.06, least_p_value: 0.06 };
    expect(drop(few)).toMatchObject({ passed: true, decided: false });
    expect(drop({ drop: null })).toMatchObject({ passed: true, decided: false });
    expect(drop({ ...few, drop: 0.01 })).toMatchObject({ passed: true, decided: true });
    expect(drop({ p_value: 0.06 })).toMatchObject({ passed: true, decided: true });
  });

  it("shows a drop just above the limit as above it", () => {
    expect(drop({ drop: 0.0304 })?.text).toMatch(/^drop 3.04 points .* at most 3 points allowed/);
  });
});

describe("min_pass_rate", () => {
  const rate = (score: number, errors = 0) => judgeGates({ ...input, score, errors, limits: { min_pass_rate: 0.9 } });

  it("never reads as met where it is missed", () => {
    expect(rate(0.8996)).toMatchObject([{ passed: false, text: "pass rate 89.96%, at least 90% needed" }]);
    expect(rate(0.9)).toMatchObject([{ passed: true, text: "pass rate 90%, at least 90% needed" }]);
  });

  it("is missed where a case has no verdict", () => {
    expect(rate(0.95, 2)).toMatchObject([{ passed: false, text: expect.stringMatching(/2 without a verdict$/) }]);
  });
});

describe("max_cost_increase and max_latency_increase", () => {
  const limits = { max_cost_increase: 0.5, max_latency_increase: 0.5 };
  const increases = (changes: Partial<Comparison>) =>
    judgeGates({ ...input, limits, comparison: { ...comparison, ...changes } }).slice(1);

  it("are missed by more than that share", () => {
    expect(increases({ cost_usd: 0.15, latency_ms: 150 })).toMatchObject([{ passed: true }, { passed: true }]);
    expect(increases({ cost_usd: 0.16, latency_ms: 151 })).toMatchObject([
      { passed: false, value: expect.closeTo(0.6) },
      { passed: false, value: expect.closeTo(0.51) },
    ]);
  });

  it("have no share of nothing", () => {
    expect(increases({ baseline_cost_usd: 0 })[0]).toMatchObject({ passed: false, value: null });
    expect(increases({ baseline_cost_usd: 0, cost_usd: 0 })[0]).toMatchObject({ passed: true, value: 0 });
    expect(increases({ cost_usd: null })[0]).toMatchObject({ passed: true, value: null });
  });

  it("do not take the clock's grain for a change", () => {
    expect(increases({ baseline_latency_ms: 0, latency_ms: 9 })[1]).toMatchObject({ passed: true });
    expect(increases({ baseline_latency_ms: 2, latency_ms: 11 })[1]).toMatchObject({ passed: true });
    expect(increases({ baseline_latency_ms: 2, latency_ms: 13 })[1]).toMatchObject({ passed: false });
  });
});

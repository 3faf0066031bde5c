import { describe, expect, it } from "vitest";
import { wilsonInterval } from "../../../../src/core/statistics.js";
import { passRate } from "../../../../src/suites/results/pass-rate.js";

/** `n` cases with one run each, of which the first `passed` passed. */
const single = (n: number, passed: number) =>
  Array.from({ length: n }, (_, i) => ({ passed: i < passed ? 1 : 0, runs: 1 }));

describe("passRate", () => {
  it("is the mean of the cases' rates, however often each was run", () => {
    expect(
      passRate([
        { passed: 4, runs: 4 },
        { passed: 0, runs: 1 },
        { passed: 1, runs: 2 },
      ]).mean,
    ).toBe(0.5);
  });

  it("has Wilson's interval for one run of each case", () => {
    // scipy 1.17.1: stats.binomtest(7, 10).proportion_ci(0.95, method="wilson")
    const { mean, low, high, method } = passRate(single(10, 7));
    expect({ mean, method }).toEqual({ mean: 0.7, method: "wilson" });
    expect([low, high].map((it) => it.toFixed(6))).toEqual(["0.396778", "0.892209"]);
  });

  it("is clustered by case for several", () => {
    // scipy 1.17.1: stats.t.interval(0.95, 2, np.mean(r), stats.sem(r)), r = [1, 2/3, 1/3], cut to 0 and 1
    const { mean, low, high, method } = passRate([1, 2, 3].map((passed) => ({ passed, runs: 3 })));
    expect(mean).toBeCloseTo(2 / 3, 15);
    expect({ low, high, method }).toEqual({ low: 0, high: 1, method: "clustered" });
    const six = passRate([3, 2, 3, 1, 2, 3].map((passed) => ({ passed, runs: 3 })));
    expect(six.low).toBeCloseTo(0.4921575738181871, 12);
  });

  it("does not call certain what always passed, always failed, or passed equally often", () => {
    expect(passRate(Array(4).fill({ passed: 1, runs: 2 }))).toEqual({
      mean: 0.5,
      ...wilsonInterval(2, 4),
      method: "wilson",
    });
    expect(passRate(Array(40).fill({ passed: 3, runs: 3 }))).toMatchObject({ mean: 1, high: 1, method: "wilson" });
    expect(passRate(Array(40).fill({ passed: 3, runs: 3 })).low).toBeCloseTo(0.9123783988027133, 12);
    expect(passRate(Array(40).fill({ passed: 0, runs: 3 })).high).toBeCloseTo(0.0876, 3);
  });

  it("leaves out what was not run, and knows nothing of nothing", () => {
    expect(
      passRate([
        { passed: 0, runs: 0 },
        { passed: 1, runs: 1 },
      ]).mean,
    ).toBe(1);
    expect(passRate([])).toMatchObject({ mean: NaN, low: 0, high: 1 });
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  meanInterval,
  median,
  normalQuantile,
  passAtK,
  passHatK,
  studentQuantile,
  wilsonInterval,
} from "../../../src/core/statistics.js";

describe("median", () => {
  it.each([
    [[3], 3],
    [[10, 9, 100], 10],
    [[4, 1, 3, 2], 2.5],
    [[], undefined],
  ])("of %j is %j", (values, expected) => expect(median(values)).toBe(expected));

  it("leaves the values as they are", () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe("quantiles", () => {
  // scipy 1.17.1: stats.norm.ppf(p)
  it.each([
    [0.975, 1.959963984540054],
    [0.5, 0],
    [0.9, 1.2815515655446004],
    [0.3, -0.5244005127080409],
    [0.0001, -3.7190164854556804],
    [1e-10, -6.361340902404056],
    [1e-30, -11.464024688443613],
  ])("of the normal distribution, p = %d", (p, expected) => expect(normalQuantile(p)).toBeCloseTo(expected, 13));

  it("of the normal distribution end in the infinite, and are no number outside", () => {
    expect([0, 1, -0.1, 1.1].map(normalQuantile)).toEqual([-Infinity, Infinity, NaN, NaN]);
  });

  // scipy 1.17.1: stats.t.ppf(p, df); the first are in every table, e.g. 12.706, 4.303, 3.182, 2.228
  it.each([
    [0.975, 1, 12.706204736174694],
    [0.975, 2, 4.302652729749462],
    [0.975, 3, 3.1824463052837078],
    [0.975, 10, 2.228138851986274],
    [0.975, 39, 2.022690920036761],
    [0.95, 7, 1.8945786050900062],
    [0.995, 120, 2.6174211451068654],
    [0.025, 9, -2.2621571627982053],
    [0.975, 5001, 1.960438456789474],
  ])("of Student's distribution, p = %d, %d degrees of freedom", (p, df, expected) => {
    expect(studentQuantile(p, df)).toBeCloseTo(expected, 11);
  });

  it("of Student's distribution are the normal ones for very many degrees of freedom", () => {
    expect(studentQuantile(0.975, 100_001)).toBeCloseTo(1.9599877072973786, 4);
  });
});

describe("wilsonInterval", () => {
  // scipy 1.17.1: stats.binomtest(k, n).proportion_ci(level, method="wilson"); 81 of 263 is the example of
  // R. Newcombe, Statistics in Medicine 17 (1998), table I: 0.2553 to 0.3662
  it.each([
    [0, 10, 0.95, 0, 0.27753279986288926],
    [10, 10, 0.95, 0.7224672001371109, 1],
    [7, 10, 0.95, 0.39677814746114526, 0.892208732593699],
    [1, 2, 0.95, 0.09453120573423074, 0.9054687942657693],
    [81, 263, 0.95, 0.2552885198782742, 0.36620957698280004],
    [950, 1000, 0.99, 0.9290930273094663, 0.9649749242774676],
    [3, 40, 0.9, 0.030370252611738993, 0.17348017873690036],
  ])("of %d of %d at %d", (passed, n, level, low, high) => {
    const interval = wilsonInterval(passed, n, level);
    expect(interval.low).toBeCloseTo(low, 13);
    expect(interval.high).toBeCloseTo(high, 13);
  });

  it("ends exactly at 0 and 1, and knows nothing without a trial", () => {
    for (const n of [1, 3, 7, 40, 999]) {
      expect([wilsonInterval(0, n).low, wilsonInterval(n, n).high]).toEqual([0, 1]);
    }
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe("meanInterval", () => {
  it("is the classical t interval", () => {
    // scipy 1.17.1: stats.t.interval(0.95, n - 1, mean, stats.sem(rates))
    const { low, high } = meanInterval([0.5, 0.6, 0.4, 0.55, 0.7]);
    expect(low).toBeCloseTo(0.55 - 0.05 * 2.7764451051977987, 12);
    expect(high).toBeCloseTo(0.55 + 0.05 * 2.7764451051977987, 12);
    // stats.sem([1, 0.5, 0.25]); with two degrees of freedom Student's quantile is a formula.
    const t = 0.95 / Math.sqrt(2 * 0.975 * 0.025);
    const [wide, error] = [meanInterval([0.6, 0.35, 0.225]), 0.22047927592204922 / 2];
    expect(wide).toEqual({ low: 0, high: expect.closeTo(1.175 / 3 + error * t, 12) });
  });

  it("is cut to 0 and 1, and knows nothing of fewer than two", () => {
    expect(meanInterval([1, 0])).toEqual({ low: 0, high: 1 });
    expect(meanInterval([0.5])).toEqual({ low: 0, high: 1 });
    expect(meanInterval([])).toEqual({ low: 0, high: 1 });
  });
});

/** C(n, k), exactly. */
function choose(n: number, k: number): bigint {
  let result = 1n;
  for (let i = 1n; i <= k; i++) result = (result * (BigInt(n) - BigInt(k) + i)) / i;
  return result;
}

const counts = [1, 2, 5, 10, 30].flatMap((n) =>
  [0, 1, n >> 1, n - 1, n].flatMap((c) => [1, 2, n].filter((k) => k <= n && c >= 0).map((k) => ({ n, c, k }))),
);

describe("pass@k and pass^k", () => {
  it("pass@k has the bits of HumanEval's own", () => {
    const values: { n: number; c: number; k: number; pass_at_k: number }[] = readFileSync(
      "tests/fixtures/statistics/pass-at-k.jsonl",
      "utf8",
    )
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(values.length).toBeGreaterThan(50);
    expect(values.map(({ n, c, k }) => ({ n, c, k, pass_at_k: passAtK(n, c, k) }))).toEqual(values);
  });

  it.each(counts)("are what counting gives: n = $n, c = $c, k = $k", ({ n, c, k }) => {
    const all = choose(n, k);
    expect(passAtK(n, c, k)).toBeCloseTo(1 - Number(n - c < k ? 0n : choose(n - c, k)) / Number(all), 12);
    expect(passHatK(n, c, k)).toBeCloseTo(Number(c < k ? 0n : choose(c, k)) / Number(all), 12);
  });

  it("have no value for what can't be drawn", () => {
    for (const [n, c, k] of [
      [3, 1, 4],
      [3, 4, 1],
      [3, -1, 1],
      [3, 1, 0],
      [3, 0.5, 1],
      [0, 0, 1],
    ] as const) {
      expect(() => passAtK(n, c, k)).toThrow(RangeError);
      expect(() => passHatK(n, c, k)).toThrow(RangeError);
    }
  });
});

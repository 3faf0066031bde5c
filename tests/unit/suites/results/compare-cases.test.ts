import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../src/core/paired-tests.js";
import { compareCases, dropInterval, type PassCounts } from "../../../../src/suites/results/compare-cases.js";

const counts = (cases: Record<string, [passed: number, runs: number]>): PassCounts =>
  new Map(Object.entries(cases).map(([id, [passed, runs]]) => [id, { passed, runs }]));

/** `n` cases with one run each, of which the first `passed` passed. */
const single = (n: number, passed: number) =>
  new Map(Array.from({ length: n }, (_, i) => [`c${i}`, { passed: i < passed ? 1 : 0, runs: 1 }]));

describe("compareCases", () => {
  it("says which cases got better, worse, or stayed, and leaves out what is not on both sides", () => {
    const before = counts({ a: [1, 3], b: [3, 3], c: [2, 3], gone: [3, 3], unrun: [0, 0] });
    const now = counts({ a: [2, 3], b: [0, 3], c: [2, 3], new: [0, 3], unrun: [1, 3] });
    expect(compareCases(before, now)).toMatchObject({
      better: ["a"],
      worse: ["b"],
      same: ["c"],
      drop: 2 / 9,
      method: "exact permutation",
    });
  });

  it("compares rates where the numbers of runs differ", () => {
    const before = counts({ a: [2, 4], b: [3, 3] });
    expect(compareCases(before, counts({ a: [1, 2], b: [5, 5] }))).toMatchObject({ same: ["a", "b"], drop: 0 });
    expect(compareCases(before, counts({ a: [1, 2], b: [4, 5] }))).toMatchObject({ worse: ["b"], drop: 0.1 });
  });

  it("gives a drop that is no more than it is: 0.90 to 0.87 is 0.03", () => {
    const { drop } = compareCases(single(100, 90), single(100, 87));
    expect(0.9 - 0.87).toBeGreaterThan(0.03);
    expect(drop).toBe(0.03);
  });

  it("takes McNemar's test for one run on both sides", () => {
    const { pValue, method, drop } = compareCases(single(20, 18), single(20, 10));
    expect(pValue).toBeCloseTo(0.0078125, 14);
    expect({ method, drop }).toEqual({ method: "exact McNemar", drop: 0.4 });
  });

  it("gives the same interval each time, which holds the drop", () => {
    const [before, now] = [counts({ a: [3, 3], b: [2, 3], c: [3, 3] }), counts({ a: [1, 3], b: [2, 3], c: [2, 3] })];
    const { drops, drop } = compareCases(before, now);
    const interval = dropInterval(drops);
    expect(dropInterval(drops)).toEqual(interval);
    expect(interval.low).toBeLessThan(drop);
    expect(interval.high).toBeGreaterThan(drop);
  });

  it("finds nothing where there is nothing to compare", () => {
    const nothing = { better: [], worse: [], same: [], drop: 0, pValue: 1 };
    expect(compareCases(new Map(), single(3, 3))).toMatchObject(nothing);
  });

  it("copes with 10,000 cases, and with runs that have no small common multiple", () => {
    const many = (seed: number, runs: (i: number) => number) => {
      const random = createRandom(seed);
      return new Map(
        Array.from({ length: 10_000 }, (_, i) => [
          String(i),
          { passed: Math.floor(random() * (runs(i) + 1)), runs: runs(i) },
        ]),
      );
    };
    expect(
      compareCases(
        many(1, () => 3),
        many(2, () => 3),
      ).pValue,
    ).toBeGreaterThan(0.001);
    const odd = compareCases(
      many(3, (i) => (i % 97) + 1),
      many(4, (i) => (i % 89) + 1),
    );
    expect(odd.method).toBe("normal approximation");
    expect(odd.pValue).toBeGreaterThan(0.001);
    expect(Math.abs(odd.drop)).toBeLessThan(0.02);
  });
});

/** Pass rates of 40 cases: some that nearly always pass, some flaky ones, some hard ones; 0.79 on average. */
const RATES = Array.from({ length: 40 }, (_, i) => (i < 20 ? 0.97 : i < 32 ? 0.75 : 0.4));
const MAX_DROP = 0.03;
const ALPHA = 0.05;

/** In how many of `rounds` comparisons the gate fails, for targets that pass each case with certain chances. */
function countFailures(
  rounds: number,
  { before, now, runs, runsBefore = runs }: { before: number[]; now: number[]; runs: number; runsBefore?: number },
): number {
  const random = createRandom(20_260_101);
  const draw = (rates: number[], runs: number): PassCounts =>
    new Map(
      rates.map((rate, i) => {
        const passed = Array.from({ length: runs }, () => random() < rate).filter(Boolean).length;
        return [String(i), { passed, runs }];
      }),
    );
  let failures = 0;
  for (let round = 0; round < rounds; round++) {
    const { drop, pValue } = compareCases(draw(before, runsBefore), draw(now, runs));
    if (drop > MAX_DROP && pValue < ALPHA) failures++;
  }
  return failures;
}

/** With a true chance of 0.025 one series in 1,000 has more than 28 failures. The seed is fixed. */
const ROUNDS = 600;
const MOST = 28;

describe("a gate that fails when the drop is above 0.03 and p below 0.05, with 40 cases", () => {
  const worse = RATES.map((rate) => rate - 0.2);

  it.each([1, 3, 5])("fails without a drop in at most α / 2 of runs: %d run(s) of each case", (runs) => {
    const failures = countFailures(ROUNDS, { before: RATES, now: RATES, runs });
    expect(failures).toBeLessThanOrEqual(MOST);
  });

  it.each([0.5, 0.8, 0.95])("the same where all cases pass with a chance of %d", (rate) => {
    const all = RATES.map(() => rate);
    expect(countFailures(ROUNDS, { before: all, now: all, runs: 3 })).toBeLessThanOrEqual(MOST);
  });

  it.each([
    [20, 0.9, 1, 5],
    [40, 0.95, 1, 5],
    [20, 0.9, 5, 1],
    [40, 0.7, 2, 3],
  ])("the same where the numbers of runs differ: %d cases, %d, %d and %d runs", (cases, rate, runsBefore, runs) => {
    const all = Array(cases).fill(rate);
    expect(countFailures(ROUNDS, { before: all, now: all, runsBefore, runs })).toBeLessThanOrEqual(MOST);
  });

  it("is not idle: without a drop it does fail now and then", () => {
    expect(countFailures(ROUNDS, { before: RATES, now: RATES, runs: 3 })).toBeGreaterThanOrEqual(4);
  });

  it.each([
    [1, 0.4],
    [3, 0.93],
    [5, 0.99],
  ])("with %d run(s) catches a drop of 20 points with a chance of at least %d", (runs, power) => {
    const failures = countFailures(ROUNDS, { before: RATES, now: worse, runs });
    expect(failures / ROUNDS).toBeGreaterThanOrEqual(power);
  });
});

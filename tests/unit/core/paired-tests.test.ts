import { describe, expect, it } from "vitest";
import {
  bootstrapInterval,
  createRandom,
  exactMcNemar,
  leastPValue,
  type PassPair,
  permutationTest,
} from "../../../src/core/paired-tests.js";

describe("exactMcNemar", () => {
  // scipy 1.17.1: stats.binomtest(b, b + c, 0.5).pvalue
  it.each([
    [1, 0, 1],
    [6, 1, 0.125],
    [10, 2, 0.03857421875],
    [5, 5, 1],
    [12, 25, 0.04703102743951604],
    [0, 8, 0.0078125],
    [900, 1000, 0.023108845108901193],
    [0, 0, 1],
  ])("of %d and %d", (b, c, expected) => {
    expect(exactMcNemar(b, c)).toBeCloseTo(expected, 12);
    expect(exactMcNemar(c, b)).toBe(exactMcNemar(b, c));
  });
});

const pair = (before: [passed: number, runs: number], now: [passed: number, runs: number]): PassPair => ({
  before: { passed: before[0], runs: before[1] },
  now: { passed: now[0], runs: now[1] },
});

/** The same by looking at every way to deal the passes of each pair to its runs. */
function dealAll(pairs: readonly PassPair[]): number {
  const changes = pairs.map(({ before, now }) => {
    const all = before.runs + now.runs;
    const passes = before.passed + now.passed;
    return [...Array(2 ** all).keys()]
      .map((bits) => [...Array(all).keys()].map((i) => (bits >> i) & 1))
      .filter((dealt) => dealt.reduce((sum, pass) => sum + pass, 0) === passes)
      .map((dealt) => {
        const here = dealt.slice(0, now.runs).reduce((sum, pass) => sum + pass, 0);
        return here / now.runs - (passes - here) / before.runs;
      });
  });
  const sums = changes.reduce((sums, those) => sums.flatMap((sum) => those.map((change) => sum + change)), [0]);
  const seen = pairs.reduce((sum, { before, now }) => sum + now.passed / now.runs - before.passed / before.runs, 0);
  const share = (holds: (sum: number) => boolean) => sums.filter(holds).length / sums.length;
  return Math.min(
    1,
    2 *
      Math.min(
        share((sum) => sum <= seen + 1e-9),
        share((sum) => sum >= seen - 1e-9),
      ),
  );
}

describe("permutationTest", () => {
  it("of one pair is twice Fisher's exact test", () => {
    // R. A. Fisher, "The Design of Experiments" (1935), the tea taster: 17 of 70.
    expect(permutationTest([pair([3, 4], [1, 4])]).pValue).toBeCloseTo((2 * 17) / 70, 12);
    // scipy 1.10.1: 2 * stats.fisher_exact([[7, 3], [12, 18]], alternative="greater")[1]
    expect(permutationTest([pair([7, 10], [12, 30])]).pValue).toBeCloseTo(0.2003645874613617, 12);
  });

  it("is what dealing out the passes in all ways gives, also where the numbers of runs differ", () => {
    const random = createRandom(7);
    const whole = (most: number) => Math.floor(random() * (most + 1));
    for (let i = 0; i < 60; i++) {
      const pairs = Array.from({ length: 3 }, () => {
        const [before, now] = [1 + whole(2), 1 + whole(2)];
        return pair([whole(before), before], [whole(now), now]);
      });
      expect(permutationTest(pairs), JSON.stringify(pairs)).toEqual({
        pValue: expect.closeTo(dealAll(pairs), 12),
        exact: true,
      });
    }
  });

  const once = (n: number, lost: number, won: number) =>
    Array.from({ length: n }, (_, i) => pair([i < lost ? 1 : 0, 1], [i >= lost && i < lost + won ? 1 : 0, 1]));

  it("is McNemar's test where each was run once", () => {
    expect(permutationTest(once(97, 12, 25)).pValue).toBeCloseTo(exactMcNemar(12, 25), 13);
  });

  it("finds nothing in nothing", () => {
    const pairs = [[], [pair([3, 3], [5, 5])], [pair([1, 2], [2, 4])]];
    expect(pairs.map((those) => permutationTest(those).pValue)).toEqual([1, 1, 1]);
  });

  it.each([
    // scipy 1.17.1: 2 * stats.norm.sf(z), for z = 3.1, 12 and 1 of 10,000 pairs of which one passed
    [310, 2 * 0.0009676032132183563],
    [1200, 2 * 1.776482112077653e-33],
    [100, 2 * 0.15865525393145707],
  ])("takes the normal distribution for very many: a sum of %d", (sum, expected) => {
    const lost = 5_000 - sum / 2;
    const { pValue, exact } = permutationTest(once(10_000, lost, 10_000 - lost));
    expect(exact).toBe(false);
    expect(pValue / expected).toBeCloseTo(1, 8);
  });

  it("takes it where runs have no small common multiple", () => {
    const pairs = [7, 11, 13, 17, 19, 23, 29].map((n) => pair([Math.round(0.9 * n), n], [Math.round(0.6 * n), n]));
    // scipy 1.10.1: 2 * stats.norm.sf(z), with the variances of stats.hypergeom
    expect(permutationTest(pairs)).toEqual({ pValue: expect.closeTo(2.748923200633395e-6, 15), exact: false });
  });

  it("has a smallest p-value, which all of them getting worse has", () => {
    const pairs = [pair([3, 3], [0, 3]), pair([1, 1], [0, 2])];
    expect(leastPValue(pairs)).toBeCloseTo(permutationTest(pairs).pValue, 12);
    expect(leastPValue([])).toBe(1);
  });
});

describe("bootstrapInterval", () => {
  const differences = Array.from({ length: 40 }, (_, i) => Math.sin(i));

  it("is the same for the same seed", () => {
    expect(bootstrapInterval(differences, { seed: 1, rounds: 10_000 })).toEqual(
      bootstrapInterval(differences, { seed: 1, rounds: 10_000 }),
    );
    expect(bootstrapInterval(differences, { seed: 1, rounds: 10_000 })).not.toEqual(
      bootstrapInterval(differences, { seed: 2, rounds: 10_000 }),
    );
  });

  it("agrees with theory where there is one: the normal interval of a mean", () => {
    const random = createRandom(3);
    const many = Array.from({ length: 2_000 }, () => random() - 0.48);
    const mean = many.reduce((sum, d) => sum + d, 0) / many.length;
    const { low, high } = bootstrapInterval(many, { seed: 5, rounds: 4_000 });
    const error = Math.sqrt(many.reduce((sum, d) => sum + (d - mean) ** 2, 0)) / 2_000;
    expect(low).toBeCloseTo(mean - 1.96 * error, 2.5);
    expect(high).toBeCloseTo(mean + 1.96 * error, 2.5);
  });

  it("has intervals that hold the truth about as often as they say", () => {
    const random = createRandom(11);
    let held = 0;
    for (let i = 0; i < 400; i++) {
      const sample = Array.from({ length: 40 }, () => random());
      const { low, high } = bootstrapInterval(sample, { seed: i, rounds: 500 });
      if (low <= 0.5 && high >= 0.5) held++;
    }
    expect(held / 400).toBeGreaterThan(0.91);
    expect(held / 400).toBeLessThan(0.98);
  });

  it("claims nothing from one case or none, or from no difference", () => {
    expect(bootstrapInterval([], { seed: 1, rounds: 10_000 })).toEqual({ low: -1, high: 1 });
    expect(bootstrapInterval([1], { seed: 1, rounds: 10_000 })).toEqual({ low: -1, high: 1 });
    expect(bootstrapInterval([0, 0, 0], { seed: 1, rounds: 10_000 })).toEqual({ low: 0, high: 0 });
  });
});

describe("createRandom", () => {
  it("is mulberry32", () => {
    // The published function, of which the first value for the seed 0 is 0.26642920868471265.
    const random = createRandom(0);
    expect(random()).toBe(0.26642920868471265);
    expect(random()).toBe(0.0003297457005828619);
  });
});

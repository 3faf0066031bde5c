import { describe, expect, it } from "vitest";
import { createRandom, exactMcNemar, pairedBootstrap, signFlipTest } from "../../../src/core/paired-tests.js";

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

/** All signs, one after the other. */
function countSigns(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, d) => sum + d, 0));
  let far = 0;
  for (let signs = 0; signs < 1 << differences.length; signs++) {
    const sum = differences.reduce((at, d, i) => at + (signs & (1 << i) ? d : -d), 0);
    if (Math.abs(sum) >= observed) far++;
  }
  return far / (1 << differences.length);
}

describe("signFlipTest", () => {
  // scipy 1.17.1: stats.permutation_test((d,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
  it.each([
    [[1, -2, 3, 3, 0, 2, -1, 3], 0.203125],
    [[3, 3, 2, -1, 1, 1, 0, 0, 2, -3, 1], 0.2109375],
    [[1, 1, 1, -1, 1, 0], 0.375],
    [[15, -6, 10, 9], 0.25],
  ])("of %j", (differences, pValue) => expect(signFlipTest(differences)).toEqual({ pValue, exact: true }));

  it("is what trying all signs gives", () => {
    const random = createRandom(7);
    for (let i = 0; i < 50; i++) {
      const differences = Array.from({ length: 10 }, () => Math.floor(random() * 9) - 4);
      expect(signFlipTest(differences).pValue, String(differences)).toBeCloseTo(countSigns(differences), 12);
    }
  });

  it("is McNemar's test where a difference is one pair", () => {
    const differences = [...Array(12).fill(1), ...Array(25).fill(-1), ...Array(60).fill(0)];
    expect(signFlipTest(differences).pValue).toBeCloseTo(exactMcNemar(12, 25), 13);
  });

  it("finds nothing in nothing", () => {
    expect([[], [0, 0], [2, -2]].map((d) => signFlipTest(d).pValue)).toEqual([1, 1, 1]);
  });

  it.each([
    // scipy 1.17.1: 2 * stats.norm.sf(z), for z = 3.1, 12 and 1 of 10,000 differences of one
    [310, 2 * 0.0009676032132183563],
    [1200, 2 * 1.776482112077653e-33],
    [100, 2 * 0.15865525393145707],
  ])("takes the normal distribution for very many: a sum of %d", (sum, expected) => {
    const differences = Array.from({ length: 10_000 }, (_, i) => (i < 5_000 + sum / 2 ? 1 : -1));
    const { pValue, exact } = signFlipTest(differences);
    expect(exact).toBe(false);
    expect(pValue / expected).toBeCloseTo(1, 8);
  });
});

describe("pairedBootstrap", () => {
  const differences = [...Array(8).fill(1), ...Array(2).fill(-1), ...Array(30).fill(0)];

  it("is the same for the same seed", () => {
    expect(pairedBootstrap(differences, { seed: 1 })).toEqual(pairedBootstrap(differences, { seed: 1 }));
    expect(pairedBootstrap(differences, { seed: 1 })).not.toEqual(pairedBootstrap(differences, { seed: 2 }));
  });

  it("agrees with theory where there is one: the normal interval and p-value of a mean", () => {
    const random = createRandom(3);
    const many = Array.from({ length: 2_000 }, () => random() - 0.48);
    const { mean, low, high, pValue } = pairedBootstrap(many, { seed: 5, rounds: 4_000 });
    const error = Math.sqrt(many.reduce((sum, d) => sum + (d - mean) ** 2, 0)) / 2_000;
    expect(low).toBeCloseTo(mean - 1.96 * error, 2.5);
    expect(high).toBeCloseTo(mean + 1.96 * error, 2.5);
    expect(pValue).toBeLessThan(0.01);
  });

  it("has intervals that hold the truth about as often as they say", () => {
    const random = createRandom(11);
    let held = 0;
    for (let i = 0; i < 400; i++) {
      const sample = Array.from({ length: 40 }, () => random());
      const { low, high } = pairedBootstrap(sample, { seed: i, rounds: 500 });
      if (low <= 0.5 && high >= 0.5) held++;
    }
    expect(held / 400).toBeGreaterThan(0.91);
    expect(held / 400).toBeLessThan(0.98);
  });

  it("claims nothing from one case or none, or from no difference", () => {
    expect(pairedBootstrap([], { seed: 1 })).toEqual({ mean: 0, low: -1, high: 1, pValue: 1 });
    expect(pairedBootstrap([1], { seed: 1 })).toEqual({ mean: 1, low: -1, high: 1, pValue: 1 });
    expect(pairedBootstrap([0, 0, 0], { seed: 1 })).toEqual({ mean: 0, low: 0, high: 0, pValue: 1 });
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

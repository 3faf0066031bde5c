import type { Interval } from "./statistics.js";

/** Where rounding alone would make two equal sums differ. */
const EPSILON = 1e-12;

/**
 * The p-value of two paired series of yes and no, two-sided: `b` pairs went from yes to no, `c` from no to yes.
 * Exact, from the binomial distribution with a chance of one half. 1 when no pair changed.
 * Source: Q. McNemar, Psychometrika 12 (1947); the exact form as in statsmodels' `mcnemar(exact=True)`.
 */
export function exactMcNemar(b: number, c: number): number {
  const n = b + c;
  // In logarithms: 2^-n is no number beyond 1,074 pairs.
  let logTerm = -n * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let i = 1; i <= Math.min(b, c); i++) {
    logTerm += Math.log((n - i + 1) / i);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}

/** More work than this is not done exactly. */
const MAX_STEPS = 50_000_000;

/**
 * The p-value, two-sided, of paired differences: how often their sum is at least this far from zero when the sign of
 * each is a matter of chance. Exact and without random numbers, by the distribution of all sums; for thousands of
 * differences that are not zero by the normal approximation. Where all are −1, 0 or 1 it is McNemar's exact test.
 * Source: the randomization test of R. A. Fisher, "The Design of Experiments" (1935), section 21; E. J. G. Pitman (1937).
 * @param differences whole numbers
 */
export function signFlipTest(differences: readonly number[]): { pValue: number; exact: boolean } {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const largest = sizes.reduce((sum, size) => sum + size, 0);
  if (observed === 0) return { pValue: 1, exact: true };
  if (sizes.length * largest > MAX_STEPS) {
    const deviation = Math.sqrt(sizes.reduce((sum, size) => sum + size * size, 0));
    return { pValue: 2 * normalTail(observed / deviation), exact: false };
  }
  // chances[s]: that those whose sign is plus add up to s.
  let chances = new Float64Array(largest + 1);
  chances[0] = 1;
  let reach = 0;
  for (const size of sizes) {
    const next = new Float64Array(largest + 1);
    for (let s = 0; s <= reach; s++) {
      const half = (chances[s] ?? 0) / 2;
      next[s] = (next[s] ?? 0) + half;
      next[s + size] = (next[s + size] ?? 0) + half;
    }
    chances = next;
    reach += size;
  }
  // The sum is plus minus minus, so 2 s − largest; the distribution is symmetric.
  const tail = chances.subarray((largest + observed) / 2).reduce((sum, chance) => sum + chance, 0);
  return { pValue: Math.min(1, 2 * tail), exact: true };
}

/**
 * The chance that a standard normal variable is above `z`, for z ≥ 0.
 * Source: Mills' ratio as a continued fraction (Abramowitz and Stegun 26.2.14) for large z, its series (26.2.11) below.
 */
function normalTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > 3) {
    let fraction = z;
    for (let i = 200; i > 0; i--) fraction = z + i / fraction;
    return density / fraction;
  }
  let term = z;
  let series = z;
  for (let i = 1; i < 100; i++) {
    term *= (z * z) / (2 * i + 1);
    series += term;
  }
  return 0.5 - density * series;
}

export interface PairedBootstrapOptions {
  seed: number;
  rounds?: number;
  level?: number;
}

export interface PairedBootstrap extends Interval {
  mean: number;
  /** Two-sided, for a mean of zero; at least 1 / (rounds + 1). */
  pValue: number;
}

/**
 * The mean of paired differences, one for each case, with a percentile interval and a p-value: cases are drawn anew
 * with replacement; for the p-value the differences are first shifted to a mean of zero. Same seed, same result, on
 * every machine. Nothing is known of fewer than two cases: the interval is −1 to 1, the p-value 1.
 * Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap" (1993), sections 13.3 and 16.4.
 */
export function pairedBootstrap(
  differences: readonly number[],
  { seed, rounds = 10_000, level = 0.95 }: PairedBootstrapOptions,
): PairedBootstrap {
  const n = differences.length;
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / Math.max(1, n);
  if (n < 2) return { mean, low: -1, high: 1, pValue: 1 };
  const random = createRandom(seed);
  const means = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += differences[Math.floor(random() * n)] ?? 0;
    means[round] = sum / n;
  }
  const far = means.reduce((count, at) => count + (Math.abs(at - mean) >= Math.abs(mean) - EPSILON ? 1 : 0), 0);
  means.sort();
  // The value that the share `p` of all rounds is not above.
  const quantile = (p: number) => means[Math.min(rounds - 1, Math.max(0, Math.ceil(p * rounds) - 1))] ?? mean;
  return {
    mean,
    low: quantile((1 - level) / 2),
    high: quantile((1 + level) / 2),
    pValue: (1 + far) / (rounds + 1),
  };
}

/**
 * Random numbers from 0 up to 1, the same ones for the same seed on every machine; not for secrets.
 * Source: mulberry32 by T. Ettinger (public domain).
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import type { Interval } from "./statistics.js";

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

/** How often something passed, of how many tries. */
export interface PassCount {
  passed: number;
  runs: number;
}

/** The same thing tried before and now; at least once each. */
export interface PassPair {
  before: PassCount;
  now: PassCount;
}

/** More work than this is not done exactly. */
const MAX_STEPS = 50_000_000;

/**
 * Whether the mean of pass rates has changed: the p-value, two-sided (twice the smaller tail), of how likely a change
 * this far up or down is while within each pair it is a matter of chance which of all its runs passed. The numbers of
 * runs may differ. Exact and without random numbers, by the distribution of all sums; for what would be too much work
 * by the normal approximation. Where each was run once on both sides it is McNemar's exact test.
 * Source: the permutation test within blocks, E. S. Edgington and P. Onghena, "Randomization Tests" (2007), chapter 5;
 * the passes on one side of a block are hypergeometric.
 */
export function permutationTest(pairs: readonly PassPair[]): { pValue: number; exact: boolean } {
  const open = pairs.map(toBlock).filter(({ variance }) => variance > 0);
  const unit = leastCommonMultiple(open.flatMap(({ before, now }) => [before, now]));
  const blocks = open.map((block) => ({ ...block, up: unit / block.now, down: unit / block.before }));
  const most = blocks.reduce((sum, { chances, up, down }) => sum + (chances.length - 1) * (up + down), 0);
  const steps = blocks.reduce((sum, { chances }) => sum + chances.length * most, 0);
  if (unit === 0 || steps > MAX_STEPS) return { pValue: normalApproximation(open), exact: false };

  // sums[s]: the chance that all blocks together are s above the lowest sum that there can be.
  let sums = new Float64Array(most + 1);
  sums[0] = 1;
  let reach = 0;
  let seen = 0;
  for (const { chances, up, down, passed } of blocks) {
    const next = new Float64Array(most + 1);
    for (const [k, chance] of chances.entries()) {
      const step = k * (up + down);
      for (let s = 0; s <= reach; s++) next[s + step] = (next[s + step] ?? 0) + (sums[s] ?? 0) * chance;
    }
    sums = next;
    reach += (chances.length - 1) * (up + down);
    seen += passed * (up + down);
  }
  const total = (part: Float64Array) => part.reduce((sum, chance) => sum + chance, 0);
  const tail = Math.min(total(sums.subarray(0, seen + 1)), total(sums.subarray(seen)));
  return { pValue: Math.min(1, 2 * tail), exact: true };
}

/** The smallest p-value that pairs with so many runs can have: all passed before, none now. */
export function leastPValue(pairs: readonly PassPair[]): number {
  const logs = pairs.map(({ before, now }) => logChoose(before.runs + now.runs, now.runs));
  return Math.min(1, 2 * Math.exp(-logs.reduce((sum, log) => sum + log, 0)));
}

/** What can come out of a pair: how many of its passes are among the runs of now, from the fewest that can be. */
function toBlock({ before, now }: PassPair) {
  const passes = before.passed + now.passed;
  const all = before.runs + now.runs;
  const fewest = Math.max(0, passes - before.runs);
  const count = Math.min(passes, now.runs) - fewest + 1;
  const log = (k: number) => logChoose(passes, k) + logChoose(all - passes, now.runs - k) - logChoose(all, now.runs);
  const chances = Array.from({ length: count }, (_, i) => Math.exp(log(fewest + i)));
  const spread = (now.runs * passes * (all - passes) * before.runs) / (all * all * Math.max(1, all - 1));
  return {
    before: before.runs,
    now: now.runs,
    chances,
    /** Above the fewest. */
    passed: now.passed - fewest,
    change: now.passed / now.runs - before.passed / before.runs,
    /** Of the change. */
    variance: spread * (1 / before.runs + 1 / now.runs) ** 2,
  };
}

function normalApproximation(blocks: readonly { change: number; variance: number }[]): number {
  const change = blocks.reduce((sum, block) => sum + block.change, 0);
  const variance = blocks.reduce((sum, block) => sum + block.variance, 0);
  return Math.min(1, 2 * normalTail(Math.abs(change) / Math.sqrt(variance)));
}

/** In which all shares of these counts are whole numbers; 0 where that would be too many. */
export function leastCommonMultiple(counts: readonly number[]): number {
  let multiple = 1;
  for (const count of new Set(counts)) {
    let [x, y] = [multiple, count];
    while (y !== 0) [x, y] = [y, x % y];
    multiple *= count / x;
    if (multiple > 1e6) return 0;
  }
  return multiple;
}

/** The logarithm of the number of ways to choose k of n. */
function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

const logFactorials = [0];

function logFactorial(n: number): number {
  for (let i = logFactorials.length; i <= n; i++) logFactorials.push((logFactorials[i - 1] ?? 0) + Math.log(i));
  return logFactorials[n] ?? 0;
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

/**
 * The 95% percentile interval of the mean of differences, one for each case: cases are drawn anew with replacement.
 * Same seed, same result, on every machine. Nothing is known of fewer than two cases: −1 to 1.
 * Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap" (1993), section 13.3.
 */
export function bootstrapInterval(
  differences: readonly number[],
  { seed, rounds }: { seed: number; rounds: number },
): Interval {
  const n = differences.length;
  if (n < 2) return { low: -1, high: 1 };
  const random = createRandom(seed);
  const means = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += differences[Math.floor(random() * n)] ?? 0;
    means[round] = sum / n;
  }
  means.sort();
  // The value that the share `p` of all rounds is not above.
  const quantile = (p: number) => means[Math.max(0, Math.ceil(p * rounds) - 1)] ?? 0;
  return { low: quantile(0.025), high: quantile(0.975) };
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

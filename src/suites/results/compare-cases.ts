import {
  bootstrapInterval,
  exactMcNemar,
  leastCommonMultiple,
  leastPValue,
  type PassCount,
  type PassPair,
  permutationTest,
} from "../../core/paired-tests.js";
import type { Interval } from "../../core/statistics.js";

/** By the ids of the cases. */
export type PassCounts = ReadonlyMap<string, PassCount>;

export interface CaseComparison {
  /** The ids of the cases on both sides whose pass rate went up, went down, stayed. */
  better: readonly string[];
  worse: readonly string[];
  same: readonly string[];
  /** Mean pass rate of these cases before, less the one now: above 0 when it got worse. From −1 to 1, rounded once. */
  drop: number;
  /** The drop of each of these cases. */
  drops: readonly number[];
  /** Two-sided: how likely a change of this size, up or down, is when nothing has changed. */
  pValue: number;
  /** The smallest that so many cases and runs can have: above α no drop can be told from noise. */
  leastPValue: number;
  method: "exact McNemar" | "exact permutation" | "normal approximation";
}

/** Any fixed number: the same two runs are to give the same interval. */
const SEED = 20_241_201;
const ROUNDS = 2_000;
/** In how many parts rates are counted that have no small common unit. */
const FINE = 1e9;

/**
 * Compares two runs case by case: what is not on both sides, or was never run, is left out. For a gate that fails when
 * the score has dropped and `pValue` is below α, a run in which nothing has changed fails with a chance of at most α / 2.
 */
export function compareCases(baseline: PassCounts, current: PassCounts): CaseComparison {
  const pairs = [...baseline].flatMap(([id, before]) => {
    const now = current.get(id);
    return now === undefined || before.runs === 0 || now.runs === 0 ? [] : [{ id, before, now }];
  });
  // Whole numbers, so that 0.90 less 0.87 is 0.03 and sums are exact.
  const unit = leastCommonMultiple(pairs.flatMap(({ before, now }) => [before.runs, now.runs])) || FINE;
  const changes = pairs.map(({ id, before, now }) => ({
    id,
    change: Math.round((now.passed * unit) / now.runs) - Math.round((before.passed * unit) / before.runs),
  }));
  const idsWhere = (holds: (change: number) => boolean) => changes.flatMap((it) => (holds(it.change) ? it.id : []));
  const better = idsWhere((change) => change > 0);
  const worse = idsWhere((change) => change < 0);
  const differences = changes.map(({ change }) => change);
  const total = differences.reduce((sum, change) => sum + change, 0);
  const drops = differences.map((change) => -change / unit);
  return {
    better,
    worse,
    same: idsWhere((change) => change === 0),
    // Not -0.
    drop: total === 0 ? 0 : -total / (unit * pairs.length),
    drops,
    leastPValue: leastPValue(pairs),
    ...test(pairs, { better: better.length, worse: worse.length }),
  };
}

/** The interval of the mean of drops, at 95%. */
export function dropInterval(drops: readonly number[]): Interval {
  return bootstrapInterval(drops, { seed: SEED, rounds: ROUNDS });
}

function test(
  pairs: readonly PassPair[],
  { better, worse }: { better: number; worse: number },
): Pick<CaseComparison, "pValue" | "method"> {
  const once = pairs.every(({ before, now }) => before.runs === 1 && now.runs === 1);
  if (once) return { pValue: exactMcNemar(worse, better), method: "exact McNemar" };
  const { pValue, exact } = permutationTest(pairs);
  return { pValue, method: exact ? "exact permutation" : "normal approximation" };
}

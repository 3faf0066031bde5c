import { mean, median } from "../../core/statistics.js";
import type { Comparison } from "../../report/suite-schema.js";
import type { Baseline, BaselineFile } from "./baseline.js";
import { type CaseFigures, rateOf } from "./case-figures.js";
import { compareCases, dropInterval } from "./compare-cases.js";

type BaselineCase = Baseline["cases"][string];
interface Pair {
  now: CaseFigures;
  before: BaselineCase;
}

/** Why nothing is compared though there is a baseline. */
export const NO_SHARED_CASE = "no case is in both the run and the baseline";

/** Whether a baseline has a case, as it is now: one that was edited since is another. */
export function isInBaseline({ cases }: Baseline, id: string, digest: string): boolean {
  return Object.hasOwn(cases, id) && cases[id]?.case_sha256 === digest;
}

/**
 * Compares a run with a baseline, case by case. Cases that were edited since, those that are new, and those that the run
 * was stopped in, are left out.
 * @param suiteIds of all cases of the suite, of which the run may have held a few; undefined where that is not known
 */
export function compareWithBaseline(
  cases: readonly CaseFigures[],
  { path, content }: BaselineFile,
  suiteIds: Iterable<string> | undefined,
): Comparison {
  const pairs: Pair[] = [];
  const changed: string[] = [];
  const added: string[] = [];
  for (const now of cases.filter(({ interrupted }) => !interrupted)) {
    const before = Object.hasOwn(content.cases, now.id) ? content.cases[now.id] : undefined;
    if (before === undefined) added.push(now.id);
    else if (isInBaseline(content, now.id, now.case_sha256)) pairs.push({ now, before });
    else changed.push(now.id);
  }
  const here = new Set(suiteIds ?? cases.map(({ id }) => id));
  return {
    baseline: path,
    baseline_run_id: content.run_id,
    compared: pairs.length,
    ...scores(pairs),
    ...costs(pairs),
    ...latencies(pairs),
    changed,
    added,
    removed: Object.keys(content.cases).filter((id) => !here.has(id)),
  };
}

function scores(pairs: readonly Pair[]) {
  if (pairs.length === 0) {
    const nothing = {
      baseline_score: null,
      score: null,
      drop: null,
      drop_interval: null,
      p_value: null,
      least_p_value: null,
    };
    return { ...nothing, method: "nothing to compare", better: [], worse: [], same: 0 };
  }
  const { better, worse, same, drop, drops, pValue, leastPValue, method } = compareCases(
    new Map(pairs.map(({ before, now }) => [now.id, { passed: before.passed, runs: before.runs }])),
    new Map(pairs.map(({ now }) => [now.id, { passed: now.passed, runs: now.wanted }])),
  );
  return {
    baseline_score: mean(pairs.map(({ before }) => before.passed / before.runs)),
    score: mean(pairs.map(({ now }) => rateOf(now))),
    drop,
    drop_interval: { ...dropInterval(drops), level: 0.95, method: "paired bootstrap" },
    p_value: pValue,
    least_p_value: leastPValue,
    method,
    better: [...better],
    worse: [...worse],
    same: same.length,
  };
}

/** Of cases whose cost is known on both sides. */
function costs(pairs: readonly Pair[]) {
  const known = pairs.flatMap(({ before, now }) =>
    before.cost_usd === null || now.costUsd === null
      ? []
      : [{ before: before.cost_usd / (before.cost_runs ?? before.runs), now: now.costUsd / now.costRuns }],
  );
  if (known.length === 0) return { baseline_cost_usd: null, cost_usd: null, cost_cases: 0 };
  return {
    baseline_cost_usd: mean(known.map((each) => each.before)),
    cost_usd: mean(known.map((each) => each.now)),
    cost_cases: known.length,
  };
}

function latencies(pairs: readonly Pair[]) {
  const known = pairs.flatMap(({ before, now }) =>
    before.median_latency_ms === null || now.medianLatencyMs === null
      ? []
      : [{ before: before.median_latency_ms, now: now.medianLatencyMs }],
  );
  if (known.length === 0) return { baseline_latency_ms: null, latency_ms: null };
  return {
    baseline_latency_ms: median(known.map((each) => each.before)) ?? null,
    latency_ms: median(known.map((each) => each.now)) ?? null,
  };
}

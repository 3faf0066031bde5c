import { mean, median, passAtK, passHatK } from "../../core/statistics.js";
import { halvesOf } from "../../report/halves.js";
import type { Suites } from "../../report/kind.js";
import type { Recorded } from "../../report/recorder.js";
import { isInterrupted, REPORT_SCHEMA_VERSION } from "../../report/schema.js";
import type { CaseResult, SuiteSummary, TrialResult } from "../../report/suite-schema.js";
import type { Suite } from "../suite.js";
import type { BaselineFile } from "./baseline.js";
import { type CaseFigures, figuresOf, rateOf } from "./case-figures.js";
import { compareWithBaseline } from "./compare-with-baseline.js";
import { judgeGates } from "./gates.js";
import { passRate } from "./pass-rate.js";
import { addKnown } from "./sum-known.js";

/** The summary of a run of a suite, from its results read once. */
export function summarizeSuite(
  { facts, tally, results }: Recorded<Suites>,
  suite: Suite,
  baseline: BaselineFile | undefined,
): SuiteSummary {
  const cases: CaseFigures[] = [];
  const totals = emptyTotals();
  for (const result of results()) {
    cases.push(figuresOf(result));
    addResult(totals, result);
  }
  // Of one that the run was stopped before nothing is known.
  const begun = cases.filter(({ wanted }) => wanted > 0);
  const score = begun.length === 0 ? 0 : mean(begun.map(rateOf));
  const suiteIds = suite.cases.map(({ id }) => id);
  const comparison = baseline ? compareWithBaseline(cases, baseline, suiteIds) : null;
  const latency = median(totals.latencies) ?? null;
  const gates = judgeGates({
    limits: suite.gates,
    score,
    allPassed: tally.failed + tally.error === 0 && cases.length > 0,
    errors: tally.error - totals.interrupted,
    interrupted: totals.interrupted,
    comparison,
  });
  return {
    schema_version: REPORT_SCHEMA_VERSION,
    kind: "suite",
    name: suite.name,
    ...facts,
    suite_path: suite.path,
    suite_sha256: suite.digest,
    total_cases: tally.passed + tally.failed + tally.error,
    passed_cases: tally.passed,
    failed_cases: tally.failed,
    errored_cases: tally.error,
    interrupted_cases: totals.interrupted,
    runs: totals.runs,
    runs_wanted: totals.runsWanted,
    score,
    interval: intervalOf(begun),
    ...chances(begun),
    flaky: cases.filter(isFlaky).map(({ id }) => id),
    generation_score: totals.retrievalRuns === 0 ? null : totals.generationRight / totals.retrievalRuns,
    retrieval_score: totals.retrievalRuns === 0 ? null : totals.retrievalRight / totals.retrievalRuns,
    retrieval_metrics: Object.fromEntries([...totals.metrics].map(([name, values]) => [name, mean(values)])),
    total_input_tokens: totals.inputTokens,
    total_output_tokens: totals.outputTokens,
    cost_usd: totals.costUsd,
    cost_runs: totals.costRuns,
    judge_cost_usd: totals.judgeCostUsd,
    spent_usd: totals.spentUsd,
    taken_over_runs: totals.takenOver,
    taken_over_usd: totals.takenOverUsd,
    median_latency_ms: latency,
    cached_runs: totals.cached,
    kept_workspaces: totals.kept,
    gates,
    comparison,
    run_passed: totals.interrupted === 0 && gates.every(({ passed }) => passed),
  };
}

function emptyTotals() {
  return {
    interrupted: 0,
    runs: 0,
    runsWanted: 0,
    cached: 0,
    inputTokens: 0,
    outputTokens: 0,
    costUsd: null as number | null,
    costRuns: 0,
    judgeCostUsd: null as number | null,
    spentUsd: null as number | null,
    takenOver: 0,
    takenOverUsd: null as number | null,
    latencies: [] as number[],
    kept: [] as string[],
    /** Runs that assert something of what was retrieved. */
    retrievalRuns: 0,
    retrievalRight: 0,
    generationRight: 0,
    metrics: new Map<string, number[]>(),
  };
}

type Totals = ReturnType<typeof emptyTotals>;

function addResult(totals: Totals, result: CaseResult): void {
  if (isInterrupted(result)) totals.interrupted++;
  totals.runsWanted += result.runs_wanted;
  for (const trial of result.trials) {
    totals.runs++;
    if (trial.cached) totals.cached++;
    totals.inputTokens += trial.input_tokens;
    totals.outputTokens += trial.output_tokens;
    totals.costUsd = addKnown(totals.costUsd, trial.cost_usd);
    if (trial.cost_usd !== null) totals.costRuns++;
    totals.judgeCostUsd = addKnown(totals.judgeCostUsd, trial.judge_cost_usd);
    const spent = addKnown(trial.cached ? null : trial.cost_usd, trial.judge_cost_usd);
    if (trial.taken_over) {
      totals.takenOver++;
      totals.takenOverUsd = addKnown(totals.takenOverUsd, spent);
    } else totals.spentUsd = addKnown(totals.spentUsd, spent);
    // What did not come to an end took no time that says anything.
    if (trial.error_message === null) totals.latencies.push(trial.duration_ms);
    if (trial.workspace !== null) totals.kept.push(trial.workspace);
    addRetrieval(totals, trial);
  }
}

function addRetrieval(totals: Totals, trial: TrialResult): void {
  const halves = halvesOf(trial);
  if (halves === undefined) return;
  totals.retrievalRuns++;
  if (halves.retrieval) totals.retrievalRight++;
  if (halves.generation) totals.generationRight++;
  for (const { metrics = {} } of trial.scores.filter(({ type }) => type === "retrieval")) {
    for (const [name, value] of Object.entries(metrics)) {
      const values = totals.metrics.get(name);
      if (values) values.push(value);
      else totals.metrics.set(name, [value]);
    }
  }
}

function isFlaky({ passed, runs }: CaseFigures): boolean {
  return passed > 0 && passed < runs;
}

/** The 95% interval of the score; null without cases. */
function intervalOf(cases: readonly CaseFigures[]): SuiteSummary["interval"] {
  if (cases.length === 0) return null;
  const { low, high, method } = passRate(cases.map(({ passed, wanted }) => ({ passed, runs: wanted })));
  return { low, high, level: 0.95, method: method === "wilson" ? "Wilson" : "clustered by case" };
}

/** pass@k and pass^k for every k that all cases have runs for. */
function chances(cases: readonly CaseFigures[]): Pick<SuiteSummary, "pass_at_k" | "pass_hat_k"> {
  const most = cases.length === 0 ? 0 : cases.reduce((least, { runs }) => Math.min(least, runs), Infinity);
  const ks = Array.from({ length: most }, (_, index) => index + 1);
  const over = (of: typeof passAtK) =>
    Object.fromEntries(ks.map((k) => [k, mean(cases.map(({ runs, passed }) => of(runs, passed, k)))]));
  return { pass_at_k: over(passAtK), pass_hat_k: over(passHatK) };
}

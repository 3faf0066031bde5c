import { basename } from "node:path";
import { count, dollars, duration, percent, shellQuote, shortPath } from "../core/text.js";
import { cutTexts } from "./cut-texts.js";
import { type Halves, halvesOf } from "./halves.js";
import type { Suites, View } from "./kind.js";
import { maskCase, maskTrial } from "./mask.js";
import { suitePage } from "./suite-page.js";
import type { CaseResult, Comparison, Gate, SuiteSummary, TrialResult } from "./suite-schema.js";

/** Longer texts of a session are cut in the report as a whole; all of them are in the file of the case. */
const LONGEST_TEXT = 2_000;

/** How runs of suites are shown. */
export const suiteView: View<Suites> = {
  noun: "case",
  plural: "cases",
  againOption: "--case",
  columns: (summary) => ["pass rate", ...(summary.retrieval_score === null ? [] : ["retrieval", "generation"])],
  item: (result) => ({
    id: result.case_id,
    type: result.target_type,
    status: result.status,
    duration_ms: result.duration_ms,
    time: timeOf(result),
    description: typeof result.input === "string" ? result.input : JSON.stringify(result.input),
    why: result.failure_reasons.join("; ") || (result.error_detail ?? ""),
    stdout: notPassed(result)?.output ?? "",
    stderr: failedScript(result)?.printed ?? "",
    source: result.source_path,
    evidence: evidenceOf(result),
    cells: [passRate(result), half(result, "retrieval"), half(result, "generation")],
  }),
  log: ({ runs, pass_rate, cached, total_turns }) => ({ runs, pass_rate, cached, total_turns }),
  brief: (result) => ({
    ...result,
    trials: result.trials.map((trial) => cutTexts(trial, LONGEST_TEXT) as TrialResult),
  }),
  mask: maskCase,
  maskNote: (note, redactor) => ({ ...note, trial: maskTrial(note.trial, redactor) }),
  run: (summary) => ({
    passed: summary.run_passed,
    tally: { passed: summary.passed_cases, failed: summary.failed_cases, error: summary.errored_cases },
    score: [
      ...(summary.interrupted_cases > 0 ? [`${summary.runs} of ${count(summary.runs_wanted, "run")}`] : []),
      ...(summary.runs > 0 || summary.interrupted_cases === 0
        ? [`score ${percent(summary.score)}${intervalText(summary)}`]
        : []),
      `${summary.passed_cases} of ${count(summary.total_cases, "case")}`,
      ...(summary.cached_runs > 0 ? [`${summary.cached_runs} of ${count(summary.runs, "run")} cached`] : []),
    ],
    needed: "",
    lines: [...summary.gates.map((gate) => `${markOf(gate)} ${gate.text}`), ...facts(summary)],
  }),
  resume: nameOf,
  junit: ({ name, gates }) => ({ suite: name, gates }),
  page: suitePage,
};

/** One that could not have been missed is no good news. */
function markOf({ passed, decided }: Gate): string {
  return passed ? (decided ? "✓" : "–") : "✗";
}

function* facts(summary: SuiteSummary): Generator<string> {
  const { runs, total_cases, flaky, comparison, cached_runs, taken_over_runs, kept_workspaces, interrupted_cases } =
    summary;
  if (interrupted_cases > 0)
    yield `interrupted: ${count(interrupted_cases, "case")} did not end; --resume ${shellQuote(nameOf(summary))} completes the run`;
  if (runs > total_cases) yield* chances(summary);
  if (flaky.length > 0) yield `flaky: ${list(flaky)}`;
  if (summary.retrieval_score !== null) {
    const metrics = Object.entries(summary.retrieval_metrics).map(([name, value]) => `${name} ${value.toFixed(3)}`);
    const generation = summary.generation_score === null ? "" : `; generation ${percent(summary.generation_score)}`;
    const means = metrics.length === 0 ? "" : ` (${metrics.join(", ")})`;
    yield `retrieval ${percent(summary.retrieval_score)}${means}${generation}`;
  }
  if (comparison) yield* differences(comparison);
  yield* costs(summary);
  if (kept_workspaces.length > 0) yield `workspaces kept: ${list(kept_workspaces)}`;
  if (taken_over_runs > 0) yield `${taken_over_runs} of ${count(runs, "run")} taken over from the run before`;
  if (cached_runs > 0) yield `${cached_runs} of ${count(runs, "run")} from the cache; --no-cache asks again`;
}

/** What names a run on the command line: its id, unless its directory has another name. */
function nameOf({ run_id, output_dir }: SuiteSummary): string {
  return basename(output_dir) === run_id ? run_id : shortPath(output_dir);
}

/** For the largest k. */
function* chances({ runs, pass_at_k, pass_hat_k }: SuiteSummary): Generator<string> {
  const k = Math.max(...Object.keys(pass_at_k).map(Number));
  if (k <= 1) return;
  yield `${count(runs, "run")}: pass@${k} ${percent(pass_at_k[k] ?? 0)}, pass^${k} ${percent(pass_hat_k[k] ?? 0)}`;
}

function* differences({ better, worse, same, changed, added, removed }: Comparison): Generator<string> {
  yield `against the baseline: ${better.length} better, ${worse.length} worse, ${same} same`;
  if (worse.length > 0) yield `worse: ${list(worse)}`;
  const left = [...changed.map((id) => `${id} (changed)`), ...added.map((id) => `${id} (new)`)];
  if (left.length > 0) yield `not compared: ${list(left)}`;
  if (removed.length > 0) yield `only in the baseline: ${list(removed)}`;
}

function* costs(summary: SuiteSummary): Generator<string> {
  const { cost_usd, cost_runs, runs, judge_cost_usd, spent_usd, taken_over_usd } = summary;
  if (cost_usd === null && judge_cost_usd === null) return;
  const targets = cost_runs === runs ? "targets" : `targets (${cost_runs} of ${count(runs, "run")} say it)`;
  const parts = {
    [targets]: cost_usd,
    judge: judge_cost_usd,
    "spent by this run": spent_usd ?? 0,
    "by the run before": taken_over_usd,
  };
  const known = Object.entries(parts).flatMap(([name, usd]) => (usd === null ? [] : `${name} ${dollars(usd)}`));
  yield `cost: ${known.join(", ")}`;
}

const MAX_LISTED = 10;

function list(ids: readonly string[]): string {
  const more = ids.length > MAX_LISTED ? [`and ${ids.length - MAX_LISTED} more`] : [];
  return [...ids.slice(0, MAX_LISTED), ...more].join(", ");
}

function intervalText({ interval }: SuiteSummary): string {
  return interval === null
    ? ""
    : ` (${percent(interval.level)} CI ${percent(interval.low)} to ${percent(interval.high)})`;
}

function notPassed({ trials }: CaseResult): TrialResult | undefined {
  return trials.find(({ status }) => status !== "passed");
}

function evidenceOf(result: CaseResult): [string, string][] {
  const trial = notPassed(result);
  if (!trial) return [];
  const workspace: [string, string][] = trial.workspace === null ? [] : [["workspace", trial.workspace]];
  const script = failedScript(result)?.path;
  return [
    ...Object.entries(trial.evidence),
    ...(script === undefined ? [] : [["script", script] as [string, string]]),
    ...workspace,
  ];
}

/** What the first script printed that did not pass, and where all of it is. */
function failedScript(result: CaseResult): { printed: string; path: string } | undefined {
  for (const { type, status, details = {} } of notPassed(result)?.scores ?? []) {
    const { printed, stderr_path, stdout_path } = details;
    const path = stderr_path ?? stdout_path;
    if (!type.startsWith("script") || status === "passed" || typeof path !== "string") continue;
    return { printed: typeof printed === "string" ? printed : "", path };
  }
  return undefined;
}

/** Of one run: what repeats add up to says nothing of how long it takes. */
function timeOf({ duration_ms, runs, cached }: CaseResult): string {
  if (runs > 0 && cached === runs) return "cached";
  const time = runs > 1 ? `${runs} × ${duration(duration_ms / runs)}` : duration(duration_ms);
  return cached > 0 ? `${time}, ${cached} cached` : time;
}

function passRate({ trials, runs_wanted }: CaseResult): string {
  return `${trials.filter(({ status }) => status === "passed").length}/${runs_wanted}`;
}

/** How many runs have this half of an answer right. */
function half({ trials }: CaseResult, name: keyof Halves): string {
  const scored = trials.flatMap((trial) => halvesOf(trial) ?? []);
  return scored.length === 0 ? "" : `${scored.filter((halves) => halves[name]).length}/${scored.length}`;
}

import * as z from "zod";
import { REPORT_SCHEMA_VERSION } from "./schema.js";

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);
const amount = z.number().min(0);
const timestamp = z.string().describe("ISO 8601, UTC.");
const status = z.enum(["passed", "failed", "error"]);
const digest = z.string().describe("`sha256:<hex>`.");

const scoreSchema = z.strictObject({
  type: z.string().describe("The kind of assertion."),
  status,
  reason: z.string().describe("What was expected and found; empty where there is nothing to say."),
  metrics: z.record(z.string(), z.number()).optional(),
  details: z.record(z.string(), z.json()).optional(),
});

/** One run of one case. */
export const trialResultSchema = z.strictObject({
  run: z.int().min(1).describe("Which run of the case."),
  session_id: z.string(),
  key: z.string().describe("Says by content what was run; equal keys need not be run again."),
  status,
  failure_reasons: z.array(z.string()),
  error_message: z.string().nullable().describe("Why the session did not succeed, or why there is no verdict."),
  started_at: timestamp,
  duration_ms: count.describe("Of the call of the target."),
  output: z.string().describe("The final assistant message."),
  messages: z.array(z.strictObject({ role: z.string(), name: z.string().optional(), content: z.string() })),
  tool_calls: z.array(
    z.strictObject({
      name: z.string(),
      arguments: z.json(),
      result: z.json().optional(),
      error: z.string().optional(),
    }),
  ),
  retrieved: z
    .array(z.strictObject({ id: z.string(), text: z.string().optional(), score: z.number().optional() }))
    .nullable(),
  turns: count,
  input_tokens: count,
  output_tokens: count,
  cost_usd: amount.nullable(),
  model: z.string().nullable().describe("The model that answered, where the target says it."),
  judge_cost_usd: amount.nullable(),
  retries: count.describe("How often the target was called again because of rate limits."),
  taken_over: z.boolean().describe("Whether it was taken over from an earlier run, with --resume."),
  cached: z.boolean().describe("Whether the session was taken from the cache; its figures are of the call then made."),
  scores: z.array(scoreSchema),
  changes: z.array(z.record(z.string(), z.json())).nullable().describe("The files that changed in the workspace."),
  workspace: z.string().nullable().describe("Absolute path of the workspace, where it was kept."),
  evidence: z.record(z.string(), z.string()).describe("Files, relative to the run directory or absolute."),
});

const caseShape = {
  case_id: z.string(),
  session_id: z.string().describe("Of the first run; those of all runs are in `trials`."),
  passed: z.boolean().describe("Every run passed."),
  failure_reasons: z
    .array(z.string())
    .describe("Of all runs, each once; with several, it begins with `run N: ` or `in N of M runs: `."),
  total_turns: count.describe("This and the figures below: the sum over all runs."),
  duration_ms: count,
  total_input_tokens: count,
  total_output_tokens: count,
  error_message: z.string().nullable().describe("Of the first run that has one."),
  runs: count.describe("How many runs ended."),
  pass_rate: ratio.describe("Of the runs that were wanted; one that ended in an error did not pass."),
  cost_usd: amount.nullable().describe("Null where the target does not report any."),
  cached: count.describe("How many runs were taken from the cache."),
  judge: z
    .strictObject({ asked: count, cost_usd: amount.nullable() })
    .nullable()
    .describe("Null where no judge was asked."),
  tags: z.array(z.string()),
};

/** A line of the file that `-o` names. */
const caseLineSchema = z.strictObject(caseShape);

/** The result of a case. */
const caseResultSchema = z.strictObject({
  ...caseShape,
  status,
  error_detail: z.string().nullable().describe("Why there is no verdict; set when `status` is `error`."),
  runs_wanted: count,
  target: z.string().describe("Absolute path of the target file, or as it was written where there is none."),
  target_type: z.string(),
  source_path: z.string().describe("Absolute path of the file that holds the case."),
  case_sha256: digest,
  target_sha256: digest.nullable(),
  started_at: timestamp,
  completed_at: timestamp,
  input: z.json(),
  trials: z.array(trialResultSchema),
});

const interval = z.strictObject({ low: ratio, high: ratio, level: ratio, method: z.string() });

const gateSchema = z.strictObject({
  name: z.enum(["all_passed", "min_pass_rate", "max_drop", "max_cost_increase", "max_latency_increase"]),
  passed: z.boolean(),
  decided: z.boolean().describe("False where it could not have been missed: `passed` says nothing then."),
  value: z.number().nullable().describe("Null where it could not be computed."),
  limit: z.number(),
  text: z.string().describe("The same for people."),
});

const comparisonSchema = z.strictObject({
  baseline: z.string().describe("Absolute path of the baseline file."),
  baseline_run_id: z.string(),
  compared: count.describe("How many cases are in both and did not change."),
  baseline_score: ratio.nullable().describe("Over the compared cases."),
  score: ratio.nullable().describe("Over the compared cases."),
  drop: z.number().nullable(),
  drop_interval: z
    .strictObject({ low: z.number(), high: z.number(), level: ratio, method: z.string() })
    .nullable()
    .describe("Of the drop."),
  p_value: ratio.nullable().describe("Two-sided: how likely such a change is, up or down, where nothing has changed."),
  least_p_value: ratio.nullable().describe("The smallest that so many cases and runs can have."),
  method: z.string(),
  baseline_cost_usd: amount.nullable().describe("Mean over the compared cases of the mean cost of a run that says it."),
  cost_usd: amount.nullable(),
  cost_cases: count.describe("Of how many compared cases the cost is known on both sides."),
  baseline_latency_ms: amount.nullable().describe("Median over the compared cases of their median latencies."),
  latency_ms: amount.nullable(),
  better: z.array(z.string()),
  worse: z.array(z.string()),
  same: count,
  changed: z.array(z.string()).describe("Cases that were edited since: left out."),
  added: z.array(z.string()),
  removed: z.array(z.string()).describe("Cases of the baseline that are no longer in the suite."),
});

const suiteSummarySchema = z.strictObject({
  schema_version: z.literal(REPORT_SCHEMA_VERSION),
  kind: z.literal("suite"),
  name: z.string(),
  run_id: z.string(),
  project_root: z.string(),
  output_dir: z.string(),
  suite_path: z.string(),
  suite_sha256: digest,
  started_at: timestamp,
  completed_at: timestamp,
  duration_ms: count,
  total_cases: count,
  passed_cases: count,
  failed_cases: count,
  errored_cases: count,
  interrupted_cases: count,
  runs: count.describe("How many runs of cases ended."),
  runs_wanted: count.describe("How many there would be if the run had not been stopped."),
  score: ratio.describe(
    "The mean of the pass rates of the cases; where the run was stopped, over the runs that ended.",
  ),
  interval: interval.nullable().describe("Of the score."),
  pass_at_k: z.record(z.string(), ratio).describe("The chance that at least one of k runs passes, by k."),
  pass_hat_k: z.record(z.string(), ratio).describe("The chance that all of k runs pass, by k."),
  flaky: z.array(z.string()).describe("Cases of which some runs passed and some did not."),
  generation_score: ratio.nullable().describe("Runs whose assertions about retrieval aside all passed."),
  retrieval_score: ratio
    .nullable()
    .describe("Runs whose assertions about retrieval passed; null where there are none."),
  retrieval_metrics: z.record(z.string(), z.number()).describe("Means over the runs that have them."),
  total_input_tokens: count,
  total_output_tokens: count,
  cost_usd: amount.nullable().describe("Of the targets, also where an answer was taken from the cache."),
  cost_runs: count.describe("How many runs say what they cost: `cost_usd` is the sum of these."),
  judge_cost_usd: amount.nullable().describe("Of the judges, but for verdicts from the cache."),
  spent_usd: amount
    .nullable()
    .describe("What this run itself spent on both: not what was taken from the cache, or over."),
  taken_over_runs: count.describe("How many runs were taken over from an earlier run, with --resume."),
  taken_over_usd: amount.nullable().describe("What these spent then on both."),
  median_latency_ms: amount.nullable(),
  cached_runs: count,
  kept_workspaces: z.array(z.string()).describe("Absolute paths of the workspaces that were kept."),
  gates: z.array(gateSchema),
  comparison: comparisonSchema.nullable(),
  run_passed: z.boolean().describe("All gates were met; one of them is that every case passed, or the pass rate."),
});

/** `report.json` of a suite. */
export const suiteReportSchema = suiteSummarySchema.extend({ cases: z.array(caseResultSchema) });

export type TrialResult = z.infer<typeof trialResultSchema>;
export type CaseLine = z.infer<typeof caseLineSchema>;
export type CaseResult = z.infer<typeof caseResultSchema>;
export type Gate = z.infer<typeof gateSchema>;
export type Comparison = z.infer<typeof comparisonSchema>;
export type SuiteSummary = z.infer<typeof suiteSummarySchema>;
export type SuiteReport = z.infer<typeof suiteReportSchema>;

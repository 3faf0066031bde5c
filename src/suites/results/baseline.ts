import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import * as z from "zod";
import { writeFileAtomic } from "../../core/atomic.js";
import { describeSystemError } from "../../core/errors.js";
import { makeDirectory } from "../../core/make-directory.js";
import { type CaseResult, type SuiteReport, suiteReportSchema } from "../../report/suite-schema.js";
import { figuresOf } from "./case-figures.js";

const amount = z.number().min(0);

/** What a later run is compared with: a file in version control. */
const baselineSchema = z.object({
  schema_version: z.literal(1),
  kind: z.literal("baseline"),
  suite: z.string(),
  suite_sha256: z.string(),
  run_id: z.string(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  score: z.number().min(0).max(1),
  total_input_tokens: amount,
  total_output_tokens: amount,
  cost_usd: amount.nullable(),
  median_latency_ms: amount.nullable(),
  cases: z.record(
    z.string(),
    z.object({
      case_sha256: z.string(),
      target_sha256: z.string().nullable(),
      runs: z.int().min(1),
      passed: z.int().min(0),
      input_tokens: amount,
      output_tokens: amount,
      cost_usd: amount.nullable(),
      /** How many runs say what they cost; absent: all of them. */
      cost_runs: z.int().min(0).optional(),
      median_latency_ms: amount.nullable(),
    }),
  ),
});

export type Baseline = z.infer<typeof baselineSchema>;

/** A baseline, and the file that it came from. */
export interface BaselineFile {
  path: string;
  content: Baseline;
}

/** Where the baseline of a suite is: beside it. */
export function baselinePath(suitePath: string): string {
  return join(dirname(suitePath), `${basename(suitePath, extname(suitePath))}.baseline.json`);
}

/** What is kept of a run. Cases that ended in an error or did not end are left out. */
export function baselineOf(report: SuiteReport): Baseline {
  const cases = report.cases.filter(({ status }) => status !== "error");
  return {
    schema_version: 1,
    kind: "baseline",
    suite: report.name,
    suite_sha256: report.suite_sha256,
    run_id: report.run_id,
    created_at: new Date().toISOString(),
    score: report.score,
    total_input_tokens: report.total_input_tokens,
    total_output_tokens: report.total_output_tokens,
    cost_usd: report.cost_usd,
    median_latency_ms: report.median_latency_ms,
    cases: Object.fromEntries(cases.map((result) => [result.case_id, baselineCase(result)])),
  };
}

function baselineCase(result: CaseResult): Baseline["cases"][string] {
  const { case_sha256, runs, passed, costUsd, costRuns, medianLatencyMs } = figuresOf(result);
  return {
    case_sha256,
    target_sha256: result.target_sha256,
    runs,
    passed,
    input_tokens: result.total_input_tokens,
    output_tokens: result.total_output_tokens,
    cost_usd: costUsd,
    cost_runs: costRuns,
    median_latency_ms: medianLatencyMs,
  };
}

/** Replaces the file as a whole. @throws the file system's error */
export function writeBaseline(path: string, baseline: Baseline): void {
  makeDirectory(dirname(path));
  writeFileAtomic(path, `${JSON.stringify(baseline, null, 2)}\n`);
}

/** The baseline in a file; a text: why there is none. */
export function readBaseline(path: string): Baseline | string {
  const content = readJson(path);
  if (typeof content === "string") return content;
  const { data, error } = baselineSchema.safeParse(content.value);
  return data ?? `it is no baseline: ${error?.issues[0]?.path.join(".")}: ${error?.issues[0]?.message}`;
}

/** The report of a finished run of a suite; a text: why there is none. */
export function readSuiteReport(path: string): SuiteReport | string {
  const content = readJson(path);
  if (typeof content === "string") return content;
  const { data, error } = suiteReportSchema.safeParse(content.value);
  return data ?? `it is no report of a suite: ${error?.issues[0]?.path.join(".")}: ${error?.issues[0]?.message}`;
}

function readJson(path: string): { value: unknown } | string {
  try {
    return { value: JSON.parse(readFileSync(path, "utf8")) };
  } catch (error) {
    if (error instanceof SyntaxError) return "it is no JSON";
    // Who asks names the file.
    return describeSystemError(error).replace(`: ${path}`, "");
  }
}

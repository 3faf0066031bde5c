import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import * as z from "zod";
import { writeFileAtomic } from "../../core/atomic.js";
import { describeSystemError, UserError } from "../../core/errors.js";
import { makeDirectory } from "../../core/make-directory.js";
import { mean, median } from "../../core/statistics.js";
import { shortPath } from "../../core/text.js";
import { type CaseResult, type SuiteReport, suiteReportSchema } from "../../report/suite-schema.js";
import { figuresOf } from "./case-figures.js";
import { sumKnown } from "./sum-known.js";

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
type BaselineCase = Baseline["cases"][string];

/** A baseline, and the file that it came from. */
export interface BaselineFile {
  path: string;
  content: Baseline;
}

/** Where the baseline of a suite is: beside it. */
export function baselinePath(suitePath: string): string {
  return join(dirname(suitePath), `${basename(suitePath, extname(suitePath))}.baseline.json`);
}

export interface UpdatedBaseline {
  baseline: Baseline;
  /** Ids of cases that the run has a verdict of. */
  updated: readonly string[];
  /** Of cases that the run did not hold, or that ended in an error: as they were. */
  kept: readonly string[];
  /** Of cases that are no longer in the suite. */
  removed: readonly string[];
}

export interface UpdateOptions {
  /** What there is already. */
  before: Baseline | undefined;
  /** The ids of all cases of the suite; undefined where that is not known. */
  suiteIds: readonly string[] | undefined;
}

/**
 * The baseline with what a run says of its cases. All others stay: the run may have been one of a few. Only one of the
 * whole suite removes those that are no longer there.
 */
export function updateBaseline(report: SuiteReport, { before, suiteIds }: UpdateOptions): UpdatedBaseline {
  const old = new Map(Object.entries(before?.cases ?? {}));
  const judged = report.cases.filter(({ status }) => status !== "error");
  const ran = new Set(report.cases.map(({ case_id }) => case_id));
  // Of a suite that can't be read nothing is known to be gone.
  const there = suiteIds && new Set(suiteIds);
  const isWhole = suiteIds?.every((id) => ran.has(id)) ?? false;
  const removed = isWhole ? [...old.keys()].filter((id) => !there?.has(id)) : [];
  const cases = new Map(old);
  for (const id of removed) cases.delete(id);
  for (const result of judged) cases.set(result.case_id, baselineCase(result));
  const updated = new Set(judged.map(({ case_id }) => case_id));
  return {
    baseline: {
      schema_version: 1,
      kind: "baseline",
      suite: report.name,
      suite_sha256: report.suite_sha256,
      run_id: report.run_id,
      created_at: new Date().toISOString(),
      ...totals([...cases.values()]),
      cases: Object.fromEntries(cases),
    },
    updated: [...updated],
    kept: [...cases.keys()].filter((id) => !updated.has(id)),
    removed,
  };
}

function totals(cases: readonly BaselineCase[]) {
  const sum = (of: (each: BaselineCase) => number) => cases.reduce((total, each) => total + of(each), 0);
  const latencies = cases.flatMap(({ median_latency_ms }) => median_latency_ms ?? []);
  return {
    score: cases.length === 0 ? 0 : mean(cases.map(({ passed, runs }) => passed / runs)),
    total_input_tokens: sum(({ input_tokens }) => input_tokens),
    total_output_tokens: sum(({ output_tokens }) => output_tokens),
    cost_usd: sumKnown(cases, ({ cost_usd }) => cost_usd),
    median_latency_ms: median(latencies) ?? null,
  };
}

function baselineCase(result: CaseResult): BaselineCase {
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

/** That a baseline which a user named, or asked for, can't be used. */
export function unusableBaseline(why: string, path: string): UserError {
  return new UserError(`the baseline cannot be used: ${why}: ${shortPath(path)}`, {
    code: "usage",
    hint: "eb suite baseline update RUN writes one",
  });
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

import * as z from "zod";

export const REPORT_SCHEMA_VERSION = 1;

/** The `error_detail` of an item that did not end since the run was stopped. */
export const INTERRUPTED = "interrupted";

const timestamp = z.string().describe("ISO 8601, UTC.");
const count = z.int().min(0);

/** The result of one check. Absent values are null. */
export const checkResultSchema = z.strictObject({
  check_id: z.string(),
  check_type: z.enum(["deterministic", "harness_judge"]),
  check_definition_sha256: z
    .string()
    .nullable()
    .describe("`sha256:<hex>` of what was run; null when the definition could not be read."),
  description: z.string(),
  source_path: z.string().describe("Absolute path of the YAML file."),
  tags: z.array(z.string()),
  status: z.enum(["passed", "failed", "error"]),
  score: z.union([z.literal(0), z.literal(1)]),
  started_at: timestamp,
  completed_at: timestamp,
  duration_ms: count,
  reason: z.string().nullable().describe("Why it passed or failed, as far as that is known."),
  error_detail: z.string().nullable().describe("Why there is no verdict; set when `status` is `error`."),
  stdout: z.string().describe("The last 2000 characters; the whole is in the file that `details` names."),
  stderr: z.string(),
  exit_code: z.int().nullable(),
  details: z.record(z.string(), z.json()).describe("More, by type of check."),
});

/** What is known of a run apart from its checks. */
const runSummarySchema = z.strictObject({
  schema_version: z.literal(REPORT_SCHEMA_VERSION),
  run_id: z.string(),
  project_root: z.string(),
  output_dir: z.string().describe("Absolute path of the run directory."),
  started_at: timestamp,
  completed_at: timestamp,
  duration_ms: count,
  total_checks: count,
  passed_checks: count,
  failed_checks: count,
  errored_checks: count,
  points_earned: count,
  total_points: count,
  percentage: z.number().min(0).max(100).describe("Of the points, with one decimal."),
  pass_threshold: z.number().min(0).max(1),
  meets_threshold: z.boolean(),
  run_passed: z.boolean().describe("The threshold is met and no check ended in an error."),
});

/** `report.json`. */
export const runReportSchema = runSummarySchema.extend({
  checks: z.array(checkResultSchema).describe("In order of their paths."),
});

export type CheckResult = z.infer<typeof checkResultSchema>;
export type ItemStatus = CheckResult["status"];
export type RunSummary = z.infer<typeof runSummarySchema>;
export type RunReport = z.infer<typeof runReportSchema>;

/** Whether an item has no verdict because the run was stopped before it ended, or began. */
export function isInterrupted(result: { error_detail: string | null; runs?: number; runs_wanted?: number }): boolean {
  // Of a case that has all its runs, it is the target that says so.
  const { error_detail, runs = 0, runs_wanted = 1 } = result;
  return error_detail === INTERRUPTED && runs < runs_wanted;
}

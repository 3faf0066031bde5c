import type { CheckResult } from "../report/schema.js";
import type { Outcome } from "../run/outcome.js";

/** The check as far as it is known without its result. */
export type CheckIdentity = Pick<
  CheckResult,
  "check_id" | "check_type" | "check_definition_sha256" | "description" | "source_path" | "tags"
>;

export function checkResult(check: CheckIdentity, startedAt: Date, durationMs: number, outcome: Outcome): CheckResult {
  const { output } = outcome;
  return {
    ...check,
    status: outcome.status,
    score: outcome.status === "passed" ? 1 : 0,
    started_at: startedAt.toISOString(),
    completed_at: new Date(startedAt.getTime() + durationMs).toISOString(),
    duration_ms: Math.round(durationMs),
    reason: outcome.reason ?? null,
    error_detail: outcome.errorDetail ?? null,
    stdout: output?.stdout ?? "",
    stderr: output?.stderr ?? "",
    exit_code: outcome.exitCode ?? null,
    details: {
      stdout_path: output?.stdoutPath ?? null,
      stderr_path: output?.stderrPath ?? null,
      ...outcome.details,
    },
  };
}

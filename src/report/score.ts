import type { Tally } from "./kind.js";
import type { RunSummary } from "./schema.js";

type Score = Pick<
  RunSummary,
  | "total_checks"
  | "passed_checks"
  | "failed_checks"
  | "errored_checks"
  | "points_earned"
  | "total_points"
  | "percentage"
  | "pass_threshold"
  | "meets_threshold"
  | "run_passed"
>;

/** The score of a run of checks; every check is worth one point. An error never passes, whatever the threshold; nor does a run of no checks. */
export function scoreRun(tally: Tally, passThreshold: number): Score {
  const total = tally.passed + tally.failed + tally.error;
  const meetsThreshold = total > 0 && tally.passed / total >= passThreshold;
  return {
    total_checks: total,
    passed_checks: tally.passed,
    failed_checks: tally.failed,
    errored_checks: tally.error,
    points_earned: tally.passed,
    total_points: total,
    // Multiplied first: exact up to the rounding, so that 201 of 400 is 50.3 and not 50.2.
    percentage: total === 0 ? 0 : Math.round((tally.passed * 1000) / total) / 10,
    pass_threshold: passThreshold,
    meets_threshold: meetsThreshold,
    run_passed: meetsThreshold && tally.error === 0,
  };
}

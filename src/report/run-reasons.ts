import type { TrialResult } from "./suite-schema.js";

/** Why the runs of a case did not pass: each reason once, in the order in which they were given, with those runs. */
export function runsByReason(
  trials: readonly Pick<TrialResult, "run" | "failure_reasons">[],
): Map<string, Set<number>> {
  const runs = new Map<string, Set<number>>();
  for (const { run, failure_reasons } of trials) {
    for (const reason of failure_reasons) runs.set(reason, (runs.get(reason) ?? new Set()).add(run));
  }
  return runs;
}

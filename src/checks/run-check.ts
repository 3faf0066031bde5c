import { monotonicMs } from "../core/clock.js";
import { describeSystemError, UserError } from "../core/errors.js";
import type { CheckResult } from "../report/schema.js";
import { type ItemContext, itemContext, type RunContext } from "../run/context.js";
import { type Outcome, outcomeOfError } from "../run/outcome.js";
import { runDeterministic } from "./deterministic.js";
import { isAsPlanned, type PlannedCheck } from "./plan.js";
import { type CheckIdentity, checkResult } from "./result.js";
import { type CheckSnapshot, snapshotCheck } from "./snapshot.js";

export interface RunCheckOptions {
  run: RunContext;
  /** Called once the check was read and before its program starts. */
  onStart: (at: Date) => Promise<void>;
}

/**
 * Runs one check. What goes wrong with the check is its result.
 * @throws UserError (`changed`) when it is not what was planned; the file system's error when nothing can be written
 */
export async function runCheck(planned: PlannedCheck, { run, onStart }: RunCheckOptions): Promise<CheckResult> {
  const snapshot = confirmSnapshot(planned);
  const context = itemContext(run, planned.id);
  const startedAt = new Date();
  const clock = monotonicMs();
  await onStart(startedAt);
  const outcome = await runByType(snapshot, context).catch(outcomeOfError);
  context.evidenceDirs.settle(context.evidenceDir);
  return checkResult(identify(planned, snapshot.sha256), startedAt, monotonicMs() - clock, outcome);
}

/** The result of a check that did not run to its end. */
export function unfinishedCheck(planned: PlannedCheck, errorDetail: string): CheckResult {
  return checkResult(identify(planned, null), new Date(), 0, { status: "error", errorDetail });
}

async function runByType({ definition, ...snapshot }: CheckSnapshot, context: ItemContext): Promise<Outcome> {
  context.evidenceDirs.make(context.evidenceDir);
  switch (definition.type) {
    case "deterministic":
      return runDeterministic({ definition, ...snapshot }, context);
    case "harness_judge":
      // Not loaded where nothing is judged.
      return (await import("./judge-check.js")).judgeCheck(definition, context);
  }
}

/** Reads the check once more, for good: the run and the digest use these bytes. */
function confirmSnapshot(planned: PlannedCheck): CheckSnapshot {
  let problems: UserError["problems"] = [];
  try {
    const { known } = planned;
    const snapshot = snapshotCheck(planned.sourcePath, typeof known === "string" ? undefined : known);
    if (isAsPlanned(snapshot.definition, planned)) return snapshot;
  } catch (error) {
    problems = error instanceof UserError ? error.problems : [{ message: describeSystemError(error) }];
  }
  throw new UserError(`changed after discovery: ${planned.sourcePath}`, {
    code: "changed",
    problems: [...problems],
    hint: "leave check files alone while they run, and run again",
  });
}

function identify(planned: PlannedCheck, sha256: string | null): CheckIdentity {
  return {
    check_id: planned.id,
    check_type: planned.type,
    check_definition_sha256: sha256,
    description: planned.description,
    source_path: planned.sourcePath,
    tags: planned.tags,
  };
}

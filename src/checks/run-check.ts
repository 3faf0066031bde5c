import { describeSystemError, isSystemError, UserError } from "../core/errors.js";
import type { CheckResult } from "../report/schema.js";
import { type CheckContext, checkContext, type RunContext } from "./context.js";
import { runDeterministic } from "./deterministic.js";
import { runJudge } from "./judge.js";
import { type CheckIdentity, checkResult, type Outcome } from "./outcome.js";
import { fingerprint, type PlannedCheck } from "./plan.js";
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
  const context = checkContext(run, planned.id);
  const startedAt = new Date();
  const clock = performance.now();
  await onStart(startedAt);
  const outcome = await runByType(snapshot, context).catch(toOutcome);
  context.evidenceDirs.settle(context.evidenceDir);
  // A word of ours may be the value of a secret.
  const masked = { ...run.redactor.data(outcome), status: outcome.status };
  return checkResult(identify(planned, snapshot.sha256), startedAt, performance.now() - clock, masked);
}

/** The result of a check that did not run to its end. */
export function unfinishedCheck(planned: PlannedCheck, errorDetail: string): CheckResult {
  return checkResult(identify(planned, null), new Date(), 0, { status: "error", errorDetail });
}

/** What a check did to files that are its own is its error; a full disk is that of the run. */
function toOutcome(error: unknown): Outcome {
  if (!isSystemError(error) || DISK_ERRORS.has(error.code ?? "")) throw error;
  return { status: "error", errorDetail: `its files cannot be used: ${describeSystemError(error)}` };
}

const DISK_ERRORS = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"]);

async function runByType({ definition, ...snapshot }: CheckSnapshot, context: CheckContext): Promise<Outcome> {
  context.evidenceDirs.make(context.evidenceDir);
  switch (definition.type) {
    case "deterministic":
      return runDeterministic({ definition, ...snapshot }, context);
    case "harness_judge":
      return runJudge({ definition, ...snapshot }, context);
  }
}

/** Reads the check once more, for good: the run and the digest use these bytes. */
function confirmSnapshot(planned: PlannedCheck): CheckSnapshot {
  let problems: UserError["problems"] = [];
  try {
    const snapshot = snapshotCheck(planned.sourcePath);
    if (fingerprint(snapshot.definition) === planned.fingerprint) return snapshot;
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

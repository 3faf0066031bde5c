import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LoadedConfig } from "../config/load.js";
import { describeSystemError, isSystemError, UserError } from "../core/errors.js";
import { schedule } from "../core/schedule.js";
import { findPython } from "../process/python.js";
import { endTagged } from "../process/tree.js";
import type { Reporter, ReporterFailure, RunEnd } from "../report/events.js";
import { createRecorder, type Recorder } from "../report/recorder.js";
import { createRunDir } from "../report/run-dir.js";
import { type RunContext, runTag } from "./context.js";
import type { PlannedCheck } from "./plan.js";
import { interruptedCheck, runCheck } from "./run-check.js";

export interface RunRequest {
  project: LoadedConfig;
  checks: readonly PlannedCheck[];
  flat: boolean;
  /** The reporters, once the directory of the run is known. */
  reporters: (runDir: string) => Reporter[];
  /** When it aborts, what runs is ended and the report says so. */
  signal?: AbortSignal | undefined;
}

export interface RunOutcome {
  end: RunEnd;
  /** Reporters that failed. The run itself is complete all the same. */
  reporterFailures: ReporterFailure[];
  /** Lets go of the journal: the results can't be read after it. */
  close: () => void;
}

/**
 * Runs the planned checks and tells the reporters.
 * @throws UserError when the run can't begin, a check was changed after discovery, or results can't be written;
 *   in the latter two cases after the report of what was done
 */
export async function runPlan(request: RunRequest): Promise<RunOutcome> {
  const stop = followSignal(request.signal);
  try {
    return await runUntil(stop, request);
  } finally {
    stop.release();
  }
}

async function runUntil(stop: Stop, { project, checks, flat, reporters }: RunRequest): Promise<RunOutcome> {
  const { config, root } = project;
  const { runId, path: runDir } = createRunDir({ outputDir: resolve(root, config["core.output_dir"]), flat });
  const run: RunContext = {
    config,
    env: { ...process.env },
    projectRoot: root,
    runId,
    runDir,
    signal: stop.signal,
    python: checks.some(({ type }) => type === "deterministic")
      ? await findPython(config["deterministic.python"], root)
      : undefined,
  };
  const recorder = await createRecorder({
    start: {
      type: "run.start",
      run_id: runId,
      project_root: root,
      output_dir: runDir,
      started_at: new Date().toISOString(),
      pass_threshold: config["core.pass_threshold"],
      total: checks.length,
    },
    reporters: reporters(runDir),
  });
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    stop.abort();
  };

  await runAll(checks, run, recorder, fail).catch(fail);
  for (const [index, planned] of checks.entries()) {
    if (recorder.has(index)) continue;
    await recorder.record(index, interruptedCheck(planned)).catch(fail);
    // There may be thousands: lets a second signal and the display in.
    if (index % 100 === 0) await nextTurn();
  }
  const end = await recorder.end();
  if (failure === undefined) return { end, reporterFailures: recorder.reporterFailures(), close: recorder.close };
  recorder.close();
  throw isSystemError(failure)
    ? new UserError(`the run was stopped: ${describeSystemError(failure)}`, { code: "io", cause: failure })
    : failure;
}

/** Runs the checks until all are done or the run is stopped. */
async function runAll(
  checks: readonly PlannedCheck[],
  run: RunContext,
  recorder: Recorder,
  fail: (error: unknown) => void,
): Promise<void> {
  const privateRoot = mkdtempSync(join(tmpdir(), "eval-banana-"));
  try {
    await schedule(checks.entries(), run.config["core.max_parallel_checks"], async ([index, planned]) => {
      if (run.signal.aborted) return;
      const onStart = (at: Date) => recorder.itemStart(planned.id, at);
      try {
        const result = await runCheck(planned, { run, privatePath: join(privateRoot, String(index)), onStart });
        await recorder.record(index, result);
      } catch (error) {
        fail(error);
      }
    });
    const leftBehind = await endTagged([runTag(run.runId)]);
    if (leftBehind > 0) await recorder.warn(`checks left ${leftBehind} process(es) running, which were ended`);
  } finally {
    rmSync(privateRoot, { recursive: true, force: true });
  }
}

/** A signal that aborts with the caller's, or on its own. */
interface Stop {
  signal: AbortSignal;
  abort: () => void;
  /** Leaves no listener on the caller's signal. */
  release: () => void;
}

function followSignal(outer: AbortSignal | undefined): Stop {
  const controller = new AbortController();
  // Every running check listens.
  setMaxListeners(0, controller.signal);
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    release: () => outer?.removeEventListener("abort", follow),
  };
}

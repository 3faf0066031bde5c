import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { envNamesIn, expandEnv } from "../agents/env.js";
import type { LoadedConfig } from "../config/load.js";
import type { Config } from "../config/settings.js";
import { describeSystemError, isSystemError, UserError } from "../core/errors.js";
import { createRedactor, noRedactor, type Redactor } from "../core/redact.js";
import { schedule } from "../core/schedule.js";
import { type Guard, startGuard } from "../process/guard.js";
import { findPython } from "../process/python.js";
import { endTree } from "../process/tree.js";
import type { Reporter, ReporterFailure, RunEnd } from "../report/events.js";
import { createRecorder, type Recorder } from "../report/recorder.js";
import { createRunDir } from "../report/run-dir.js";
import { INTERRUPTED } from "../report/schema.js";
import { type RunContext, runTag } from "./context.js";
import { createEvidenceDirs } from "./evidence-dirs.js";
import { type Harness, harnessFor } from "./harness.js";
import type { PlannedCheck } from "./plan.js";
import { createPrivateDirs } from "./private-dirs.js";
import { createLauncher } from "./python-launcher.js";
import { runCheck, unfinishedCheck } from "./run-check.js";

export interface RunRequest {
  project: LoadedConfig;
  checks: readonly PlannedCheck[];
  flat: boolean;
  /** What was noticed before the run; told after its start. */
  warnings?: readonly string[];
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
  const { project, checks, flat, reporters, signal, warnings = [] } = request;
  const { config, root } = project;
  const harness = harnessFor(project, checks);
  const scratch = makeScratch();
  const stop = followSignal(signal);
  let guard: Guard | undefined;
  try {
    const { runId, path: runDir } = createRunDir({ outputDir: resolve(root, config["core.output_dir"]), flat });
    const run: RunContext = {
      config,
      env: { ...process.env },
      projectRoot: root,
      runId,
      runDir,
      scratch: scratch.path,
      privateDirs: createPrivateDirs(scratch.path),
      evidenceDirs: createEvidenceDirs(),
      signal: stop.signal,
      redactor: redactorFor(config, harness),
      harness,
    };
    const recorder = await startRecording(run, checks.length, reporters(runDir));
    for (const warning of warnings) await recorder.warn(warning);
    for (const name of missingVariables(run)) {
      await recorder.warn(`{env:${name}} stands for nothing: the variable ${name} is not set`);
    }
    guard = startGuard({ tag: runTag(runId), scratch: scratch.path });
    const failure = await runAll(checks, run, recorder, stop.abort);
    const end = await recorder.end();
    if (failure === undefined) return { end, reporterFailures: recorder.reporterFailures(), close: recorder.close };
    recorder.close();
    throw failure;
  } finally {
    stop.release();
    scratch.remove();
    await guard?.release();
  }
}

/** Masks what looks secret, what the user names, and what is handed to the agent from the environment. */
function redactorFor(config: Config, harness: Harness | undefined): Redactor {
  if (!config["report.redact_values"]) return noRedactor;
  const handed = { ...harness?.template.provider_env, ...config["harness.env"] };
  return createRedactor({ env: process.env, names: [...config["report.redact"], ...envNamesIn(handed)] });
}

/** The variables that the agent is to get from the environment and that are not there. */
function missingVariables({ harness, env }: RunContext): Set<string> {
  return new Set(expandEnv(harness?.env ?? {}, env).missing);
}

function startRecording(run: RunContext, total: number, reporters: Reporter[]): Promise<Recorder> {
  return createRecorder({
    start: {
      type: "run.start",
      run_id: run.runId,
      project_root: run.projectRoot,
      output_dir: run.runDir,
      started_at: new Date().toISOString(),
      pass_threshold: run.config["core.pass_threshold"],
      total,
    },
    reporters,
  });
}

/** Runs the checks until all are done or the run is stopped; all have a result then. Returns what stopped it. */
async function runAll(
  checks: readonly PlannedCheck[],
  run: RunContext,
  recorder: Recorder,
  abort: () => void,
): Promise<unknown> {
  let failure: Error | undefined;
  const fail = (error: unknown) => {
    failure ??= asUserError(error);
    abort();
  };
  const recordUnfinished = async (index: number, planned: PlannedCheck, why: string) => {
    if (!recorder.has(index)) await recorder.record(index, unfinishedCheck(planned, why)).catch(fail);
  };
  const python = checks.some(({ type }) => type === "deterministic")
    ? await findPython({ ...run, cwd: run.projectRoot, configured: run.config["deterministic.python"] })
    : undefined;
  const launcher = createLauncher({ run, python, checks, warn: recorder.warn });
  const ready = { ...run, python, launcher };
  await schedule(checks.entries(), run.config["core.max_parallel_checks"], async ([index, planned]) => {
    if (run.signal.aborted) return;
    const onStart = (at: Date) => recorder.itemStart(planned.id, at);
    try {
      await recorder.record(index, await runCheck(planned, { run: ready, onStart }));
    } catch (error) {
      fail(error);
      await recordUnfinished(index, planned, asUserError(error).message);
    }
  });
  await launcher?.close();
  run.evidenceDirs.clear();
  const leftBehind = await endTree({ tags: [runTag(run.runId)] });
  if (leftBehind > 0) await recorder.warn(`checks left ${leftBehind} process(es) running, which were ended`);
  for (const [index, planned] of checks.entries()) {
    await recordUnfinished(index, planned, INTERRUPTED);
    // There may be thousands: lets a second signal and the display in.
    if (index % 100 === 0) await nextTurn();
  }
  return failure;
}

function asUserError(error: unknown): Error {
  if (!isSystemError(error)) return error instanceof Error ? error : new Error(String(error));
  return new UserError(`the run was stopped: ${describeSystemError(error)}`, { code: "io", cause: error });
}

/** A temporary directory that goes with this process at the latest. Absolute, whatever TMPDIR says: checks run elsewhere. */
function makeScratch() {
  try {
    const path = mkdtempSync(join(resolve(tmpdir()), "eval-banana-"));
    const remove = () => {
      process.off("exit", remove);
      removeScratch(path);
    };
    process.on("exit", remove);
    return { path, remove };
  } catch (error) {
    throw new UserError(`cannot make a temporary directory: ${describeSystemError(error)}`, {
      code: "io",
      hint: "set TMPDIR to a directory that can be written to",
      cause: error,
    });
  }
}

function removeScratch(scratch: string): void {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // A check made something there that cannot be removed; the results are not worse for it.
  }
}

/** A signal that aborts with the caller's, or on its own. */
function followSignal(outer: AbortSignal | undefined) {
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

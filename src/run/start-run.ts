import { resolve } from "node:path";
import type { LoadedConfig } from "../config/load.js";
import type { Config } from "../config/settings.js";
import { envNamesIn, expandEnv } from "../core/env.js";
import { createRedactor, noRedactor, type Redactor } from "../core/redact.js";
import { type Guard, startGuard } from "../process/guard.js";
import type { Reporter, ReporterFailure, RunEnd, RunStart } from "../report/events.js";
import type { Kind, View } from "../report/kind.js";
import { createRecorder, type Recorded, type Recorder } from "../report/recorder.js";
import { createRunDir } from "../report/run-dir.js";
import { type RunContext, runTag } from "./context.js";
import { createEvidenceDirs } from "./evidence-dirs.js";
import type { Harness } from "./harness.js";
import { createPrivateDirs } from "./private-dirs.js";
import { runItems, type Work } from "./run-items.js";
import { makeScratch } from "./scratch.js";
import { followSignal } from "./stop-signal.js";

/** What a run of any kind is asked for with. */
export interface RunOptions<K extends Kind> {
  project: LoadedConfig;
  /** Write into the output directory itself. */
  flat: boolean;
  /** What was noticed before the run; told after its start. */
  warnings?: readonly string[] | undefined;
  /** The reporters, once the directory of the run is known. */
  reporters: (runDir: string) => Reporter<K>[];
  /** When it aborts, what runs is ended and the report says so. */
  signal?: AbortSignal | undefined;
}

export interface RunOutcome<K extends Kind> {
  end: RunEnd<K>;
  /** Reporters that failed. The run itself is complete all the same. */
  reporterFailures: ReporterFailure[];
  /** Lets go of the journal: the results can't be read after it. */
  close: () => void;
}

/** What a kind of run is made of. */
export interface RunPlan<K extends Kind, Task> {
  view: View<K>;
  /** How many items there are. */
  total: number;
  start: K["start"];
  /** The agent that judges; undefined where nothing needs one. */
  harness?: Harness | undefined;
  /** More variables whose values are handed out, and masked in all that is written. */
  secrets?: readonly string[];
  /** Gets ready what all items need, and says what is to be done. Called once the run has been announced. */
  prepare: (run: RunContext, recorder: Recorder<K>) => Promise<Work<K, Task>>;
  summarize: (run: Recorded<K>) => K["summary"];
}

/**
 * Runs what is planned and tells the reporters.
 * @throws UserError when the run can't begin, an item was changed after discovery, or results can't be written;
 *   in the latter two cases after the report of what was done
 */
export async function startRun<K extends Kind, Task>(
  plan: RunPlan<K, Task>,
  { project, flat, reporters, signal, warnings = [] }: RunOptions<K>,
): Promise<RunOutcome<K>> {
  const { config, root } = project;
  const scratch = makeScratch();
  const stop = followSignal(signal);
  let guard: Guard | undefined;
  try {
    const folder = plan.view.plural;
    const { runId, path: runDir } = createRunDir({ outputDir: resolve(root, config["core.output_dir"]), folder, flat });
    const { harness, secrets } = plan;
    const places = { runId, runDir, folder, scratch: scratch.path };
    const run = createRunContext(project, { ...places, harness, secrets, signal: stop.signal });
    const recorder = await createRecorder<K>({
      start: startEvent(run, plan),
      reporters: reporters(runDir),
      view: plan.view,
      redactor: run.redactor,
      summarize: plan.summarize,
    });
    for (const warning of warnings) await recorder.warn(warning);
    for (const name of missingVariables(run)) {
      await recorder.warn(`{env:${name}} stands for nothing: the variable ${name} is not set`);
    }
    guard = startGuard({ tag: runTag(runId), scratch: scratch.path });
    const failure = await runItems(await plan.prepare(run, recorder), { run, recorder, abort: stop.abort });
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

function startEvent<K extends Kind, Task>(run: RunContext, { start, total }: RunPlan<K, Task>): RunStart<K> {
  return {
    type: "run.start",
    run_id: run.runId,
    project_root: run.projectRoot,
    output_dir: run.runDir,
    started_at: new Date().toISOString(),
    ...start,
    total,
  };
}

export type RunContextOptions = Pick<RunContext, "runId" | "runDir" | "folder" | "scratch" | "signal" | "harness"> & {
  /** Names of more variables whose values are masked. */
  secrets?: readonly string[] | undefined;
};

/** What all items of a run share, with the environment as it is now. */
export function createRunContext(
  { config, root }: LoadedConfig,
  { secrets, ...options }: RunContextOptions,
): RunContext {
  return {
    ...options,
    config,
    env: { ...process.env },
    projectRoot: root,
    privateDirs: createPrivateDirs(options.scratch),
    evidenceDirs: createEvidenceDirs(),
    redactor: redactorFor(config, options.harness, secrets),
  };
}

/** Masks what looks secret, what the user names, and what is handed to the agent from the environment. */
function redactorFor(config: Config, harness: Harness | undefined, secrets: readonly string[] = []): Redactor {
  if (!config["report.redact_values"]) return noRedactor;
  const handed = { ...harness?.template.provider_env, ...config["harness.env"] };
  return createRedactor({ env: process.env, names: [...config["report.redact"], ...envNamesIn(handed), ...secrets] });
}

/** The variables that the agent is to get from the environment and that are not there. */
function missingVariables({ harness, env }: RunContext): Set<string> {
  return new Set(expandEnv(harness?.env ?? {}, env).missing);
}

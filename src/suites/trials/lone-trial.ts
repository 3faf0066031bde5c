import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { createRunId } from "../../core/ids.js";
import { endTree } from "../../process/tree.js";
import { runTag } from "../../run/context.js";
import type { Harness } from "../../run/harness.js";
import { makeScratch } from "../../run/scratch.js";
import { createRunContext } from "../../run/start-run.js";
import { followSignal } from "../../run/stop-signal.js";
import { type TrialContext, trialContext } from "../trial-context.js";

export interface LoneTrialOptions {
  project: LoadedConfig;
  caseId: string;
  signal: AbortSignal;
  /** The agent that judges, where one is needed. */
  harness?: Harness | undefined;
}

/** One run of a case apart from any run of a suite: its files are gone with it, and no process of it is left. */
export async function withLoneTrial<T>(
  { project, caseId, signal, harness }: LoneTrialOptions,
  work: (context: TrialContext) => Promise<T>,
): Promise<T> {
  const scratch = makeScratch();
  const stop = followSignal(signal);
  const runId = createRunId();
  const runDir = join(scratch.path, "run");
  const folder = "cases";
  try {
    mkdirSync(join(runDir, folder), { recursive: true });
    const places = { runId, runDir, folder, scratch: scratch.path };
    const run = createRunContext(project, { ...places, harness, signal: stop.signal });
    return await work(trialContext(run, caseId, 1));
  } finally {
    await endTree({ tags: [runTag(runId)] });
    stop.release();
    scratch.remove();
  }
}

import { join } from "node:path";
import type { Config } from "../config/settings.js";
import { itemStem } from "../core/ids.js";
import type { Redactor } from "../core/redact.js";
import type { Python } from "../process/python.js";
import type { EvidenceDirs } from "./evidence-dirs.js";
import type { Harness } from "./harness.js";
import { streamPath } from "./outcome.js";
import type { PrivateDirs } from "./private-dirs.js";
import type { PythonLauncher } from "./python-launcher.js";

/** What all checks of a run share. */
export interface RunContext {
  config: Config;
  /** The parent's environment, copied once. */
  env: NodeJS.ProcessEnv;
  projectRoot: string;
  runId: string;
  runDir: string;
  /** A temporary directory that is gone at the end of the run; absolute. */
  scratch: string;
  privateDirs: PrivateDirs;
  evidenceDirs: EvidenceDirs;
  signal: AbortSignal;
  /** Masks secrets in all that is written. */
  redactor: Redactor;
  /** The agent that judges; undefined where no check needs one. */
  harness?: Harness | undefined;
  /** The interpreter, or why there is none; undefined where no check needs one. */
  python?: Python | string | undefined;
  /** Starts the scripts of deterministic checks. */
  launcher?: PythonLauncher | undefined;
}

/** The places and the surroundings of one check. */
export interface CheckContext extends RunContext {
  checkId: string;
  stem: string;
  /** For what the check wants kept; absolute. */
  evidenceDir: string;
  stdoutPath: string;
  stderrPath: string;
  /** Entries of the environment that tell this check's processes from all others. */
  tags: readonly string[];
}

export function checkContext(run: RunContext, checkId: string): CheckContext {
  const stem = itemStem(checkId);
  return {
    ...run,
    checkId,
    stem,
    evidenceDir: join(run.runDir, "checks", stem),
    stdoutPath: join(run.runDir, streamPath(stem, "stdout")),
    stderrPath: join(run.runDir, streamPath(stem, "stderr")),
    tags: [runTag(run.runId), `EVAL_BANANA_CHECK_ID=${checkId}`],
  };
}

/** The entry of the environment that every process of a run carries. */
export function runTag(runId: string): string {
  return `EVAL_BANANA_RUN_ID=${runId}`;
}

/** The variables that tell every check's program what it is a part of. */
export function checkEnv(context: CheckContext): NodeJS.ProcessEnv {
  return {
    EVAL_BANANA_PROJECT_ROOT: context.projectRoot,
    EVAL_BANANA_RUN_ID: context.runId,
    EVAL_BANANA_CHECK_ID: context.checkId,
    EVAL_BANANA_RUN_OUTPUT_DIR: context.runDir,
    EVAL_BANANA_OUTPUT_DIR: context.evidenceDir,
  };
}

import { join } from "node:path";
import type { Config } from "../config/settings.js";
import { itemStem } from "../core/ids.js";
import type { Redactor } from "../core/redact.js";
import type { Python } from "../process/python.js";
import type { EvidenceDirs } from "./evidence-dirs.js";
import type { Harness } from "./harness.js";
import { streamPath } from "./outcome.js";
import type { PrivateDirs } from "./private-dirs.js";
import type { PythonLauncher } from "./script-job.js";

/** What all items of a run share. */
export interface RunContext {
  config: Config;
  /** The parent's environment, copied once. */
  env: NodeJS.ProcessEnv;
  projectRoot: string;
  runId: string;
  runDir: string;
  /** The directory of the items' files, in the run directory: `checks`. */
  folder: string;
  /** A temporary directory that is gone at the end of the run; absolute. */
  scratch: string;
  privateDirs: PrivateDirs;
  evidenceDirs: EvidenceDirs;
  signal: AbortSignal;
  /** Masks secrets in all that is written. */
  redactor: Redactor;
  /** The agent that judges; undefined where nothing needs one. */
  harness?: Harness | undefined;
  /** The interpreter, or why there is none; undefined where nothing needs one. */
  python?: Python | string | undefined;
  /** Starts scripts; undefined where there is no interpreter. */
  launcher?: PythonLauncher | undefined;
}

/** The places and the surroundings of one item. */
export interface ItemContext extends RunContext {
  itemId: string;
  /** What the names of the item's files begin with, relative to the run directory, with `/` on every system. */
  prefix: string;
  /** For what the item wants kept; absolute. */
  evidenceDir: string;
  stdoutPath: string;
  stderrPath: string;
  /** Entries of the environment that tell this item's processes from all others. */
  tags: readonly string[];
}

export function itemContext(run: RunContext, itemId: string): ItemContext {
  const prefix = `${run.folder}/${itemStem(itemId)}`;
  return {
    ...run,
    itemId,
    prefix,
    evidenceDir: join(run.runDir, prefix),
    stdoutPath: join(run.runDir, streamPath(prefix, "stdout")),
    stderrPath: join(run.runDir, streamPath(prefix, "stderr")),
    tags: [runTag(run.runId), `EVAL_BANANA_CHECK_ID=${itemId}`],
  };
}

/** The entry of the environment that every process of a run carries. */
export function runTag(runId: string): string {
  return `EVAL_BANANA_RUN_ID=${runId}`;
}

/** The variables that tell every item's program what it is a part of. */
export function itemEnv(context: ItemContext): NodeJS.ProcessEnv {
  return {
    EVAL_BANANA_PROJECT_ROOT: context.projectRoot,
    EVAL_BANANA_RUN_ID: context.runId,
    EVAL_BANANA_CHECK_ID: context.itemId,
    EVAL_BANANA_RUN_OUTPUT_DIR: context.runDir,
    EVAL_BANANA_OUTPUT_DIR: context.evidenceDir,
  };
}

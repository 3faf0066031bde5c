import type { ForkedScript } from "../process/fork-server.js";
import type { JobResult } from "../process/job.js";
import type { Job } from "../process/start.js";

/** A script to run, as a job without a command. */
export interface ScriptJob extends Omit<Job, "command" | "args" | "start" | "stdinPath"> {
  script: ForkedScript;
}

export interface ScriptResult extends JobResult {
  /** How the interpreter came to be: as a copy of one that had started, or by starting. */
  launcher: "fork" | "spawn";
}

/** Runs the scripts of a run. */
export interface PythonLauncher {
  run: (job: ScriptJob) => Promise<ScriptResult>;
  /** When all scripts have ended. */
  close: () => Promise<void>;
}

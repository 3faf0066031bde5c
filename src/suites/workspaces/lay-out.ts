import type { TrialContext } from "../trial-context.js";
import type { Workspace } from "../workspace.js";
import { type CommandsResult, runCommands } from "./commands.js";
import { writeFiles } from "./files.js";
import { checkOut } from "./repository.js";
import { copyTemplate } from "./template.js";

export interface LayOutOptions {
  /** Its `env` and `tags` are those of the setup commands. */
  context: TrialContext;
  /** The folder of the suite file; absolute. No workspace lies in it or holds it. */
  suiteFolder: string;
  /** Of each command of setup, in milliseconds; 10 minutes where it is not given. */
  setupTimeoutMs?: number;
}

/** The limit of a command of setup or teardown for which there is no other. */
export const COMMAND_LIMIT_MS = 10 * 60_000;

export interface LaidOut {
  /** Why it could not be done; `interrupted` when the run was stopped. */
  error?: string | undefined;
  /** What setup printed: files relative to the run directory. */
  evidence: CommandsResult["evidence"];
}

/** Fills an empty directory as a workspace says: template or commit, files, setup. */
export async function layOut(workspace: Workspace, directory: string, options: LayOutOptions): Promise<LaidOut> {
  const { context, setupTimeoutMs = COMMAND_LIMIT_MS } = options;
  const { from } = workspace;
  let error: string | undefined;
  if (from !== undefined) {
    const where = { ...options, to: directory };
    error = await ("template" in from ? copyTemplate(from.template, where) : checkOut(from, where));
  }
  error ??= writeFiles(directory, workspace.files);
  if (error !== undefined) return { error, evidence: {} };
  const { failures, evidence } = await runCommands(workspace.setup, {
    phase: "setup",
    context,
    cwd: directory,
    timeoutMs: setupTimeoutMs,
    signal: context.signal,
    all: false,
  });
  return { error: failures[0], evidence };
}

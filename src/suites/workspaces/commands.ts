import { dirname } from "node:path";
import { makeDirectory } from "../../core/make-directory.js";
import { oneLine } from "../../core/text.js";
import { type JobResult, runJob } from "../../process/job.js";
import { INTERRUPTED } from "../../report/schema.js";
import { itemEnv } from "../../run/context.js";
import { collectOutput } from "../../run/outcome.js";
import { partContext, type TrialContext } from "../trial-context.js";

export interface CommandsOptions {
  /** What their output is filed under: `<prefix>/<phase>-<number>.stdout.txt`. */
  phase: "setup" | "teardown";
  context: TrialContext;
  cwd: string;
  /** Of each command. */
  timeoutMs: number;
  /** Undefined: nothing ends them but the limit. */
  signal: AbortSignal | undefined;
  /** Goes on after one that failed. */
  all: boolean;
}

export interface CommandsResult {
  /** Why commands failed, each with its exit code and the end of what it said. */
  failures: string[];
  /** What they printed: files relative to the run directory, by `setup-1.stdout`. */
  evidence: Record<string, string>;
}

/** Runs shell commands one after another; what one leaves running in its process group is ended. */
export async function runCommands(commands: readonly string[], options: CommandsOptions): Promise<CommandsResult> {
  const { phase, cwd, timeoutMs, signal, all } = options;
  const result: CommandsResult = { failures: [], evidence: {} };
  for (const [index, command] of commands.entries()) {
    const name = `${phase}-${index + 1}`;
    const context = partContext(options.context, name);
    makeDirectory(dirname(context.stdoutPath));
    const job = await runJob({
      command: "sh",
      args: ["-c", command],
      cwd,
      env: { ...context.env, ...itemEnv(context) },
      stdoutPath: context.stdoutPath,
      stderrPath: context.stderrPath,
      timeoutMs,
      signal,
      tags: context.tags,
    });
    const output = collectOutput(context.runDir, context.prefix, context.redactor);
    if (output.stdoutPath !== null) result.evidence[`${name}.stdout`] = output.stdoutPath;
    if (output.stderrPath !== null) result.evidence[`${name}.stderr`] = output.stderrPath;
    const failure = failureOf(job, timeoutMs);
    if (failure === undefined) continue;
    const said = (output.stderr || output.stdout).trim().split("\n").slice(-3).join("\n");
    const words = context.redactor.line(command, 100);
    result.failures.push(
      failure === INTERRUPTED ? failure : `${phase} \`${words}\` ${failure}${said ? `: ${oneLine(said, 400)}` : ""}`,
    );
    if (!all) break;
  }
  return result;
}

function failureOf(job: JobResult, timeoutMs: number): string | undefined {
  if (job.startError !== null) return `could not be started: ${job.startError}`;
  if (job.aborted) return INTERRUPTED;
  if (job.timedOut) return `did not end within ${timeoutMs / 1000} s`;
  if (job.signal !== null) return `was killed by ${job.signal}`;
  return job.exitCode === 0 ? undefined : `ended with exit code ${job.exitCode}`;
}
